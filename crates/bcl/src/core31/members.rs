//! Reflection over methods, fields, assemblies and their metadata.

use crate::answers::{no, null, yes, zero};
use crate::reflection::assemblies::assembly_objects;
use crate::reflection::call_code::call_reflected;
use types::AssemblyId;

use crate::reflection::assemblies::{assembly_argument, metadata_import, scope, version};
use crate::reflection::call_code::{Reflected, Thrown};
use crate::reflection::fields::{fields, get_boxed, set_boxed};
use crate::reflection::metadata::{self, bad, children, put_int, token_argument};
use crate::reflection::methods::{handle_of, instantiated, method_of_object};
use crate::reflection::signatures::{signature_of_bytes, store_signature};
use crate::reflection::type_names;
use crate::reflection::types::type_list;
use crate::table::{Entry, failed, native, native_enter};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const TYPE: &str = "System.RuntimeTypeHandle";
const METHOD: &str = "System.RuntimeMethodHandle";
const FIELD: &str = "System.RuntimeFieldHandle";
const IMPORT: &str = "System.Reflection.MetadataImport";
const ASSEMBLY: &str = "System.Reflection.RuntimeAssembly";
const MODULE: &str = "System.Reflection.RuntimeModule";
const SIGNATURE: &str = "System.Signature";

/// A line for a function that answers with a code of success where this runtime has no result.
macro_rules! quiet {
    ($name:literal, $function:path) => {
        native(IMPORT, $name, |m, s, c| {
            $function(m, s, c)?;
            Ok(None)
        })
    };
}

pub(crate) const TABLE: &[Entry] = &[
    native(TYPE, "GetFields", fields),
    native(TYPE, "GetDefaultConstructor", |m, s, c| {
        let ty = c.type_handle(m, s, 0)?;
        if let Some(constructor) = m.universe.find_method(ty, ".ctor", &[]).map_err(|e| failed(s, e))? {
            let stub = m.method_stub(s, constructor)?;
            c.give(m, s, 1, stub)?;
        }
        Ok(None)
    }),
    native(TYPE, "GetMethodAt", method_at),
    native(TYPE, "_GetMetadataImport", import_of_type),
    native(TYPE, "GetTypeByName", type_by_name),
    native(TYPE, "GetInterfaceMethodImplementation", implementation),
    native(METHOD, "GetDeclaringType", declaring_type),
    native(METHOD, "GetMethodDef", method_token),
    native(METHOD, "GetName", |m, s, c| {
        let method = c.method_handle(m, s, 0)?;
        let name = m.universe.method(method).name.clone();
        m.string(s, &name).map(|name| Some(Value::address(name)))
    }),
    native(METHOD, "_GetUtf8Name", |m, s, c| {
        let method = c.method_handle(m, s, 0)?;
        let name = m.universe.method(method).name.clone();
        Ok(Some(Value::address(m.utf8(s, &name))))
    }),
    native(METHOD, "MatchesNameHash", yes),
    native(METHOD, "GetStubIfNeeded", with_arguments),
    native(METHOD, "GetLoaderAllocator", null),
    native(METHOD, "IsTypicalMethodDefinition", is_definition),
    native(METHOD, "GetTypicalMethodDefinition", give_definition),
    native(METHOD, "StripMethodInstantiation", give_definition),
    native(METHOD, "_GetCurrentMethod", current_method),
    native_enter(METHOD, "InvokeMethod", invoke),
    native(FIELD, "GetName", |m, s, c| {
        let object = c.number(m, s, 0)?;
        let field = m.field_of_object(s, object)?;
        let name = m.universe.field(field).name.clone();
        m.string(s, &name).map(|name| Some(Value::address(name)))
    }),
    native(FIELD, "_GetUtf8Name", |m, s, c| {
        let field = c.field_handle(m, s, 0)?;
        let name = m.universe.field(field).name.clone();
        Ok(Some(Value::address(m.utf8(s, &name))))
    }),
    native(FIELD, "MatchesNameHash", yes),
    native(FIELD, "GetApproxDeclaringType", |m, s, c| {
        let field = c.field_handle(m, s, 0)?;
        let owner = m.universe.field(field).owner;
        m.type_object(s, owner).map(|object| Some(Value::address(object)))
    }),
    native(FIELD, "GetToken", |m, s, c| {
        let object = c.number(m, s, 0)?;
        let field = m.field_of_object(s, object)?;
        Ok(Some(Value::I32(m.universe.field(field).token().raw().cast_signed())))
    }),
    native_enter(FIELD, "GetValue", get_value),
    native_enter(FIELD, "SetValue", set_value),
    native(SIGNATURE, "GetSignature", signature),
    native(SIGNATURE, "CompareSig", same_signature),
    native(SIGNATURE, "GetCustomModifiers", |m, s, _| {
        let class = m.core_type(s, "System.Type")?;
        m.object_array(s, class, &[]).map(|array| Some(Value::address(array)))
    }),
    native(IMPORT, "_Enum", enumerate),
    native(IMPORT, "_GetDefaultValue", default_value),
    quiet!("_GetCustomAttributeProps", metadata::attribute),
    quiet!("_GetParentToken", metadata::parent),
    quiet!("_GetName", metadata::name),
    quiet!("_GetNamespace", metadata::namespace),
    quiet!("_GetPropertyProps", metadata::property),
    quiet!("_GetEventProps", metadata::event),
    quiet!("_GetParamDefProps", metadata::parameter),
    quiet!("_GetFieldDefProps", metadata::field),
    quiet!("_GetGenericParamProps", metadata::generic_parameter),
    quiet!("_GetSigOfMethodDef", metadata::signature),
    quiet!("_GetSigOfFieldDef", metadata::signature),
    quiet!("_GetSignatureFromToken", metadata::signature),
    quiet!("_GetMemberRefProps", metadata::signature),
    quiet!("_GetFieldMarshal", metadata::no_marshalling),
    native(IMPORT, "_IsValidToken", metadata::is_valid),
    native("System.ModuleHandle", "_GetMetadataImport", metadata_import),
    native("System.ModuleHandle", "_ContainsPropertyMatchingHash", |_, _, _| Ok(Some(Value::I32(1)))),
    native("System.ModuleHandle", "GetToken", |_, _, _| Ok(Some(Value::I32(1)))),
    native(ASSEMBLY, "FCallIsDynamic", no),
    native(ASSEMBLY, "GetVersion", version),
    native(ASSEMBLY, "GetIsCollectible", zero),
    native(ASSEMBLY, "GetToken", |_, _, _| Ok(Some(Value::I32(0x2000_0001)))),
    native(ASSEMBLY, "GetLocation", |m, s, c| {
        let assembly = assembly_argument(m, s, c, 0)?;
        let path = m.universe.assembly(assembly).path().to_owned();
        let path = std::path::absolute(&path).unwrap_or(path).display().to_string();
        let text = m.string(s, &path)?;
        c.give(m, s, 1, text)?;
        Ok(None)
    }),
    native(ASSEMBLY, "GetCodeBase", |m, s, c| {
        let assembly = assembly_argument(m, s, c, 0)?;
        let path = m.universe.assembly(assembly).path().to_owned();
        let path = std::path::absolute(&path).unwrap_or(path).display().to_string();
        let text = m.string(s, &format!("file://{path}"))?;
        c.give(m, s, 2, text)?;
        Ok(None)
    }),
    // Only a filter before names are compared.
    native("System.MdUtf8String", "HashCaseInsensitive", zero),
    native("System.MdUtf8String", "EqualsCaseInsensitive", |m, s, c| {
        let (a, b) = (c.number(m, s, 0)?, c.number(m, s, 1)?);
        let len = c.number(m, s, 2)? as usize;
        let (a, b) = (m.load_bytes(s, a, len)?, m.load_bytes(s, b, len)?);
        match (a.concrete(), b.concrete()) {
            (Some(a), Some(b)) => Ok(Some(Value::bool(a.eq_ignore_ascii_case(b)))),
            _ => Err(unsupported(s, "symbolic names")),
        }
    }),
    native(MODULE, "GetScopeName", |m, s, c| {
        let assembly = assembly_argument(m, s, c, 0)?;
        let name = m.universe.assembly(assembly).file().to_owned();
        let text = m.string(s, &name)?;
        c.give(m, s, 1, text)?;
        Ok(None)
    }),
    native(ASSEMBLY, "GetModules", |m, s, c| {
        let assembly = assembly_argument(m, s, c, 0)?;
        let module = assembly_objects(m, s, assembly)?.0;
        let class = m.core_type(s, MODULE)?;
        let array = m.object_array(s, class, &[module])?;
        c.give(m, s, 3, array)?;
        Ok(None)
    }),
    native(MODULE, "GetTypes", |m, s, c| {
        let module = c.number(m, s, 0)?;
        let place = m.field_place(s, module, "m_pData")?;
        let handle = m.load_word(s, place)?;
        let assembly = crate::reflection::assemblies::assembly_by_handle(m, s, handle)?;
        let mut types = Vec::new();
        for ty in m.universe.type_defs(assembly).skip(1).collect::<Vec<_>>() {
            types.push(ty.map_err(|e| failed(s, e))?);
        }
        let array = crate::reflection::types::type_array(m, s, &types)?;
        Ok(Some(Value::address(array)))
    }),
    native(MODULE, "IsResource", no),
];

fn method_at(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let slot = call.number(m, s, 1)? as usize;
    let method = m.universe.vtable(ty).map_err(|e| failed(s, e))?.slots.get(slot).map(|s| s.implementation);
    Ok(Some(handle_of(m, method)))
}

fn import_of_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let assembly: Option<AssemblyId> = type_names::assembly_of(&m.universe, ty);
    match assembly {
        Some(assembly) => Ok(Some(Value::address(Machine::assembly_handle(assembly)))),
        None => Err(unsupported(s, "a type of no assembly")),
    }
}

/// `(name, throwOnError, ignoreCase, stackMark, context, byPartialName, result, keepAlive)`: plain names only.
fn type_by_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = m.string_at(s, name)?;
    if name.contains(['[', '*', '&']) || call.number(m, s, 2)? != 0 {
        return Err(unsupported(s, "a type by such a name"));
    }
    if let Some(ty) = type_names::find_plain(m, s, &name) {
        let object = m.type_object(s, ty)?;
        // The last argument keeps what was loaded alive.
        call.give(m, s, call.args.len() - 2, object)?;
        return Ok(None);
    }
    if call.number(m, s, 1)? != 0 {
        return Err(unsupported(s, "the exception for a type that is not there"));
    }
    Ok(None)
}

/// `(type, interface, method)`.
fn implementation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let method = call.method_handle(m, s, 2)?;
    let found = m.universe.resolve_virtual(ty, method).map_err(|e| failed(s, e))?;
    Ok(Some(handle_of(m, Some(found))))
}

fn declaring_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let owner = m.universe.method(method).owner;
    m.type_object(s, owner).map(|object| Some(Value::address(object)))
}

fn method_token(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let method = method_of_object(m, s, object)?;
    let token = m.universe.method(method).token().map_or(0x0600_0000, cil::Token::raw);
    Ok(Some(Value::I32(token.cast_signed())))
}

/// `(method, declaring type, RuntimeType[] arguments)`.
fn with_arguments(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let ty = call.type_object(m, s, 1)?;
    let list = call.number(m, s, 2)?;
    let args = type_list(m, s, list)?;
    let found = instantiated(m, s, method, ty, &args)?;
    Ok(Some(handle_of(m, Some(found))))
}

fn is_definition(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let method = method_of_object(m, s, object)?;
    let definition = m.universe.method_definition(method).map_err(|e| failed(s, e))?;
    Ok(Some(Value::bool(definition == method)))
}

fn give_definition(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let definition = m.universe.method_definition(method).map_err(|e| failed(s, e))?;
    let stub = m.method_stub(s, definition)?;
    call.give(m, s, 1, stub)?;
    Ok(None)
}

/// The method that asked `MethodBase.GetCurrentMethod`.
fn current_method(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let caller = s.frames().find(|frame| !m.is_framework(m.universe.method(frame.code.method).owner));
    let Some(method) = caller.map(|frame| frame.code.method) else { return Ok(Some(Value::NULL)) };
    m.method_stub(s, method).map(|stub| Some(Value::address(stub)))
}

/// `(target, object[] arguments, signature, isConstructor, wrapExceptions)`.
fn invoke(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let signature = call.number(m, s, 2)?;
    let class = m.core_type(s, SIGNATURE)?;
    let at = u64::from(m.offset_of(s, class, &["m_pMethod"])?);
    let handle = m.load_word(s, signature + at)?;
    let Some(method) = m.function_at(handle) else {
        return Err(unsupported(s, "a method handle that is none"));
    };
    let wraps = call.number(m, s, 4)? != 0;
    let reflected = Reflected {
        method,
        target: call.number(m, s, 0)?,
        arguments: call.number(m, s, 1)?,
        thrown: if wraps { Thrown::Wrapped } else { Thrown::Passes },
        place: 0,
    };
    call_reflected(m, s, call.method, &reflected, after)
}

fn get_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let info = call.number(m, s, 0)?;
    let field = m.field_of_object(s, info)?;
    get_boxed(m, s, call, field, after)
}

/// `(field info, object, value, type, attributes, declaring type, ref initialized)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let info = call.number(m, s, 0)?;
    let field = m.field_of_object(s, info)?;
    set_boxed(m, s, call, field, after)
}

/// `(this, bytes, length, field, method info, declaring type)`.
fn signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let field = call.word(m, s, 3, 0)?;
    let info = call.number(m, s, 4)?;
    let class = m.core_type(s, SIGNATURE)?;
    let declaring = u64::from(m.offset_of(s, class, &["m_declaringType"])?);
    m.store(s, object + declaring, Repr::Ref, call.value(s, 5)?)?;
    if info != 0 {
        let method = method_of_object(m, s, info)?;
        let sig = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
        let convention = 1 | if sig.has_this { 0x20 } else { 0 };
        store_signature(m, s, object, sig.ret, &sig.params, convention)?;
        let at = u64::from(m.offset_of(s, class, &["m_pMethod"])?);
        let handle = m.function_pointer(method);
        m.store(s, object + at, Repr::I8, handle)?;
        return Ok(None);
    }
    if let Some(field) = m.field_of_handle(field).filter(|_| field != 0) {
        let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
        store_signature(m, s, object, ty, &[], 1)?;
        return Ok(None);
    }
    signature_of_bytes(m, s, call, object)
}

fn same_signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let class = m.core_type(s, SIGNATURE)?;
    let at = u64::from(m.offset_of(s, class, &["m_arguments"])?);
    let mut lists = Vec::new();
    for index in 0..2 {
        let object = call.number(m, s, index)?;
        let list = m.load_word(s, object + at)?;
        let mut types = Vec::new();
        for i in 0..m.array_len(s, list)? {
            types.push(m.load_word(s, list + u64::from(ELEMENTS) + 8 * u64::from(i))?);
        }
        lists.push(types);
    }
    Ok(Some(Value::bool(lists.first() == lists.get(1))))
}

/// `(scope, kind, parent, out result)`: an array of tokens and its length.
fn enumerate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let kind = call.number(m, s, 1)? as u32;
    let parent = cil::Token::from_raw(call.number(m, s, 2)? as u32);
    let tokens = match children(m, assembly, kind, parent) {
        Ok(Some(tokens)) => tokens,
        Ok(None) => return Err(unsupported(s, &format!("the metadata rows of kind {kind:08x}"))),
        Err(error) => return Err(bad(s, &error)),
    };
    let class = m.core_type(s, "System.Reflection.MetadataEnumResult")?;
    let place = call.number(m, s, 3)?;
    let int32 = m.universe.well_known().map_err(|e| failed(s, e))?.int32;
    let Some(array) = m.allocate_array(s, int32, tokens.len() as u64)? else {
        return Err(unsupported(s, "so many rows"));
    };
    for (i, token) in tokens.iter().enumerate() {
        let at = array + u64::from(ELEMENTS) + 4 * i as u64;
        m.store(s, at, Repr::I4, Value::I32(token.raw().cast_signed()))?;
    }
    let at = u64::from(m.offset_of(s, class, &["largeResult"])?);
    m.store(s, place + at, Repr::Ref, Value::address(array))?;
    let at = u64::from(m.offset_of(s, class, &["length"])?);
    m.store(s, place + at, Repr::I4, Value::I32(tokens.len() as i32))?;
    Ok(None)
}

/// `(scope, token, out long value, out int length, out int elementType)` gives the text, if it is one.
fn default_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = scope(m, s, call)?;
    let token = token_argument(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let Some(id) = module.constant_of(token) else {
        put_int(m, s, call, 3, 0)?;
        put_int(m, s, call, 4, 0)?;
        return Ok(Some(Value::NULL));
    };
    let row = module.constant(id).map_err(|e| bad(s, &e))?;
    let (bytes, code) = (row.value.bytes, u32::from(row.type_code) & 0xff);
    put_int(m, s, call, 4, code)?;
    if code == 0x0e {
        put_int(m, s, call, 3, bytes.len() as u32 / 2)?;
        let units: Vec<u16> = bytes.chunks_exact(2).map(|p| u16::from_le_bytes([p[0], p[1]])).collect();
        return m.allocate_string(s, &units).map(|text| Some(Value::address(text)));
    }
    let mut word = [0; 8];
    let len = bytes.len().min(8);
    word[..len].copy_from_slice(&bytes[..len]);
    let place = call.number(m, s, 2)?;
    m.store(s, place, Repr::I8, Value::I64(i64::from_le_bytes(word)))?;
    Ok(Some(Value::NULL))
}
