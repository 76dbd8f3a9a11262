//! Opcodes whose operation is known from the opcode alone, and jumps.

use cil::Opcode;

use crate::code::{Arith, Checked, Cmp, Num, Op, Shift};
use crate::value::Repr;

/// The operation, if the opcode needs nothing else.
pub(super) fn translate(opcode: Opcode) -> Option<Op> {
    use Opcode as O;
    Some(match opcode {
        O::Nop | O::Break | O::Volatile | O::Tail | O::Readonly => Op::Nop,
        O::Ldnull => Op::LdNull,
        O::LdcI4M1 => Op::LdI4(-1),
        O::LdcI40 => Op::LdI4(0),
        O::LdcI41 => Op::LdI4(1),
        O::LdcI42 => Op::LdI4(2),
        O::LdcI43 => Op::LdI4(3),
        O::LdcI44 => Op::LdI4(4),
        O::LdcI45 => Op::LdI4(5),
        O::LdcI46 => Op::LdI4(6),
        O::LdcI47 => Op::LdI4(7),
        O::LdcI48 => Op::LdI4(8),
        O::Dup => Op::Dup,
        O::Pop => Op::Pop,
        O::Ret => Op::Ret,
        O::Neg => Op::Neg,
        O::Not => Op::Not,
        O::Ckfinite => Op::CkFinite,
        O::ConvRUn => Op::ConvertRUn,
        O::Ldlen => Op::LdLen,
        O::Localloc => Op::LocAlloc,
        O::Cpblk => Op::CpBlk,
        O::Initblk => Op::InitBlk,
        O::Refanytype => Op::RefAnyType,
        O::Throw => Op::Throw,
        O::Rethrow => Op::Rethrow,
        O::Endfinally => Op::EndFinally,
        O::Endfilter => Op::EndFilter,
        _ => return arithmetic(opcode).or_else(|| conversion(opcode)).or_else(|| indirect(opcode)),
    })
}

fn arithmetic(opcode: Opcode) -> Option<Op> {
    use Opcode as O;
    Some(match opcode {
        O::Add => Op::Arith(Arith::Add),
        O::Sub => Op::Arith(Arith::Sub),
        O::Mul => Op::Arith(Arith::Mul),
        O::Div => Op::Arith(Arith::Div),
        O::DivUn => Op::Arith(Arith::DivUn),
        O::Rem => Op::Arith(Arith::Rem),
        O::RemUn => Op::Arith(Arith::RemUn),
        O::And => Op::Arith(Arith::And),
        O::Or => Op::Arith(Arith::Or),
        O::Xor => Op::Arith(Arith::Xor),
        O::AddOvf => Op::Arith(Arith::AddOvf),
        O::AddOvfUn => Op::Arith(Arith::AddOvfUn),
        O::SubOvf => Op::Arith(Arith::SubOvf),
        O::SubOvfUn => Op::Arith(Arith::SubOvfUn),
        O::MulOvf => Op::Arith(Arith::MulOvf),
        O::MulOvfUn => Op::Arith(Arith::MulOvfUn),
        O::Shl => Op::Shift(Shift::Left),
        O::Shr => Op::Shift(Shift::Right),
        O::ShrUn => Op::Shift(Shift::RightUn),
        O::Ceq => Op::Compare(Cmp::Eq),
        O::Cgt => Op::Compare(Cmp::Gt),
        O::CgtUn => Op::Compare(Cmp::GtUn),
        O::Clt => Op::Compare(Cmp::Lt),
        O::CltUn => Op::Compare(Cmp::LtUn),
        _ => return None,
    })
}

fn conversion(opcode: Opcode) -> Option<Op> {
    use Opcode as O;
    let (num, checked) = match opcode {
        O::ConvI1 => (Num::I1, Checked::No),
        O::ConvU1 => (Num::U1, Checked::No),
        O::ConvI2 => (Num::I2, Checked::No),
        O::ConvU2 => (Num::U2, Checked::No),
        O::ConvI4 => (Num::I4, Checked::No),
        O::ConvU4 => (Num::U4, Checked::No),
        O::ConvI8 => (Num::I8, Checked::No),
        O::ConvU8 => (Num::U8, Checked::No),
        O::ConvI => (Num::I, Checked::No),
        O::ConvU => (Num::U, Checked::No),
        O::ConvR4 => (Num::R4, Checked::No),
        O::ConvR8 => (Num::R8, Checked::No),
        O::ConvOvfI1 => (Num::I1, Checked::Signed),
        O::ConvOvfU1 => (Num::U1, Checked::Signed),
        O::ConvOvfI2 => (Num::I2, Checked::Signed),
        O::ConvOvfU2 => (Num::U2, Checked::Signed),
        O::ConvOvfI4 => (Num::I4, Checked::Signed),
        O::ConvOvfU4 => (Num::U4, Checked::Signed),
        O::ConvOvfI8 => (Num::I8, Checked::Signed),
        O::ConvOvfU8 => (Num::U8, Checked::Signed),
        O::ConvOvfI => (Num::I, Checked::Signed),
        O::ConvOvfU => (Num::U, Checked::Signed),
        O::ConvOvfI1Un => (Num::I1, Checked::Unsigned),
        O::ConvOvfU1Un => (Num::U1, Checked::Unsigned),
        O::ConvOvfI2Un => (Num::I2, Checked::Unsigned),
        O::ConvOvfU2Un => (Num::U2, Checked::Unsigned),
        O::ConvOvfI4Un => (Num::I4, Checked::Unsigned),
        O::ConvOvfU4Un => (Num::U4, Checked::Unsigned),
        O::ConvOvfI8Un => (Num::I8, Checked::Unsigned),
        O::ConvOvfU8Un => (Num::U8, Checked::Unsigned),
        O::ConvOvfIUn => (Num::I, Checked::Unsigned),
        O::ConvOvfUUn => (Num::U, Checked::Unsigned),
        _ => return None,
    };
    Some(Op::Convert(num, checked))
}

fn indirect(opcode: Opcode) -> Option<Op> {
    use Opcode as O;
    Some(match opcode {
        O::LdindI1 => Op::LdInd(Repr::I1),
        O::LdindU1 => Op::LdInd(Repr::U1),
        O::LdindI2 => Op::LdInd(Repr::I2),
        O::LdindU2 => Op::LdInd(Repr::U2),
        O::LdindI4 | O::LdindU4 => Op::LdInd(Repr::I4),
        O::LdindI8 | O::LdindI => Op::LdInd(Repr::I8),
        O::LdindR4 => Op::LdInd(Repr::R4),
        O::LdindR8 => Op::LdInd(Repr::R8),
        O::LdindRef => Op::LdInd(Repr::Ref),
        O::StindI1 => Op::StInd(Repr::I1),
        O::StindI2 => Op::StInd(Repr::I2),
        O::StindI4 => Op::StInd(Repr::I4),
        O::StindI8 | O::StindI => Op::StInd(Repr::I8),
        O::StindR4 => Op::StInd(Repr::R4),
        O::StindR8 => Op::StInd(Repr::R8),
        O::StindRef => Op::StInd(Repr::Ref),
        _ => return None,
    })
}

pub(super) fn jump(opcode: Opcode, target: u32) -> Option<Op> {
    use Opcode as O;
    Some(match opcode {
        O::Br | O::BrS => Op::Br(target),
        O::Brtrue | O::BrtrueS => Op::BrTrue(target),
        O::Brfalse | O::BrfalseS => Op::BrFalse(target),
        O::Beq | O::BeqS => Op::BrCmp(Cmp::Eq, target),
        O::BneUn | O::BneUnS => Op::BrCmp(Cmp::NeUn, target),
        O::Blt | O::BltS => Op::BrCmp(Cmp::Lt, target),
        O::BltUn | O::BltUnS => Op::BrCmp(Cmp::LtUn, target),
        O::Ble | O::BleS => Op::BrCmp(Cmp::Le, target),
        O::BleUn | O::BleUnS => Op::BrCmp(Cmp::LeUn, target),
        O::Bgt | O::BgtS => Op::BrCmp(Cmp::Gt, target),
        O::BgtUn | O::BgtUnS => Op::BrCmp(Cmp::GtUn, target),
        O::Bge | O::BgeS => Op::BrCmp(Cmp::Ge, target),
        O::BgeUn | O::BgeUnS => Op::BrCmp(Cmp::GeUn, target),
        O::Leave | O::LeaveS => Op::Leave(target),
        _ => return None,
    })
}
