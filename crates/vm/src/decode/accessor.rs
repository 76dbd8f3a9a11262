//! `[UnsafeAccessor]`: a method without a body that reaches a member of another class, whatever its visibility. Its code
//! is made from its signature.

use types::{MethodId, Primitive, Type, TypeId, Universe};

use super::repr_of;
use crate::code::{CallSite, Code, FieldSite, Op, Var};
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
    let mut vars = Vec::new();
    for &ty in params.iter() {
        vars.push(Var { ty, repr: repr_of(u, ty)?, memory: None });
    }
    let is_void = u.primitive(signature.ret) == Some(Primitive::Void);
    let returns = if is_void { None } else { Some(repr_of(u, signature.ret)?) };
    let target = if kind == Kind::Constructor { Some(signature.ret) } else { params.first().copied() };
    let Some(target) = target.map(|ty| referred(u, ty)) else { return Ok(None) };
    let mut code = empty(u, method, vars, returns);
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
            code.calls.push(CallSite {
                method,
                arg_count: found.params.len() + usize::from(found.has_this),
                has_this: found.has_this,
                returns: kind != Kind::Constructor && returns.is_some(),
                constrained: None,
            });
            code.ops.extend(all.skip(usize::from(kind == Kind::StaticMethod)));
            code.ops.push(if kind == Kind::Constructor { Op::NewObj(0) } else { Op::Call(0) });
        }
        Kind::Field | Kind::StaticField => {
            let is_static = kind == Kind::StaticField;
            let Some(site) = field(u, target, &name, is_static)? else { return Ok(None) };
            code.fields.push(site);
            match is_static {
                true => code.ops.push(Op::LdSFldA(0)),
                false => code.ops.extend([Op::LdVar(0), Op::LdFldA(0)]),
            }
        }
    }
    code.ops.push(Op::Ret);
    code.il_offsets = vec![0; code.ops.len() + 1];
    Ok(Some(code))
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

fn field(u: &Universe, owner: TypeId, name: &str, is_static: bool) -> Result<Option<FieldSite>, Gap> {
    let Some(field) = u.find_field(owner, name)? else { return Ok(None) };
    let info = u.field(field);
    if info.is_static() != is_static {
        return Ok(None);
    }
    Ok(Some(FieldSite {
        field,
        owner,
        owner_is_value_type: u.is_value_type(owner),
        offset: if is_static { 0 } else { u.field_offset(field)? },
        repr: repr_of(u, u.field_type(field)?)?,
        init: is_static && u.static_constructor(owner)?.is_some(),
        changeable: is_static && !info.is_init_only() && !info.has_rva(),
        compilers_cache: false,
    }))
}

fn empty(u: &Universe, method: MethodId, vars: Vec<Var>, returns: Option<crate::value::Repr>) -> Code {
    let arg_count = vars.len();
    Code {
        method,
        name: u.method_id(method),
        ops: Vec::new(),
        il_offsets: Vec::new(),
        clauses: Vec::new(),
        vars,
        arg_count,
        returns,
        max_stack: arg_count + 1,
        frame_bytes: 0,
        calls: Vec::new(),
        indirect_calls: Vec::new(),
        switches: Vec::new(),
        fields: Vec::new(),
        literals: Vec::new(),
        failures: Vec::new(),
        goals: None,
        init_type: None,
        uses_varargs: false,
    }
}
