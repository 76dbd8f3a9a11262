//! Making objects by their type: `Activator`, uninitialized objects, and what the class library does with type arguments.

use types::{MethodId, TypeId};

use crate::answers::no;
use crate::objects::boxed_enums::{enum_literals, give_members};
use crate::reflection::invocation::give_back;
use crate::reflection::types::handle_list;
use crate::table::{Entry, all, enter, enter_one, failed, native, native_enter, one};
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const HANDLE: &str = "System.RuntimeTypeHandle";

pub(crate) const TABLE: &[Entry] = &[
    native_enter(
        "System.RuntimeType+CreateUninitializedCache",
        "GetCreateUninitializedInfo",
        uninitialized_info,
    ),
    native("System.RuntimeType+BoxCache", "GetBoxInfo", box_info),
    enter_one(HANDLE, "CreateInstanceForAnotherGenericParameter", QCALL_INSTANTIATE, create_for_argument),
    // There is no code generator: the class library then interprets.
    all("System.Runtime.CompilerServices.RuntimeFeature", "get_IsDynamicCodeSupported", no),
    all("System.Runtime.CompilerServices.RuntimeFeature", "get_IsDynamicCodeCompiled", no),
    all("System.Reflection.Emit.AssemblyBuilder", "ThrowDynamicCodeNotSupported", generates_code),
];

/// What `new T()` and the members of enums need, which metadata answers exactly.
pub(crate) const EXACT: &[Entry] = &[
    native("System.Enum", "GetEnumValuesAndNames", enum_values),
    native_enter(HANDLE, "GetActivationInfo", activation_info),
    one(HANDLE, "InternalAlloc", QCALL_ALLOCATE, allocate_into),
    one(HANDLE, "InternalAllocNoChecks", QCALL_ALLOCATE, allocate_into),
    enter("System.Activator", "CreateInstance", create_generic),
];

const QCALL_INSTANTIATE: &str = "System.Runtime.CompilerServices.QCallTypeHandle,System.IntPtr*,System.Int32,System.Runtime.CompilerServices.ObjectHandleOnStack";
const QCALL_ALLOCATE: &str =
    "System.Runtime.CompilerServices.MethodTable*,System.Runtime.CompilerServices.ObjectHandleOnStack";

/// Where it cannot interpret, a program would see an exception that it does not get elsewhere.
fn generates_code(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Err(unsupported(s, "code made by System.Reflection.Emit"))
}

fn default_constructor(m: &Machine, s: &State, ty: TypeId) -> Step<Option<MethodId>> {
    m.universe.find_method(ty, ".ctor", &[]).map_err(|error| give_up(s, error.into()))
}

/// The class library's own allocator, which takes a method table.
fn allocator(m: &mut Machine, s: &State) -> Step<Value> {
    let class = m.core_type(s, HANDLE)?;
    let found = m.universe.methods_named(class, "InternalAllocNoChecks_FastPath");
    match found.map(|found| found.first().copied()) {
        Ok(Some(method)) => Ok(m.function_pointer(method)),
        Ok(None) => Err(unsupported(s, "the activation of this runtime")),
        Err(error) => Err(give_up(s, error.into())),
    }
}

/// `(type, allocator*, its argument*, constructor of objects*, constructor of values*, isPublic*)`.
fn activation_info(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let place = call.word(m, s, 0, 0)?;
    let object = m.load_word(s, place)?;
    let ty = m.type_of_object(s, object)?;
    let is_value = m.universe.is_value_type(ty);
    let constructor = default_constructor(m, s, ty)?;
    if let Some((class, text)) = obstacle(m, s, ty)? {
        let keeps = m.universe.is_delegate(ty) || m.universe.is_byref_like(ty);
        return m.throw_strings(s, if keeps { class } else { "System.MissingMethodException" }, &[text]);
    }
    if constructor.is_none() && !is_value {
        return m.throw_strings(
            s,
            "System.MissingMethodException",
            &["No parameterless constructor defined."],
        );
    }
    // An empty nullable is null: there is nothing to allocate.
    let allocator = if m.universe.is_nullable(ty) { Value::NULL } else { allocator(m, s)? };
    let table = m.type_handle(s, ty)?;
    let pointer = match constructor {
        Some(constructor) => m.function_pointer(constructor),
        None => Value::NULL,
    };
    let is_public = constructor.is_none_or(|c| m.universe.method(c).is_public());
    let values = if is_value { pointer.clone() } else { Value::NULL };
    for (index, value) in [(1, allocator), (2, Value::address(table)), (3, pointer), (4, values)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::I8, value)?;
    }
    let place = call.number(m, s, 5)?;
    m.store(s, place, Repr::I4, Value::bool(is_public))?;
    m.returned(s, after, None)
}

/// Why no object of a type can be made: the exception and its message.
fn obstacle(m: &Machine, s: &State, ty: TypeId) -> Step<Option<(&'static str, &'static str)>> {
    const ARGUMENT: &str = "System.ArgumentException";
    const ACCESS: &str = "System.MemberAccessException";
    let u = &m.universe;
    let string = u.well_known().map_err(|error| give_up(s, error.into()))?.string;
    Ok(match u.ty(ty) {
        types::Type::Def { .. } => {
            if u.primitive(ty) == Some(types::Primitive::Void) {
                Some((ARGUMENT, "Type is not supported."))
            } else if ty == string {
                Some((ARGUMENT, "Uninitialized Strings cannot be created."))
            } else if u.is_interface(ty) {
                Some((ACCESS, "Cannot create an instance of an interface."))
            } else if u.is_delegate(ty) {
                Some((ARGUMENT, "Type is not supported."))
            } else if u.is_abstract(ty) {
                Some((ACCESS, "Cannot create an abstract class."))
            } else if u.is_byref_like(ty) {
                Some(("System.NotSupportedException", "Cannot create boxed ByRef-like values."))
            } else if u.mentions_parameters(ty) {
                Some((ACCESS, "Cannot create a type for which Type.ContainsGenericParameters is true."))
            } else {
                None
            }
        }
        _ => Some((ARGUMENT, "Type is not supported.")),
    })
}

fn uninitialized_info(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    if let Some((class, text)) = obstacle(m, s, ty)? {
        return m.throw_strings(s, class, &[text]);
    }
    let depth = s.depth;
    if !m.universe.before_field_init(ty) && !m.ensure_initialized(s, ty)? {
        give_back(s, call, depth);
        return Ok(Flow::Reload);
    }
    // A nullable is made as its value.
    let ty = m.universe.nullable_argument(ty).unwrap_or(ty);
    let allocator = allocator(m, s)?;
    let table = m.type_handle(s, ty)?;
    let place = call.number(m, s, 1)?;
    m.store(s, place, Repr::I8, allocator)?;
    let place = call.number(m, s, 2)?;
    m.store(s, place, Repr::I8, Value::address(table))?;
    m.returned(s, after, None)
}

/// `(type, allocator*, its argument*, int* offset of a nullable's value, uint* size)`.
fn box_info(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let boxed = m.universe.nullable_argument(ty).unwrap_or(ty);
    let mut offset = 0;
    if boxed != ty {
        offset = m.offset_of(s, ty, &["value"])?;
    }
    let size = vm::decode::repr_of(&m.universe, boxed).map_err(|gap| give_up(s, gap))?.size();
    let allocator = allocator(m, s)?;
    let table = m.type_handle(s, boxed)?;
    for (index, repr, value) in [
        (1, Repr::I8, allocator),
        (2, Repr::I8, Value::address(table)),
        (3, Repr::I4, Value::I32(offset.cast_signed())),
        (4, Repr::I4, Value::I32(size.cast_signed())),
    ] {
        let place = call.number(m, s, index)?;
        m.store(s, place, repr, value)?;
    }
    Ok(None)
}

fn allocate_into(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let object = m.allocate_instance(s, ty)?;
    call.give(m, s, 1, object)?;
    Ok(None)
}

/// The generic type of the first argument over other arguments, made by its default constructor.
fn create_for_argument(m: &mut Machine, s: &mut State, call: &Call, _after: OnReturn) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    let args = handle_list(m, s, call, 1, 2)?;
    let object = instance_over(m, s, ty, &args)?;
    call.give(m, s, 3, object)?;
    construct(m, s, object, OnReturn::Discard)
}

fn instance_over(m: &mut Machine, s: &mut State, ty: TypeId, args: &[TypeId]) -> Step<u64> {
    let made = m.universe.make_instance(m.universe.definition(ty), args);
    let made = made.map_err(|error| give_up(s, error.into()))?;
    m.allocate_instance(s, made)
}

fn construct(m: &mut Machine, s: &mut State, object: u64, after: OnReturn) -> Step {
    let ty = m.object_type(s, object)?;
    match default_constructor(m, s, ty)? {
        Some(constructor) => {
            s.top.stack.push(Value::address(object));
            m.invoke(s, constructor, 1, after)
        }
        None => m.returned(s, after, None),
    }
}

/// `CreateInstance<T>()`: an intrinsic of the JIT for value types without a constructor; the rest is the class library's.
fn create_generic(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = m.universe.method(call.method).args.first().copied();
    if let Some(ty) = ty.filter(|ty| m.universe.is_value_type(*ty))
        && default_constructor(m, s, ty)?.is_none()
    {
        let repr = vm::decode::repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
        return m.returned(s, after, Some(repr.zero()));
    }
    s.top.stack.extend(call.args.iter().cloned());
    invoke_body(m, s, call.method, call.args.len(), after)
}

/// `(enum, values, names, withNames)`: the members in the order of their declaration.
fn enum_values(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let Some(underlying) = m.universe.enum_underlying(ty).map_err(|error| failed(s, error))? else {
        return Err(unsupported(s, "the members of a type that is no enum"));
    };
    let known = m.universe.well_known().map_err(|error| failed(s, error))?;
    let storage = match vm::decode::repr_of(&m.universe, underlying).map_err(|gap| give_up(s, gap))?.size() {
        1 => known.byte,
        2 => known.uint16,
        4 => known.uint32,
        _ => known.uint64,
    };
    let members = enum_literals(m, s, ty)?;
    give_members(m, s, call, storage, &members)
}

/// Runs the body of a method that has a model as well.
fn invoke_body(m: &mut Machine, s: &mut State, method: MethodId, count: usize, after: OnReturn) -> Step {
    let code = m.code(method).map_err(|gap| give_up(s, gap))?;
    let first = s.top.stack.len().saturating_sub(count);
    let arguments = s.top.stack.split_off(first);
    let frame = m.frame(s, code, arguments, after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}
