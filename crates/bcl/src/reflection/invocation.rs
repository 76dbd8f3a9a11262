//! Calls through reflection, and static constructors on demand.

use types::{MethodId, TypeId};

use crate::answers::nothing;
use crate::reflection::assemblies::assembly_argument;
use crate::table::{Entry, enter, failed, native, native_enter};
use vm::decode::repr_of;
use vm::heap::BlockKind;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

/// Memory that holds arguments: the machine needs not be told where references are.
const GC_FRAME: &str = "System.Runtime.GCFrameRegistration";

pub(crate) const TABLE: &[Entry] = &[
    native_enter("System.RuntimeMethodHandle", "InvokeMethod", invoke),
    enter("System.Runtime.CompilerServices.RuntimeHelpers", "RunClassConstructor", run_class_constructor),
    native_enter(
        "System.Runtime.CompilerServices.RuntimeHelpers",
        "RunModuleConstructor",
        run_module_constructor,
    ),
    native(GC_FRAME, "RegisterForGCReporting", nothing),
    native(GC_FRAME, "UnregisterForGCReporting", nothing),
];

/// `(target, void** arguments, signature, isConstructor, result)`: the arguments are addresses of the values.
fn invoke(m: &mut Machine, s: &mut State, call: &Call, _after: OnReturn) -> Step {
    let target = call.word(m, s, 0, 0)?;
    let target = m.load_word(s, target)?;
    let list = call.number(m, s, 1)?;
    let signature = call.word(m, s, 2, 0)?;
    let signature = m.load_word(s, signature)?;
    let is_constructor = call.number(m, s, 3)? != 0;
    let result = call.word(m, s, 4, 0)?;
    let class = m.core_type(s, "System.Signature")?;
    let at = u64::from(m.offset_of(s, class, &["_pMethod", "m_pMethod"])?);
    let handle = m.load_word(s, signature + at)?;
    let Some(mut method) = m.function_at(handle) else {
        return Err(unsupported(s, "a method handle that is none"));
    };
    let sig = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
    let depth = s.depth;
    if callee_needs_init(m, s, method)? {
        give_back(s, call, depth);
        return Ok(Flow::Reload);
    }
    let owner = m.universe.method(method).owner;
    if is_constructor && target == 0 && makes_itself(m, s, owner)? {
        return construct_special(m, s, method, owner, list, result);
    }
    if is_constructor
        && target == 0
        && let Some(inner) = m.universe.nullable_argument(owner)
    {
        // A nullable with a value is boxed as that value.
        let address = m.load_word(s, list)?;
        let repr = repr_of(&m.universe, inner).map_err(|gap| give_up(s, gap))?;
        let value = m.load(s, address, repr)?;
        m.store_result(s, result, inner, Some(value))?;
        return Ok(Flow::Next);
    }
    let mut this = target;
    let mut after = OnReturn::Reflected { place: result, ty: sig.ret };
    if is_constructor && target == 0 {
        this = m.allocate_instance(s, owner)?;
        m.store(s, result, Repr::Ref, Value::address(this))?;
        after = OnReturn::Discard;
    } else if sig.has_this && m.universe.method(method).is_virtual() {
        let receiver = m.object_type(s, target)?;
        method = m.universe.resolve_virtual(receiver, method).map_err(|e| failed(s, e))?;
    }
    if sig.has_this && !is_constructor && m.universe.is_nullable(owner) {
        // Boxed, a nullable is its value; its methods want the nullable itself.
        let nullable = m.nullable_of(s, owner, Some(target))?;
        this = s.heap.allocate(BlockKind::Object(owner), nullable).address();
    }
    if sig.has_this {
        s.top.stack.push(Value::address(this));
    }
    push_arguments(m, s, &sig.params, list)?;
    m.invoke(s, method, sig.params.len() + usize::from(sig.has_this), after)
}

fn push_arguments(m: &mut Machine, s: &mut State, params: &[TypeId], list: u64) -> Step<()> {
    for (i, ty) in params.iter().enumerate() {
        let address = m.load_word(s, list + 8 * i as u64)?;
        let value = if matches!(m.universe.ty(*ty), types::Type::ByRef(_)) {
            Value::address(address)
        } else {
            let repr = repr_of(&m.universe, *ty).map_err(|gap| give_up(s, gap))?;
            m.load(s, address, repr)?
        };
        s.top.stack.push(value);
    }
    Ok(())
}

/// Strings and arrays are made by their constructors, not before them.
fn makes_itself(m: &Machine, s: &State, owner: TypeId) -> Step<bool> {
    let string = m.universe.well_known().map_err(|e| failed(s, e))?.string;
    Ok(owner == string || m.universe.array_element(owner).is_some())
}

fn construct_special(
    m: &mut Machine,
    s: &mut State,
    constructor: MethodId,
    owner: TypeId,
    list: u64,
    result: u64,
) -> Step {
    let params = m.universe.signature(constructor).map_err(|e| failed(s, e))?.params.clone();
    let count = params.len();
    if let Some(element) = m.universe.array_element(owner) {
        push_arguments(m, s, &params, list)?;
        let depth = s.depth;
        if let types::Type::SzArray(_) = m.universe.ty(owner) {
            m.newarr(s, element)?;
        } else {
            m.new_md_array(s, owner, count)?;
        }
        // An exception pushed its constructor's frame, or has been thrown already.
        if s.depth != depth || s.top.stack.is_empty() {
            return Ok(Flow::Reload);
        }
        let array = vm::machine::pop(s)?;
        m.store(s, result, Repr::Ref, array)?;
        return Ok(Flow::Next);
    }
    let maker = m.universe.find_method(owner, "Ctor", &params).map_err(|e| failed(s, e))?;
    let Some(maker) = maker else { return Err(unsupported(s, "this constructor of strings")) };
    let has_this = m.universe.signature(maker).map_err(|e| failed(s, e))?.has_this;
    if has_this {
        s.top.stack.push(Value::NULL);
    }
    push_arguments(m, s, &params, list)?;
    m.invoke(s, maker, count + usize::from(has_this), OnReturn::Reflected { place: result, ty: owner })
}

fn run_class_constructor(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = match call.args.first() {
        Some(Value::Struct(bytes)) if bytes.len() == 8 => {
            let object = call.word(m, s, 0, 0)?;
            m.type_of_object(s, object)?
        }
        _ => call.type_handle(m, s, 0)?,
    };
    initialize(m, s, call, ty, after)
}

fn run_module_constructor(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let assembly = assembly_argument(m, s, call, 0)?;
    match m.universe.module_initializer(assembly) {
        Some(ty) => initialize(m, s, call, ty, after),
        None => m.returned(s, after, None),
    }
}

/// The call is made again after the static constructor.
fn initialize(m: &mut Machine, s: &mut State, call: &Call, ty: TypeId, after: OnReturn) -> Step {
    let depth = s.depth;
    if m.ensure_initialized(s, ty)? {
        return m.returned(s, after, None);
    }
    give_back(s, call, depth);
    Ok(Flow::Reload)
}

/// Puts the arguments of a call back under the frames that were pushed, so that the call is made again after them. If an
/// exception was raised instead, there is no call any more.
pub(crate) fn give_back(s: &mut State, call: &Call, depth_before: u32) {
    if s.depth > depth_before {
        s.extend_stack_at(depth_before, &call.args);
    }
}

/// Whether a static constructor has to run first; its frame has been pushed then.
fn callee_needs_init(m: &mut Machine, s: &mut State, method: MethodId) -> Step<bool> {
    match m.callee(method) {
        vm::machine::Callee::Code(code) => match code.init_type {
            Some(ty) => Ok(!m.ensure_initialized(s, ty)?),
            None => Ok(false),
        },
        _ => Ok(false),
    }
}
