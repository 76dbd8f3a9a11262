//! Which bodies the JIT refuses to compile, found out once before a method first runs.
//!
//! The JIT is no verifier: it follows the code from the start and from the handlers it comes to, and refuses what it
//! cannot translate: operands that are not there, stacks of different depth at a join, jumps that exception clauses
//! forbid. Code that nothing reaches may be nonsense, and so may most types.

mod effects;
mod jumps;
mod kinds;
mod prefixes;

use cil::{Instruction, Opcode};
use types::Universe;

use super::refusal::Refusal;
use crate::code::{Clause, ClauseKind, Code, Op};
use kinds::Kind;

/// What there is to know of a body.
pub(super) struct Body<'a> {
    pub universe: &'a Universe,
    pub code: &'a Code,
    pub instructions: &'a [Instruction<'a>],
    /// By the numbers of [`Op::Fail`].
    pub refusals: &'a [Option<Refusal>],
    pub max_stack: usize,
}

type Verified<T = ()> = Result<T, Refusal>;

/// What the JIT says about a body.
pub(super) fn verify(body: Body<'_>) -> Verified {
    jumps::check(&body)?;
    let count = body.code.ops.len();
    let mut verifier = Verifier {
        starts: starts(&body),
        entries: vec![None; count],
        work: Vec::new(),
        stack: Vec::new(),
        body,
    };
    verifier.flow_to(0, &[])?;
    while let Some(start) = verifier.work.pop() {
        verifier.stack = verifier.entries.get(start).cloned().flatten().unwrap_or_default();
        verifier.follow(start)?;
    }
    Ok(())
}

fn invalid<T>() -> Verified<T> {
    Err(Refusal::invalid_program())
}

/// Where control can come from elsewhere than from the instruction above.
fn starts(body: &Body<'_>) -> Vec<bool> {
    let mut starts = vec![false; body.code.ops.len() + 1];
    let mut mark = |at: u32| {
        if let Some(start) = starts.get_mut(at as usize) {
            *start = true;
        }
    };
    for (i, op) in body.code.ops.iter().enumerate() {
        if let Some(targets) = jumps::targets(body.code, *op) {
            targets.iter().copied().for_each(&mut mark);
            mark(i as u32 + 1);
        }
    }
    for clause in &body.code.clauses {
        [clause.try_start, clause.try_end, clause.handler_start, clause.handler_end]
            .into_iter()
            .for_each(&mut mark);
        if let ClauseKind::Filter { start } = clause.kind {
            mark(start);
        }
    }
    starts
}

struct Verifier<'a> {
    body: Body<'a>,
    starts: Vec<bool>,
    /// The operands at each of the starts that was reached.
    entries: Vec<Option<Vec<Kind>>>,
    work: Vec<usize>,
    stack: Vec<Kind>,
}

impl Verifier<'_> {
    /// Follows the code from here to where it ends or joins other code.
    fn follow(&mut self, start: usize) -> Verified {
        let mut at = start;
        loop {
            self.enter_tries(at as u32)?;
            prefixes::check(self, at)?;
            let Some(op) = self.body.code.ops.get(at).copied() else { return invalid() };
            if let Op::Fail(index) = op {
                // What only we cannot decode is not the program's fault, and nothing is known of what follows.
                let refusal = self.body.refusals.get(index as usize).cloned().flatten();
                return refusal.map_or(Ok(()), Err);
            }
            if !self.step(at, op)? {
                return Ok(());
            }
            at += 1;
            if self.starts.get(at).copied().unwrap_or(true) {
                let stack = std::mem::take(&mut self.stack);
                return self.flow_to(at as u32, &stack);
            }
        }
    }

    /// Code at the start of a protected block is entered with an empty stack; its handlers may run.
    fn enter_tries(&mut self, at: u32) -> Verified {
        if !self.starts.get(at as usize).copied().unwrap_or(false) {
            return Ok(());
        }
        for i in 0..self.body.code.clauses.len() {
            let Some(clause) = self.body.code.clauses.get(i).copied() else { continue };
            if clause.try_start == at {
                self.enter_try(clause)?;
            }
        }
        Ok(())
    }

    fn enter_try(&mut self, clause: Clause) -> Verified {
        let gets_exception = !matches!(clause.kind, ClauseKind::Finally | ClauseKind::Fault);
        if !self.stack.is_empty() || gets_exception && self.body.max_stack == 0 {
            return invalid();
        }
        match clause.kind {
            ClauseKind::Finally | ClauseKind::Fault => self.flow_to(clause.handler_start, &[]),
            ClauseKind::Filter { start } => {
                self.flow_to(start, &[Kind::Ref])?;
                self.flow_to(clause.handler_start, &[Kind::Ref])
            }
            ClauseKind::Catch(_) | ClauseKind::CatchUnresolved => {
                self.flow_to(clause.handler_start, &[Kind::Ref])
            }
        }
    }

    /// Control goes there with these operands.
    fn flow_to(&mut self, at: u32, stack: &[Kind]) -> Verified {
        let at = at as usize;
        let Some(entry) = self.entries.get_mut(at) else { return invalid() };
        match entry {
            None => {
                *entry = Some(stack.to_vec());
                self.work.push(at);
            }
            Some(known) if known.len() != stack.len() => return invalid(),
            Some(known) => {
                let mut changed = false;
                for (known, kind) in known.iter_mut().zip(stack) {
                    let joined = known.joined(*kind);
                    changed |= joined != *known;
                    *known = joined;
                }
                if changed {
                    self.work.push(at);
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind) -> Verified {
        if self.stack.len() >= self.body.max_stack {
            return invalid();
        }
        self.stack.push(kind);
        Ok(())
    }

    fn pop(&mut self) -> Verified<Kind> {
        self.stack.pop().map_or_else(invalid, Ok)
    }

    fn pop_many(&mut self, count: usize) -> Verified<Vec<Kind>> {
        match self.stack.len().checked_sub(count) {
            Some(first) => Ok(self.stack.split_off(first)),
            None => invalid(),
        }
    }

    fn opcode(&self, at: usize) -> Option<Opcode> {
        self.body.instructions.get(at).map(|instruction| instruction.opcode)
    }
}
