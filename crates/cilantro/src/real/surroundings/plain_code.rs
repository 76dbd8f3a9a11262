//! Bodies so small that their meaning is plain: accessors over one field, constructors that only store.

use cil::{Instruction, Opcode, Operand};
use testgen::case::{Primitive, Value};
use testgen::surroundings::{Constructor, ConstructorParameter};
use types::{FieldId, MethodId, Primitive as Kind, Universe};

use super::types_of::key;

/// The field that a getter returns: `ldarg.0; ldfld; ret`.
pub fn returned_field(universe: &Universe, m: MethodId) -> Option<FieldId> {
    let steps = steps(universe, m)?;
    match steps.as_slice() {
        [Step::Argument(0), Step::LoadField(field), Step::Return] => Some(*field),
        _ => None,
    }
}

/// The field that a setter stores its value in: `ldarg.0; ldarg.1; stfld; ret`.
pub fn assigned_field(universe: &Universe, m: MethodId) -> Option<FieldId> {
    let steps = steps(universe, m)?;
    match steps.as_slice() {
        [Step::Argument(0), Step::Argument(1), Step::StoreField(field), Step::Return] => Some(*field),
        _ => None,
    }
}

/// `init` instead of `set`: a required modifier on the return type says so.
pub fn is_init_only(universe: &Universe, m: MethodId) -> bool {
    let Ok(signature) = universe.signature(m) else { return false };
    signature.modifiers.iter().any(|modifier| {
        modifier.is_required
            && modifier.path.first() == Some(&0)
            && universe.type_name(modifier.ty) == "System.Runtime.CompilerServices.IsExternalInit"
    })
}

/// A constructor that stores every parameter in a field of its own, and perhaps constants in others, and does
/// nothing else but calling the constructor of `System.Object`.
pub fn storing_constructor(universe: &Universe, m: MethodId) -> Option<Constructor> {
    let signature = universe.signature(m).ok()?;
    let steps = steps(universe, m)?;
    let mut stored: Vec<Option<FieldId>> = vec![None; signature.params.len()];
    let mut constants = Vec::new();
    let mut rest = steps.as_slice();
    loop {
        rest = match rest {
            [Step::Return] => break,
            [Step::Argument(0), Step::CallObjectConstructor, rest @ ..] => rest,
            [Step::Argument(0), Step::Argument(n), Step::StoreField(field), rest @ ..] => {
                let place = stored.get_mut(usize::from(*n).checked_sub(1)?)?;
                if place.replace(*field).is_some() {
                    return None;
                }
                rest
            }
            [Step::Argument(0), Step::Constant(value), Step::StoreField(field), rest @ ..] => {
                constants.push((*field, *value));
                rest
            }
            _ => return None,
        };
    }
    let fields: Vec<FieldId> = stored.into_iter().collect::<Option<_>>()?;
    let written = fields.iter().chain(constants.iter().map(|(field, _)| field));
    let mut distinct: Vec<FieldId> = written.copied().collect();
    distinct.sort();
    distinct.dedup();
    if distinct.len() != fields.len() + constants.len() {
        return None;
    }
    let constants = constants
        .into_iter()
        .filter(|(_, value)| *value != 0)
        .map(|(field, value)| Some((key(universe, field), constant(universe, field, value)?)))
        .collect::<Option<_>>()?;
    Some(Constructor { parameters: parameters(universe, m, &fields)?, constants })
}

fn parameters(universe: &Universe, m: MethodId, fields: &[FieldId]) -> Option<Vec<ConstructorParameter>> {
    let signature = universe.signature(m).ok()?;
    let row = universe.method(m);
    let types::MethodKind::Def { assembly, def } = row.kind else { return None };
    let module = universe.assembly(assembly).module();
    let rows: Vec<_> = module.method_def(def).ok()?.params.filter_map(|id| module.param(id).ok()).collect();
    let named = |number: usize| rows.iter().find(|p| usize::from(p.sequence) == number).map(|p| p.name);
    let parameter = |(index, (ty, field)): (usize, (&types::TypeId, &FieldId))| {
        // A parameter that is converted on the way is not stored unchanged.
        (universe.field_type(*field).ok()? == *ty).then(|| ConstructorParameter {
            name: named(index + 1).unwrap_or("value").to_owned(),
            ty: universe.type_name(*ty),
            field: key(universe, *field),
        })
    };
    signature.params.iter().zip(fields).enumerate().map(parameter).collect()
}

fn constant(universe: &Universe, field: FieldId, value: i64) -> Option<Value> {
    let ty = universe.field_type(field).ok()?;
    if universe.is_enum(ty) {
        return Some(Value::Enum { ty: universe.type_name(ty), value: value.into() });
    }
    let primitive = match universe.primitive(ty)? {
        Kind::Boolean => Primitive::Boolean(value != 0),
        Kind::Char => Primitive::Char(u16::try_from(value).ok()?),
        Kind::I1 => Primitive::SByte(i8::try_from(value).ok()?),
        Kind::U1 => Primitive::Byte(u8::try_from(value).ok()?),
        Kind::I2 => Primitive::Int16(i16::try_from(value).ok()?),
        Kind::U2 => Primitive::UInt16(u16::try_from(value).ok()?),
        Kind::I4 => Primitive::Int32(i32::try_from(value).ok()?),
        // The same bits: `ldc.i4.m1` is how the largest number is loaded.
        Kind::U4 => Primitive::UInt32(i32::try_from(value).ok()?.cast_unsigned()),
        _ => return None,
    };
    Some(Value::Primitive(primitive))
}

/// The few instructions that plain code is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Argument(u16),
    Constant(i64),
    LoadField(FieldId),
    StoreField(FieldId),
    CallObjectConstructor,
    Return,
}

/// No body longer than this is plain.
const MOST: usize = 128;

/// The body as steps; nothing if it has any other instruction.
fn steps(universe: &Universe, m: MethodId) -> Option<Vec<Step>> {
    let body = universe.body(m).ok()??;
    if !body.clauses.is_empty() || body.code.len() > MOST {
        return None;
    }
    let instructions = body.instructions().collect::<Result<Vec<_>, _>>().ok()?;
    let meaningful = instructions.iter().filter(|i| i.opcode != Opcode::Nop);
    meaningful.map(|instruction| step(universe, m, instruction)).collect()
}

fn step(universe: &Universe, m: MethodId, instruction: &Instruction<'_>) -> Option<Step> {
    let name = instruction.opcode.name();
    match instruction.operand {
        Operand::Arg(n) if name.starts_with("ldarg") && !name.starts_with("ldarga") => {
            Some(Step::Argument(n))
        }
        Operand::Int8(value) if name == "ldc.i4.s" => Some(Step::Constant(value.into())),
        Operand::Int32(value) if name.starts_with("ldc.i4") => Some(Step::Constant(value.into())),
        Operand::Token(token) => match instruction.opcode {
            Opcode::Ldfld => universe.resolve_field(m, token).ok().map(Step::LoadField),
            Opcode::Stfld => universe.resolve_field(m, token).ok().map(Step::StoreField),
            Opcode::Call => {
                let callee = universe.method(universe.resolve_method(m, token).ok()?);
                let object = universe.well_known().ok()?.object;
                (callee.is_constructor() && callee.owner == object).then_some(Step::CallObjectConstructor)
            }
            _ => None,
        },
        Operand::None if instruction.opcode == Opcode::Ret => Some(Step::Return),
        Operand::None => small_number(name),
        _ => None,
    }
}

/// `ldc.i4.m1` … `ldc.i4.8` and `ldarg.0` … `ldarg.3`, where the number is in the name.
fn small_number(name: &str) -> Option<Step> {
    if let Some(argument) = name.strip_prefix("ldarg.") {
        return argument.parse().ok().map(Step::Argument);
    }
    match name.strip_prefix("ldc.i4.")? {
        "m1" => Some(Step::Constant(-1)),
        digit => digit.parse().ok().map(Step::Constant),
    }
}
