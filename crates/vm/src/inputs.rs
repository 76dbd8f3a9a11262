//! The inputs of the method under test: which symbols stand for what, so that a model can be turned into arguments.
//!
//! The whole domain of a type is legal. Where this machine cannot make up every value (references to objects), the
//! input says so and no proof may rest on it.

use std::cmp::Reverse;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{FloatWidth, Sort, Symbol, Term, Terms};
use types::{FieldId, MethodId, Primitive, Type, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::code::Code;
use crate::decode::{is_object_reference, repr_of};
use crate::heap::{BlockId, BlockKind};
use crate::machine::Machine;
use crate::state::State;
use crate::stop::Reason;
use crate::value::{Repr, Value};

/// More ways for by-ref inputs to coincide than this are not tried.
const MAX_ALIASED_STARTS: usize = 32;

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
    /// A reference: null unless the symbol says otherwise.
    Reference {
        ty: TypeId,
        symbol: Symbol,
    },
    /// A location that the method gets a managed pointer to.
    ByRef {
        block: BlockId,
        target: Box<Input>,
    },
    /// `this` of a class.
    Object {
        ty: TypeId,
        block: BlockId,
        fields: Vec<(FieldId, Input)>,
    },
    /// `this` of a constructor: a new object, or a zeroed value.
    New {
        ty: TypeId,
        block: BlockId,
    },
}

/// All inputs of one exploration.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub this: Option<Input>,
    pub arguments: Vec<Input>,
    /// What keeps the inputs from being the whole domain.
    pub limits: Vec<Reason>,
    /// Static fields of which `limits` speaks already.
    pub(crate) static_reads: FxHashSet<FieldId>,
    /// The static fields that a path depends on and that other code may change.
    pub static_state: Vec<String>,
    /// A cache of the compiler was found empty, as at the first call; a later call takes another branch.
    pub cache_read: bool,
    /// Scalars, in the order they were made.
    pub scalars: Vec<(Symbol, TypeId)>,
    references: FxHashMap<Symbol, Rc<str>>,
}

impl Inputs {
    /// What a symbolic address is, if an input reference takes part in it.
    pub(crate) fn reference_in(&self, terms: &Terms, term: Term) -> Option<Rc<str>> {
        let symbols = terms.symbols_of(term);
        symbols.iter().find_map(|symbol| self.references.get(symbol).cloned())
    }

    /// The symbols that stand for references.
    pub fn reference_symbols(&self) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self.references.keys().copied().collect();
        symbols.sort_unstable();
        symbols
    }
}

impl Machine {
    /// Open code has no sizes and no layouts: type arguments would have to be chosen first.
    pub(crate) fn refuse_generic(&self, method: MethodId) -> Result<(), Reason> {
        let owner = self.universe.method(method).owner;
        if self.universe.is_open(owner) {
            let name = self.universe.type_name(owner);
            return Err(Reason::UnsupportedInput(format!(
                "{name} is generic: no type arguments are chosen yet"
            )));
        }
        if self.universe.signature(method)?.generic_arity > 0 {
            let detail = "the method is generic: no type arguments are chosen yet";
            return Err(Reason::UnsupportedInput(detail.into()));
        }
        Ok(())
    }

    /// Symbolic arguments for a method, `this` first.
    pub(crate) fn make_inputs(&mut self, s: &mut State, code: &Code) -> Result<Vec<Value>, Reason> {
        let universe = Rc::clone(&self.universe);
        let method = universe.method(code.method);
        let signature = universe.signature(code.method)?;
        let mut values = Vec::new();
        if signature.has_this {
            let (input, value) = self.make_this(s, method.owner, method.is_constructor())?;
            self.inputs.this = Some(input);
            values.push(value);
        }
        for (index, &ty) in signature.params.iter().enumerate() {
            let name = format!("arg{index}");
            let (input, value) = self.make_argument(s, ty, &name)?;
            self.inputs.arguments.push(input);
            values.push(value);
        }
        Ok(values)
    }

    fn make_this(&mut self, s: &mut State, ty: TypeId, constructor: bool) -> Result<(Input, Value), Reason> {
        let universe = Rc::clone(&self.universe);
        if universe.is_value_type(ty) {
            let size = repr_of(&universe, ty)?.size();
            let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size.max(1) as usize));
            if constructor {
                return Ok((Input::New { ty, block }, Value::address(block.address())));
            }
            let target = self.make_input(ty, "this", 0)?;
            self.write_input(s, block, 0, &target)?;
            let input = Input::ByRef { block, target: Box::new(target) };
            return Ok((input, Value::address(block.address())));
        }
        if universe.is_interface(ty) || universe.is_abstract(ty) {
            let name = universe.type_name(ty);
            return Err(Reason::UnsupportedInput(format!(
                "{name} is abstract: its subtypes are not chosen yet"
            )));
        }
        let layout = universe.layout(ty)?;
        let size = layout.size.max(1) as usize;
        let block = s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size));
        let value = Value::address(block.address());
        if constructor {
            return Ok((Input::New { ty, block }, value));
        }
        let mut fields = Vec::new();
        let mut inherited = false;
        for &(field, offset) in layout.fields.iter() {
            let info = universe.field(field);
            if self.is_framework(info.owner) {
                inherited = true;
                continue;
            }
            let name = format!("this.{}", info.name);
            let input = self.make_input(universe.field_type(field)?, &name, 0)?;
            self.write_input(s, block, offset, &input)?;
            fields.push((field, input));
        }
        if inherited {
            let detail = "fields inherited from the framework start as zero".to_owned();
            self.inputs.limits.push(Reason::UnsupportedInput(detail));
        }
        Ok((Input::Object { ty, block, fields }, value))
    }

    fn make_argument(&mut self, s: &mut State, ty: TypeId, name: &str) -> Result<(Input, Value), Reason> {
        let universe = Rc::clone(&self.universe);
        match universe.ty(ty) {
            Type::ByRef(target) => {
                let size = repr_of(&universe, *target)?.size();
                let block = s.heap.allocate(BlockKind::Input, Bytes::zeroed(size.max(1) as usize));
                let target = self.make_input(*target, name, 0)?;
                self.write_input(s, block, 0, &target)?;
                Ok((Input::ByRef { block, target: Box::new(target) }, Value::address(block.address())))
            }
            Type::Pointer(_) | Type::FnPtr(_) => {
                Err(Reason::UnsupportedInput(format!("{} is a pointer", universe.type_name(ty))))
            }
            _ => {
                let input = self.make_input(ty, name, 0)?;
                let value = self.input_value(&input)?;
                Ok((input, value))
            }
        }
    }

    fn make_input(&mut self, ty: TypeId, name: &str, depth: u32) -> Result<Input, Reason> {
        let universe = Rc::clone(&self.universe);
        if !universe.is_value_type(ty) {
            if !is_object_reference(&universe, ty) {
                return Err(Reason::UnsupportedInput(format!("{} is a pointer", universe.type_name(ty))));
            }
            let symbol = self.terms.symbol(name, Sort::Bv(64));
            let described = format!("an input of type {}", universe.type_name(ty));
            self.inputs.references.insert(symbol, described.into());
            return Ok(Input::Reference { ty, symbol });
        }
        let plain = universe.enum_underlying(ty)?.unwrap_or(ty);
        if let Some(sort) = universe.primitive(plain).and_then(scalar_sort) {
            let symbol = self.terms.symbol(name, sort);
            self.inputs.scalars.push((symbol, ty));
            return Ok(Input::Scalar { ty, symbol });
        }
        let name_of = || universe.type_name(ty);
        if universe.is_byref_like(ty) {
            return Err(Reason::UnsupportedInput(format!("{} is a ref struct", name_of())));
        }
        if depth > 16 || !self.is_transparent(ty)? {
            let detail = format!("{} keeps its state private to the framework", name_of());
            return Err(Reason::UnsupportedInput(detail));
        }
        let mut fields = Vec::new();
        let mut end = 0;
        let mut placed = Vec::new();
        for (declared, &(field, offset)) in universe.layout(ty)?.fields.iter().enumerate() {
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
                    self.inputs.limits.push(Reason::UnsupportedInput(detail));
                }
                continue;
            }
            end = offset + size;
            let name = format!("{name}.{}", universe.field(field).name);
            fields.push((declared, field, self.make_input(field_type, &name, depth + 1)?));
        }
        // As declared, which is how a person writes them.
        fields.sort_by_key(|(declared, ..)| *declared);
        let fields = fields.into_iter().map(|(_, field, input)| (field, input)).collect();
        Ok(Input::Struct { ty, fields })
    }

    /// Whether every combination of field values is a legal value: user types, and framework types that show their
    /// fields (tuples) or are built into the runtime (nullables).
    fn is_transparent(&self, ty: TypeId) -> Result<bool, Reason> {
        let universe = &self.universe;
        if universe.is_nullable(ty) || !self.is_framework(ty) {
            return Ok(true);
        }
        let fields = universe.fields(ty)?;
        Ok(fields.iter().map(|f| universe.field(*f)).all(|f| f.is_static() || f.is_public()))
    }

    /// Whether a type comes with the runtime.
    pub fn is_framework(&self, ty: TypeId) -> bool {
        let universe = &self.universe;
        let Type::Def { assembly, .. } = universe.ty(ty) else { return false };
        let Ok(corelib) = universe.corelib() else { return false };
        let folder = |a| universe.assembly(a).path().parent().map(std::path::Path::to_path_buf);
        *assembly == corelib
            || (folder(*assembly).is_some()
                && universe
                    .probing()
                    .frameworks()
                    .iter()
                    .any(|f| folder(*assembly).as_ref() == Some(&f.folder)))
    }

    fn write_input(
        &mut self,
        s: &mut State,
        block: BlockId,
        offset: u32,
        input: &Input,
    ) -> Result<(), Reason> {
        let value = self.input_value(input)?;
        let repr = repr_of(&self.universe, input_type(input))?;
        let mut bytes = Bytes::default();
        if let Some(block) = s.heap.get_mut(block) {
            std::mem::swap(&mut bytes, &mut block.bytes);
        }
        let written = self.write_value(&mut bytes, offset as usize, repr, &value);
        if let Some(block) = s.heap.get_mut(block) {
            block.bytes = bytes;
        }
        written
    }

    fn input_value(&mut self, input: &Input) -> Result<Value, Reason> {
        Ok(match input {
            Input::Scalar { ty, symbol } => {
                let repr = repr_of(&self.universe, *ty)?;
                let var = self.terms.var(*symbol);
                match self.terms.sort(var) {
                    Sort::Bv(width) => {
                        // Booleans are one bit wide: nothing but 0 and 1 is legal.
                        let bits = if width == 1 { self.terms.zext(var, 8) } else { var };
                        self.widen(Bits::Symbolic(bits), repr)
                    }
                    _ => Value::Term(var),
                }
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
            Input::ByRef { block, .. } | Input::Object { block, .. } | Input::New { block, .. } => {
                Value::address(block.address())
            }
        })
    }

    fn write_value(
        &mut self,
        bytes: &mut Bytes,
        offset: usize,
        repr: Repr,
        value: &Value,
    ) -> Result<(), Reason> {
        let written = match value {
            Value::Struct(inner) => bytes.write_bytes(offset, inner, &mut self.terms),
            scalar => match self.bits(scalar, repr) {
                Some(bits) => bytes.write(offset, repr.size() as usize, bits, &mut self.terms),
                None => Ok(()),
            },
        };
        written.map_err(|_| Reason::InternalError("an input does not fit its place".into()))
    }

    /// The arguments as made, and their variants in which a managed pointer is another input's location or a field of it.
    pub(crate) fn aliased_arguments(&mut self, arguments: Vec<Value>) -> Result<Vec<Vec<Value>>, Reason> {
        let inputs: Vec<Input> = self.inputs.this.iter().chain(&self.inputs.arguments).cloned().collect();
        let mut variants = vec![arguments];
        for (index, input) in inputs.iter().enumerate() {
            let Input::ByRef { target, .. } = input else { continue };
            let mut places = Vec::new();
            for (other, owner) in inputs.iter().enumerate().filter(|(other, _)| *other != index) {
                // Of two locations of one type, only the later one is moved onto the earlier.
                let same =
                    matches!(owner, Input::ByRef { target: t, .. } if input_type(t) == input_type(target));
                if !same || other < index {
                    self.places_inside(owner, input_type(target), &mut places)?;
                }
            }
            let apart = variants.clone();
            for place in places {
                variants.extend(apart.iter().map(|arguments| {
                    let mut moved = arguments.clone();
                    moved[index] = Value::address(place);
                    moved
                }));
            }
            if variants.len() > MAX_ALIASED_STARTS {
                variants.truncate(1);
                let detail = "by-ref arguments that point to the same place are not explored: too many ways";
                self.inputs.limits.push(Reason::Bound(detail.into()));
                break;
            }
        }
        Ok(variants)
    }

    /// Addresses of locations of a type in an input that lives in memory.
    fn places_inside(&self, input: &Input, wanted: TypeId, places: &mut Vec<u64>) -> Result<(), Reason> {
        match input {
            Input::ByRef { block, target } => self.fields_inside(block.address(), target, wanted, places),
            Input::Object { block, fields, .. } => {
                for (field, part) in fields {
                    let address = block.address() + u64::from(self.universe.field_offset(*field)?);
                    self.fields_inside(address, part, wanted, places)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn fields_inside(
        &self,
        address: u64,
        input: &Input,
        wanted: TypeId,
        places: &mut Vec<u64>,
    ) -> Result<(), Reason> {
        if input_type(input) == wanted {
            places.push(address);
        }
        if let Input::Struct { fields, .. } = input {
            for (field, part) in fields {
                let offset = u64::from(self.universe.field_offset(*field)?);
                self.fields_inside(address + offset, part, wanted, places)?;
            }
        }
        Ok(())
    }
}

pub fn input_type(input: &Input) -> TypeId {
    match input {
        Input::Scalar { ty, .. }
        | Input::Struct { ty, .. }
        | Input::Reference { ty, .. }
        | Input::Object { ty, .. }
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
