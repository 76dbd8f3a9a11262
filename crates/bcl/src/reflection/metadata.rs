//! `MetadataImport`: the tables of an assembly as the class library's reflection reads them.

use cil::{RowRef, Token};
use types::AssemblyId;

use crate::reflection::assemblies::scope;
use crate::reflection::element_types::VOID;
use crate::table::{Entry, native};
use verdict::Gap;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::value::{Repr, Value};

const IMPORT: &str = "System.Reflection.MetadataImport";

pub(crate) const TABLE: &[Entry] = &[
    native(IMPORT, "<Enum>g____PInvoke|", enumerate),
    native(IMPORT, "GetCustomAttributeProps", attribute),
    native(IMPORT, "GetParentToken", parent),
    native(IMPORT, "GetName", name),
    native(IMPORT, "GetNamespace", namespace),
    native(IMPORT, "GetPropertyProps", property),
    native(IMPORT, "GetEventProps", event),
    native(IMPORT, "GetParamDefProps", parameter),
    native(IMPORT, "GetFieldDefProps", field),
    native(IMPORT, "GetGenericParamProps", generic_parameter),
    native(IMPORT, "GetDefaultValue", default_value),
    native(IMPORT, "GetSigOfMethodDef", method_signature),
    native(IMPORT, "GetSigOfFieldDef", field_signature),
    native(IMPORT, "GetSignatureFromToken", any_signature),
    native(IMPORT, "GetMemberRefProps", reference_signature),
    native(IMPORT, "IsValidToken", is_valid),
    native(IMPORT, "GetFieldMarshal", no_marshalling),
    native(IMPORT, "GetFieldOffset", field_offset),
    native(IMPORT, "GetClassLayout", class_layout),
    native(IMPORT, "GetPInvokeMap", import),
];

pub(crate) fn token_argument(m: &Machine, s: &State, call: &Call) -> Step<Token> {
    Ok(Token::from_raw(call.number(m, s, 1)? as u32))
}

pub(crate) fn bad(s: &State, error: &cil::Error) -> Box<vm::stop::Stop> {
    give_up(s, Gap::invalid_code(error.to_string()))
}

/// Success.
fn ok() -> Step<Option<Value>> {
    Ok(Some(Value::I32(0)))
}

pub(crate) fn put_int(m: &mut Machine, s: &mut State, call: &Call, index: usize, value: u32) -> Step<()> {
    let place = call.number(m, s, index)?;
    m.store(s, place, Repr::I4, Value::I32(value.cast_signed()))
}

fn put_name(m: &mut Machine, s: &mut State, call: &Call, index: usize, name: &str) -> Step<()> {
    let place = call.number(m, s, index)?;
    let data = m.utf8(s, name);
    m.store(s, place, Repr::I8, Value::address(data))
}

/// A `ConstArray`: a length and a pointer.
fn put_blob(m: &mut Machine, s: &mut State, call: &Call, index: usize, blob: &[u8]) -> Step<()> {
    let place = call.number(m, s, index)?;
    let class = m.core_type(s, "System.Reflection.ConstArray")?;
    let length = u64::from(m.offset_of(s, class, &["m_length"])?);
    let pointer = u64::from(m.offset_of(s, class, &["m_constArray"])?);
    // Never empty: a pointer to nothing would be refused when it is compared with its end.
    let mut data = blob.to_vec();
    data.push(0);
    let data = m.runtime_data(s, data);
    m.store(s, place + length, Repr::I4, Value::I32(blob.len() as i32))?;
    m.store(s, place + pointer, Repr::I8, Value::address(data))
}

/// Tokens of one kind under a parent: at most as many as there is room for, else an array.
fn enumerate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let kind = call.number(m, s, 1)? as u32;
    let parent = Token::from_raw(call.number(m, s, 2)? as u32);
    let tokens = match children(m, assembly, kind, parent) {
        Ok(Some(tokens)) => tokens,
        Ok(None) => return Err(unsupported(s, &format!("the metadata rows of kind {kind:08x}"))),
        Err(error) => return Err(bad(s, &error)),
    };
    let room = call.number(m, s, 3)?;
    let capacity = match m.load(s, room, Repr::I4)? {
        Value::I32(capacity) => capacity as usize,
        _ => 0,
    };
    let target = if tokens.len() > capacity {
        let int32 = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.int32;
        let Some(array) = m.allocate_array(s, int32, tokens.len() as u64)? else {
            return Err(unsupported(s, "so many rows"));
        };
        call.give(m, s, 5, array)?;
        array + u64::from(ELEMENTS)
    } else {
        call.number(m, s, 4)?
    };
    for (i, token) in tokens.iter().enumerate() {
        m.store(s, target + 4 * i as u64, Repr::I4, Value::I32(token.raw().cast_signed()))?;
    }
    m.store(s, room, Repr::I4, Value::I32(tokens.len() as i32))?;
    Ok(None)
}

pub(crate) fn children(
    m: &Machine,
    assembly: AssemblyId,
    kind: u32,
    parent: Token,
) -> cil::Result<Option<Vec<Token>>> {
    let module = m.universe.assembly(assembly).module();
    let class = match parent.row_ref() {
        Some(RowRef::TypeDef(class)) => Some(class),
        _ => None,
    };
    Ok(Some(match (kind >> 24, class) {
        (0x0c, _) => module.custom_attributes(parent).map(|id| id.token()).collect(),
        (0x17, Some(class)) => module.properties_of(class)?.into_iter().map(|id| id.token()).collect(),
        (0x14, Some(class)) => module.events_of(class)?.into_iter().map(|id| id.token()).collect(),
        (0x04, Some(class)) => module.type_def(class)?.fields.into_iter().map(|id| id.token()).collect(),
        (0x06, Some(class)) => module.type_def(class)?.methods.into_iter().map(|id| id.token()).collect(),
        (0x02, Some(class)) => {
            module.nested_types(class).map(|id| id.map(|id| id.token())).collect::<cil::Result<_>>()?
        }
        // The accessors of a property or event.
        (0x06, None) => {
            let mut tokens = Vec::new();
            for id in module.semantics_of(parent) {
                let row = module.method_semantics(id)?;
                tokens.push(row.method.token());
                tokens.push(Token::from_raw(u32::from(row.flags)));
            }
            tokens
        }
        (0x08, None) => match parent.row_ref() {
            Some(RowRef::MethodDef(method)) => {
                module.method_def(method)?.params.into_iter().map(|id| id.token()).collect()
            }
            _ => return Ok(None),
        },
        (0x2a, _) => module.generic_params(parent).map(|id| id.token()).collect(),
        _ => return Ok(None),
    }))
}

pub(crate) fn attribute(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::CustomAttribute(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "a custom attribute that is none"));
    };
    let universe = std::rc::Rc::clone(&m.universe);
    let row = universe.assembly(assembly).module().custom_attribute(id).map_err(|e| bad(s, &e))?;
    put_int(m, s, call, 2, row.constructor.raw())?;
    put_blob(m, s, call, 3, row.value.bytes)?;
    ok()
}

pub(crate) fn parent(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    let module = m.universe.assembly(assembly).module();
    let found = match token.row_ref() {
        Some(RowRef::MemberRef(id)) => module.member_ref(id).map(|row| Some(row.class)),
        Some(RowRef::MethodDef(id)) => module.declaring_type_of_method(id).map(|t| t.map(|t| t.token())),
        Some(RowRef::Field(id)) => module.declaring_type_of_field(id).map(|t| t.map(|t| t.token())),
        Some(RowRef::Property(id)) => module.declaring_type_of_property(id).map(|t| t.map(|t| t.token())),
        Some(RowRef::Event(id)) => module.declaring_type_of_event(id).map(|t| t.map(|t| t.token())),
        Some(RowRef::TypeDef(id)) => module.enclosing_type(id).map(|t| t.map(|t| t.token())),
        Some(RowRef::Param(id)) => module.method_of_param(id).map(|t| t.map(|t| t.token())),
        Some(RowRef::GenericParam(id)) => module.generic_param(id).map(|row| Some(row.owner)),
        _ => return Err(unsupported(s, "the parent of such a token")),
    };
    let found = found.map_err(|e| bad(s, &e))?.map_or(0, Token::raw);
    put_int(m, s, call, 2, found)?;
    ok()
}

pub(crate) fn name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let found = match token.row_ref() {
        Some(RowRef::TypeDef(id)) => module.type_def(id).map(|row| row.name),
        Some(RowRef::MethodDef(id)) => module.method_def(id).map(|row| row.name),
        Some(RowRef::Field(id)) => module.field(id).map(|row| row.name),
        Some(RowRef::Param(id)) => module.param(id).map(|row| row.name),
        Some(RowRef::Property(id)) => module.property(id).map(|row| row.name),
        Some(RowRef::Event(id)) => module.event(id).map(|row| row.name),
        Some(RowRef::GenericParam(id)) => module.generic_param(id).map(|row| row.name),
        _ => return Err(unsupported(s, "the name of such a token")),
    };
    put_name(m, s, call, 2, found.map_err(|e| bad(s, &e))?)?;
    ok()
}

pub(crate) fn namespace(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::TypeDef(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "the namespace of such a token"));
    };
    let universe = std::rc::Rc::clone(&m.universe);
    let row = universe.assembly(assembly).module().type_def(id).map_err(|e| bad(s, &e))?;
    put_name(m, s, call, 2, row.namespace)?;
    ok()
}

pub(crate) fn property(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::Property(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "a property that is none"));
    };
    let universe = std::rc::Rc::clone(&m.universe);
    let row = universe.assembly(assembly).module().property(id).map_err(|e| bad(s, &e))?;
    put_name(m, s, call, 2, row.name)?;
    put_int(m, s, call, 3, u32::from(row.flags))?;
    put_blob(m, s, call, 4, row.signature.bytes)?;
    ok()
}

pub(crate) fn event(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::Event(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "an event that is none"));
    };
    let universe = std::rc::Rc::clone(&m.universe);
    let row = universe.assembly(assembly).module().event(id).map_err(|e| bad(s, &e))?;
    put_name(m, s, call, 2, row.name)?;
    put_int(m, s, call, 3, u32::from(row.flags))?;
    ok()
}

pub(crate) fn parameter(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::Param(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "a parameter that is none"));
    };
    let universe = std::rc::Rc::clone(&m.universe);
    let row = universe.assembly(assembly).module().param(id).map_err(|e| bad(s, &e))?;
    put_int(m, s, call, 2, u32::from(row.sequence))?;
    put_int(m, s, call, 3, u32::from(row.flags))?;
    ok()
}

pub(crate) fn field(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::Field(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "a field that is none"));
    };
    let row = m.universe.assembly(assembly).module().field(id).map(|row| row.flags);
    let flags = row.map_err(|e| bad(s, &e))?;
    put_int(m, s, call, 2, u32::from(flags))?;
    ok()
}

pub(crate) fn generic_parameter(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::GenericParam(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "a generic parameter that is none"));
    };
    let flags = m.universe.assembly(assembly).module().generic_param(id).map(|row| row.flags);
    let flags = flags.map_err(|e| bad(s, &e))?;
    put_int(m, s, call, 2, u32::from(flags))?;
    ok()
}

/// `(scope, token, out long value, out char* text, out int length, out int elementType)`.
fn default_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let Some(id) = module.constant_of(token) else {
        put_int(m, s, call, 5, VOID.cast_unsigned())?;
        put_int(m, s, call, 4, 0)?;
        return ok();
    };
    let row = module.constant(id).map_err(|e| bad(s, &e))?;
    let bytes = row.value.bytes;
    let code = u32::from(row.type_code) & 0xff;
    if code == 0x0e {
        let data = m.runtime_data(s, [bytes, &[0, 0]].concat());
        let place = call.number(m, s, 3)?;
        m.store(s, place, Repr::I8, Value::address(data))?;
        put_int(m, s, call, 4, bytes.len() as u32 / 2)?;
    } else {
        let mut word = [0; 8];
        let len = bytes.len().min(8);
        word[..len].copy_from_slice(&bytes[..len]);
        let place = call.number(m, s, 2)?;
        m.store(s, place, Repr::I8, Value::I64(i64::from_le_bytes(word)))?;
    }
    put_int(m, s, call, 5, code)?;
    ok()
}

fn method_signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    signature(m, s, call)
}

fn field_signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    signature(m, s, call)
}

fn any_signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    signature(m, s, call)
}

fn reference_signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    signature(m, s, call)
}

pub(crate) fn signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let blob = match token.row_ref() {
        Some(RowRef::MethodDef(id)) => module.method_def(id).map(|row| row.signature),
        Some(RowRef::Field(id)) => module.field(id).map(|row| row.signature),
        Some(RowRef::MemberRef(id)) => module.member_ref(id).map(|row| row.signature),
        _ => return Err(unsupported(s, "the signature of such a token")),
    };
    put_blob(m, s, call, 2, blob.map_err(|e| bad(s, &e))?.bytes)?;
    ok()
}

pub(crate) fn is_valid(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    Ok(Some(Value::bool(m.universe.assembly(assembly).module().contains(token))))
}

pub(crate) fn no_marshalling(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    put_blob(m, s, call, 2, &[])?;
    ok()
}

/// `(scope, type, field, out offset, out found)`: the offset of an explicit layout.
fn field_offset(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::Field(id)) = Token::from_raw(call.number(m, s, 2)? as u32).row_ref() else {
        return Err(unsupported(s, "the offset of such a token"));
    };
    let offset = m.universe.assembly(assembly).module().field_offset_of(id).map_err(|e| bad(s, &e))?;
    put_int(m, s, call, 3, offset.unwrap_or(0))?;
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::U1, Value::bool(offset.is_some()))?;
    ok()
}

/// `(scope, type, out packing, out size)`.
fn class_layout(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let Some(RowRef::TypeDef(id)) = token_argument(m, s, call)?.row_ref() else {
        return Err(unsupported(s, "the layout of such a token"));
    };
    let row = m.universe.assembly(assembly).module().class_layout_of(id).map_err(|e| bad(s, &e))?;
    let (packing, size) = row.map_or((0, 0), |row| (row.packing_size, row.class_size));
    put_int(m, s, call, 2, u32::from(packing))?;
    put_int(m, s, call, 3, size)?;
    ok()
}

/// `(scope, method, out attributes, out name, out library)`.
fn import(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let Some(row) = module.impl_map_of(token).map_err(|e| bad(s, &e))? else {
        return Err(unsupported(s, "the import of a method that has none"));
    };
    put_int(m, s, call, 2, u32::from(row.flags))?;
    put_name(m, s, call, 3, row.import_name)?;
    let library = module.module_ref(row.import_scope).map_err(|e| bad(s, &e))?;
    put_name(m, s, call, 4, library.name)?;
    ok()
}
