//! `[UnsafeAccessor]`: a method without a body that reaches a member of another class, whatever its visibility. Its code
//! is made from its signature.

use types::{MethodId, Type, TypeId, Universe};

use crate::code::{Code, Op};
use crate::made_code::MadeCode;
use verdict::Gap;

/// `UnsafeAccessorKind`
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constructor,
    Method,
    StaticMethod,
    Field,
    StaticField,
}

/// The code of a method that is such an accessor; none if it is not, or if there is no such member.
pub fn accessor(u: &Universe, method: MethodId) -> Result<Option<Code>, Gap> {
    const NAMESPACE: &str = "System.Runtime.CompilerServices";
    let definition = u.method_definition(method)?;
    let Some(value) = u.method_attribute(definition, NAMESPACE, "UnsafeAccessorAttribute") else {
        return Ok(None);
    };
    let Some((kind, name)) = arguments(value) else { return Ok(None) };
    let name = name.unwrap_or_else(|| u.method(method).name.to_string());
    let signature = u.signature(method)?;
    let params = &signature.params;
    let target = if kind == Kind::Constructor { Some(signature.ret) } else { params.first().copied() };
    let Some(target) = target.map(|ty| referred(u, ty)) else { return Ok(None) };
    let mut made = MadeCode::in_place_of(u, method)?;
    let arguments = params.get(usize::from(kind != Kind::Constructor)..).unwrap_or(&[]);
    let all = (0..params.len() as u32).map(Op::LdVar);
    match kind {
        Kind::Constructor | Kind::Method | Kind::StaticMethod => {
            let name = if kind == Kind::Constructor { ".ctor" } else { &name };
            let Some(method) = u.find_method(target, name, arguments)? else { return Ok(None) };
            let found = u.signature(method)?;
            if found.has_this == (kind == Kind::StaticMethod) {
                return Ok(None);
            }
            let call = made.call(u, method)?;
            made.ops.extend(all.skip(usize::from(kind == Kind::StaticMethod)));
            made.ops.push(if kind == Kind::Constructor { Op::NewObj(call) } else { Op::Call(call) });
        }
        Kind::Field | Kind::StaticField => {
            let is_static = kind == Kind::StaticField;
            let Some(field) = u.find_field(target, &name)? else { return Ok(None) };
            if u.field(field).is_static() != is_static {
                return Ok(None);
            }
            let field = made.field(u, field)?;
            match is_static {
                true => made.ops.push(Op::LdSFldA(field)),
                false => made.ops.extend([Op::LdVar(0), Op::LdFldA(field)]),
            }
        }
    }
    made.ops.push(Op::Ret);
    Ok(Some(made.finish()))
}

/// The kind, and the member's name if it is given: a prolog, a number, and at most one named string.
fn arguments(value: &[u8]) -> Option<(Kind, Option<String>)> {
    let kind = match value.get(2..6)? {
        [0, 0, 0, 0] => Kind::Constructor,
        [1, 0, 0, 0] => Kind::Method,
        [2, 0, 0, 0] => Kind::StaticMethod,
        [3, 0, 0, 0] => Kind::Field,
        [4, 0, 0, 0] => Kind::StaticField,
        _ => return None,
    };
    if value.get(6..8)? == [0, 0] {
        return Some((kind, None));
    }
    // A field or property, a string, its name, its value. Names are short: their length is one byte.
    let label = usize::from(*value.get(10)?);
    let at = 11 + label;
    let length = usize::from(*value.get(at)?);
    let name = value.get(at + 1..at + 1 + length)?;
    Some((kind, Some(String::from_utf8_lossy(name).into_owned())))
}

fn referred(u: &Universe, ty: TypeId) -> TypeId {
    match u.ty(ty) {
        Type::ByRef(inner) => *inner,
        _ => ty,
    }
}
