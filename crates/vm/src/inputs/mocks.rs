//! Mocks: objects of made-up classes that stand for what no real class serves.
//!
//! A mock is an input object like any other: it is made when a path looks behind a reference, and the fields of its base
//! class are symbols. What its abstract members answer are inputs as well, one for each call, the same on every path;
//! the path remembers which calls it made. A mocked delegate is a delegate over its own `Invoke`.

use std::rc::Rc;

use term::{Sort, Symbol};
use types::{MethodId, Primitive, Type, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::heap::{BlockId, BlockKind, split_address};
use crate::inputs::Input;
use crate::inputs::references::Resolution;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use verdict::{Assumption, Gap};

/// Types that the code tests for and that a mock is made to be.
const MAX_TESTED: usize = 6;

/// When objects of made-up classes stand behind references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mocks {
    /// Before real classes.
    Prefer,
    /// After real classes, for what these do not cover.
    #[default]
    Auto,
    /// Only where there is no real class.
    Avoid,
    Never,
}

/// What a path has asked of its mocks.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Calls in their order.
    pub calls: Vec<AskedCall>,
    pub properties: Vec<AskedProperty>,
    /// What the next call throws, if the path has decided on that.
    pub decided: Option<Option<MockException>>,
    /// The addresses of the exceptions that were thrown.
    pub thrown: Vec<u64>,
}

/// A call of a mocked method.
#[derive(Clone, Copy, Debug)]
pub struct AskedCall {
    /// The reference that the mock was made for.
    pub owner: Symbol,
    pub method: MethodId,
    /// Which of the answers of the method it gives: its number, or the first one again for a property.
    pub answer: u32,
    /// The exception that it throws instead of returning.
    pub throws: Option<MockException>,
}

/// An exception that a mock throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MockException {
    pub ty: TypeId,
    /// Its constructor takes a message; otherwise it takes nothing.
    pub has_message: bool,
}

/// A property without parameters of a mock that the path has read or set.
#[derive(Clone, Debug)]
pub struct AskedProperty {
    pub owner: Symbol,
    /// The type that declares it.
    pub declared_in: TypeId,
    pub name: Rc<str>,
    /// Its getter, if its first value was read, and how often that was.
    pub read: Option<MethodId>,
    pub reads: u32,
    /// What it was set to last, and how often it was before its setter ever threw.
    pub set: Option<(TypeId, Value)>,
    pub sets: u32,
}

/// What a call of a mocked method gives.
#[derive(Clone, Debug)]
pub struct Answer {
    pub returns: Returned,
    /// What by-ref parameters are set to, by index.
    pub assigns: Vec<(u32, Input)>,
}

#[derive(Clone, Debug)]
pub enum Returned {
    Nothing,
    /// The zero of the type.
    Default(TypeId),
    Value(Input),
    /// A completed task of this type with this result, if it has one.
    Task(TypeId, Option<Input>),
}

impl Asked {
    pub fn calls_of(&self, owner: Symbol, method: MethodId) -> impl Iterator<Item = &AskedCall> {
        self.calls.iter().filter(move |call| (call.owner, call.method) == (owner, method))
    }

    /// Whether this exception comes from a mock.
    pub fn has_thrown(&self, exception: u64) -> bool {
        self.thrown.contains(&exception)
    }

    /// How often a method of a mock was called.
    pub fn count(&self, owner: Symbol, method: MethodId) -> u32 {
        self.calls_of(owner, method).count() as u32
    }

    /// Calls of an accessor that were not listed because a property says it all: each gave its first answer.
    pub(crate) fn list_calls(&mut self, owner: Symbol, method: MethodId, count: u32) {
        let call = AskedCall { owner, method, answer: 0, throws: None };
        self.calls.extend((0..count).map(|_| call));
    }

    pub fn property(&self, owner: Symbol, declared_in: TypeId, name: &str) -> Option<&AskedProperty> {
        let is_it = |p: &&AskedProperty| p.owner == owner && p.declared_in == declared_in && &*p.name == name;
        self.properties.iter().find(is_it)
    }

    pub(crate) fn property_mut(
        &mut self,
        owner: Symbol,
        declared_in: TypeId,
        name: &str,
    ) -> &mut AskedProperty {
        let is_it = |p: &AskedProperty| p.owner == owner && p.declared_in == declared_in && &*p.name == name;
        let at = self.properties.iter().position(is_it).unwrap_or_else(|| {
            self.properties.push(AskedProperty {
                owner,
                declared_in,
                name: name.into(),
                read: None,
                reads: 0,
                set: None,
                sets: 0,
            });
            self.properties.len() - 1
        });
        &mut self.properties[at]
    }
}

impl Machine {
    /// Adds the mock that can stand behind a reference to what else can. An error says why there is nothing at all.
    pub(crate) fn add_mock(&mut self, ty: TypeId, options: &mut Vec<Resolution>) -> Result<(), Gap> {
        let alone = options.is_empty();
        let wanted = match self.config.mocks {
            Mocks::Never => false,
            Mocks::Avoid => alone,
            // What is not visible outside of its assembly has no other classes than those, friends apart.
            Mocks::Auto => {
                let is_served = !self.universe.is_visible(ty) || !self.standard_collections(ty)?.is_empty();
                alone || self.is_abstraction(ty) && !is_served
            }
            Mocks::Prefer => alone || self.is_abstraction(ty),
        };
        if !wanted && !alone {
            self.note_implementers(ty);
            return Ok(());
        }
        let name = self.universe.type_name(ty);
        if !wanted {
            return Err(Gap::unsupported_input(format!("no class is known that is a {name}")));
        }
        match self.mocks_of(ty) {
            Ok(mocks) if alone => options.push(Resolution::Open(mocks)),
            Ok(mocks) if self.config.mocks == Mocks::Prefer => options.insert(0, Resolution::Open(mocks)),
            Ok(mocks) => options.push(Resolution::Mock(mocks)),
            Err(gap) if alone => return Err(gap),
            Err(_) => {
                self.note_implementers(ty);
                return Ok(());
            }
        }
        self.limit_mock(ty);
        Ok(())
    }

    /// Only classes that are known stand behind a reference; others may be elsewhere.
    fn note_implementers(&mut self, ty: TypeId) {
        if self.is_abstraction(ty) && self.universe.is_extensible(ty) {
            self.assume(Assumption::ClosedWorld, |m| {
                format!("no class elsewhere is a {}", m.universe.type_name(ty))
            });
        }
    }

    /// Says that mocks are some implementations, not all.
    pub(crate) fn limit_mock(&mut self, ty: TypeId) {
        let detail = format!("a mock does not do all that a {} could do", self.universe.type_name(ty));
        self.inputs.limit(Gap::bound(detail));
    }

    fn is_abstraction(&self, ty: TypeId) -> bool {
        self.universe.is_interface(ty) || self.universe.is_abstract(ty)
    }

    /// The made-up classes that can stand behind a reference: the plain one, and those that are as well what the code
    /// tests for.
    fn mocks_of(&self, ty: TypeId) -> Result<Rc<[TypeId]>, Gap> {
        let universe = &self.universe;
        let mut mocks = vec![self.mock_of(ty)?];
        let Some((base, interfaces)) = mocks.first().and_then(|mock| universe.mock(*mock)) else {
            return Ok(mocks.into());
        };
        for &tested in self.classes.tested.iter().filter(|tested| self.mock_of(**tested).is_ok()) {
            let is_class = !universe.is_interface(tested);
            if mocks.len() > MAX_TESTED
                || is_class && !universe.is_interface(ty)
                || universe.is_delegate(tested)
            {
                continue;
            }
            let base = if is_class { tested } else { base };
            let all: Vec<TypeId> = interfaces.iter().copied().chain((!is_class).then_some(tested)).collect();
            let mock = universe.make_mock(base, &all)?;
            if !mocks.contains(&mock) {
                mocks.push(mock);
            }
        }
        Ok(mocks.into())
    }

    /// The made-up class that can stand for an interface or an abstract class, or the delegate itself; or why there is none.
    pub fn mock_of(&self, ty: TypeId) -> Result<TypeId, Gap> {
        let universe = &self.universe;
        let refuse = |why: &str| {
            Err(Gap::unsupported_input(format!("{} cannot be mocked: {why}", universe.type_name(ty))))
        };
        if self.config.mocks == Mocks::Never {
            return refuse("mocks are switched off");
        }
        if universe.is_delegate(ty) {
            return match self.delegate_invoke(ty)? {
                Some(invoke) if !self.has_pointers(invoke)? => Ok(ty),
                Some(_) => refuse("it takes or gives pointers"),
                None => refuse("it has no signature"),
            };
        }
        let object = universe.well_known()?.object;
        if universe.is_interface(ty) {
            for &interface in universe.interfaces(ty)?.iter().chain([&ty]) {
                for &method in universe.methods(interface)? {
                    if let Some(why) = self.why_not_implemented(method)? {
                        return refuse(why);
                    }
                }
            }
            return Ok(universe.make_mock(object, &[ty])?);
        }
        if !universe.is_abstract(ty) || universe.is_sealed(ty) {
            return refuse("it is neither an interface nor an abstract class nor a delegate");
        }
        if self.is_framework(ty) {
            return refuse("it keeps its state private to the framework");
        }
        for slot in &universe.vtable(ty)?.slots {
            if let Some(why) = self.why_not_implemented(slot.implementation)? {
                return refuse(why);
            }
        }
        // Public, protected, or protected internal.
        let constructors = universe.methods_named(ty, ".ctor")?;
        if !constructors.iter().any(|m| matches!(universe.method(*m).flags & 0x7, 4..=6)) {
            return refuse("it has no constructor that others can call");
        }
        Ok(universe.make_mock(ty, &[])?)
    }

    /// Why a class of another assembly cannot implement an abstract method.
    fn why_not_implemented(&self, method: MethodId) -> Result<Option<&'static str>, Gap> {
        let info = self.universe.method(method);
        if !info.is_abstract() {
            return Ok(None);
        }
        Ok(if info.is_static() {
            Some("it has static abstract members")
        } else if !matches!(info.flags & 0x7, 4..=6) {
            Some("it has abstract members that only its own assembly can implement")
        } else if self.has_pointers(method)? {
            Some("its members take or give pointers")
        } else {
            None
        })
    }

    fn has_pointers(&self, method: MethodId) -> Result<bool, Gap> {
        let universe = &self.universe;
        let signature = universe.signature(method)?;
        let is_pointer = |ty: &TypeId| {
            let inner = match universe.ty(*ty) {
                Type::ByRef(inner) => *inner,
                _ => *ty,
            };
            matches!(universe.ty(inner), Type::Pointer(_) | Type::FnPtr(_))
        };
        Ok(signature.params.iter().chain([&signature.ret]).any(is_pointer))
    }

    pub(crate) fn delegate_invoke(&self, ty: TypeId) -> Result<Option<MethodId>, Gap> {
        Ok(self.universe.methods_named(ty, "Invoke")?.first().copied())
    }

    /// A delegate whose target is itself and whose method is its own `Invoke`.
    pub(crate) fn make_mocked_delegate(&mut self, s: &mut State, ty: TypeId) -> Result<BlockId, Gap> {
        let universe = Rc::clone(&self.universe);
        let unknown = || Gap::unsupported_input("the delegates of this runtime");
        let invoke = self.delegate_invoke(ty)?.ok_or_else(unknown)?;
        let Value::I64(pointer) = self.function_pointer(invoke) else { return Err(unknown()) };
        let size = universe.layout(ty)?.size.max(1) as usize;
        let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size));
        let mut words = vec![
            (&["_target", "m_target"][..], block.address()),
            (&["_methodPtr", "method_ptr"], pointer.cast_unsigned()),
        ];
        if self.flavor() == crate::Flavor::Mono {
            words.push((&["method"], pointer.cast_unsigned()));
        }
        for (names, word) in words {
            let fields = universe.layout(ty)?.fields.iter();
            let mut found = fields.filter(|(field, _)| names.contains(&&*universe.field(*field).name));
            let (Some((_, offset)), Some(block)) = (found.next(), s.heap.get_mut(block)) else {
                return Err(unknown());
            };
            let written = block.bytes.write(*offset as usize, 8, Bits::Concrete(word), &mut self.terms);
            written.map_err(|_| Gap::internal_error("a delegate of another size"))?;
        }
        Ok(block)
    }

    /// The reference that a mock was made for, if the object at this address is one.
    pub(crate) fn mock_owner(&self, s: &State, address: u64) -> Option<Symbol> {
        let (block, _) = split_address(address);
        let is_mock = match s.heap.get(block)?.kind {
            BlockKind::Object(exact) => self.universe.is_mock(exact) || self.universe.is_delegate(exact),
            BlockKind::Open(_) => {
                s.path.origins.classes(block)?.iter().all(|class| self.universe.is_mock(*class))
            }
            _ => false,
        };
        if is_mock { s.path.origins.owner(block) } else { None }
    }

    /// What the n-th call of a mocked method gives: symbols that are the same on every path.
    pub fn answer(&mut self, owner: Symbol, method: MethodId, number: u32) -> Result<Rc<Answer>, Gap> {
        let key = (owner, method, number);
        if let Some(answer) = self.inputs.answers.get(&key) {
            return Ok(Rc::clone(answer));
        }
        let universe = Rc::clone(&self.universe);
        let name = self.call_name(key);
        let signature = universe.signature(method)?;
        let returns = self.made_up_result(signature.ret, &name)?;
        let mut assigns = Vec::new();
        for (index, &ty) in signature.params.iter().enumerate() {
            let Type::ByRef(target) = *universe.ty(ty) else { continue };
            if self.is_read_only_parameter(method, index)? {
                continue;
            }
            match self.make_input(target, &format!("{name}.{index}"), 0) {
                Ok(input) => assigns.push((index as u32, input)),
                // It keeps its value, or has none: an implementation may do so.
                Err(gap) => self.inputs.limit(gap),
            }
        }
        let answer = Rc::new(Answer { returns, assigns });
        self.inputs.answers.insert(key, Rc::clone(&answer));
        Ok(answer)
    }

    /// The symbol that decides whether a call throws something instead.
    pub(crate) fn failure_choice(&mut self, key: (Symbol, MethodId, u32)) -> Symbol {
        if let Some(choice) = self.inputs.failures.get(&key) {
            return *choice;
        }
        let name = self.call_name(key);
        let choice = self.terms.symbol(&format!("{name}:throws"), Sort::Bv(8));
        self.inputs.failures.insert(key, choice);
        choice
    }

    /// What the exception of a call says. It says something: many constructors do not expect null.
    pub(crate) fn failure_message(&mut self, key: (Symbol, MethodId, u32)) -> Result<Input, Gap> {
        if let Some(message) = self.inputs.messages.get(&key) {
            return Ok(message.clone());
        }
        let string = self.universe.well_known()?.string;
        let name = format!("{}.message", self.call_name(key));
        let message = self.make_input(string, &name, 0)?;
        if let Input::Reference { symbol, .. } = message {
            self.exclude_null(symbol, None);
        }
        self.inputs.messages.insert(key, message.clone());
        Ok(message)
    }

    fn call_name(&self, (owner, method, number): (Symbol, MethodId, u32)) -> String {
        let of = self.inputs.reference(owner).map_or_else(|| "mock".into(), |r| Rc::clone(&r.name));
        format!("{of}.{}()#{number}", self.universe.method(method).name)
    }

    fn made_up_result(&mut self, ty: TypeId, name: &str) -> Result<Returned, Gap> {
        let universe = Rc::clone(&self.universe);
        if universe.primitive(ty) == Some(Primitive::Void) {
            return Ok(Returned::Nothing);
        }
        if matches!(universe.ty(ty), Type::ByRef(_) | Type::Pointer(_) | Type::FnPtr(_)) {
            let detail = format!("a mocked member that gives {}", universe.type_name(ty));
            return Err(Gap::unsupported_input(detail));
        }
        if let Some(result) = self.task_result(ty) {
            let input = match result {
                None => None,
                Some(result) => match self.make_input(result, name, 0) {
                    Ok(input) => Some(input),
                    Err(gap) => return Err(gap),
                },
            };
            return Ok(Returned::Task(ty, input));
        }
        match self.make_input(ty, name, 0) {
            Ok(input) => Ok(Returned::Value(input)),
            // Not every value of the type can be made up, but its zero can.
            Err(gap) => {
                self.inputs.limit(gap);
                Ok(Returned::Default(ty))
            }
        }
    }

    /// For types that are awaited: `Some(None)` if there is no result.
    fn task_result(&self, ty: TypeId) -> Option<Option<TypeId>> {
        if !self.is_framework(ty) {
            return None;
        }
        match self.universe.type_name(self.universe.definition(ty)).as_str() {
            "System.Threading.Tasks.Task" | "System.Threading.Tasks.ValueTask" => Some(None),
            "System.Threading.Tasks.Task`1" | "System.Threading.Tasks.ValueTask`1" => {
                Some(self.universe.type_args(ty).first().copied())
            }
            _ => None,
        }
    }

    /// `in` parameters: whoever is called does not write there.
    fn is_read_only_parameter(&self, method: MethodId, index: usize) -> Result<bool, Gap> {
        let types::MethodKind::Def { assembly, def } = self.universe.method(method).kind else {
            return Ok(false);
        };
        let module = self.universe.assembly(assembly).module();
        let Ok(row) = module.method_def(def) else { return Ok(false) };
        let mut params = row.params.filter_map(|id| module.param(id).ok());
        let param = params.find(|param| usize::from(param.sequence) == index + 1);
        // In, and not out.
        Ok(param.is_some_and(|param| param.flags & 0x3 == 0x1))
    }
}
