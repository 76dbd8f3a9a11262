//! Writing the code of one body with its probes.
//!
//! An instruction becomes a piece: the probes of reaching it, itself (jumps in their long form), the probes of its edges.
//! A jump whose target is counted goes to a block right behind itself, reached by nothing else:
//!
//! ```text
//!     brtrue T            brtrue X
//!     …                   probe of falling through
//!                         br N
//!                     X:  probe of jumping
//!                         br T
//!                     N:  …
//! ```
//!
//! There the block lies in the same protected ranges as the jump, forward jumps stay forward and backward ones backward, so
//! what the standard says of the stack at their targets (III.1.7.5) holds as before. Jumps are not turned around, because
//! what the opposite of `blt` is depends on the operands: `bge` for integers, `bge.un` for floats.

use cil::{Instruction, Opcode, Operand, SwitchTargets};

use crate::code::Code;
use crate::error::{Error, Result};
use crate::offsets::OffsetMap;
use crate::placement::Placement;

/// How much of the evaluation stack a probe needs: an address and a value.
pub(crate) const PROBE_STACK: u16 = 2;

pub(crate) struct Emitted {
    pub code: Vec<u8>,
    pub offsets: OffsetMap,
    /// Where jumps to each instruction lead, and the end of the code.
    labels: Vec<(u32, u32)>,
}

impl Emitted {
    /// The new offset for jumps and ranges that had this one.
    pub fn label(&self, offset: u32) -> Option<u32> {
        let index = self.labels.binary_search_by_key(&offset, |(old, _)| *old).ok()?;
        self.labels.get(index).map(|(_, new)| *new)
    }

    /// Writes the distances of all jumps; they fit, since the code is not larger than they can be.
    fn connect(&mut self, jumps: Vec<Jump>) {
        for jump in jumps {
            let to = match jump.to {
                To::Instruction(offset) => self.label(offset),
                To::Block(position) => Some(position),
            };
            let place = self.code.get_mut(jump.at..).and_then(|rest| rest.first_chunk_mut());
            if let (Some(to), Some(place)) = (to, place) {
                *place = to.wrapping_sub(jump.from).to_le_bytes();
            }
        }
    }
}

pub(crate) fn emit(code: &Code<'_>, placement: &Placement, base: u64) -> Result<Emitted> {
    let mut emitter = Emitter { out: Vec::with_capacity(code.bytes.len() * 2), jumps: Vec::new(), base };
    let mut pieces = Vec::with_capacity(code.instructions.len());
    let mut labels = Vec::with_capacity(code.instructions.len() + 1);
    for (index, instruction) in code.instructions.iter().enumerate() {
        pieces.push((emitter.position(), instruction.offset));
        let mut reached = placement.reached(index).peekable();
        if reached.peek().is_some() && code.is_tail_return(index) {
            // Nothing may stand between the call and its return: who jumps here gets a return of its own.
            emitter.opcode(Opcode::Ret);
        }
        labels.push((instruction.offset, emitter.position()));
        emitter.probes(reached);
        emitter.instruction(code, instruction, placement);
    }
    labels.push((code.end(), emitter.position()));
    if i32::try_from(emitter.out.len()).is_err() {
        return Err(Error::MethodTooLarge { method: code.method, what: "its code" });
    }
    let mut emitted = Emitted { code: emitter.out, offsets: OffsetMap::new(pieces), labels };
    emitted.connect(emitter.jumps);
    Ok(emitted)
}

/// A distance that is written when all places are known.
struct Jump {
    /// Where the four bytes are.
    at: usize,
    /// Where the distance counts from.
    from: u32,
    to: To,
}

enum To {
    /// By its old offset.
    Instruction(u32),
    /// By its position in the new code.
    Block(u32),
}

struct Emitter {
    out: Vec<u8>,
    jumps: Vec<Jump>,
    base: u64,
}

impl Emitter {
    /// Of no use if the code is too large, which is found out in the end.
    fn position(&self) -> u32 {
        self.out.len() as u32
    }

    fn opcode(&mut self, opcode: Opcode) {
        let [high, low] = opcode.code().to_be_bytes();
        if high != 0 {
            self.out.push(high);
        }
        self.out.push(low);
    }

    fn probes(&mut self, probes: impl Iterator<Item = usize>) {
        for probe in probes {
            self.opcode(Opcode::LdcI8);
            self.out.extend((self.base + probe as u64).to_le_bytes());
            self.opcode(Opcode::ConvU);
            self.opcode(Opcode::LdcI41);
            self.opcode(Opcode::StindI1);
        }
    }

    fn instruction(&mut self, code: &Code<'_>, instruction: &Instruction<'_>, placement: &Placement) {
        let (from, next) = (instruction.offset, instruction.next_offset());
        match instruction.operand {
            Operand::Target(target) => {
                self.opcode(long_form(instruction.opcode));
                let distance = self.distance_to(target);
                if placement.taken(from, target).next().is_some() {
                    self.blocks(placement, from, next, vec![(target, vec![distance])]);
                } else {
                    self.probes(placement.taken(from, next));
                }
            }
            Operand::Switch(targets) => {
                let counted = self.switch(from, targets, placement);
                self.blocks(placement, from, next, counted);
            }
            _ => {
                let bytes = code.bytes.get(from as usize..next as usize).unwrap_or_default();
                self.out.extend_from_slice(bytes);
            }
        }
    }

    /// The table of a switch; returns its counted targets, each with its distances in the table.
    fn switch(
        &mut self,
        from: u32,
        targets: SwitchTargets<'_>,
        placement: &Placement,
    ) -> Vec<(u32, Vec<usize>)> {
        self.opcode(Opcode::Switch);
        self.out.extend((targets.len() as u32).to_le_bytes());
        let first = self.jumps.len();
        let end = self.position().wrapping_add(4 * targets.len() as u32);
        for to in targets.iter() {
            self.jumps.push(Jump { at: self.out.len(), from: end, to: To::Instruction(to) });
            self.out.extend([0; 4]);
        }
        let mut counted: Vec<(u32, usize)> = Vec::new();
        for (index, to) in targets.iter().enumerate() {
            if placement.taken(from, to).next().is_some() {
                counted.push((to, first + index));
            }
        }
        counted.sort_unstable();
        let groups = counted.chunk_by(|(a, _), (b, _)| a == b);
        groups
            .filter_map(|group| Some((group.first()?.0, group.iter().map(|(_, jump)| *jump).collect())))
            .collect()
    }

    /// What comes after a conditional jump: the probes of falling through, then a block for each counted target. `counted`
    /// has for each target the numbers of the jumps that are to lead to its block.
    fn blocks(&mut self, placement: &Placement, from: u32, next: u32, counted: Vec<(u32, Vec<usize>)>) {
        self.probes(placement.taken(from, next));
        if counted.is_empty() {
            return;
        }
        self.opcode(Opcode::Br);
        self.distance_to(next);
        for (target, jumps) in counted {
            let block = self.position();
            for jump in jumps {
                if let Some(jump) = self.jumps.get_mut(jump) {
                    jump.to = To::Block(block);
                }
            }
            self.probes(placement.taken(from, target));
            self.opcode(Opcode::Br);
            self.distance_to(target);
        }
    }

    /// Leaves room for the distance of a jump that ends here; returns its number.
    fn distance_to(&mut self, to: u32) -> usize {
        let at = self.out.len();
        self.out.extend([0; 4]);
        self.jumps.push(Jump { at, from: self.position(), to: To::Instruction(to) });
        self.jumps.len() - 1
    }
}

/// Probes make code longer than short jumps reach.
fn long_form(opcode: Opcode) -> Opcode {
    match opcode {
        Opcode::BrS => Opcode::Br,
        Opcode::BrfalseS => Opcode::Brfalse,
        Opcode::BrtrueS => Opcode::Brtrue,
        Opcode::BeqS => Opcode::Beq,
        Opcode::BgeS => Opcode::Bge,
        Opcode::BgtS => Opcode::Bgt,
        Opcode::BleS => Opcode::Ble,
        Opcode::BltS => Opcode::Blt,
        Opcode::BneUnS => Opcode::BneUn,
        Opcode::BgeUnS => Opcode::BgeUn,
        Opcode::BgtUnS => Opcode::BgtUn,
        Opcode::BleUnS => Opcode::BleUn,
        Opcode::BltUnS => Opcode::BltUn,
        Opcode::LeaveS => Opcode::Leave,
        long => long,
    }
}
