//! Prefixes: which instructions they may stand before.

use cil::Opcode;

use super::{Verified, Verifier, invalid};

/// Checks the prefix at `at`, if there is one.
pub(super) fn check(v: &Verifier<'_>, at: usize) -> Verified {
    let Some(prefix) = v.opcode(at).filter(|opcode| is_prefix(*opcode)) else { return Ok(()) };
    // Nothing may jump between a prefix and its instruction.
    if v.starts.get(at + 1).copied().unwrap_or(true) {
        return invalid();
    }
    let mut next = at + 1;
    while v.opcode(next).is_some_and(is_prefix) {
        next += 1;
    }
    let Some(opcode) = v.opcode(next) else { return invalid() };
    let fits = match prefix {
        Opcode::Volatile => is_memory_access(opcode) || matches!(opcode, Opcode::Ldsfld | Opcode::Stsfld),
        Opcode::Unaligned => is_memory_access(opcode),
        Opcode::Readonly => opcode == Opcode::Ldelema || is_call(opcode),
        Opcode::Constrained => matches!(opcode, Opcode::Call | Opcode::Callvirt | Opcode::Ldftn),
        Opcode::Tail => is_call(opcode) && v.opcode(next + 1) == Some(Opcode::Ret),
        _ => true,
    };
    if fits { Ok(()) } else { invalid() }
}

fn is_prefix(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Volatile | Opcode::Unaligned | Opcode::Readonly | Opcode::Constrained | Opcode::Tail
    )
}

fn is_call(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Call | Opcode::Callvirt | Opcode::Calli)
}

fn is_memory_access(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::LdindI1
            | O::LdindU1
            | O::LdindI2
            | O::LdindU2
            | O::LdindI4
            | O::LdindU4
            | O::LdindI8
            | O::LdindI
            | O::LdindR4
            | O::LdindR8
            | O::LdindRef
            | O::StindI
            | O::StindI1
            | O::StindI2
            | O::StindI4
            | O::StindI8
            | O::StindR4
            | O::StindR8
            | O::StindRef
            | O::Ldfld
            | O::Stfld
            | O::Ldobj
            | O::Stobj
            | O::Cpblk
            | O::Initblk
    )
}
