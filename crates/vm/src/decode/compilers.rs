//! Branches that the compiler puts around what the programmer wrote without one. Nobody asks for tests of them, and tools
//! that measure coverage leave them out as well.
//!
//! A lambda without captured variables is kept in a static field: one side of the branch around it is taken by the first
//! call only. Before `foreach` and `using` dispose of something, it is compared with null. Iterators and async methods have
//! branches over their own state.

mod state_machine;

pub(super) use state_machine::hands_on;

use cil::{ClauseKind, Instruction, MethodBody, Module, Opcode, Operand, RowRef, Token};

/// The offsets of conditional jumps that are the compiler's own.
pub fn compilers_branches(module: &Module, body: &MethodBody<'_>) -> Vec<u32> {
    let instructions: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
    let mut found = state_machine::branches(module, body, &instructions);
    for (at, instruction) in instructions.iter().enumerate() {
        let is_own = match instruction.opcode {
            Opcode::Brtrue | Opcode::BrtrueS => is_around_lambda(module, &instructions, at),
            Opcode::Brfalse | Opcode::BrfalseS => is_before_disposal(body, &instructions, at),
            _ => false,
        };
        if is_own && !found.contains(&instruction.offset) {
            found.push(instruction.offset);
        }
    }
    found
}

/// `ldsfld cache; dup; brtrue L; pop; …; ldftn; newobj; dup; stsfld cache; L:`
fn is_around_lambda(module: &Module, all: &[Instruction<'_>], at: usize) -> bool {
    let Some([load, dup, jump, pop]) = at.checked_sub(2).and_then(|first| all.get(first..first + 4)) else {
        return false;
    };
    let (Operand::Token(cache), Operand::Target(target)) = (load.operand, jump.operand) else { return false };
    if (load.opcode, dup.opcode, pop.opcode) != (Opcode::Ldsfld, Opcode::Dup, Opcode::Pop)
        || !is_cache(module, cache)
    {
        return false;
    }
    let Ok(end) = all.binary_search_by_key(&target, |instruction| instruction.offset) else { return false };
    let Some([function, new, copy, store]) = end.checked_sub(4).and_then(|first| all.get(first..end)) else {
        return false;
    };
    let stores = matches!(store.operand, Operand::Token(token) if token == cache);
    let opcodes = (function.opcode, new.opcode, copy.opcode, store.opcode);
    stores && opcodes == (Opcode::Ldftn, Opcode::Newobj, Opcode::Dup, Opcode::Stsfld)
}

/// Fields that no programmer can name: `<>9__0_1`, `<0>__Parse`.
fn is_cache(module: &Module, field: Token) -> bool {
    let name = match field.row_ref() {
        Some(RowRef::Field(id)) => module.field(id).map(|row| row.name),
        Some(RowRef::MemberRef(id)) => module.member_ref(id).map(|row| row.name),
        _ => return false,
    };
    name.is_ok_and(|name| name.starts_with('<'))
}

/// `finally { ldloc x; brfalse L; ldloc x; callvirt; L: endfinally }`
fn is_before_disposal(body: &MethodBody<'_>, all: &[Instruction<'_>], at: usize) -> bool {
    let Some([load, jump, again, call, end]) = at.checked_sub(1).and_then(|first| all.get(first..first + 5))
    else {
        return false;
    };
    let is_finally = |clause: &cil::ExceptionClause| {
        clause.kind == ClauseKind::Finally
            && clause.handler.start == load.offset
            && clause.handler.end == end.next_offset()
    };
    let is_same = load.opcode == again.opcode && load.operand == again.operand;
    is_same
        && is_local(load.opcode)
        && matches!(jump.operand, Operand::Target(target) if target == end.offset)
        && call.opcode == Opcode::Callvirt
        && end.opcode == Opcode::Endfinally
        && body.clauses.iter().any(is_finally)
}

fn is_local(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Ldloc | Opcode::LdlocS | Opcode::Ldloc0 | Opcode::Ldloc1 | Opcode::Ldloc2 | Opcode::Ldloc3
    )
}
