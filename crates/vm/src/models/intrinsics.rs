//! Hardware feature tests and the helpers that the JIT expands by itself.

use types::MethodId;

use crate::heap::split_address;
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::models::{Model, Outcome};
use crate::ops::ELEMENTS;
use crate::state::State;
use crate::stop::Reason;
use crate::value::{Repr, Value};

pub(super) const TABLE: &[(&str, Model)] = &[
    (
        "System.Runtime.CompilerServices.RuntimeHelpers::InitializeArray(System.Array,System.RuntimeFieldHandle)",
        initialize_array,
    ),
    (
        "System.Runtime.CompilerServices.RuntimeHelpers::IsReferenceOrContainsReferences<T>()",
        is_reference_or_contains_references,
    ),
    ("System.Object::.ctor()", nothing),
];

/// Vector and instruction-set questions are all answered "no": the class library then takes its scalar paths.
pub(super) fn is_feature_test(owner: &str, name: &str) -> bool {
    (name == "get_IsSupported" && owner.starts_with("System.Runtime.Intrinsics."))
        || (name == "get_IsHardwareAccelerated"
            && (owner.starts_with("System.Runtime.Intrinsics.") || owner.starts_with("System.Numerics.Vector")))
}

pub(super) fn not_supported(_: &mut Machine, _: &mut State, _: Vec<Value>, _: MethodId) -> Step<Outcome> {
    Ok(Outcome::Return(Some(Value::I32(0))))
}

fn nothing(_: &mut Machine, _: &mut State, _: Vec<Value>, _: MethodId) -> Step<Outcome> {
    Ok(Outcome::Return(None))
}

/// Copies the data behind the field into the array; the handle is the data's address.
fn initialize_array(m: &mut Machine, s: &mut State, args: Vec<Value>, _: MethodId) -> Step<Outcome> {
    let [Value::I64(array), Value::Struct(handle)] = &args[..] else {
        return Err(unsupported(s, "RuntimeHelpers.InitializeArray with these arguments"));
    };
    let array = array.cast_unsigned();
    let Ok(crate::bytes::Bits::Concrete(data)) = handle.read(0, 8, &mut m.terms) else {
        return Err(give_up(s, Reason::BadImage("a field handle that is none".into())));
    };
    let (block, _) = split_address(array);
    let len = s.heap.get(block).map_or(0, |block| block.bytes.len()).saturating_sub(ELEMENTS as usize);
    let bytes = m.load_bytes(s, data, len)?;
    m.store_bytes(s, array + u64::from(ELEMENTS), &bytes)?;
    Ok(Outcome::Return(None))
}

fn is_reference_or_contains_references(
    m: &mut Machine,
    s: &mut State,
    _: Vec<Value>,
    method: MethodId,
) -> Step<Outcome> {
    let Some(&ty) = m.universe.method(method).args.first() else {
        return Err(give_up(s, Reason::InternalError("a generic method without arguments".into())));
    };
    let answer = match crate::decode::repr_of(&m.universe, ty) {
        Ok(Repr::Ref) => true,
        Ok(Repr::Struct { .. }) => match m.universe.layout(ty) {
            Ok(layout) => layout.contains_refs,
            Err(error) => return Err(give_up(s, error.into())),
        },
        Ok(_) => false,
        Err(reason) => return Err(give_up(s, reason)),
    };
    Ok(Outcome::Return(Some(Value::bool(answer))))
}
