//! Default comparers: the class library picks their class by reflection, here it is picked by the type system.

use types::TypeId;

use crate::table::{Entry, all, one};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const HELPERS: &str = "System.Collections.Generic.ComparerHelpers";
const HANDLE: &str = "System.RuntimeTypeHandle";

pub(crate) const TABLE: &[Entry] = &[
    all(HELPERS, "CreateDefaultEqualityComparer", equality_comparer),
    all(HELPERS, "CreateDefaultComparer", comparer),
    one(
        HANDLE,
        "CreateInstanceForAnotherGenericParameter",
        "System.RuntimeType,System.RuntimeType",
        instance_over,
    ),
    one(
        HANDLE,
        "CreateInstanceForAnotherGenericParameter",
        "System.RuntimeType,System.RuntimeType,System.RuntimeType",
        instance_over,
    ),
];

fn equality_comparer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = type_argument(m, s, call, 0)?;
    let known = m.universe.well_known().map_err(|error| give_up(s, error.into()))?;
    let (byte, string) = (known.byte, known.string);
    const OF_STRINGS: &str = "System.Collections.Generic.StringEqualityComparer";
    let corelib = m.universe.corelib().map_err(|error| give_up(s, error.into()))?;
    let of_strings = m.universe.find_type(corelib, OF_STRINGS).map_err(|error| give_up(s, error.into()))?;
    // Newer libraries have one for strings and none for bytes.
    if ty == string && of_strings.is_some() {
        return plain(m, s, OF_STRINGS);
    }
    if ty == byte && of_strings.is_none() {
        return plain(m, s, "System.Collections.Generic.ByteEqualityComparer");
    }
    if ty == string {
        return over(m, s, "System.Collections.Generic.GenericEqualityComparer`1", ty);
    }
    if let Some(inner) = m.universe.nullable_argument(ty) {
        return over(m, s, "System.Collections.Generic.NullableEqualityComparer`1", inner);
    }
    let class = if implements(m, s, ty, "System.IEquatable`1")? {
        "System.Collections.Generic.GenericEqualityComparer`1"
    } else if m.universe.is_enum(ty) {
        "System.Collections.Generic.EnumEqualityComparer`1"
    } else {
        "System.Collections.Generic.ObjectEqualityComparer`1"
    };
    over(m, s, class, ty)
}

fn comparer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = type_argument(m, s, call, 0)?;
    if let Some(inner) = m.universe.nullable_argument(ty) {
        return over(m, s, "System.Collections.Generic.NullableComparer`1", inner);
    }
    let class = if implements(m, s, ty, "System.IComparable`1")? {
        "System.Collections.Generic.GenericComparer`1"
    } else if m.universe.is_enum(ty) {
        "System.Collections.Generic.EnumComparer`1"
    } else {
        "System.Collections.Generic.ObjectComparer`1"
    };
    over(m, s, class, ty)
}

/// A new object of the first type's generic definition over the others. The class library uses it for classes whose
/// constructors do nothing.
fn instance_over(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let template = type_argument(m, s, call, 0)?;
    let definition = m.universe.definition(template);
    let mut arguments = Vec::new();
    for index in 1..call.args.len() {
        arguments.push(type_argument(m, s, call, index)?);
    }
    let ty = match m.universe.make_instance(definition, &arguments) {
        Ok(ty) => ty,
        Err(error) => return Err(give_up(s, error.into())),
    };
    m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
}

fn type_argument(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<TypeId> {
    let object = call.number(m, s, index)?;
    if object == 0 {
        return Err(unsupported(s, "a null type"));
    }
    m.type_of_type_object(s, object)
}

fn implements(m: &mut Machine, s: &State, ty: TypeId, interface: &'static str) -> Step<bool> {
    let definition = m.core_type(s, interface)?;
    let answer = m.universe.make_instance(definition, &[ty]).and_then(|i| m.universe.is_assignable(ty, i));
    answer.map_err(|error| give_up(s, error.into()))
}

fn plain(m: &mut Machine, s: &mut State, class: &'static str) -> Step<Option<Value>> {
    let ty = m.core_type(s, class)?;
    m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
}

fn over(m: &mut Machine, s: &mut State, class: &'static str, argument: TypeId) -> Step<Option<Value>> {
    let definition = m.core_type(s, class)?;
    let ty = match m.universe.make_instance(definition, &[argument]) {
        Ok(ty) => ty,
        Err(error) => return Err(give_up(s, error.into())),
    };
    m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
}
