//! What the runtime itself provides: feature tests, array initializers, type handles.

use std::rc::Rc;

use crate::answers::{no, nothing};
use crate::table::{Entry, all, one};
use types::{MethodId, Type, Universe};
use vm::models::{Call, TypeQuestion};

use verdict::Gap;
use vm::bytes::{Bits, Bytes};
use vm::decode::repr_of;
use vm::heap::split_address;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::value::{Repr, Value};

const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";

pub(crate) const TABLE: &[Entry] = &[
    all("System.Type", "op_Equality", same_type),
    all("System.Type", "op_Inequality", other_type),
    all("System.Object", ".ctor", nothing),
    all(HELPERS, "InitializeArray", initialize_array),
    all(HELPERS, "CreateSpan", create_span),
    all(HELPERS, "IsReferenceOrContainsReferences", contains_references),
    all(HELPERS, "IsKnownConstant", no),
    one("System.Type", "GetTypeFromHandle", "System.RuntimeTypeHandle", type_from_handle),
    // Vector and instruction-set questions are all answered "no": the class library then takes its scalar paths.
    // (`Vector128<T>.IsSupported` asks about the element type, not about the machine.)
    all("System.Runtime.Intrinsics.Arm.*", "get_IsSupported", no),
    all("System.Runtime.Intrinsics.Wasm.*", "get_IsSupported", no),
    all("System.Runtime.Intrinsics.X86.*", "get_IsSupported", no),
    all("System.Runtime.Intrinsics.*", "get_IsHardwareAccelerated", no),
    all("System.Numerics.Vector*", "get_IsHardwareAccelerated", no),
];

/// A type is one object, so types are compared as references.
fn same_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(call.number(m, s, 0)? == call.number(m, s, 1)?)))
}

fn other_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(call.number(m, s, 0)? != call.number(m, s, 1)?)))
}

/// Generic code asks these of types that are known once it is instantiated.
pub(crate) fn type_question(universe: &Universe, method: MethodId) -> Option<TypeQuestion> {
    let info = universe.method(method);
    let question = match &*info.name {
        "GetTypeFromHandle" => TypeQuestion::OfHandle,
        "op_Equality" => TypeQuestion::Same,
        "op_Inequality" => TypeQuestion::Different,
        _ => return None,
    };
    (universe.type_name(info.owner) == "System.Type").then_some(question)
}

/// A field handle is a structure with an object that knows the field.
fn field_data(m: &mut Machine, s: &mut State, handle: &Value) -> Step<u64> {
    let Value::Struct(handle) = handle else {
        return Err(give_up(s, Gap::invalid_code("a field handle that is none")));
    };
    let Ok(Bits::Concrete(object)) = handle.read(0, 8, &mut m.terms) else {
        return Err(give_up(s, Gap::invalid_code("a field handle that is none")));
    };
    // Runtimes without objects for fields: the handle is the address of the data.
    let (block, _) = split_address(object);
    if s.heap.get(block).is_some_and(|block| block.kind == vm::heap::BlockKind::ImageData) {
        return Ok(object);
    }
    let field = match m.field_of_handle(object) {
        Some(field) => field,
        None => m.field_of_object(s, object)?,
    };
    let ty = m.universe.field_type(field).map_err(|error| give_up(s, error.into()))?;
    let size = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?.size();
    m.image_data(s, field, size)
}

fn initialize_array(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let data = field_data(m, s, &call.value(s, 1)?)?;
    let (block, _) = split_address(array);
    let ty = call.object_type(m, s, 0)?;
    let first = match m.universe.ty(ty) {
        Type::Array { rank, .. } => ELEMENTS + 8 * rank,
        _ => ELEMENTS,
    };
    let len = s.heap.get(block).map_or(0, |block| block.bytes.len()).saturating_sub(first as usize);
    let bytes = m.load_bytes(s, data, len)?;
    m.store_bytes(s, array + u64::from(first), &bytes)?;
    Ok(None)
}

/// A span is a reference and a length.
fn create_span(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let data = field_data(m, s, &call.value(s, 0)?)?;
    let size = call.generic_repr(m, s, 0)?.size().max(1);
    let (block, _) = split_address(data);
    let len = s.heap.get(block).map_or(0, |block| block.bytes.len()) as u32 / size;
    let mut span = Bytes::zeroed(16);
    let written = span
        .write(0, 8, Bits::Concrete(data), &mut m.terms)
        .and_then(|()| span.write(8, 4, Bits::Concrete(u64::from(len)), &mut m.terms));
    if written.is_err() {
        return Err(give_up(s, Gap::internal_error("a span of sixteen bytes")));
    }
    Ok(Some(Value::Struct(Rc::new(span))))
}

fn contains_references(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.generic(m, s, 0)?;
    let answer = match repr_of(&m.universe, ty) {
        Ok(Repr::Ref) => true,
        Ok(Repr::Struct { .. }) => match m.universe.contains_refs(ty) {
            Ok(answer) => answer,
            Err(error) => return Err(give_up(s, error.into())),
        },
        Ok(_) => false,
        Err(gap) => return Err(give_up(s, gap)),
    };
    Ok(Some(Value::bool(answer)))
}

/// A type handle is a structure with the reference to the type's object.
fn type_from_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::Struct(handle) => match handle.read(0, 8, &mut m.terms) {
            Ok(bits) => Ok(Some(m.widen(bits, Repr::Ref))),
            Err(_) => Err(unsupported(s, "a type handle of another size")),
        },
        _ => Err(unsupported(s, "a type handle that is no structure")),
    }
}
