//! The inputs of the method under test: which symbols stand for what, so that a model can be turned into arguments.
//!
//! The whole domain of a type is legal. A reference is null, the object of an earlier reference, or an object of its
//! own, which is made when the reference is first used ([`references`], [`contents`]). Where this machine cannot make up
//! every value, the input says so and no proof may rest on it.

mod by_refs;
mod candidates;
mod classes;
mod collections;
pub mod contents;
pub mod footprint;
mod framework_values;
pub mod grids;
mod limits;
pub mod making;
pub mod mocks;
pub mod outside;
pub mod recipes;
pub mod references;
mod spans;
mod substitution;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{FloatWidth, Sort, Symbol, Term};
use types::{FieldId, MethodId, Primitive, Type, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::cells::ArrayInput;
use crate::code::Code;
use crate::decode::{is_object_reference, repr_of};
use crate::heap::{BlockId, BlockKind, Sharing};
use crate::inputs::classes::Question;
use crate::inputs::contents::{Contents, Elements};
use crate::inputs::mocks::Answer;
use crate::inputs::references::Reference;
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Repr, Value};
use verdict::{Assumption, Gap};

/// One input and its parts.
#[derive(Clone, Debug)]
pub enum Input {
    /// A primitive or an enum.
    Scalar {
        ty: TypeId,
        symbol: Symbol,
    },
    Struct {
        ty: TypeId,
        fields: Vec<(FieldId, Input)>,
    },
    /// A value of a framework type that keeps its state private: each field as a term over free symbols.
    Computed {
        ty: TypeId,
        fields: Vec<(FieldId, Term)>,
    },
    /// A span over the array or string that was made for the reference.
    Span {
        ty: TypeId,
        over: Symbol,
    },
    /// A reference: null if the symbol is 0, otherwise what the path has made of it.
    Reference {
        ty: TypeId,
        symbol: Symbol,
    },
    /// A location that the method gets a managed pointer to.
    ByRef {
        block: BlockId,
        target: Box<Input>,
    },
    /// `this` of a constructor: a new object, or a zeroed value.
    New {
        ty: TypeId,
        block: BlockId,
    },
}

/// What a free symbol of a [`Input::Computed`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Ticks since the year 1.
    Ticks,
    /// Days since the year 1.
    Day,
    /// Ticks since midnight.
    Time,
    /// Minutes from a time zone to UTC, from the least that there is.
    Zone,
    Number,
}

/// All inputs of one exploration.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub this: Option<Input>,
    pub arguments: Vec<Input>,
    /// What keeps the inputs from being the whole domain.
    pub limits: Vec<Gap>,
    /// What the answer takes for granted, each with the first place where it does.
    pub assumed: BTreeMap<Assumption, String>,
    /// Nothing is taken for granted that can be left open: what others may have changed is any number.
    pub any_world: bool,
    /// The lengths of what is made and copied stay open, where exploration would try them out.
    pub keeps_lengths: bool,
    /// Some inputs are places in memory that may overlap with others in ways that are not tried.
    pub may_overlap: bool,
    /// Static fields of which `limits` speaks already.
    pub static_reads: FxHashSet<FieldId>,
    /// A cache of the compiler was found empty, as at the first call; a later call takes another branch.
    pub cache_read: bool,
    /// Scalars, in the order they were made.
    pub scalars: Vec<(Symbol, TypeId)>,
    /// The free symbols of values that are computed from them.
    pub parts: BTreeMap<Symbol, Part>,
    pub references: FxHashMap<Symbol, Rc<Reference>>,
    /// What the objects hold that references have been given of their own.
    pub contents: FxHashMap<(Symbol, TypeId), Rc<Contents>>,
    /// Elements of input arrays and strings.
    pub elements: FxHashMap<ArrayInput, Elements>,
    /// What calls of mocked methods give: the reference of the mock, the method, the number of the call.
    pub answers: FxHashMap<(Symbol, MethodId, u32), Rc<Answer>>,
    /// What decides whether such a call throws, and what its exception says.
    pub failures: FxHashMap<(Symbol, MethodId, u32), Symbol>,
    pub messages: FxHashMap<(Symbol, MethodId, u32), Input>,
    /// The fields of input objects, by the reference that each was made for. A field of a base class is the same one
    /// whatever class the object turns out to have.
    pub fields: FxHashMap<(Symbol, FieldId), Input>,
    /// The symbols that answer questions about the classes of input objects.
    pub questions: FxHashMap<(Symbol, Question), Symbol>,
    /// Symbols that stand for what comes from outside of the program, and what that is.
    pub ambient: FxHashMap<Symbol, &'static str>,
    /// Symbols of what comes from outside and is known here, and what that is.
    pub surroundings: BTreeMap<Symbol, Rc<str>>,
    /// The same by what it is, and where.
    pub surroundings_at: FxHashMap<(Rc<str>, u64), Symbol>,
    /// Symbols of lengths and the references whose arrays or strings have them.
    pub lengths: BTreeMap<Symbol, Symbol>,
    /// Texts that no parameter passes.
    pub outside: Vec<(outside::Outside, Input)>,
}

impl Inputs {
    /// What a reference is, if the symbol stands for one.
    pub fn reference(&self, symbol: Symbol) -> Option<&Rc<Reference>> {
        self.references.get(&symbol)
    }

    /// What the object holds that was made for a reference.
    pub fn contents_of(&self, symbol: Symbol, exact: TypeId) -> Option<&Rc<Contents>> {
        self.contents.get(&(symbol, exact))
    }

    /// What a call of a mocked method gives.
    pub fn answer(&self, owner: Symbol, method: MethodId, number: u32) -> Option<&Rc<Answer>> {
        self.answers.get(&(owner, method, number))
    }

    /// What the exception says that a call of a mocked method throws.
    pub fn message(&self, owner: Symbol, method: MethodId, number: u32) -> Option<&Input> {
        self.messages.get(&(owner, method, number))
    }

    /// The elements of an input array or string that have been looked at, by index.
    pub fn elements_of(&self, array: ArrayInput) -> impl Iterator<Item = (&u32, &Input)> {
        self.elements.get(&array).into_iter().flat_map(|elements| &elements.known)
    }

    /// Lengths of the input arrays and strings of a state that are not fixed yet.
    pub fn open_lengths(&self, s: &State) -> Vec<Symbol> {
        if self.lengths.is_empty() {
            return Vec::new();
        }
        let is_there = |owner| matches!(s.path.origins.resolution(owner), Some(Some(_)));
        let open = self
            .lengths
            .iter()
            .filter(|(length, owner)| !s.path.fixed.contains_key(length) && is_there(**owner));
        open.map(|(length, _)| *length).collect()
    }

    /// Whether some input is a place in memory that may be a part of another: all pairs of places of one type are tried,
    /// and no others.
    fn may_overlap(&self) -> bool {
        let all: Vec<&Input> = self.this.iter().chain(&self.arguments).collect();
        let is_tried = |a: &Input, b: &Input| match (a, b) {
            (Input::ByRef { target: a, .. }, Input::ByRef { target: b, .. }) => {
                input_type(a) == input_type(b)
            }
            _ => false,
        };
        all.iter().enumerate().any(|(index, a)| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != index);
            a.is_place() && others.map(|(_, b)| b).any(|b| leads_to_memory(b) && !is_tried(a, b))
        })
    }

    /// Whether some input is a place in memory of the caller's.
    pub(crate) fn has_places(&self) -> bool {
        self.arguments.iter().any(Input::is_place)
    }

    /// The symbols that stand for references.
    pub fn reference_symbols(&self) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self.references.keys().copied().collect();
        symbols.sort_unstable();
        symbols
    }

    /// Says what keeps the inputs from being the whole domain, once.
    pub fn limit(&mut self, gap: Gap) {
        if !self.limits.contains(&gap) {
            self.limits.push(gap);
        }
    }
}

impl Machine {
    /// Open code has no sizes and no layouts: type arguments must be chosen first.
    pub fn refuse_open(&self, method: MethodId) -> Result<(), Gap> {
        let info = self.universe.method(method);
        if self.universe.is_open(info.owner) || info.args.iter().any(|arg| self.universe.is_open(*arg)) {
            let id = self.universe.method_id(method);
            return Err(Gap::unsupported_input(format!("{id} has type parameters without arguments")));
        }
        Ok(())
    }

    /// Symbolic arguments for a method, `this` first.
    pub(crate) fn make_inputs(&mut self, s: &mut State, code: &Code) -> Result<Vec<Value>, Gap> {
        let universe = Rc::clone(&self.universe);
        let signature = universe.signature(code.method)?;
        let mut values = Vec::new();
        if signature.has_this {
            let (input, value) = self.make_this(s, code.method)?;
            self.inputs.this = Some(input);
            values.push(value);
        }
        for (index, &ty) in signature.params.iter().enumerate() {
            let name = format!("arg{index}");
            let (input, value) = self.make_argument(s, ty, &name)?;
            self.inputs.arguments.push(input);
            values.push(value);
        }
        self.inputs.may_overlap = self.inputs.may_overlap();
        Ok(values)
    }

    fn make_this(&mut self, s: &mut State, method: MethodId) -> Result<(Input, Value), Gap> {
        let universe = Rc::clone(&self.universe);
        let (ty, constructor) = (universe.method(method).owner, universe.method(method).is_constructor());
        if universe.is_value_type(ty) {
            let size = repr_of(&universe, ty)?.size();
            let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size.max(1) as usize));
            s.heap.share(block, if constructor { Sharing::New } else { Sharing::Input });
            if constructor {
                return Ok((Input::New { ty, block }, Value::address(block.address())));
            }
            let target = self.make_input(ty, "this", 0)?;
            self.write_input(s, block, 0, &target)?;
            let input = Input::ByRef { block, target: Box::new(target) };
            return Ok((input, Value::address(block.address())));
        }
        if constructor {
            if universe.is_abstract(ty) {
                let name = universe.type_name(ty);
                return Err(Gap::unsupported_input(format!(
                    "{name} is abstract: only a subtype's constructor calls this one"
                )));
            }
            let size = universe.layout(ty)?.size.max(1) as usize;
            let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size));
            s.heap.share(block, Sharing::New);
            return Ok((Input::New { ty, block }, Value::address(block.address())));
        }
        let symbol = self.reference_symbol(ty, "this");
        let mut candidates = self.candidates(ty)?.to_vec();
        self.limit_unnameable(ty);
        candidates.retain(|class| self.receives(*class, method));
        if candidates.is_empty() {
            candidates.push(self.mock_of(ty)?);
        }
        let block = self.make_open(s, symbol, candidates.into())?;
        Ok((Input::Reference { ty, symbol }, Value::address(block.address())))
    }

    /// Whether a call of a method on an object of a class runs that method: one that overrides it would run the other.
    pub fn receives(&self, class: TypeId, method: MethodId) -> bool {
        let universe = &self.universe;
        !universe.method(method).is_virtual()
            || universe.resolve_virtual(class, method).is_ok_and(|target| target == method)
    }

    fn make_argument(&mut self, s: &mut State, ty: TypeId, name: &str) -> Result<(Input, Value), Gap> {
        let universe = Rc::clone(&self.universe);
        match universe.ty(ty) {
            Type::ByRef(target) => {
                let size = repr_of(&universe, *target)?.size();
                let block = s.heap.allocate(BlockKind::Input, Bytes::zeroed(size.max(1) as usize));
                s.heap.share(block, Sharing::Input);
                let target = self.make_input(*target, name, 0)?;
                self.write_input(s, block, 0, &target)?;
                Ok((Input::ByRef { block, target: Box::new(target) }, Value::address(block.address())))
            }
            Type::Pointer(_) | Type::FnPtr(_) => {
                Err(Gap::unsupported_input(format!("{} is a pointer", universe.type_name(ty))))
            }
            _ => {
                if let Some(span) = self.make_span(s, ty, name)? {
                    return Ok(span);
                }
                let input = self.make_input(ty, name, 0)?;
                let value = self.input_value(&input)?;
                Ok((input, value))
            }
        }
    }

    pub(crate) fn make_input(&mut self, ty: TypeId, name: &str, depth: u32) -> Result<Input, Gap> {
        let universe = Rc::clone(&self.universe);
        if !universe.is_value_type(ty) {
            if !is_object_reference(&universe, ty) {
                return Err(Gap::unsupported_input(format!("{} is a pointer", universe.type_name(ty))));
            }
            return Ok(Input::Reference { ty, symbol: self.reference_symbol(ty, name) });
        }
        let plain = universe.enum_underlying(ty)?.unwrap_or(ty);
        if let Some(sort) = universe.primitive(plain).and_then(scalar_sort) {
            let symbol = self.terms.symbol(name, sort);
            self.inputs.scalars.push((symbol, ty));
            return Ok(Input::Scalar { ty, symbol });
        }
        let name_of = || universe.type_name(ty);
        if universe.is_byref_like(ty) {
            return Err(Gap::unsupported_input(format!("{} is a ref struct", name_of())));
        }
        if let Some(input) = self.framework_value(ty, name)? {
            return Ok(input);
        }
        let tried = self.tried_fields(ty);
        if tried.is_some() {
            let detail = format!("not every value of type {} is tried", name_of());
            self.inputs.limit(Gap::bound(detail));
        }
        if depth > 16 || !(self.is_transparent(ty)? || self.is_free(ty) || tried.is_some()) {
            let detail = format!("{} keeps its state private to the framework", name_of());
            return Err(Gap::unsupported_input(detail));
        }
        let mut fields = Vec::new();
        let mut end = 0;
        let mut placed = Vec::new();
        for (declared, &(field, offset)) in universe.layout(ty)?.fields.iter().enumerate() {
            if tried.is_some_and(|names| !names.contains(&&*universe.field(field).name)) {
                continue;
            }
            let field_type = universe.field_type(field)?;
            let size = repr_of(&universe, field_type)?.size();
            placed.push((offset, Reverse(size), declared, field, field_type));
        }
        placed.sort_unstable();
        for (offset, Reverse(size), declared, field, field_type) in placed {
            // Of fields that overlap (explicit layout) the first and largest one stands for the bytes.
            if offset < end {
                if offset + size > end {
                    let detail = format!("fields of {} overlap in part", universe.type_name(ty));
                    self.inputs.limits.push(Gap::unsupported_input(detail));
                }
                self.note_overlap(ty, &fields);
                continue;
            }
            end = offset + size;
            let name = format!("{name}.{}", universe.field(field).name);
            fields.push((declared, field, self.make_input(field_type, &name, depth + 1)?));
        }
        self.note_hidden_bytes(ty, end);
        // As declared, which is how a person writes them.
        fields.sort_by_key(|(declared, ..)| *declared);
        let fields = fields.into_iter().map(|(_, field, input)| (field, input)).collect();
        Ok(Input::Struct { ty, fields })
    }

    /// Fields lie over each other: what stands for the bytes must have every value that the others have.
    fn note_overlap(&mut self, ty: TypeId, fields: &[(usize, FieldId, Input)]) {
        let has_all_values = match fields.last() {
            Some((_, _, Input::Scalar { symbol, .. })) => self.terms.symbol_sort(*symbol) != Sort::Bv(1),
            _ => false,
        };
        if !has_all_values {
            self.assume(Assumption::UsualInputs, |m| {
                format!("overlapping fields of {} hold a value of the first", m.universe.type_name(ty))
            });
        }
    }

    /// Elements of inline arrays and fixed buffers have no field of their own, and start as zero.
    fn note_hidden_bytes(&mut self, ty: TypeId, end: u32) {
        let Some(info) = self.universe.def_info(ty) else { return };
        if info.inline_array.is_some_and(|length| length > 1) || info.class_size > end {
            self.assume(Assumption::UsualInputs, |m| {
                format!("only the first element of {} is an input", m.universe.type_name(ty))
            });
        }
    }

    /// Whether every combination of field values is a legal value: user types, and framework types that show their
    /// fields (tuples) or are built into the runtime (nullables).
    fn is_transparent(&self, ty: TypeId) -> Result<bool, Gap> {
        let universe = &self.universe;
        if universe.is_nullable(ty) || !self.is_framework(ty) {
            return Ok(true);
        }
        let fields = universe.fields(ty)?;
        Ok(fields.iter().map(|f| universe.field(*f)).all(|f| f.is_static() || f.is_public()))
    }

    /// Whether a type comes with the runtime.
    pub fn is_framework(&self, ty: TypeId) -> bool {
        match self.universe.ty(ty) {
            Type::Def { assembly, .. } => self.universe.is_framework(*assembly),
            _ => false,
        }
    }

    pub(crate) fn write_input(
        &mut self,
        s: &mut State,
        block: BlockId,
        offset: u32,
        input: &Input,
    ) -> Result<(), Gap> {
        let mut bytes = Bytes::default();
        if let Some(block) = s.heap.get_mut(block) {
            std::mem::swap(&mut bytes, &mut block.bytes);
        }
        let written = self.place_input(&mut bytes, offset as usize, input);
        if let Some(block) = s.heap.get_mut(block) {
            block.bytes = bytes;
        }
        written
    }

    /// Writes an input into bytes.
    pub(crate) fn place_input(&mut self, bytes: &mut Bytes, offset: usize, input: &Input) -> Result<(), Gap> {
        let value = self.input_value(input)?;
        let repr = repr_of(&self.universe, input_type(input))?;
        self.write_value(bytes, offset, repr, &value)
    }

    pub(crate) fn input_value(&mut self, input: &Input) -> Result<Value, Gap> {
        Ok(match input {
            Input::Scalar { ty, symbol } => {
                let repr = repr_of(&self.universe, *ty)?;
                let var = self.terms.var(*symbol);
                let value = match self.terms.sort(var) {
                    Sort::Bv(width) => {
                        // Booleans are one bit wide: nothing but 0 and 1 is legal.
                        let bits = if width == 1 { self.terms.zext(var, 8) } else { var };
                        self.widen(Bits::Symbolic(bits), repr)
                    }
                    _ => Value::Term(var),
                };
                self.with_values(value)
            }
            Input::Reference { symbol, .. } => Value::Term(self.terms.var(*symbol)),
            Input::Struct { ty, fields } => {
                let size = repr_of(&self.universe, *ty)?.size();
                let mut bytes = Bytes::zeroed(size as usize);
                for (field, part) in fields {
                    let offset = self.universe.field_offset(*field)?;
                    let repr = repr_of(&self.universe, input_type(part))?;
                    let value = self.input_value(part)?;
                    self.write_value(&mut bytes, offset as usize, repr, &value)?;
                }
                Value::Struct(Rc::new(bytes))
            }
            Input::Computed { ty, fields } => {
                let size = repr_of(&self.universe, *ty)?.size();
                let mut bytes = Bytes::zeroed(size as usize);
                for (field, term) in fields {
                    let offset = self.universe.field_offset(*field)? as usize;
                    let size = self.universe.size_of(self.universe.field_type(*field)?)? as usize;
                    let term = self.in_model(*term);
                    let written = bytes.write(offset, size, Bits::Symbolic(term), &mut self.terms);
                    written.map_err(|_| Gap::internal_error("an input does not fit its place"))?;
                }
                Value::Struct(Rc::new(bytes))
            }
            Input::Span { .. } => return Err(Gap::internal_error("a span inside of an input")),
            Input::ByRef { block, .. } | Input::New { block, .. } => Value::address(block.address()),
        })
    }

    fn write_value(
        &mut self,
        bytes: &mut Bytes,
        offset: usize,
        repr: Repr,
        value: &Value,
    ) -> Result<(), Gap> {
        let written = match value {
            Value::Struct(inner) => bytes.write_bytes(offset, inner, &mut self.terms),
            scalar => match self.bits(scalar, repr) {
                Some(bits) => bytes.write(offset, repr.size() as usize, bits, &mut self.terms),
                None => Ok(()),
            },
        };
        written.map_err(|_| Gap::internal_error("an input does not fit its place"))
    }
}

impl Input {
    fn is_place(&self) -> bool {
        matches!(self, Input::ByRef { .. } | Input::Span { .. })
    }
}

/// Whether an input is memory that somebody else has as well, or refers to some.
fn leads_to_memory(input: &Input) -> bool {
    match input {
        Input::Scalar { .. } | Input::Computed { .. } | Input::New { .. } => false,
        Input::Struct { fields, .. } => fields.iter().any(|(_, part)| leads_to_memory(part)),
        Input::Span { .. } | Input::Reference { .. } | Input::ByRef { .. } => true,
    }
}

pub fn input_type(input: &Input) -> TypeId {
    match input {
        Input::Scalar { ty, .. }
        | Input::Struct { ty, .. }
        | Input::Computed { ty, .. }
        | Input::Span { ty, .. }
        | Input::Reference { ty, .. }
        | Input::New { ty, .. } => *ty,
        Input::ByRef { target, .. } => input_type(target),
    }
}

fn scalar_sort(primitive: Primitive) -> Option<Sort> {
    Some(match primitive {
        Primitive::Void => return None,
        Primitive::Boolean => Sort::Bv(1),
        Primitive::I1 | Primitive::U1 => Sort::Bv(8),
        Primitive::Char | Primitive::I2 | Primitive::U2 => Sort::Bv(16),
        Primitive::I4 | Primitive::U4 => Sort::Bv(32),
        Primitive::I8 | Primitive::U8 | Primitive::I | Primitive::U => Sort::Bv(64),
        Primitive::R4 => Sort::Float(FloatWidth::F32),
        Primitive::R8 => Sort::Float(FloatWidth::F64),
    })
}
