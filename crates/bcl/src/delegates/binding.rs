//! Delegates made at run time: `Delegate.CreateDelegate` and the method behind a delegate.

use types::{MethodId, TypeId};

use crate::table::{Entry, failed, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::ops::MULTICAST;
use vm::state::State;
use vm::value::{Repr, Value};

const DELEGATE: &str = "System.Delegate";

pub(crate) const TABLE: &[Entry] = &[
    native(DELEGATE, "<BindToMethodName>g____PInvoke|", bind_by_name),
    native(DELEGATE, "<BindToMethodInfo>g____PInvoke|", bind_by_method),
    native(DELEGATE, "FindMethodHandle", find_method),
];

/// `DelegateBindingFlags`.
const STATIC_ONLY: u64 = 0x1;
const INSTANCE_ONLY: u64 = 0x2;
const OPEN_ONLY: u64 = 0x4;
const CLOSED_ONLY: u64 = 0x8;
const NEVER_OVER_NULL: u64 = 0x10;
const CASELESS: u64 = 0x20;
const RELAXED: u64 = 0x40;

/// What a delegate is to be made of.
pub(crate) struct Binding {
    pub delegate: u64,
    /// The first argument it is closed over, if it is closed.
    pub target: u64,
    pub flags: u64,
}

/// `(delegate, target, type, UTF-8 name, flags)`: the first method of that name that fits, bases included.
fn bind_by_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let binding = binding(m, s, call, 4)?;
    let class = call.type_handle(m, s, 2)?;
    let name = call.number(m, s, 3)?;
    let name = m.utf8_at(s, name)?;
    bind_named(m, s, &binding, class, &name).map(|bound| Some(Value::bool(bound)))
}

/// Binds to the first method of that name that fits, bases included.
pub(crate) fn bind_named(
    m: &mut Machine,
    s: &mut State,
    binding: &Binding,
    class: TypeId,
    name: &str,
) -> Step<bool> {
    let mut class = Some(class);
    let caseless = binding.flags & CASELESS != 0;
    while let Some(ty) = class {
        for method in m.universe.methods(ty).map_err(|e| failed(s, e))?.to_vec() {
            let found = &m.universe.method(method).name;
            let same = **found == *name || caseless && found.to_lowercase() == name.to_lowercase();
            if same && m.universe.method(method).args.is_empty() && bind(m, s, binding, method)? {
                return Ok(true);
            }
        }
        class = m.universe.base(ty).map_err(|e| failed(s, e))?;
    }
    Ok(false)
}

/// `(delegate, target, method, its type, flags)`.
fn bind_by_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let binding = binding(m, s, call, 4)?;
    let method = call.method_handle(m, s, 2)?;
    let bound = bind(m, s, &binding, method)?;
    Ok(Some(Value::bool(bound)))
}

fn binding(m: &mut Machine, s: &State, call: &Call, flags: usize) -> Step<Binding> {
    let place = call.word(m, s, 0, 0)?;
    let delegate = m.load_word(s, place)?;
    let place = call.word(m, s, 1, 0)?;
    let target = m.load_word(s, place)?;
    Ok(Binding { delegate, target, flags: call.number(m, s, flags)? })
}

/// Makes the delegate call the method if their signatures fit.
pub(crate) fn bind(m: &mut Machine, s: &mut State, binding: &Binding, method: MethodId) -> Step<bool> {
    let ty = m.object_type(s, binding.delegate)?;
    let Some(open) = fits(m, s, binding, ty, method)? else { return Ok(false) };
    let info = m.universe.method(method);
    let is_open_instance = open && !info.is_static();
    let mut called = method;
    if !open && !info.is_static() && info.is_virtual() && binding.target != 0 {
        let receiver = m.object_type(s, binding.target)?;
        called = m.universe.resolve_virtual(receiver, method).map_err(|e| failed(s, e))?;
    }
    let pointer = m.function_pointer(called);
    let fields = m.delegate_fields(s)?;
    let target = if open { 0 } else { binding.target };
    m.store(s, binding.delegate + fields.target, Repr::Ref, Value::address(target))?;
    m.store(s, binding.delegate + fields.pointer, Repr::I8, pointer.clone())?;
    if is_open_instance && m.flavor() != vm::Flavor::Mono {
        m.store_field(s, binding.delegate, "_methodPtrAux", Repr::I8, pointer)?;
    }
    Ok(true)
}

/// Whether a delegate of this type may call the method, and if so, whether it is open.
fn fits(m: &mut Machine, s: &State, binding: &Binding, ty: TypeId, method: MethodId) -> Step<Option<bool>> {
    let flags = binding.flags;
    let is_static = m.universe.method(method).is_static();
    if is_static && flags & INSTANCE_ONLY != 0 || !is_static && flags & STATIC_ONLY != 0 {
        return Ok(None);
    }
    let invoke = m.universe.methods_named(ty, "Invoke").map_err(|e| failed(s, e))?;
    let Some(&invoke) = invoke.first() else { return Ok(None) };
    let wanted = m.universe.signature(invoke).map_err(|e| failed(s, e))?.clone();
    let given = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
    let mut params = given.params.to_vec();
    if !is_static {
        params.insert(0, receiver_type(m, s, method)?);
    }
    let open = params.len() == wanted.params.len();
    let excluded = if open { CLOSED_ONLY } else { OPEN_ONLY };
    if flags & excluded != 0 || !open && params.len() != wanted.params.len() + 1 {
        return Ok(None);
    }
    if !open && !closes_over(m, s, binding, params.remove(0), is_static)? {
        return Ok(None);
    }
    let relaxed = flags & RELAXED != 0;
    for (from, to) in wanted.params.iter().zip(&params) {
        if !location_fits(m, s, *from, *to, relaxed)? {
            return Ok(None);
        }
    }
    Ok(location_fits(m, s, given.ret, wanted.ret, relaxed)?.then_some(open))
}

/// What an open delegate passes as `this`: a reference to the value for value types.
fn receiver_type(m: &Machine, s: &State, method: MethodId) -> Step<TypeId> {
    let owner = m.universe.method(method).owner;
    if m.universe.is_value_type(owner) {
        return m.universe.make_byref(owner).map_err(|e| failed(s, e));
    }
    Ok(owner)
}

fn closes_over(m: &Machine, s: &State, binding: &Binding, first: TypeId, is_static: bool) -> Step<bool> {
    // A boxed value is the receiver of the methods of its type.
    let first = match m.universe.ty(first) {
        types::Type::ByRef(value) if !is_static => *value,
        _ if m.universe.is_value_type(first) => return Ok(false),
        _ => first,
    };
    if binding.target == 0 {
        return Ok(binding.flags & NEVER_OVER_NULL == 0);
    }
    let actual = m.object_type(s, binding.target)?;
    m.universe.is_assignable(actual, first).map_err(|e| failed(s, e))
}

/// May a value of one type be passed where the other is expected, without a conversion?
fn location_fits(m: &Machine, s: &State, from: TypeId, to: TypeId, relaxed: bool) -> Step<bool> {
    if from == to {
        return Ok(true);
    }
    if !relaxed {
        return Ok(false);
    }
    let u = &m.universe;
    if u.is_reference(from) && u.is_reference(to) {
        return u.is_assignable(from, to).map_err(|e| failed(s, e));
    }
    // An enum is what it is made of.
    let plain = |ty: TypeId| u.enum_underlying(ty).map(|plain| plain.unwrap_or(ty));
    let (from_plain, to_plain) =
        (plain(from).map_err(|e| failed(s, e))?, plain(to).map_err(|e| failed(s, e))?);
    Ok((u.is_enum(from) || u.is_enum(to)) && from_plain == to_plain)
}

/// `(delegate, out method)`.
fn find_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.word(m, s, 0, 0)?;
    let delegate = m.load_word(s, place)?;
    let method = method_behind(m, s, delegate)?;
    let stub = m.method_stub(s, method)?;
    call.give(m, s, 1, stub)?;
    Ok(None)
}

/// The method that a delegate calls; its own `Invoke` if it calls several.
pub(crate) fn method_behind(m: &mut Machine, s: &State, delegate: u64) -> Step<MethodId> {
    let fields = m.delegate_fields(s)?;
    let mut pointer = m.load_word(s, delegate + fields.pointer)?;
    if pointer == MULTICAST {
        let ty = m.object_type(s, delegate)?;
        let invoke = m.universe.methods_named(ty, "Invoke").map_err(|e| failed(s, e))?;
        if let Some(&invoke) = invoke.first()
            && let Value::I64(own) = m.function_pointer(invoke)
        {
            pointer = own.cast_unsigned();
        }
    }
    m.function_at(pointer).ok_or_else(|| unsupported(s, "the method of a delegate over native code"))
}
