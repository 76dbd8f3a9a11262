//! How objects can be made and looked at without reflection: constructors that store what they get, and accessors that
//! stand for one field. Known from their CIL, not from their names.

use std::collections::BTreeMap;

use case::construct::is_default;
use case::type_facts::{Constructor, ConstructorParameter};
use case::{Primitive as Scalar, Value};
use cil::{Opcode, Operand};
use types::{FieldId, MethodId, MethodKind, Primitive, Type, TypeId, Universe};
use vm::effects::{Effect, Seen, effect, returns};

use crate::type_facts::types_of::key;
use crate::type_facts::usage::{self, Usage};

/// A constructor and what is known of it; none when C# could not call it with values of a case.
pub fn constructor(universe: &Universe, method: MethodId) -> Option<Constructor> {
    let signature = universe.signature(method).ok()?;
    let ordinary =
        |ty: &TypeId| !matches!(universe.ty(*ty), Type::ByRef(_) | Type::Pointer(_) | Type::FnPtr(_));
    let usage = usage::of_method(universe, method);
    if !signature.params.iter().all(ordinary) || usage == Usage::Refused {
        return None;
    }
    let effect = effect(universe, method);
    let names = parameter_names(universe, method);
    let mut known = Constructor {
        opaque: effect.is_none(),
        sets_required: universe.method_has_attribute(
            method,
            "System.Diagnostics.CodeAnalysis",
            "SetsRequiredMembersAttribute",
        ),
        diagnostics: usage.diagnostics(),
        ..Constructor::default()
    };
    let effect = effect.unwrap_or(Effect { fields: BTreeMap::new(), result: None });
    for (index, ty) in signature.params.iter().enumerate() {
        let mut stored = effect.fields.iter().filter(|(_, seen)| **seen == Seen::Parameter(index));
        let field = stored.next().map(|(field, _)| *field).filter(|field| {
            stored.next().is_none() && universe.field_type(*field).is_ok_and(|stored| stored == *ty)
        });
        known.opaque |= field.is_none();
        let name = names.get(index).cloned().unwrap_or_else(|| format!("value{index}"));
        let field = field.map(|field| key(universe, field));
        known.parameters.push(ConstructorParameter {
            name,
            ty: universe.type_name_over_variables(*ty),
            field,
        });
    }
    for (field, seen) in &effect.fields {
        if !matches!(seen, Seen::Parameter(_)) {
            match constant(universe, *field, *seen) {
                Some(value) if is_default(&value) => {}
                Some(value) => known.constants.push((key(universe, *field), value)),
                None => known.opaque = true,
            }
        }
    }
    Some(known)
}

/// Whether C# may call it with so many arguments: parameters may be optional, and the last may stand for any number.
pub fn can_take(universe: &Universe, method: MethodId, count: usize) -> bool {
    const OPTIONAL: u16 = 0x10;
    let arity = universe.signature(method).map_or(0, |signature| signature.params.len());
    let MethodKind::Def { assembly, def } = universe.method(method).kind else { return arity == count };
    let module = universe.assembly(assembly).module();
    let rows = module.method_def(def).map(|row| row.params.collect::<Vec<_>>()).unwrap_or_default();
    let rows = || rows.iter().filter_map(|id| Some((id.token(), module.param(*id).ok()?)));
    let optional = rows().filter(|(_, row)| row.sequence > 0 && row.flags & OPTIONAL != 0).count();
    let has = |token, namespace, name| {
        module.find_attribute(token, namespace, name).is_ok_and(|found| found.is_some())
    };
    let any_number = rows().any(|(token, _)| {
        has(token, "System", "ParamArrayAttribute")
            || has(token, "System.Runtime.CompilerServices", "ParamCollectionAttribute")
    });
    let least = arity.saturating_sub(optional + usize::from(any_number));
    count >= least && (count <= arity || any_number)
}

/// Whether the constructor with these parameter types returns when it gets these arguments.
pub fn accepts(universe: &Universe, ty: TypeId, parameters: &[&str], arguments: &[Value]) -> bool {
    let all = universe.methods_named(ty, ".ctor").unwrap_or_default();
    let same = |m: &MethodId| {
        let Ok(signature) = universe.signature(*m) else { return false };
        signature.params.iter().map(|p| universe.type_name_over_variables(*p)).eq(parameters.iter().copied())
    };
    all.into_iter().find(same).is_some_and(|m| returns(universe, m, arguments.iter().map(seen).collect()))
}

/// The value as the evaluation stack holds it.
fn seen(value: &Value) -> Seen {
    match value {
        Value::Null => Seen::Null,
        Value::Object(_) => Seen::NotNull,
        Value::Primitive(Scalar::UInt32(value)) => Seen::Integer(value.cast_signed().into()),
        Value::Primitive(Scalar::UInt64(value)) => Seen::Integer(value.cast_signed()),
        Value::Primitive(scalar) => match scalar.integer().map(i64::try_from) {
            Some(Ok(value)) => Seen::Integer(value),
            _ => Seen::Unknown,
        },
        // Beyond this the width of the enum would matter.
        Value::Enum { value, .. } => {
            i32::try_from(*value).map_or(Seen::Unknown, |value| Seen::Integer(value.into()))
        }
        Value::Struct { .. } | Value::Span { .. } => Seen::Unknown,
    }
}

/// The field that a getter shows, whatever is in it: one that may throw shows nothing.
pub fn shown_field(universe: &Universe, method: MethodId) -> Option<FieldId> {
    if universe.method(method).is_static() {
        return static_accessor(universe, method, &[Opcode::Ldsfld, Opcode::Ret]);
    }
    if !universe.signature(method).ok()?.params.is_empty() || !returns(universe, method, Vec::new()) {
        return None;
    }
    let effect = effect(universe, method)?;
    match effect.result {
        Some(Seen::Field(field)) if effect.fields.is_empty() => Some(field),
        _ => None,
    }
}

/// The field that a setter stores its value in.
pub fn set_field(universe: &Universe, method: MethodId) -> Option<FieldId> {
    if universe.method(method).is_static() {
        return static_accessor(universe, method, &[Opcode::Ldarg0, Opcode::Stsfld, Opcode::Ret]);
    }
    if universe.signature(method).ok()?.params.len() != 1 {
        return None;
    }
    let effect = effect(universe, method)?;
    let mut fields = effect.fields.iter();
    match (fields.next(), fields.next(), effect.result) {
        (Some((field, Seen::Parameter(0))), None, None) => Some(*field),
        _ => None,
    }
}

/// The field that a static method of just these instructions is about.
fn static_accessor(universe: &Universe, method: MethodId, wanted: &[Opcode]) -> Option<FieldId> {
    let body = universe.body(method).ok()??;
    let code = body.instructions().collect::<Result<Vec<_>, _>>().ok()?;
    let code: Vec<_> = code.into_iter().filter(|instruction| instruction.opcode != Opcode::Nop).collect();
    if !code.iter().map(|instruction| instruction.opcode).eq(wanted.iter().copied()) {
        return None;
    }
    let token = code.iter().find_map(|instruction| match instruction.operand {
        Operand::Token(token) => Some(token),
        _ => None,
    })?;
    universe.resolve_field(method, token).ok()
}

/// `init` instead of `set`: a required modifier on the return type says so.
pub fn is_init(universe: &Universe, method: MethodId) -> bool {
    let Ok(signature) = universe.signature(method) else { return false };
    signature.modifiers.iter().any(|modifier| {
        modifier.is_required
            && modifier.path.first() == Some(&0)
            && universe.type_name(modifier.ty) == "System.Runtime.CompilerServices.IsExternalInit"
    })
}

/// The constant as a value of the field's type.
fn constant(universe: &Universe, field: FieldId, seen: Seen) -> Option<Value> {
    let ty = universe.field_type(field).ok()?;
    let primitive = universe.underlying_primitive(ty).ok().flatten();
    let integer = match seen {
        Seen::Null => return universe.is_reference(ty).then_some(Value::Null),
        Seen::Single(bits) => {
            return (primitive == Some(Primitive::R4)).then_some(Scalar::Single(bits).into());
        }
        Seen::Double(bits) => {
            return (primitive == Some(Primitive::R8)).then_some(Scalar::Double(bits).into());
        }
        Seen::Integer(value) => value,
        Seen::This | Seen::NotNull | Seen::Parameter(_) | Seen::Field(_) | Seen::Unknown => return None,
    };
    // Storing into a narrow field cuts off what does not fit (ECMA-335 III.1.1.1).
    let scalar = match primitive? {
        Primitive::Boolean => Scalar::Boolean(integer as u8 != 0),
        Primitive::Char => Scalar::Char(integer as u16),
        Primitive::I1 => Scalar::SByte(integer as i8),
        Primitive::U1 => Scalar::Byte(integer as u8),
        Primitive::I2 => Scalar::Int16(integer as i16),
        Primitive::U2 => Scalar::UInt16(integer as u16),
        Primitive::I4 => Scalar::Int32(integer as i32),
        Primitive::U4 => Scalar::UInt32(integer as u32),
        Primitive::I8 => Scalar::Int64(integer),
        Primitive::U8 => Scalar::UInt64(integer as u64),
        Primitive::I => Scalar::IntPtr(integer),
        Primitive::U => Scalar::UIntPtr(integer as u64),
        _ => return None,
    };
    if !universe.is_enum(ty) {
        return Some(scalar.into());
    }
    Some(Value::Enum { ty: universe.type_name(ty), value: scalar.integer()? })
}

fn parameter_names(universe: &Universe, method: MethodId) -> Vec<String> {
    let MethodKind::Def { assembly, def } = universe.method(method).kind else { return Vec::new() };
    let module = universe.assembly(assembly).module();
    let Ok(row) = module.method_def(def) else { return Vec::new() };
    let parameters = row.params.filter_map(|id| module.param(id).ok());
    // Number 0 is the result.
    parameters.filter(|parameter| parameter.sequence > 0).map(|parameter| parameter.name.to_owned()).collect()
}
