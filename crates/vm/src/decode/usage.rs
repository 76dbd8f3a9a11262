//! Instructions that use a member or a type that they may not: the JIT puts a throw in their place.

use cil::{Instruction, Operand};
use types::{FieldId, Member, MethodId, TypeId, Universe};

use super::refusal::Refusal;
use crate::code::{Code, Op};

pub(super) fn check(u: &Universe, code: &mut Code, instructions: &[Instruction<'_>]) {
    for (at, instruction) in instructions.iter().enumerate() {
        let Operand::Token(token) = instruction.operand else { continue };
        let Some(target) = code.ops.get(at).and_then(|op| used(code, *op)) else { continue };
        // What the caller's own arguments are is not its business: the code as it is written is looked at.
        let written = match generic_definition(u, code.method) {
            Some(definition) => (definition, u.resolve_member_token(definition, token).unwrap_or(target)),
            None => (code.method, target),
        };
        if may_use(u, written.0, written.1) {
            continue;
        }
        code.refusals.push(refusal(u, code.method, target));
        let index = code.refusals.len() as u32 - 1;
        if let Some(op) = code.ops.get_mut(at) {
            *op = Op::Refuse(index);
        }
    }
}

fn generic_definition(u: &Universe, method: MethodId) -> Option<MethodId> {
    let info = u.method(method);
    let is_generic = !info.args.is_empty() || !u.type_args(info.owner).is_empty();
    if is_generic { u.method_definition(method).ok() } else { None }
}

/// What an instruction uses; `ldtoken` may name anything.
fn used(code: &Code, op: Op) -> Option<Member> {
    let method = |site: u32| code.calls.get(site as usize).map(|site| Member::Method(site.method));
    let field = |site: u32| code.fields.get(site as usize).map(|site| Member::Field(site.field));
    match op {
        Op::Call(site) | Op::CallVirt(site) | Op::NewObj(site) | Op::Jmp(site) => method(site),
        Op::LdFtn(target) | Op::LdVirtFtn(target) => Some(Member::Method(target)),
        Op::LdFld(site)
        | Op::LdFldA(site)
        | Op::StFld(site)
        | Op::LdSFld(site)
        | Op::LdSFldA(site)
        | Op::StSFld(site)
        | Op::LdFldStatic(site)
        | Op::LdFldAStatic(site)
        | Op::StFldStatic(site) => field(site),
        Op::NewArr(ty)
        | Op::CastClass(ty)
        | Op::IsInst(ty)
        | Op::Box(ty, _)
        | Op::Unbox(ty)
        | Op::UnboxAny(ty, _)
        | Op::MkRefAny(ty)
        | Op::LdElemA(ty, _) => Some(Member::Type(ty)),
        _ => None,
    }
}

fn may_use(u: &Universe, here: MethodId, target: Member) -> bool {
    let answer = match target {
        Member::Method(target) => u.may_use_method(here, target),
        Member::Field(target) => u.may_use_field(here, target),
        Member::Type(target) => u.may_use_type(here, target),
    };
    answer.unwrap_or(true)
}

fn refusal(u: &Universe, here: MethodId, target: Member) -> Refusal {
    let (class, what, name) = match target {
        Member::Method(target) => ("System.MethodAccessException", "method", u.accessed_method(target)),
        Member::Field(target) => ("System.FieldAccessException", "field", accessed_field(u, target)),
        Member::Type(target) => ("System.TypeAccessException", "type", accessed_type(u, target)),
    };
    let attempt = u.accessed_method(here);
    Refusal::saying(class, format!("Attempt by method '{attempt}' to access {what} '{name}' failed."))
}

fn accessed_field(u: &Universe, field: FieldId) -> String {
    let field = u.field(field);
    format!("{}.{}", u.accessed_type(field.owner), field.name)
}

fn accessed_type(u: &Universe, ty: TypeId) -> String {
    u.accessed_type(ty)
}
