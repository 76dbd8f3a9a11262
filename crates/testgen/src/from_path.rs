//! From a path and its model to a test case: inputs, outcome and what the method changed, all by value.

mod after;
mod data;
mod framework_objects;
mod inputs;
mod mocks;
mod outside;
mod sequences;
mod spans;
mod statics;
mod unasserted;

pub use sequences::{CallsOf, case_with_sequences};

use std::collections::BTreeMap;

use case::{
    After, Case, Consume, FieldValue, MethodRef, Mode, Object, ObjectId, Outcome, Parameter, Primitive,
    Reach, Value,
};
use rustc_hash::FxHashMap;
use term::{Const, Model, Symbol, Terms};
use types::{MethodId, MethodKind, Primitive as Prim, Type, TypeId, Universe};
use verdict::Gap;
use vm::arranging::Arranged;
use vm::inputs::Input;
use vm::inputs::footprint::Footprint;
use vm::{Consumption, MOST_ITEMS, Machine, PathEnd, State};

/// Elements of an array that are written out; larger arrays are not turned into expectations.
const MAX_ELEMENTS: u32 = 20_000;
/// Made-up addresses of objects that no path looked into: far beyond those of the machine's blocks.
const UNSEEN: u64 = 1 << 63;

/// A path that ended, with inputs that lead along it. The machine is the one that ran it.
#[derive(Clone, Copy)]
pub struct EndedPath<'a> {
    pub machine: &'a Machine,
    pub end: &'a PathEnd,
    pub model: &'a Model,
    /// The memory at the end, for what the method changed.
    pub state: &'a State,
    /// What of the inputs matters; `None`: all of it.
    pub footprint: Option<&'a Footprint>,
    /// Only how it ends is sure, not with what.
    pub vague: bool,
    /// An input that calls made before the path began.
    pub prepared: Option<Prepared<'a>>,
}

/// An input object that calls have made, of which nothing else is known.
#[derive(Clone, Copy)]
pub struct Prepared<'a> {
    pub reference: Symbol,
    pub calls: &'a [Arranged],
    /// The memory after the calls.
    pub before: &'a State,
}

/// The case of a path; an error says what about it cannot be written down.
pub fn case_of(path: EndedPath<'_>, method: &MethodRef) -> Result<Case, Gap> {
    written(&mut Writer::new(path)?, path, method)
}

fn written(writer: &mut Writer<'_>, path: EndedPath<'_>, method: &MethodRef) -> Result<Case, Gap> {
    let machine = path.machine;
    let this = match &machine.inputs.this {
        Some(Input::New { .. }) | None => None,
        Some(input) => Some(writer.input(input)?),
    };
    let arguments = machine.inputs.arguments.iter().map(|input| writer.input(input));
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let statics = writer.static_inputs(path.state)?;
    let outside = writer.outside_inputs()?;
    let objects = std::mem::take(&mut writer.objects);
    let mut expect = writer.expectation(path, &objects)?;
    if path.vague {
        expect.after = After::default();
        if matches!(expect.outcome, Outcome::Returns(_)) {
            expect.outcome = Outcome::Returned;
        }
    }
    Ok(Case {
        name: String::new(),
        method: method.clone(),
        objects,
        this,
        arguments,
        consume: consume(path),
        expect,
        construction: Reach::Public,
        breaks: Vec::new(),
        statics: statics.fields,
        static_state: statics.unsettable,
        outside,
        sequenced: None,
    })
}

/// A task that is never awaited tells nothing, so what its method throws itself is awaited as well.
fn consume(path: EndedPath<'_>) -> Option<Consume> {
    let threw = matches!(path.end, PathEnd::Threw { .. });
    let consumer = path.machine.consumption().filter(|how| threw && *how == Consumption::Await);
    match path.state.consumed().map(|consumed| consumed.how).or(consumer)? {
        Consumption::Await => Some(Consume::Await),
        Consumption::Enumerate => Some(Consume::Enumerate { at_most: MOST_ITEMS }),
        Consumption::EnumerateAsync => Some(Consume::EnumerateAsync { at_most: MOST_ITEMS }),
        Consumption::Advance => Some(Consume::Advance { at_most: MOST_ITEMS }),
    }
}

/// How a case names the method under test.
pub fn method_ref(universe: &Universe, method: MethodId) -> Result<MethodRef, Gap> {
    let info = universe.method(method);
    let signature = universe.signature(method)?;
    let names = parameter_rows(universe, method);
    let parameters = signature.params.iter().enumerate().map(|(index, &ty)| {
        let (name, flags) = names.get(&(index + 1)).cloned().unwrap_or_else(|| (format!("arg{index}"), 0));
        let (ty, mode) = match universe.ty(ty) {
            Type::ByRef(target) => (*target, by_ref_mode(flags)),
            _ => (ty, Mode::Value),
        };
        Parameter { name, ty: universe.type_name(ty), mode }
    });
    Ok(MethodRef {
        id: universe.method_id(universe.method_definition(method)?),
        ty: universe.type_name(info.owner),
        name: info.name.to_string(),
        token: info.token().map_or(0, cil::Token::raw),
        is_static: info.is_static(),
        generic_arguments: info.args.iter().map(|arg| universe.type_name(*arg)).collect(),
        parameters: parameters.collect(),
        returns: universe.type_name(signature.ret),
    })
}

/// Names and flags of parameters by their position from 1.
fn parameter_rows(universe: &Universe, method: MethodId) -> BTreeMap<usize, (String, u16)> {
    let MethodKind::Def { assembly, def } = universe.method(method).kind else {
        return Default::default();
    };
    let module = universe.assembly(assembly).module();
    let Ok(row) = module.method_def(def) else { return Default::default() };
    let params = row.params.filter_map(|id| module.param(id).ok());
    params.map(|param| (usize::from(param.sequence), (param.name.to_owned(), param.flags))).collect()
}

fn by_ref_mode(flags: u16) -> Mode {
    match flags & 0x3 {
        0x1 => Mode::In,
        0x2 => Mode::Out,
        _ => Mode::Ref,
    }
}

struct Writer<'a> {
    universe: &'a Universe,
    terms: &'a Terms,
    machine: &'a Machine,
    state: &'a State,
    /// The path's model, in which references are addresses.
    model: Model,
    footprint: Option<&'a Footprint>,
    prepared: Option<Prepared<'a>>,
    /// Objects that nothing on the path looked into, by their made-up addresses.
    unseen: FxHashMap<u64, TypeId>,
    objects: Vec<Object>,
    /// Objects already in a table, by address.
    ids: FxHashMap<u64, ObjectId>,
    next_id: u32,
}

impl<'a> Writer<'a> {
    fn new(path: EndedPath<'a>) -> Result<Writer<'a>, Gap> {
        let machine = path.machine;
        let mut writer = Writer {
            universe: &machine.universe,
            terms: &machine.terms,
            machine,
            state: path.state,
            model: path.model.clone(),
            footprint: path.footprint,
            prepared: path.prepared,
            unseen: FxHashMap::default(),
            objects: Vec::new(),
            ids: FxHashMap::default(),
            next_id: 1,
        };
        for symbol in machine.inputs.reference_symbols() {
            writer.place_reference(symbol, path.model);
        }
        Ok(writer)
    }

    /// Gives a reference the address it has on the path.
    fn place_reference(&mut self, symbol: Symbol, model: &Model) {
        let Some(reference) = self.machine.inputs.reference(symbol) else { return };
        let is_null = model.get(symbol).is_none_or(|constant| constant.bits() == 0);
        let address = match self.state.path.origins.resolution(symbol) {
            Some(block) => block.map_or(0, |block| block.address()),
            None if is_null && !reference.never_null => 0,
            None => {
                let address = UNSEEN | (symbol.index() as u64) << 32;
                self.unseen.insert(address, reference.ty);
                address
            }
        };
        self.model.set(symbol, Const::Bv { width: 64, value: u128::from(address) });
    }

    fn field_value(&self, field: types::FieldId, value: Value) -> FieldValue {
        let info = self.universe.field(field);
        FieldValue { name: info.name.to_string(), declaring: self.universe.type_name(info.owner), value }
    }

    fn new_id(&mut self, address: u64) -> ObjectId {
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.ids.insert(address, id);
        id
    }

    /// A primitive or an enum; `None` for anything else.
    fn scalar(&self, ty: TypeId, bits: u64) -> Result<Option<Value>, Gap> {
        if let Some(underlying) = self.universe.enum_underlying(ty)? {
            let Some(primitive) = self.universe.primitive(underlying).and_then(|p| primitive(p, bits)) else {
                return Ok(None);
            };
            let value = primitive.integer().unwrap_or_default();
            return Ok(Some(Value::Enum { ty: self.universe.type_name(ty), value }));
        }
        Ok(self.universe.primitive(ty).and_then(|p| primitive(p, bits)).map(Value::Primitive))
    }
}

fn primitive(kind: Prim, bits: u64) -> Option<Primitive> {
    Some(match kind {
        Prim::Void => return None,
        Prim::Boolean => Primitive::Boolean(bits as u8 != 0),
        Prim::Char => Primitive::Char(bits as u16),
        Prim::I1 => Primitive::SByte(bits as i8),
        Prim::U1 => Primitive::Byte(bits as u8),
        Prim::I2 => Primitive::Int16(bits as i16),
        Prim::U2 => Primitive::UInt16(bits as u16),
        Prim::I4 => Primitive::Int32(bits as i32),
        Prim::U4 => Primitive::UInt32(bits as u32),
        Prim::I8 => Primitive::Int64(bits as i64),
        Prim::U8 => Primitive::UInt64(bits),
        Prim::I => Primitive::IntPtr(bits as i64),
        Prim::U => Primitive::UIntPtr(bits),
        Prim::R4 => Primitive::Single(bits as u32),
        Prim::R8 => Primitive::Double(bits),
    })
}

fn unknown(what: &str) -> Gap {
    Gap::unsupported_instruction(format!("{what} cannot be written into a test yet"))
}

fn not_scalar(universe: &Universe, ty: TypeId) -> Gap {
    Gap::internal_error(format!("{} is no scalar", universe.type_name(ty)))
}
