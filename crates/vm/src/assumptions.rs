//! What exploration takes for granted, noted where it does: a proof that rests on it is none.
//!
//! Whatever is not true in every world is noted by its kind ([`Assumption`]), with the first place in words. Notes are for
//! the whole exploration: a state that a broken assumption would lead to is in none of its paths, and could go anywhere.
//! What others may change in memory is in [`crate::shared_memory`].

use term::{Node, Sort, Symbol};
use types::{FieldId, MethodId, Primitive, Type, TypeId};
use verdict::Assumption;

use crate::bytes::Bits;
use crate::code::Code;
use crate::decode::repr_of;
use crate::heap::{BlockId, BlockKind, Sharing, split_address};
use crate::machine::{Flow, Machine, Step, give_up, push};
use crate::models::Receiver;
use crate::state::{OnReturn, State};
use crate::value::{Repr, Value};

impl Machine {
    /// The answer takes something for granted; the first place where it does is kept in words.
    pub fn assume(&mut self, assumption: Assumption, detail: impl FnOnce(&Machine) -> String) {
        let is_known = self.assumes(assumption) || self.config.accepted.contains(assumption);
        if is_known || !self.explores() || self.followed.is_some() {
            return;
        }
        let detail = detail(self);
        self.inputs.assumed.insert(assumption, detail);
    }

    /// Whether the program itself asks, in exploration, and not the class library for purposes of its own.
    pub fn is_asked_by_program(&mut self, s: &State) -> bool {
        self.explores() && self.followed.is_none() && !self.basis(s.top.code.method).is_framework
    }

    pub fn assumes(&self, assumption: Assumption) -> bool {
        self.inputs.assumed.contains_key(&assumption)
    }

    /// A method is called, with so many operands as its arguments; what is to be done with its result.
    pub(crate) fn note_call(
        &mut self,
        s: &State,
        caller: &Code,
        method: MethodId,
        arguments: usize,
    ) -> OnReturn {
        if !self.explores() {
            return OnReturn::Push;
        }
        let basis = self.basis(method);
        if !basis.is_framework {
            return OnReturn::Push;
        }
        let is_asked = !self.basis(caller.method).is_framework;
        if is_asked && basis.only_answers && self.followed.is_none() && self.is_simple_answer(method) {
            return OnReturn::Model { then: Machine::any_answer, data: [self.answering(method), 0] };
        }
        if let Some(assumption) = basis.source.or(basis.asked.filter(|_| is_asked)) {
            let matters = basis.receiver == Receiver::Any || self.receiver(s, arguments) == Sharing::Input;
            if matters {
                self.assume(assumption, |m| {
                    format!("{} answers as it usually does", m.universe.method_id(method))
                });
            }
        }
        if is_asked
            && basis.receiver == Receiver::Shared
            && !matches!(self.receiver(s, arguments), Sharing::Own | Sharing::New)
        {
            self.assume(Assumption::OneThread, |m| {
                format!("no other thread is at the same place as {}", m.universe.method_id(method))
            });
        }
        OnReturn::Push
    }

    /// A static field of the framework is read.
    pub(crate) fn note_framework_field(&mut self, s: &State, field: FieldId) {
        if !self.is_asked_by_program(s) || !self.is_framework(self.universe.field(field).owner) {
            return;
        }
        if let Some(assumption) = self.library.field_basis(&self.universe, field) {
            self.assume(assumption, |m| {
                let info = m.universe.field(field);
                format!("{}.{} is what it is here", m.universe.type_name(info.owner), info.name)
            });
        }
    }

    /// The size of a type is asked for: that of an address is not the same everywhere.
    pub fn note_size(&mut self, s: &State, ty: TypeId) {
        if self.is_asked_by_program(s) && self.has_words(ty) {
            self.assume(Assumption::UsualEnvironment, |_| "an address has 64 bits".to_owned());
        }
    }

    fn has_words(&self, ty: TypeId) -> bool {
        let universe = &self.universe;
        match universe.primitive(ty) {
            Some(Primitive::I | Primitive::U) => return true,
            Some(_) => return false,
            None => {}
        }
        if !universe.is_value_type(ty) {
            return true;
        }
        let Ok(layout) = universe.layout(ty) else { return true };
        layout
            .fields
            .iter()
            .any(|(field, _)| universe.field_type(*field).map_or(true, |ty| self.has_words(ty)))
    }

    /// The number by which [`Machine::any_answer`] finds a method again.
    fn answering(&mut self, method: MethodId) -> u64 {
        let known = self.code.answering.iter().position(|asked| *asked == method);
        let number = known.unwrap_or_else(|| {
            self.code.answering.push(method);
            self.code.answering.len() - 1
        });
        number as u64
    }

    /// Whether a method gives a number or a reference, for no more than values and texts.
    fn is_simple_answer(&self, method: MethodId) -> bool {
        let Ok(signature) = self.universe.signature(method) else { return false };
        let is_plain = |ty: &TypeId| match self.universe.ty(*ty) {
            Type::ByRef(_) | Type::Pointer(_) => false,
            _ => {
                self.universe.is_value_type(*ty) || self.universe.well_known().is_ok_and(|k| k.string == *ty)
            }
        };
        let repr = repr_of(&self.universe, signature.ret);
        let is_number = matches!(repr, Ok(Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 | Repr::I8));
        let is_void = self.universe.primitive(signature.ret) == Some(Primitive::Void);
        !is_void && (is_number || matches!(repr, Ok(Repr::Ref))) && signature.params.iter().all(is_plain)
    }

    /// A method has answered something that is known here: elsewhere it can be any number, and something where it is
    /// nothing here.
    fn any_answer(&mut self, s: &mut State, value: Option<Value>, data: [u64; 2]) -> Step {
        let (Some(value), Some(&method)) = (value, self.code.answering.get(data[0] as usize)) else {
            return Ok(Flow::Next);
        };
        let Ok(ret) = self.universe.signature(method).map(|signature| signature.ret) else {
            return push(s, value);
        };
        let what = format!("what {} answers", self.universe.method_id(method));
        let is_truth = self.universe.primitive(ret) == Some(Primitive::Boolean);
        let repr = repr_of(&self.universe, ret).map_err(|gap| give_up(s, gap))?;
        let answer = match (&value, repr) {
            (Value::I64(0), Repr::Ref) => {
                let symbol = self.outside_reference(&what, ret);
                Value::Term(self.terms.var(symbol))
            }
            (_, Repr::Ref) => {
                self.assume(Assumption::UsualEnvironment, |_| format!("{what} is what it is here"));
                value
            }
            (Value::I32(number), _) => {
                let width = if is_truth { 1 } else { 8 * repr.size() };
                let here = u128::from(number.cast_unsigned()) & ((1 << width) - 1);
                let any = self.surroundings(&what, width, here);
                let any = if is_truth { self.terms.zext(any, 8) } else { any };
                self.widen(Bits::Symbolic(any), repr)
            }
            (Value::I64(number), _) => {
                let any = self.surroundings(&what, 64, u128::from(number.cast_unsigned()));
                Value::Term(any)
            }
            _ => {
                self.assume(Assumption::UsualEnvironment, |_| format!("{what} is what it is here"));
                value
            }
        };
        push(s, answer)
    }

    /// A reference from outside that is null here.
    fn outside_reference(&mut self, what: &str, ty: TypeId) -> Symbol {
        let key = (std::rc::Rc::from(what), 0);
        if let Some(symbol) = self.inputs.surroundings_at.get(&key) {
            return *symbol;
        }
        let symbol = self.reference_symbol(ty, what);
        self.inputs.surroundings.insert(symbol, what.into());
        self.inputs.surroundings_at.insert(key, symbol);
        symbol
    }

    /// Who has what the first argument of a call refers to.
    fn receiver(&self, s: &State, arguments: usize) -> Sharing {
        let Some(first) = arguments.checked_sub(1) else { return Sharing::Own };
        let value = s.top.stack.len().checked_sub(first + 1).and_then(|at| s.top.stack.get(at));
        match value.map(|value| self.settled(s, value).unwrap_or_else(|| value.clone())) {
            Some(Value::I64(address)) => {
                let (block, _) = split_address(address.cast_unsigned());
                match s.heap.get(block).map(|block| (block.kind, block.sharing)) {
                    Some((BlockKind::Statics(_), _)) => Sharing::Static,
                    Some((_, sharing)) => sharing,
                    None => Sharing::Own,
                }
            }
            Some(Value::Term(_)) => Sharing::Input,
            _ => Sharing::Own,
        }
    }

    /// A virtual call of an input object reached a method: a subclass elsewhere may have another one.
    pub(crate) fn note_dispatch(&mut self, s: &State, this: u64, declared: MethodId, target: MethodId) {
        if self.assumes(Assumption::ClosedWorld) {
            return;
        }
        let Some(class) = self.open_class_of(s, this) else { return };
        let universe = &self.universe;
        // What a class elsewhere can replace is the method of the class that it extends, not that of a class here.
        let inherited = universe.resolve_virtual(class, declared).unwrap_or(declared);
        let is_interface = universe.is_interface(universe.method(declared).owner);
        let is_replaceable = |m: MethodId| universe.method(m).is_abstract() || universe.is_overridable(m);
        if is_interface || is_replaceable(inherited) {
            self.assume(Assumption::ClosedWorld, |m| {
                let (name, class) = (m.universe.method_id(target), m.universe.type_name(class));
                format!("no subclass of {class} elsewhere has another {name}")
            });
        }
    }

    /// An input object passed or failed a test for a type: a subclass elsewhere may do the other.
    pub(crate) fn note_type_test(&mut self, s: &State, object: u64, ty: TypeId, is_instance: bool) {
        if self.assumes(Assumption::ClosedWorld) {
            return;
        }
        let universe = &self.universe;
        let Some(class) = self.open_class_of(s, object) else { return };
        let may_differ = if is_instance {
            !universe.is_assignable(class, ty).unwrap_or(false)
        } else {
            // Subclasses that are classes here stand for all of theirs; what has no objects here may have some elsewhere.
            let is_below = || universe.is_assignable(ty, class).unwrap_or(true);
            universe.is_interface(ty)
                || (universe.is_extensible(ty) || universe.is_abstract(ty)) && is_below()
                || universe.array_element(class).is_some()
        };
        if may_differ {
            self.assume(Assumption::ClosedWorld, |m| {
                let (name, class) = (m.universe.type_name(ty), m.universe.type_name(class));
                let verb = if is_instance { "is no" } else { "is a" };
                format!("no subclass of {class} elsewhere {verb} {name}")
            });
        }
    }

    /// Somebody wants the very class of an input object.
    pub fn note_exact_class(&mut self, s: &State, object: u64) {
        if let Some(class) = self.open_class_of(s, object) {
            self.assume(Assumption::ClosedWorld, |m| {
                format!("no object of a subclass of {} is passed", m.universe.type_name(class))
            });
        }
        let (block, _) = split_address(object);
        if let Some(ty) = self.class_of_input(s, block)
            && let Some(element) = self.universe.array_element(ty)
            && self.has_twins(element)
        {
            self.assume(Assumption::UsualInputs, |m| {
                let name = m.universe.type_name(ty);
                format!("no array of another type of the same size stands behind {name}")
            });
        }
    }

    /// Whether arrays of another element type pass for arrays of this one: signed and unsigned numbers, and enums.
    fn has_twins(&self, element: TypeId) -> bool {
        use types::Primitive as P;
        let plain = self.universe.enum_underlying(element).ok().flatten().unwrap_or(element);
        matches!(
            self.universe.primitive(plain),
            Some(P::I1 | P::U1 | P::I2 | P::U2 | P::I4 | P::U4 | P::I8 | P::U8 | P::I | P::U)
        )
    }

    /// The class of an input object that other assemblies can extend: the one that all of its classes are known to be, or
    /// one that it can have.
    fn open_class_of(&self, s: &State, object: u64) -> Option<TypeId> {
        let (block, _) = split_address(object);
        let is_open = |class: &TypeId| self.is_open_class(*class);
        let is_input = s.heap.get(block).is_some_and(|block| block.sharing == Sharing::Input);
        let bound = self.class_bound(s, block).filter(|_| is_input);
        if let Some(bound) = bound.filter(is_open) {
            return Some(bound);
        }
        if let Some((_, classes)) = s.open_classes(object) {
            return classes.iter().copied().find(is_open);
        }
        self.class_of_input(s, block).filter(is_open)
    }

    /// Arrays of a class vary with it.
    fn is_open_class(&self, ty: TypeId) -> bool {
        match self.universe.array_element(ty) {
            Some(element) => self.is_open_class(element) || self.universe.is_interface(element),
            None => self.universe.is_extensible(ty),
        }
    }

    /// The class of an object that was made for an input, the object under construction included.
    fn class_of_input(&self, s: &State, block: BlockId) -> Option<TypeId> {
        let block = s.heap.get(block)?;
        match (block.sharing, block.kind) {
            (Sharing::Input | Sharing::New, BlockKind::Object(ty)) => Some(ty),
            _ => None,
        }
    }

    /// A truth that was passed in takes part in something else than a test: it may be more than one bit.
    pub(crate) fn note_truth(&mut self, a: &Value, b: &Value) {
        let is_zero = |value: &Value| matches!(value, Value::I32(0) | Value::I64(0));
        if is_zero(a) || is_zero(b) || self.assumes(Assumption::UsualInputs) {
            return;
        }
        if self.is_truth(a) || self.is_truth(b) {
            self.assume(Assumption::UsualInputs, |_| "every bool that is passed in is 0 or 1".to_owned());
        }
    }

    /// Whether a value is an input of type `bool`, widened.
    fn is_truth(&self, value: &Value) -> bool {
        let Value::Term(term) = *value else { return false };
        match *self.terms.node(term) {
            Node::Extend { of, .. } => self.is_truth(&Value::Term(of)),
            Node::Var(symbol) => {
                self.terms.symbol_sort(symbol) == Sort::Bv(1) && !self.inputs.ambient.contains_key(&symbol)
            }
            _ => false,
        }
    }

    /// Operands that are addresses of different objects, or an address and a number.
    pub(crate) fn note_address_operands(&mut self, s: &State, a: &Value, b: &Value) {
        if self.assumes(Assumption::MemoryLayout) || !self.explores() {
            return;
        }
        let (a, b) = (self.block_of(s, a), self.block_of(s, b));
        if a != b && (a.is_some() || b.is_some()) && !self.basis(s.top.code.method).is_framework {
            self.note_addresses();
        }
    }

    /// The block that an address points into.
    fn block_of(&self, s: &State, value: &Value) -> Option<BlockId> {
        let Value::I64(number) = *value else { return None };
        let (block, _) = split_address(number.cast_unsigned());
        (block != BlockId(0) && s.heap.get(block).is_some()).then_some(block)
    }

    /// Memory is accessed through a pointer of unsafe code: nobody checks that it is inside of what it points to.
    pub(crate) fn note_pointer(&mut self, s: &State, address: u64) {
        if !s.top.code.has_pointers || !self.explores() {
            return;
        }
        let (block, _) = split_address(address);
        let kind = s.heap.get(block).map(|block| block.kind);
        let is_own = matches!(kind, Some(BlockKind::Frame | BlockKind::Stack));
        if !is_own && !self.basis(s.top.code.method).is_framework {
            self.note_addresses();
        }
    }

    /// Addresses of different objects are compared, or their bits are looked at.
    pub fn note_addresses(&mut self) {
        self.assume(Assumption::MemoryLayout, |_| {
            "addresses are compared, or their bits are looked at".to_owned()
        });
    }
}
