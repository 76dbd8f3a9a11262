//! Methods called by reflection: code is made for each that takes objects, gives an object, and deals with exceptions.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use types::{MethodId, Primitive, Type, TypeId};

use verdict::Gap;
use vm::MadeCode;
use vm::code::{Clause, ClauseKind, Code, Op};
use vm::decode::repr_of;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

/// What happens to an exception that the method throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Thrown {
    Passes,
    /// It becomes the inner exception of a `TargetInvocationException`.
    Wrapped,
    /// It is stored at the address in the last argument; the result is null.
    Stored,
}

/// A call by reflection, ready to be made.
pub(crate) struct Reflected {
    pub method: MethodId,
    /// The instance, if the method has one. A new object is made for a constructor without any.
    pub target: u64,
    /// `object[]` or null.
    pub arguments: u64,
    pub thrown: Thrown,
    /// Where [`Thrown::Stored`] puts the exception.
    pub place: u64,
}

/// Calls a method with objects; `made_by` is the runtime's method that does so, for stack traces.
pub(crate) fn call_reflected(
    m: &mut Machine,
    s: &mut State,
    made_by: MethodId,
    call: &Reflected,
    after: OnReturn,
) -> Step {
    let mut method = call.method;
    let info = m.universe.method(method);
    let (owner, is_constructor) = (info.owner, info.is_constructor());
    let sig = m.universe.signature(method).map_err(|error| give_up(s, error.into()))?.clone();
    let mut values = Vec::new();
    if sig.has_this {
        let this = match call.target {
            0 if is_constructor => m.allocate_instance(s, owner)?,
            target => target,
        };
        if m.universe.method(method).is_virtual() {
            let receiver = m.object_type(s, this)?;
            method =
                m.universe.resolve_virtual(receiver, method).map_err(|error| give_up(s, error.into()))?;
        }
        values.push(Value::address(this));
    }
    for (i, ty) in sig.params.iter().enumerate() {
        let slot = call.arguments + u64::from(vm::ops::ELEMENTS) + 8 * i as u64;
        let value = match *m.universe.ty(*ty) {
            Type::ByRef(inner) => by_reference(m, s, slot, inner)?,
            _ => m.load(s, slot, Repr::Ref)?,
        };
        values.push(value);
    }
    if call.thrown == Thrown::Stored {
        values.push(Value::address(call.place));
    }
    let code = reflected_code(m, method, made_by, call.thrown).map_err(|gap| give_up(s, gap))?;
    let frame = m.frame(s, code, values, after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

/// The address for a by-ref parameter: a value gets a box of its own in the array, so that the caller sees changes.
fn by_reference(m: &mut Machine, s: &mut State, slot: u64, inner: TypeId) -> Step<Value> {
    if !m.universe.is_value_type(inner) {
        return Ok(Value::address(slot));
    }
    if m.universe.nullable_argument(inner).is_some() {
        return Err(unsupported(s, "a nullable passed by reference through reflection"));
    }
    let repr = repr_of(&m.universe, inner).map_err(|gap| give_up(s, gap))?;
    let value = match m.load_word(s, slot)? {
        0 => repr.zero(),
        object => m.load(s, object, repr)?,
    };
    let copy = m.box_value(s, inner, repr, value)?;
    m.store(s, slot, Repr::Ref, Value::address(copy))?;
    Ok(Value::address(copy))
}

/// Code that calls methods for reflection.
#[derive(Clone, Default)]
struct ReflectedCodes(FxHashMap<(MethodId, Thrown), Rc<Code>>);

fn reflected_code(
    m: &mut Machine,
    method: MethodId,
    made_by: MethodId,
    thrown: Thrown,
) -> Result<Rc<Code>, Gap> {
    if let Some(code) = m.attached.get::<ReflectedCodes>().0.get(&(method, thrown)) {
        return Ok(Rc::clone(code));
    }
    let code = Rc::new(make_reflected(m, method, made_by, thrown)?);
    m.attached.get_mut::<ReflectedCodes>().0.insert((method, thrown), Rc::clone(&code));
    Ok(code)
}

fn make_reflected(m: &mut Machine, method: MethodId, made_by: MethodId, thrown: Thrown) -> Result<Code, Gap> {
    let known = m.universe.well_known()?.clone();
    let sig = m.universe.signature(method)?.clone();
    let is_constructor = m.universe.method(method).is_constructor();
    let this = usize::from(sig.has_this);
    let mut made = MadeCode::new(&m.universe, made_by, Some(Repr::Ref)).named(m.universe.method_id(method));
    for _ in 0..this + sig.params.len() {
        made.argument(known.object, Repr::Ref);
    }
    let place = (thrown == Thrown::Stored).then(|| made.argument(known.object, Repr::Ref));
    let (result, exception) = (made.local(known.object, Repr::Ref), made.local(known.object, Repr::Ref));
    let call = made.call(&m.universe, method)?;
    let mut ops: Vec<Op> = (0..this as u32).map(Op::LdVar).collect();
    for (i, ty) in sig.params.iter().enumerate() {
        ops.push(Op::LdVar((this + i) as u32));
        if !matches!(m.universe.ty(*ty), Type::ByRef(_)) {
            ops.push(Op::UnboxAny(*ty, repr_of(&m.universe, *ty)?));
        }
    }
    ops.push(Op::Call(call));
    let is_void = m.universe.primitive(sig.ret) == Some(Primitive::Void);
    if is_constructor {
        ops.push(Op::LdVar(0));
    } else if is_void {
        ops.push(Op::LdNull);
    } else if matches!(m.universe.ty(sig.ret), Type::ByRef(_) | Type::Pointer(_)) {
        return Err(Gap::unsupported_instruction("a pointer returned through reflection"));
    } else {
        ops.push(Op::Box(sig.ret, repr_of(&m.universe, sig.ret)?));
    }
    ops.push(Op::StVar(result));
    if thrown != Thrown::Passes {
        let handler = ops.len() as u32 + 1;
        let catch: Vec<Op> = if let Some(place) = place {
            let store = [Op::LdVar(place), Op::LdVar(exception), Op::StInd(Repr::Ref)];
            let end = handler + 1 + store.len() as u32 + 1;
            [Op::StVar(exception)].into_iter().chain(store).chain([Op::Leave(end)]).collect()
        } else {
            let wrapper = made.call(&m.universe, wrapper(m)?)?;
            vec![Op::NewObj(wrapper), Op::Throw]
        };
        let end = handler + catch.len() as u32;
        made.clause(Clause {
            try_start: 0,
            try_end: handler,
            handler_start: handler,
            handler_end: end,
            kind: ClauseKind::Catch(known.exception),
        });
        ops.push(Op::Leave(end));
        ops.extend(catch);
    }
    ops.extend([Op::LdVar(result), Op::Ret]);
    made.ops = ops;
    Ok(made.finish())
}

/// The constructor of what wraps an exception.
fn wrapper(m: &Machine) -> Result<MethodId, Gap> {
    let missing = || Gap::missing_reference("TargetInvocationException is missing");
    let class = m
        .universe
        .find_type(m.universe.corelib()?, "System.Reflection.TargetInvocationException")?
        .ok_or_else(missing)?;
    let exception = m.universe.well_known()?.exception;
    m.universe.find_method(class, ".ctor", &[exception])?.ok_or_else(missing)
}
