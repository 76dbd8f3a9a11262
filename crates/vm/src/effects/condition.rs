//! Comparisons and branches over abstract values, and which instructions never throw.

use cil::Opcode;

use super::Seen;

/// Whether a conditional branch is taken; none when that is not known.
pub fn decide(opcode: Opcode, operands: &[Seen]) -> Option<bool> {
    match opcode {
        Opcode::Brtrue | Opcode::BrtrueS => truth(operands),
        Opcode::Brfalse | Opcode::BrfalseS => truth(operands).map(|truth| !truth),
        Opcode::Beq | Opcode::BeqS => equal(operands),
        Opcode::BneUn | Opcode::BneUnS => equal(operands).map(|equal| !equal),
        Opcode::Blt | Opcode::BltS => signed(operands, |a, b| a < b),
        Opcode::Ble | Opcode::BleS => signed(operands, |a, b| a <= b),
        Opcode::Bgt | Opcode::BgtS => signed(operands, |a, b| a > b),
        Opcode::Bge | Opcode::BgeS => signed(operands, |a, b| a >= b),
        Opcode::BltUn | Opcode::BltUnS => unsigned(operands, |a, b| a < b),
        Opcode::BleUn | Opcode::BleUnS => unsigned(operands, |a, b| a <= b),
        Opcode::BgtUn | Opcode::BgtUnS => unsigned(operands, |a, b| a > b),
        Opcode::BgeUn | Opcode::BgeUnS => unsigned(operands, |a, b| a >= b),
        _ => None,
    }
}

/// The result of a comparing instruction; none when it is no such or not known.
pub fn compare(opcode: Opcode, operands: &[Seen]) -> Option<bool> {
    match (opcode, operands) {
        (Opcode::Ceq, _) => equal(operands),
        (Opcode::Clt, _) => signed(operands, |a, b| a < b),
        (Opcode::Cgt, _) => signed(operands, |a, b| a > b),
        // `x != null` is compiled as `x > null`.
        (Opcode::CgtUn, [reference, Seen::Null]) => truth(&[*reference]),
        (Opcode::CltUn, _) => unsigned(operands, |a, b| a < b),
        (Opcode::CgtUn, _) => unsigned(operands, |a, b| a > b),
        _ => None,
    }
}

pub(crate) fn never_throws(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Nop | Pop
            | Ldstr
            | Add
            | Sub
            | Mul
            | And
            | Or
            | Xor
            | Shl
            | Shr
            | ShrUn
            | Neg
            | Not
            | Ceq
            | Cgt
            | CgtUn
            | Clt
            | CltUn
            | ConvI1
            | ConvI2
            | ConvI4
            | ConvU1
            | ConvU2
            | ConvU4
            | ConvI
            | ConvU
            | ConvR4
            | ConvR8
    )
}

fn truth(operands: &[Seen]) -> Option<bool> {
    match operands {
        [Seen::Integer(value)] => Some(*value != 0),
        [Seen::Null] => Some(false),
        [Seen::NotNull | Seen::This] => Some(true),
        _ => None,
    }
}

fn equal(operands: &[Seen]) -> Option<bool> {
    match operands {
        [Seen::Integer(a), Seen::Integer(b)] => Some(a == b),
        [Seen::Null, Seen::Null] => Some(true),
        [Seen::Null, Seen::NotNull] | [Seen::NotNull, Seen::Null] => Some(false),
        _ => None,
    }
}

fn signed(operands: &[Seen], holds: fn(i64, i64) -> bool) -> Option<bool> {
    match operands {
        [Seen::Integer(a), Seen::Integer(b)] => Some(holds(*a, *b)),
        _ => None,
    }
}

/// Sign extension keeps the unsigned order, so the width does not matter.
fn unsigned(operands: &[Seen], holds: fn(u64, u64) -> bool) -> Option<bool> {
    match operands {
        [Seen::Integer(a), Seen::Integer(b)] => Some(holds(*a as u64, *b as u64)),
        _ => None,
    }
}
