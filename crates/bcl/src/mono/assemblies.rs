//! Assemblies and modules: their names, types and resources.

use crate::answers::{no, nothing};
use crate::reflection::assemblies::assembly_objects;
use sha1::{Digest, Sha1};
use types::AssemblyId;

use super::lists::bad;
use super::members::method_object;
use crate::reflection::type_names;
use crate::reflection::types::array_of_types;
use crate::table::{Entry, failed, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const ASSEMBLY: &str = "System.Reflection.Assembly";
const RUNTIME: &str = "System.Reflection.RuntimeAssembly";

pub(crate) const TABLE: &[Entry] = &[
    native(ASSEMBLY, "GetTypes", types_of),
    native(ASSEMBLY, "GetCallingAssembly", |m, s, _| {
        let caller = s.frames().nth(1).map(|frame| frame.code.method).unwrap_or(s.top.code.method);
        let assembly = m.universe.assembly_of(caller).map_err(|e| failed(s, e))?;
        Ok(Some(Value::address(assembly_objects(m, s, assembly)?.1)))
    }),
    native(ASSEMBLY, "InternalGetType", type_of),
    native(RUNTIME, "get_fullname", |m, s, c| {
        let assembly = this(m, s, c)?;
        let name = type_names::display_name(&m.universe, assembly);
        m.string(s, &name).map(|text| Some(Value::address(text)))
    }),
    native(RUNTIME, "get_location", |m, s, c| {
        let path = path(m, s, c)?;
        m.string(s, &path).map(|text| Some(Value::address(text)))
    }),
    native(RUNTIME, "get_code_base", |m, s, c| {
        let path = path(m, s, c)?;
        m.string(s, &format!("file://{path}")).map(|text| Some(Value::address(text)))
    }),
    native(RUNTIME, "InternalImageRuntimeVersion", |m, s, _| {
        m.string(s, "v4.0.30319").map(|text| Some(Value::address(text)))
    }),
    native(RUNTIME, "get_ReflectionOnly", no),
    native(RUNTIME, "get_global_assembly_cache", |m, s, c| {
        let assembly = this(m, s, c)?;
        Ok(Some(Value::bool(m.universe.assembly(assembly).is_core())))
    }),
    native(RUNTIME, "get_EntryPoint", |m, s, c| {
        let assembly = this(m, s, c)?;
        let token = m.universe.assembly(assembly).module().entry_point();
        match token.and_then(cil::MethodDefId::from_token) {
            Some(def) => {
                let method = m.universe.method_of_token(assembly, def).map_err(|e| failed(s, e))?;
                method_object(m, s, method).map(|object| Some(Value::address(object)))
            }
            None => Ok(Some(Value::NULL)),
        }
    }),
    native(RUNTIME, "GetManifestModuleInternal", |m, s, c| {
        let assembly = this(m, s, c)?;
        Ok(Some(Value::address(assembly_objects(m, s, assembly)?.0)))
    }),
    native(RUNTIME, "GetModulesInternal", |m, s, c| {
        let assembly = this(m, s, c)?;
        let module = assembly_objects(m, s, assembly)?.0;
        let class = m.core_type(s, "System.Reflection.Module")?;
        m.object_array(s, class, &[module]).map(|array| Some(Value::address(array)))
    }),
    native(RUNTIME, "GetManifestResourceNames", resource_names),
    native(RUNTIME, "GetManifestResourceInternal", resource),
    native(RUNTIME, "GetManifestResourceInfoInternal", resource_info),
    native("System.Reflection.AssemblyName", "GetNativeName", native_name),
    native("System.Reflection.AssemblyName", "get_public_token", public_token),
    native("Mono.RuntimeMarshal", "FreeAssemblyName", nothing),
];

fn this(m: &mut Machine, s: &State, call: &Call) -> Step<AssemblyId> {
    let object = call.number(m, s, 0)?;
    let place = m.field_place(s, object, "_mono_assembly")?;
    let handle = m.load_word(s, place)?;
    m.assembly_of_handle(handle).ok_or_else(|| unsupported(s, "an assembly that is none"))
}

fn path(m: &mut Machine, s: &State, call: &Call) -> Step<String> {
    let assembly = this(m, s, call)?;
    let path = m.universe.assembly(assembly).path().to_owned();
    Ok(std::path::absolute(&path).unwrap_or(path).display().to_string())
}

/// `(assembly, exported only)`.
fn types_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = this(m, s, call)?;
    let exported = call.number(m, s, 1)? != 0;
    let mut found = Vec::new();
    for ty in m.universe.type_defs(assembly).collect::<Vec<_>>() {
        let ty = ty.map_err(|e| failed(s, e))?;
        let shown = m
            .universe
            .def_info(ty)
            .is_some_and(|info| &*info.name != "<Module>" && (!exported || matches!(info.flags & 7, 1 | 2)));
        if shown {
            found.push(ty);
        }
    }
    let class = m.core_type(s, "System.Type")?;
    array_of_types(m, s, class, &found).map(|array| Some(Value::address(array)))
}

/// `(assembly, module, name, throwOnError, ignoreCase)`.
fn type_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = this(m, s, call)?;
    let name = call.number(m, s, 2)?;
    let name = m.string_at(s, name)?;
    if name.contains(['[', '*', '&', ',']) || call.number(m, s, 4)? != 0 {
        return Err(unsupported(s, "a type by such a name"));
    }
    let found = m.universe.find_type(assembly, &name).map_err(|e| failed(s, e))?;
    if found.is_none() && call.number(m, s, 3)? != 0 {
        return Err(unsupported(s, "the exception for a type that is not there"));
    }
    crate::reflection::types::answer(m, s, found)
}

fn resource_names(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = this(m, s, call)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let mut names = Vec::new();
    for id in module.manifest_resources() {
        let row = module.manifest_resource(id).map_err(|e| bad(s, &e))?;
        names.push(m.string(s, row.name)?);
    }
    let string = universe.well_known().map_err(|e| failed(s, e))?.string;
    m.object_array(s, string, &names).map(|array| Some(Value::address(array)))
}

/// The bytes of the resource that argument 1 names.
fn find_resource(m: &mut Machine, s: &State, call: &Call) -> Step<Option<Vec<u8>>> {
    let assembly = this(m, s, call)?;
    let name = call.number(m, s, 1)?;
    let name = m.string_at(s, name)?;
    let module = m.universe.assembly(assembly).module();
    for id in module.manifest_resources() {
        if module.manifest_resource(id).map_err(|e| bad(s, &e))?.name == name {
            return Ok(module.resource_data(id).map_err(|e| bad(s, &e))?.map(<[u8]>::to_vec));
        }
    }
    Ok(None)
}

/// `(assembly, name, out size, out module)`: a pointer to the bytes, or null.
fn resource(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Some(mut data) = find_resource(m, s, call)? else { return Ok(Some(Value::NULL)) };
    let assembly = this(m, s, call)?;
    let size = call.number(m, s, 2)?;
    m.store(s, size, Repr::I4, Value::I32(data.len() as i32))?;
    let module = assembly_objects(m, s, assembly)?.0;
    let place = call.number(m, s, 3)?;
    m.store(s, place, Repr::Ref, Value::address(module))?;
    // Readers look a little past the end of tables.
    data.extend([0; 16]);
    Ok(Some(Value::address(m.runtime_data(s, data))))
}

/// Embedded, in the file of the manifest.
const EMBEDDED: i32 = 5;

/// `(assembly, name, info)`: whether it is there.
fn resource_info(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if find_resource(m, s, call)?.is_none() {
        return Ok(Some(Value::bool(false)));
    }
    let info = call.number(m, s, 2)?;
    let class = m.object_type(s, info)?;
    let at = u64::from(m.offset_of(s, class, &["_resourceLocation", "<ResourceLocation>k__BackingField"])?);
    m.store(s, info + at, Repr::I4, Value::I32(EMBEDDED))?;
    Ok(Some(Value::bool(true)))
}

/// The structure that the runtime keeps for the name of an assembly, by its handle.
fn native_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let assembly = m.assembly_of_handle(handle).ok_or_else(|| unsupported(s, "an assembly that is none"))?;
    let universe = std::rc::Rc::clone(&m.universe);
    let class = m.core_type(s, "Mono.MonoAssemblyName")?;
    let size = universe.size_of(class).map_err(|e| failed(s, e))?;
    let data = m.runtime_data(s, vec![0; size as usize]);
    let name = universe.assembly(assembly).name().to_owned();
    let name = m.utf8(s, &name);
    let culture = m.utf8(s, "");
    let row = universe.assembly(assembly).module().assembly().map_err(|e| bad(s, &e))?;
    let key = row.map(|row| row.public_key.bytes.to_vec()).unwrap_or_default();
    let mut values =
        vec![("name", Repr::I8, Value::address(name)), ("culture", Repr::I8, Value::address(culture))];
    if !key.is_empty() {
        let length = compressed(key.len());
        let blob = m.runtime_data(s, [length, key].concat());
        values.push(("public_key", Repr::I8, Value::address(blob)));
        let text = type_names::display_name(&universe, assembly);
        let token = text.rsplit('=').next().unwrap_or_default().to_owned();
        let at = u64::from(m.offset_of(s, class, &["public_key_token"])?);
        for (i, byte) in token.bytes().enumerate().take(16) {
            m.store(s, data + at + i as u64, Repr::U1, Value::I32(i32::from(byte)))?;
        }
    }
    let [major, minor, build, revision] = universe.assembly(assembly).version();
    for (name, part) in [("major", major), ("minor", minor), ("build", build), ("revision", revision)] {
        values.push((name, Repr::U2, Value::I32(i32::from(part))));
    }
    values.push(("hash_alg", Repr::I4, Value::I32(0x8004)));
    for (name, repr, value) in values {
        let at = u64::from(m.offset_of(s, class, &[name])?);
        m.store(s, data + at, repr, value)?;
    }
    Ok(Some(Value::address(data)))
}

/// A length as metadata writes it (ECMA-335 II.23.2).
fn compressed(len: usize) -> Vec<u8> {
    match len {
        0..0x80 => vec![len as u8],
        _ => vec![0x80 | (len >> 8) as u8, len as u8],
    }
}

/// `(byte* token, byte* key, length)`: the last eight bytes of the key's hash, reversed.
fn public_token(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (token, key, len) = (call.number(m, s, 0)?, call.number(m, s, 1)?, call.number(m, s, 2)?);
    let bytes = m.load_bytes(s, key, len as usize)?;
    let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "a symbolic key")) };
    let hash = Sha1::digest(bytes);
    for (i, byte) in hash.iter().rev().take(8).enumerate() {
        m.store(s, token + i as u64, Repr::U1, Value::I32(i32::from(*byte)))?;
    }
    Ok(None)
}
