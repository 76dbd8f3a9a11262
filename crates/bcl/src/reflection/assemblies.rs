//! Assemblies and modules as objects, and tokens resolved in them.

use crate::answers::{nothing, zero};
use std::rc::Rc;

use types::{AssemblyId, Member};

use crate::reflection::type_names;
use crate::reflection::types::handle_list;
use crate::table::{Entry, all, enter_one, native, native_enter, one};
use verdict::Gap;
use vm::heap::split_address;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const HANDLE: &str = "System.RuntimeTypeHandle";
const ASSEMBLY: &str = "System.Reflection.RuntimeAssembly";
const MODULE: &str = "System.ModuleHandle";

/// Which module a type is in: the class library asks before it remembers anything about a type.
pub(crate) const OF_TYPES: &[Entry] = &[
    native(HANDLE, "GetModuleIfExists", module_of_type),
    all(HANDLE, "GetModule", module_of_type),
    one(MODULE, "GetModuleType", QCALL_MODULE_TYPE, module_type),
];

pub(crate) const TABLE: &[Entry] = &[
    native(HANDLE, "GetAssemblyIfExists", assembly_of_type),
    all(HANDLE, "GetAssembly", assembly_of_type),
    one(ASSEMBLY, "GetFullName", QCALL_TEXT, |m, s, c| give_text(m, s, c, type_names::display_name)),
    one(ASSEMBLY, "GetSimpleName", QCALL_TEXT, |m, s, c| {
        give_text(m, s, c, |u, a| u.assembly(a).name().to_owned())
    }),
    native(ASSEMBLY, "GetManifestModule", manifest_module),
    native(ASSEMBLY, "GetTokenInternal", |_, _, _| Ok(Some(Value::I32(0x2000_0001)))),
    native(MODULE, "GetToken", |_, _, _| Ok(Some(Value::I32(1)))),
    native(ASSEMBLY, "<GetVersion>g____PInvoke|", version),
    native(ASSEMBLY, "GetFlags", zero),
    native(ASSEMBLY, "GetHashAlgorithm", |_, _, _| Ok(Some(Value::I32(0x8004)))),
    native(ASSEMBLY, "GetPublicKey", public_key),
    native(ASSEMBLY, "GetLocale", nothing),
    native(ASSEMBLY, "<GetCodeBase>g____PInvoke|", zero),
    native("System.Reflection.Metadata.MetadataUpdater", "<IsApplyUpdateSupported>g____PInvoke|", zero),
    native("System.Diagnostics.Debugger", "IsManagedDebuggerAttached", zero),
    native(ASSEMBLY, "GetIsDynamic", zero),
    one("System.Reflection.Assembly", "GetExecutingAssembly", "", executing),
    native("System.Reflection.Assembly", "GetExecutingAssemblyNative", marked_assembly),
    all("System.Reflection.Assembly", "GetEntryAssembly", entry),
    native("System.Reflection.MetadataImport", "GetMetadataImport", metadata_import),
    enter_one(MODULE, "ResolveType", QCALL_RESOLVE, resolve_type),
    native_enter(MODULE, "ResolveMethod", resolve_method),
    native_enter(MODULE, "ResolveField", resolve_field),
    native(MODULE, "GetPEKind", pe_kind),
    native(MODULE, "GetMDStreamVersion", |_, _, _| Ok(Some(Value::I32(0x20000)))),
];

const QCALL_TEXT: &str =
    "System.Runtime.CompilerServices.QCallAssembly,System.Runtime.CompilerServices.StringHandleOnStack";
const QCALL_MODULE_TYPE: &str =
    "System.Runtime.CompilerServices.QCallModule,System.Runtime.CompilerServices.ObjectHandleOnStack";
const QCALL_RESOLVE: &str = "System.Runtime.CompilerServices.QCallModule,System.Int32,System.IntPtr*,System.Int32,System.IntPtr*,System.Int32,System.Runtime.CompilerServices.ObjectHandleOnStack";

/// The objects for an assembly's only module and for the assembly itself.
pub(crate) fn assembly_objects(m: &mut Machine, s: &mut State, assembly: AssemblyId) -> Step<(u64, u64)> {
    if let Some((module, object)) = s.runtime.assembly_objects.get(&assembly) {
        return Ok((module.address(), object.address()));
    }
    let module_class = m.core_type(s, "System.Reflection.RuntimeModule")?;
    let assembly_class = m.core_type(s, ASSEMBLY)?;
    let module = m.allocate_instance(s, module_class)?;
    let object = m.allocate_instance(s, assembly_class)?;
    let number = Machine::assembly_handle(assembly);
    let at = u64::from(m.offset_of(s, module_class, &["m_pData", "_impl"])?);
    m.store(s, module + at, Repr::I8, Value::address(number))?;
    let at = u64::from(m.offset_of(s, module_class, &["m_runtimeAssembly", "assembly"])?);
    m.store(s, module + at, Repr::Ref, Value::address(object))?;
    let at = u64::from(m.offset_of(s, assembly_class, &["m_assembly", "_mono_assembly"])?);
    m.store(s, object + at, Repr::I8, Value::address(number))?;
    let blocks = (split_address(module).0, split_address(object).0);
    Rc::make_mut(&mut s.runtime.assembly_objects).insert(assembly, blocks);
    Ok((module, object))
}

fn assembly_named_by(m: &mut Machine, s: &State, call: &Call) -> Step<AssemblyId> {
    let ty = call.type_object(m, s, 0)?;
    type_names::assembly_of(&m.universe, ty).ok_or_else(|| unsupported(s, "a type of no assembly"))
}

fn module_of_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_named_by(m, s, call)?;
    Ok(Some(Value::address(assembly_objects(m, s, assembly)?.0)))
}

fn assembly_of_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_named_by(m, s, call)?;
    Ok(Some(Value::address(assembly_objects(m, s, assembly)?.1)))
}

fn manifest_module(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let class = m.core_type(s, ASSEMBLY)?;
    let at = u64::from(m.offset_of(s, class, &["m_assembly"])?);
    let handle = m.load_word(s, object + at)?;
    let assembly = assembly_by_handle(m, s, handle)?;
    Ok(Some(Value::address(assembly_objects(m, s, assembly)?.0)))
}

pub(crate) fn assembly_by_handle(m: &Machine, s: &State, handle: u64) -> Step<AssemblyId> {
    m.assembly_of_handle(handle).ok_or_else(|| unsupported(s, "an assembly handle that is none"))
}

/// The assembly of a `QCallAssembly` or `QCallModule`.
pub(crate) fn assembly_argument(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<AssemblyId> {
    let handle = call.word(m, s, index, 8)?;
    assembly_by_handle(m, s, handle)
}

/// The assembly whose metadata a `MetadataImport` reads.
pub(crate) fn scope(m: &Machine, s: &State, call: &Call) -> Step<AssemblyId> {
    let handle = call.number(m, s, 0)?;
    assembly_by_handle(m, s, handle)
}

fn give_text(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    text: fn(&types::Universe, AssemblyId) -> String,
) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let text = text(&m.universe, assembly);
    let object = m.string(s, &text)?;
    call.give(m, s, 1, object)?;
    Ok(None)
}

/// The assembly of the method that asks.
fn executing(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let method = s.top.code.method;
    let assembly = m.universe.assembly_of(method).map_err(|error| give_up(s, error.into()))?;
    Ok(Some(Value::address(assembly_objects(m, s, assembly)?.1)))
}

/// `(stack mark, out assembly)`: the assembly of the frame that the mark speaks of.
fn marked_assembly(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = marked_method(call, m, s, 0)?;
    let assembly = m.universe.assembly_of(method).map_err(|error| give_up(s, error.into()))?;
    let object = assembly_objects(m, s, assembly)?.1;
    call.give(m, s, 1, object)?;
    Ok(None)
}

fn entry(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if m.explores() {
        // Whoever runs the tests.
        return Err(give_up(s, Gap::native_call(m.universe.method_id(call.method))));
    }
    let Some(base) = s.frames().last().map(|frame| frame.code.method) else { return Ok(Some(Value::NULL)) };
    let assembly = m.universe.assembly_of(base).map_err(|error| give_up(s, error.into()))?;
    Ok(Some(Value::address(assembly_objects(m, s, assembly)?.1)))
}

pub(crate) fn metadata_import(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let module = call.number(m, s, 0)?;
    let class = m.core_type(s, "System.Reflection.RuntimeModule")?;
    let at = u64::from(m.offset_of(s, class, &["m_pData"])?);
    Ok(Some(Value::address(m.load_word(s, module + at)?)))
}

/// `(module, token, type arguments, their number, method arguments, their number)`; the class library explains what is
/// wrong with a token that names nothing.
fn resolve(m: &mut Machine, s: &State, call: &Call) -> Step<Option<Member>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let token = cil::Token::from_raw(call.number(m, s, 1)? as u32);
    let types = handle_list(m, s, call, 2, 3)?;
    let methods = handle_list(m, s, call, 4, 5)?;
    if !m.universe.assembly(assembly).module().contains(token) {
        return Ok(None);
    }
    let found = m.universe.resolve_in_context(assembly, token, &types, &methods);
    found.map(Some).map_err(|error| give_up(s, error.into()))
}

fn nothing_there(m: &mut Machine, s: &mut State) -> Step {
    m.throw_strings(s, "System.BadImageFormatException", &["Bad class token."])
}

fn resolve_type(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Some(Member::Type(ty)) = resolve(m, s, call)? else { return nothing_there(m, s) };
    let object = m.type_object(s, ty)?;
    call.give(m, s, 6, object)?;
    m.returned(s, after, None)
}

fn resolve_method(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Some(Member::Method(method)) = resolve(m, s, call)? else { return nothing_there(m, s) };
    let handle = m.method_handle(method);
    m.returned(s, after, Some(crate::reflection::methods::word_struct(&handle)))
}

fn resolve_field(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Some(Member::Field(field)) = resolve(m, s, call)? else { return nothing_there(m, s) };
    let stub = m.field_stub(s, field)?;
    call.give(m, s, 6, stub)?;
    m.returned(s, after, None)
}

/// The type that holds the members outside of types: the first definition of the module.
fn module_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let first = m.universe.type_defs(assembly).next().transpose();
    if let Some(ty) = first.map_err(|error| give_up(s, error.into()))? {
        let object = m.type_object(s, ty)?;
        call.give(m, s, 1, object)?;
    }
    Ok(None)
}

pub(crate) fn version(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let version = m.universe.assembly(assembly).version();
    for (index, part) in version.into_iter().enumerate() {
        let place = call.number(m, s, index + 1)?;
        m.store(s, place, Repr::I4, Value::I32(i32::from(part)))?;
    }
    Ok(None)
}

fn public_key(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let row = m.universe.assembly(assembly).module().assembly().ok().flatten();
    let key = row.map(|row| row.public_key.bytes.to_vec()).unwrap_or_default();
    let byte = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.byte;
    let Some(array) = m.allocate_array(s, byte, key.len() as u64)? else {
        return Err(unsupported(s, "so long a key"));
    };
    let bytes = vm::bytes::Bytes::from_vec(key);
    m.store_bytes(s, array + u64::from(vm::ops::ELEMENTS), &bytes)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

/// Pure CIL for any machine, as compilers make it.
fn pe_kind(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    for (index, value) in [(1, 1), (2, 0x014c)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::I4, Value::I32(value))?;
    }
    Ok(None)
}

/// The method that a `StackCrawlMark` speaks of: the one it is a local of, its caller, or the caller's caller.
pub(crate) fn marked_method(call: &Call, m: &mut Machine, s: &State, index: usize) -> Step<types::MethodId> {
    let mark = call.word(m, s, index, 0)?;
    let Value::I32(steps @ 0..=2) = m.load(s, mark, Repr::I4)? else {
        return Err(unsupported(s, "this stack mark"));
    };
    let (block, _) = split_address(mark);
    let from_mark = s.frames().skip_while(|frame| frame.block != Some(block));
    // Below the program's own entry there is nothing to see.
    match from_mark.map(|frame| frame.code.method).take(steps as usize + 1).last() {
        Some(method) => Ok(method),
        None => Err(unsupported(s, "a stack mark without a frame")),
    }
}
