//! Assemblies and modules: their types by name, the assemblies they load, their resources and files.

use crate::answers::no;
use crate::reflection::assemblies::assembly_objects;
use crate::reflection::assemblies::marked_method;
use crate::reflection::contexts::Contexts;
use types::{AssemblyId, TypeId};

use crate::reflection::assemblies::assembly_argument;
use crate::reflection::types::array_of_types;
use crate::table::{Entry, failed, native, native_enter, one};
use verdict::Gap;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const ASSEMBLY: &str = "System.Reflection.RuntimeAssembly";
const CONTEXT: &str = "System.Runtime.Loader.AssemblyLoadContext";
const MODULE: &str = "System.Reflection.RuntimeModule";

/// What an assembly contains, which is the same wherever it is loaded.
pub(crate) const CONTENTS: &[Entry] = &[
    native(ASSEMBLY, "<GetModules>g____PInvoke|", modules),
    native_enter(ASSEMBLY, "<GetTypeCore>g____PInvoke|", type_by_name),
    native_enter(ASSEMBLY, "<GetTypeCoreIgnoreCase>g____PInvoke|", type_by_name_ignoring_case),
    native(ASSEMBLY, "GetExportedTypes", exported_types),
    native(ASSEMBLY, "GetManifestResourceNames", resource_names),
    native(ASSEMBLY, "<GetResource>g____PInvoke|", resource),
    native(MODULE, "GetTypes", module_types),
    native(MODULE, "GetScopeName", scope_name),
];

/// Where it comes from and what else is loaded, which only a program as a whole knows.
pub(crate) const TABLE: &[Entry] = &[
    native(ASSEMBLY, "GetEntryPoint", entry_point),
    one(ASSEMBLY, "GetLocation", QCALL_TEXT, location),
    native(ASSEMBLY, "GetImageRuntimeVersion", image_version),
    native_enter(ASSEMBLY, "<InternalLoad>g____PInvoke|", load),
    native("System.Reflection.Assembly", "GetAssemblyCount", |m, _, _| {
        Ok(Some(Value::I32(m.universe.assemblies().count() as i32)))
    }),
    native(CONTEXT, "GetLoadedAssemblies", loaded),
    native(CONTEXT, "IsTracingEnabled", no),
    native(MODULE, "GetFullyQualifiedName", location),
    native("System.Reflection.MethodBase", "GetCurrentMethod", current_method),
    native("System.Reflection.MetadataImport", "GetScopeProps", version_id),
    native("System.IO.FileLoadException", "GetFileLoadExceptionMessage", load_failure_format),
    native("System.IO.FileLoadException", "GetMessageForHR", load_failure_reason),
];

const QCALL_TEXT: &str =
    "System.Runtime.CompilerServices.QCallAssembly,System.Runtime.CompilerServices.StringHandleOnStack";

/// The only kind of failure there is: no such file.
const FILE_NOT_FOUND: i32 = 0x8007_0002_u32.cast_signed();

fn modules(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let module = assembly_objects(m, s, assembly)?.0;
    let class = m.core_type(s, MODULE)?;
    let array = m.object_array(s, class, &[module])?;
    call.give(m, s, 3, array)?;
    Ok(None)
}

/// All types of the module but the one that holds what is outside of types.
fn types_of(m: &Machine, s: &State, assembly: AssemblyId) -> Step<Vec<TypeId>> {
    m.universe.type_defs(assembly).skip(1).collect::<types::Result<_>>().map_err(|e| failed(s, e))
}

fn module_types(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let all = types_of(m, s, assembly)?;
    give_types(m, s, call, &all)
}

fn exported_types(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let mut all = types_of(m, s, assembly)?;
    all.retain(|ty| m.universe.is_visible(*ty));
    give_types(m, s, call, &all)
}

fn give_types(m: &mut Machine, s: &mut State, call: &Call, types: &[TypeId]) -> Step<Option<Value>> {
    let class = m.core_type(s, "System.RuntimeType")?;
    let array = array_of_types(m, s, class, types)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

/// `(assembly, name, nested names, their number, out type)`; names are UTF-8, parts of a nested name apart.
fn type_by_name(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let assembly = assembly_argument(m, s, call, 0)?;
    let place = call.number(m, s, 1)?;
    let mut name = m.utf8_at(s, place)?;
    for nested in nested_names(m, s, call)? {
        name.push('+');
        name.push_str(&m.utf8_at(s, nested)?);
    }
    let found = m.universe.find_type(assembly, &name).map_err(|e| failed(s, e))?;
    give_found(m, s, call, found, after)
}

/// As [`type_by_name`], with names in UTF-16.
fn type_by_name_ignoring_case(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let assembly = assembly_argument(m, s, call, 0)?;
    let place = call.number(m, s, 1)?;
    let mut name = m.utf16_at(s, place)?;
    for nested in nested_names(m, s, call)? {
        name.push('+');
        name.push_str(&m.utf16_at(s, nested)?);
    }
    let wanted = name.to_lowercase();
    let all = types_of(m, s, assembly)?;
    let found = all.into_iter().find(|ty| m.universe.type_name(*ty).to_lowercase() == wanted);
    give_found(m, s, call, found, after)
}

fn nested_names(m: &mut Machine, s: &State, call: &Call) -> Step<Vec<u64>> {
    let list = call.number(m, s, 2)?;
    let count = call.number(m, s, 3)?;
    (0..count).map(|i| m.load_word(s, list + 8 * i)).collect()
}

fn give_found(m: &mut Machine, s: &mut State, call: &Call, found: Option<TypeId>, after: OnReturn) -> Step {
    if let Some(ty) = found {
        if let Some(text) = m.universe.load_failure(ty) {
            return m.throw_strings(s, "System.TypeLoadException", &[&text]);
        }
        let object = m.type_object(s, ty)?;
        call.give(m, s, 4, object)?;
    }
    m.returned(s, after, None)
}

fn loaded(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut objects = Vec::new();
    let contexts = s.attached.get::<Contexts>().into_owned();
    for assembly in m.universe.assemblies().filter(|assembly| contexts.has_loaded(*assembly)) {
        objects.push(assembly_objects(m, s, assembly)?.1);
    }
    let class = m.core_type(s, "System.Reflection.Assembly")?;
    let array = m.object_array(s, class, &objects)?;
    call.give(m, s, 0, array)?;
    Ok(None)
}

fn entry_point(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let token = m.universe.assembly(assembly).module().entry_point();
    if let Some(token) = token
        && let types::Member::Method(method) =
            m.universe.resolve_in_assembly(assembly, token).map_err(|e| failed(s, e))?
    {
        let stub = m.method_stub(s, method)?;
        call.give(m, s, 1, stub)?;
    }
    Ok(None)
}

fn resource_names(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let mut names = Vec::new();
    for id in module.manifest_resources() {
        let row = module.manifest_resource(id).map_err(|e| give_up(s, Gap::invalid_code(e.to_string())))?;
        names.push(m.string(s, row.name)?);
    }
    let string = universe.well_known().map_err(|e| failed(s, e))?.string;
    let array = m.object_array(s, string, &names)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

/// `(assembly, UTF-16 name, out length)`: a pointer to the bytes, or null.
fn resource(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let place = call.number(m, s, 1)?;
    let name = m.utf16_at(s, place)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let bad = |s: &State, e: cil::Error| give_up(s, Gap::invalid_code(e.to_string()));
    for id in module.manifest_resources() {
        if module.manifest_resource(id).map_err(|e| bad(s, e))?.name != name {
            continue;
        }
        let Some(data) = module.resource_data(id).map_err(|e| bad(s, e))? else { break };
        let place = call.number(m, s, 2)?;
        m.store(s, place, Repr::I4, Value::I32(data.len() as i32))?;
        let mut data = data.to_vec();
        data.push(0);
        return Ok(Some(Value::address(m.runtime_data(s, data))));
    }
    Ok(Some(Value::NULL))
}

fn location(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let path = m.universe.assembly(assembly).path();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    give_text(m, s, call, &path)
}

fn image_version(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    give_text(m, s, call, "v4.0.30319")
}

fn scope_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let name = m.universe.assembly(assembly).module().module().map(|row| row.name.to_owned());
    let name = name.map_err(|e| give_up(s, Gap::invalid_code(e.to_string())))?;
    give_text(m, s, call, &name)
}

fn give_text(m: &mut Machine, s: &mut State, call: &Call, text: &str) -> Step<Option<Value>> {
    let object = m.string(s, text)?;
    call.give(m, s, 1, object)?;
    Ok(None)
}

/// `(scope, out Guid)`.
fn version_id(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = crate::reflection::assemblies::scope(m, s, call)?;
    let id = m.universe.assembly(assembly).module().module().map(|row| row.mvid);
    let id = id.map_err(|e| give_up(s, Gap::invalid_code(e.to_string())))?.map_or([0; 16], |id| id.0);
    let place = call.number(m, s, 1)?;
    m.store_bytes(s, place, &vm::bytes::Bytes::from_vec(id.to_vec()))?;
    Ok(Some(Value::I32(0)))
}

/// The method that the stack mark speaks of; of a generic one, reflection sees the definition.
fn current_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let asking = marked_method(call, m, s, 0)?;
    let method = m.universe.method_definition(asking).map_err(|e| failed(s, e))?;
    Ok(Some(crate::reflection::methods::handle_of(m, Some(method))))
}

/// `(name, requesting assembly, stack mark, throw, context, out assembly)`.
fn load(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let parts = call.number(m, s, 0)?;
    let name = m.load_word(s, parts)?;
    let name = m.utf16_at(s, name)?;
    let context = call.word(m, s, 4, 0)?;
    let context = crate::reflection::contexts::context_at(m, s, context)?;
    let found = match s.attached.get::<Contexts>().named(m, context, &name) {
        Some(found) => Some(found),
        None => m.universe.load_by_name(&name).map_err(|e| failed(s, e))?,
    };
    match found {
        Some(assembly) => {
            let object = assembly_objects(m, s, assembly)?.1;
            call.give(m, s, 5, object)?;
            m.returned(s, after, None)
        }
        None => {
            let name = display_name(m, s, parts, &name)?;
            ask_handlers(m, s, call, &name, after)
        }
    }
}

/// The assembly that asks for another one: it is said, or it is that of the marked caller. A context asks for nobody.
fn requesting(m: &mut Machine, s: &mut State, call: &Call) -> Step<u64> {
    let place = call.word(m, s, 1, 0)?;
    let said = if place == 0 { 0 } else { m.load_word(s, place)? };
    let context = call.word(m, s, 4, 0)?;
    let has_context = context != 0 && m.load_word(s, context)? != 0;
    if said != 0 || has_context || call.word(m, s, 2, 0)? == 0 {
        return Ok(said);
    }
    let method = marked_method(call, m, s, 2)?;
    let assembly = m.universe.assembly_of(method).map_err(|e| failed(s, e))?;
    Ok(assembly_objects(m, s, assembly)?.1)
}

/// `AssemblyResolve`: the program's own handlers may know the assembly. What follows needs the place of the answer,
/// whether not to find it is an error, and the name.
fn ask_handlers(m: &mut Machine, s: &mut State, call: &Call, name: &str, after: OnReturn) -> Step {
    let must_be_found = call.number(m, s, 3)? != 0;
    let class = m.core_type(s, CONTEXT)?;
    let handlers = m.universe.methods_named(class, "OnAssemblyResolve").map_err(|e| failed(s, e))?;
    let (Some(&handlers), OnReturn::Push) = (handlers.first(), after) else {
        return if must_be_found { not_found(m, s, name) } else { m.returned(s, after, None) };
    };
    let place = call.word(m, s, 5, 0)?;
    let mut question = place.to_le_bytes().to_vec();
    question.extend(u64::from(must_be_found).to_le_bytes());
    question.extend(m.utf8(s, name).to_le_bytes());
    let question = m.runtime_data(s, question);
    let text = m.string(s, name)?;
    let requesting = requesting(m, s, call)?;
    s.top.stack.extend([Value::address(requesting), Value::address(text)]);
    m.invoke(s, handlers, 2, OnReturn::Model { then: answered, data: [question, 0] })
}

/// The handlers have found an assembly, or null.
fn answered(m: &mut Machine, s: &mut State, found: Option<Value>, [question, _]: [u64; 2]) -> Step {
    let place = m.load_word(s, question)?;
    match found {
        Some(Value::I64(found)) if found != 0 => {
            m.store(s, place, Repr::Ref, Value::I64(found))?;
            Ok(Flow::Next)
        }
        _ if m.load_word(s, question + 8)? == 0 => Ok(Flow::Next),
        _ => {
            let name = m.load_word(s, question + 16)?;
            let name = m.utf8_at(s, name)?;
            not_found(m, s, &name)
        }
    }
}

/// The name that was asked for, as messages write it.
fn display_name(m: &mut Machine, s: &State, parts: u64, name: &str) -> Step<String> {
    let mut text = name.to_owned();
    let mut version = Vec::new();
    for i in 0..4 {
        match m.load(s, parts + 8 + 2 * i, Repr::U2)? {
            Value::I32(part) if part != 0xffff => version.push(part.to_string()),
            _ => {}
        }
    }
    if !version.is_empty() {
        text.push_str(&format!(", Version={}", version.join(".")));
    }
    let culture = m.load_word(s, parts + 16)?;
    let culture = if culture == 0 { String::new() } else { m.utf16_at(s, culture)? };
    text.push_str(&format!(", Culture={}", if culture.is_empty() { "neutral" } else { &culture }));
    let token = m.load_word(s, parts + 24)?;
    let Value::I32(len) = m.load(s, parts + 32, Repr::I4)? else {
        return Err(unsupported(s, "a symbolic name of an assembly"));
    };
    if token == 0 || len == 0 {
        text.push_str(", PublicKeyToken=null");
        return Ok(text);
    }
    let bytes = m.load_bytes(s, token, len.max(0) as usize)?;
    let bytes = bytes.concrete().unwrap_or_default();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    text.push_str(&format!(", PublicKeyToken={hex}"));
    Ok(text)
}

pub(crate) fn not_found(m: &mut Machine, s: &mut State, name: &str) -> Step {
    let class = m.core_type(s, "System.IO.FileNotFoundException")?;
    let known = m.universe.well_known().map_err(|e| failed(s, e))?;
    let params = [known.string, known.int32];
    let constructor = m.universe.find_method(class, ".ctor", &params).map_err(|e| failed(s, e))?;
    let Some(constructor) = constructor else {
        return Err(unsupported(s, "failures of loading of this runtime"));
    };
    let object = m.allocate_instance(s, class)?;
    let name = m.string(s, name)?;
    s.top.stack.clear();
    s.top.stack.extend([Value::address(object), Value::address(name), Value::I32(FILE_NOT_FOUND)]);
    m.invoke(s, constructor, 3, OnReturn::Throw(object)).map(|_| Flow::Reload)
}

/// `(HRESULT, out text)`: the message, with the name as `{0}` and the reason as `{1}`.
fn load_failure_format(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    give_text(m, s, call, "Could not load file or assembly '{0}'. {1}")
}

fn load_failure_reason(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if call.number(m, s, 0)? as u32 as i32 != FILE_NOT_FOUND {
        return Err(unsupported(s, "the message of this HRESULT"));
    }
    give_text(m, s, call, "The system cannot find the file specified.\n")
}
