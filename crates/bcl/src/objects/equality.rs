//! Equality and hash codes of value types that do not define their own. CoreCLR looks at the fields natively or by
//! reflection; here comparing them is code made for the type.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use types::{Type, TypeId};

use crate::objects::identity::is_integral;
use crate::table::{Entry, all, frame};
use vm::MadeCode;
use vm::code::{Code, Op};
use vm::decode::repr_of;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::{Call, FrameCall};
use vm::state::State;
use vm::value::{Repr, Value};

const VALUE_TYPE: &str = "System.ValueType";

pub(crate) const TABLE: &[Entry] = &[
    all(VALUE_TYPE, "CanCompareBitsOrUseFastGetHashCode", can_compare_bits),
    all(VALUE_TYPE, "GetHashCodeStrategy", hash_strategy),
    frame(VALUE_TYPE, "Equals", "System.Object", equals),
];

/// Whether equality of a value type is equality of its bytes: no references, no floats, no gaps, no own `Equals` inside.
fn can_compare_bits(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    let answer = is_plain_bits(m, ty).map_err(|error| give_up(s, error.into()))?;
    Ok(Some(Value::bool(answer)))
}

pub(crate) fn is_plain_bits(m: &Machine, ty: TypeId) -> types::Result<bool> {
    if is_number(m, ty) {
        return Ok(true);
    }
    if !m.universe.is_value_type(ty) || m.universe.primitive(ty).is_some() {
        return Ok(false);
    }
    let layout = m.universe.layout(ty)?;
    let mut covered = 0;
    for (field, _) in &layout.fields {
        let field_type = m.universe.field_type(*field)?;
        covered += repr_of(&m.universe, field_type).map_or(0, Repr::size);
        let overrides = !m.universe.methods_named(field_type, "Equals")?.is_empty();
        if !is_number(m, field_type) && (overrides || !is_plain_bits(m, field_type)?) {
            return Ok(false);
        }
    }
    Ok(covered == layout.size)
}

/// An integer of some kind, or a pointer.
fn is_number(m: &Machine, ty: TypeId) -> bool {
    is_integral(m, ty) || matches!(m.universe.ty(ty), Type::Pointer(_) | Type::FnPtr(_))
}

/// `ValueTypeHashCodeStrategy`.
#[derive(Clone, Copy)]
enum Strategy {
    None = 0,
    ReferenceField = 1,
    DoubleField = 2,
    SingleField = 3,
    Bits = 4,
    Override = 5,
}

/// Method table, the slot of the boxed value, and where to put the offset, the size and the table of the field whose
/// hash code stands for the whole.
fn hash_strategy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let mut ty = m.type_of_handle(s, handle)?;
    let slot = call.word(m, s, 1, 0)?;
    let Value::I64(object) = m.load(s, slot, Repr::Ref)? else {
        return Err(unsupported(s, "the hash code of a symbolic reference"));
    };
    let mut offset = 0;
    let (strategy, field_type) = 'found: loop {
        let fields = m.universe.layout(ty).map_err(|error| give_up(s, error.into()))?.fields.clone();
        let outer = offset;
        let mut inside = None;
        for (field, at) in &fields {
            let field_type = m.universe.field_type(*field).map_err(|error| give_up(s, error.into()))?;
            offset = outer + at;
            match repr_of(&m.universe, field_type).map_err(|gap| give_up(s, gap))? {
                Repr::Ref => match m.load(s, object.cast_unsigned() + u64::from(offset), Repr::Ref)? {
                    Value::I64(0) => {}
                    _ => break 'found (Strategy::ReferenceField, field_type),
                },
                Repr::R8 => break 'found (Strategy::DoubleField, field_type),
                Repr::R4 => break 'found (Strategy::SingleField, field_type),
                _ if is_plain_bits(m, field_type).map_err(|error| give_up(s, error.into()))? => {
                    break 'found (Strategy::Bits, field_type);
                }
                _ if overrides(m, field_type, "GetHashCode").map_err(|error| give_up(s, error.into()))? => {
                    break 'found (Strategy::Override, field_type);
                }
                _ => {
                    inside = Some(field_type);
                    break;
                }
            }
        }
        match inside {
            Some(field_type) => ty = field_type,
            None => break (Strategy::None, ty),
        }
    };
    let size = repr_of(&m.universe, field_type).map_err(|gap| give_up(s, gap))?.size();
    let table = m.method_table(s, field_type)?;
    for (index, repr, value) in [
        (2, Repr::I4, Value::I32(offset.cast_signed())),
        (3, Repr::I4, Value::I32(size.cast_signed())),
        (4, Repr::I8, Value::address(table)),
    ] {
        let out = call.number(m, s, index)?;
        m.store(s, out, repr, value)?;
    }
    Ok(Some(Value::I32(strategy as i32)))
}

fn overrides(m: &Machine, ty: TypeId, name: &str) -> types::Result<bool> {
    Ok(!m.universe.methods_named(ty, name)?.is_empty())
}

/// Code that compares boxed values of a type field by field.
#[derive(Clone, Default)]
struct EqualityCodes(FxHashMap<TypeId, Rc<Code>>);

/// The boxed value and the other object are on the stack.
fn equals(m: &mut Machine, s: &mut State, call: FrameCall) -> Step {
    let Some(this) = m.address(s, 1)? else { return m.null_reference(s) };
    let ty = m.object_type(s, this)?;
    let code = match m.attached.get::<EqualityCodes>().0.get(&ty) {
        Some(code) => Rc::clone(code),
        None => {
            let code = Rc::new(equality_code(m, s, ty)?);
            m.attached.get_mut::<EqualityCodes>().0.insert(ty, Rc::clone(&code));
            code
        }
    };
    let arguments = s.top.stack.split_off(s.top.stack.len().saturating_sub(call.count));
    let frame = m.frame(s, code, arguments, call.after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

/// `other is T && Equals(this.a, other.a) && …`
fn equality_code(m: &mut Machine, s: &State, ty: TypeId) -> Step<Code> {
    let known = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.clone();
    let integer = known.intptr;
    let pair = [known.object, known.object];
    let found = m.universe.find_method(known.object, "Equals", &pair);
    let Some(equals) = found.map_err(|error| give_up(s, error.into()))? else {
        return Err(unsupported(s, "equality of objects on this runtime"));
    };
    let name = format!("{}::Equals(System.Object)", m.universe.type_name(ty));
    let mut made = MadeCode::new(&m.universe, equals, Some(Repr::U1)).named(name);
    made.argument(known.object, Repr::Ref);
    made.argument(known.object, Repr::Ref);
    let call = made.call(&m.universe, equals).map_err(|gap| give_up(s, gap))?;
    let fields = m.universe.layout(ty).map_err(|error| give_up(s, error.into()))?.fields.clone();
    let mut ops = vec![Op::LdVar(1), Op::IsInst(ty), Op::BrFalse(0)];
    for (field, _) in &fields {
        let field_type = m.universe.field_type(*field).map_err(|error| give_up(s, error.into()))?;
        let repr = repr_of(&m.universe, field_type).map_err(|gap| give_up(s, gap))?;
        // A pointer has no box: it is compared as a number.
        let is_pointer = matches!(m.universe.ty(field_type), Type::Pointer(_) | Type::FnPtr(_));
        let field_type = if is_pointer { integer } else { field_type };
        let field = made.field(&m.universe, *field).map_err(|gap| give_up(s, gap))?;
        for var in 0..2 {
            ops.extend([Op::LdVar(var), Op::LdFld(field), Op::Box(field_type, repr)]);
        }
        ops.extend([Op::Call(call), Op::BrFalse(0)]);
    }
    let no = ops.len() as u32 + 2;
    for op in &mut ops {
        if let Op::BrFalse(target) = op {
            *target = no;
        }
    }
    ops.extend([Op::LdI4(1), Op::Ret, Op::LdI4(0), Op::Ret]);
    made.ops = ops;
    Ok(made.finish())
}
