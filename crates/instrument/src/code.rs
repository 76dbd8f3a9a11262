//! A body taken apart: its instructions, with the jumps between them checked to lead to instructions.

use cil::opcode::Flow;
use cil::{ClauseKind, ExceptionClause, Instruction, MethodBody, MethodDefId, Opcode, Operand};

use crate::error::{Error, Result};

pub(crate) struct Code<'a> {
    pub method: MethodDefId,
    pub instructions: Vec<Instruction<'a>>,
    /// The bytes that the instructions were read from.
    pub bytes: &'a [u8],
    /// For each instruction, whether a jump, a handler or a protected range leads to it.
    is_target: Vec<bool>,
}

impl<'a> Code<'a> {
    pub fn decode(method: MethodDefId, body: &MethodBody<'a>) -> Result<Code<'a>> {
        let instructions = body.instructions().collect::<cil::Result<Vec<_>>>();
        let instructions = instructions.map_err(|error| Error::Body { method, error })?;
        let is_target = vec![false; instructions.len()];
        let mut code = Code { method, instructions, bytes: body.code, is_target };
        code.mark_targets(&body.clauses)?;
        Ok(code)
    }

    /// The instruction at an offset.
    pub fn index_of(&self, offset: u32) -> Option<usize> {
        self.instructions.binary_search_by_key(&offset, |instruction| instruction.offset).ok()
    }

    /// The offset after the last instruction.
    pub fn end(&self) -> u32 {
        self.instructions.last().map_or(0, Instruction::next_offset)
    }

    /// Where a probe of instruction `index` has to stand: before the instructions that must follow each other directly.
    pub fn start_of_unit(&self, mut index: usize) -> usize {
        while index > 0 && self.is_bound_to_previous(index) {
            index -= 1;
        }
        index
    }

    /// A `ret` that a `tail.` call ends with.
    pub fn is_tail_return(&self, index: usize) -> bool {
        let before = |count: usize| index.checked_sub(count).and_then(|i| self.instructions.get(i));
        if self.opcode(index) != Some(Opcode::Ret)
            || before(1).is_none_or(|call| call.opcode.flow() != Flow::Call)
        {
            return false;
        }
        let mut prefixes = (2..).map_while(before).take_while(|i| i.opcode.flow() == Flow::Prefix);
        prefixes.any(|prefix| prefix.opcode == Opcode::Tail)
    }

    fn is_bound_to_previous(&self, index: usize) -> bool {
        let previous = |count: usize| index.checked_sub(count).and_then(|i| self.instructions.get(i));
        if previous(1).is_some_and(|instruction| instruction.opcode.flow() == Flow::Prefix) {
            return true;
        }
        // `box` of a type parameter that stands for a by-ref-like type is an error unless the JIT sees what follows.
        use Opcode::{Box, Brfalse, BrfalseS, Brtrue, BrtrueS, Isinst, UnboxAny};
        let Some(opcode) = self.opcode(index) else { return false };
        let ends = matches!(opcode, UnboxAny | Brtrue | BrtrueS | Brfalse | BrfalseS);
        let after_box = match previous(1).map(|instruction| instruction.opcode) {
            Some(Box) => ends || opcode == Isinst,
            Some(Isinst) => ends && previous(2).is_some_and(|instruction| instruction.opcode == Box),
            _ => false,
        };
        after_box && !self.is_target.get(index).copied().unwrap_or(false)
    }

    fn opcode(&self, index: usize) -> Option<Opcode> {
        self.instructions.get(index).map(|instruction| instruction.opcode)
    }

    fn mark_targets(&mut self, clauses: &[ExceptionClause]) -> Result<()> {
        let mut found = Vec::new();
        for instruction in &self.instructions {
            match instruction.operand {
                Operand::Target(target) => found.push((target, "the target of a jump")),
                Operand::Switch(targets) => {
                    found.extend(targets.iter().map(|to| (to, "the target of a switch")));
                }
                _ => {}
            }
        }
        for clause in clauses {
            for range in [clause.try_range, clause.handler] {
                found.push((range.start, "the start of an exception clause"));
                found.push((range.end, "the end of an exception clause"));
            }
            if let ClauseKind::Filter(start) = clause.kind {
                found.push((start, "a filter"));
            }
        }
        for (offset, what) in found {
            if let Some(index) = self.index_of(offset) {
                if let Some(mark) = self.is_target.get_mut(index) {
                    *mark = true;
                }
            } else if offset != self.end() {
                return Err(Error::InsideInstruction { method: self.method, offset, what });
            }
        }
        Ok(())
    }
}
