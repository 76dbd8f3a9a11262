//! The ways out of each operation.

use std::ops::Range;

use super::{Way, WayKind};
use crate::code::{Arith, Checked, Clause, ClauseKind, Code, Op};

/// By operation, sorted. The number after the last operation is the exit.
pub(super) fn of(code: &Code) -> Vec<Vec<Way>> {
    let all = Ways { code, exit: code.ops.len() as u32 };
    (0..).zip(&code.ops).map(|(at, op)| all.of(at, *op)).collect()
}

struct Ways<'a> {
    code: &'a Code,
    exit: u32,
}

impl Ways<'_> {
    fn of(&self, at: u32, op: Op) -> Vec<Way> {
        let mut ways = Vec::new();
        let next = (at + 1).min(self.exit);
        let mut add = |to: u32, kind: WayKind| ways.push(Way { to: to.min(self.exit), kind });
        match op {
            Op::Br(target) => add(target, WayKind::Next),
            Op::BrTrue(target) | Op::BrFalse(target) | Op::BrCmp(_, target) => {
                add(target, WayKind::Taken);
                add(next, WayKind::Else);
            }
            Op::Switch(index) => {
                let targets = self.code.switches.get(index as usize).into_iter().flatten();
                (0..).zip(targets).for_each(|(case, target)| add(*target, WayKind::Case(case)));
                add(next, WayKind::Else);
            }
            Op::Ret | Op::Jmp(_) => add(self.exit, WayKind::Return),
            Op::TailCall(_) | Op::TailCallVirt(_) | Op::TailCallI(_) => {
                add(self.exit, WayKind::Return);
                // A call that cannot be made as a tail call is made as another one.
                add(next, WayKind::Next);
            }
            Op::Throw | Op::Rethrow | Op::Refuse(_) => {}
            Op::Leave(target) => match self.finally_on_the_way(at, target, 0) {
                Some(clause) => add(clause.handler_start, WayKind::Leave),
                None => add(target, WayKind::Leave),
            },
            Op::EndFinally => self.after_finally(at, &mut add),
            Op::EndFilter => self.after_filter(at, &mut add),
            _ => add(next, WayKind::Next),
        }
        if may_throw(op) {
            self.exceptions(at, &mut ways);
        }
        ways.sort_unstable();
        ways.dedup();
        ways
    }

    /// Something is thrown at an operation: a filter is asked, a handler runs, or the method is left. Which of them comes
    /// first depends on the exception and on what the callers catch.
    fn exceptions(&self, at: u32, ways: &mut Vec<Way>) {
        for clause in self.code.clauses.iter().filter(|clause| tried(clause).contains(&at)) {
            ways.extend(entries(clause).map(|to| Way { to: to.min(self.exit), kind: WayKind::Exception }));
        }
        ways.push(Way { to: self.exit, kind: WayKind::Exception });
    }

    /// The first finally handler between a `leave` and its target, from clause number `from` on.
    fn finally_on_the_way(&self, at: u32, target: u32, from: usize) -> Option<&Clause> {
        self.code.clauses.iter().skip(from).find(|clause| {
            matches!(clause.kind, ClauseKind::Finally)
                && tried(clause).contains(&at)
                && !tried(clause).contains(&target)
        })
    }

    /// The end of a finally or fault handler: on to where a `leave` was going, or on with the exception.
    fn after_finally(&self, at: u32, add: &mut impl FnMut(u32, WayKind)) {
        add(self.exit, WayKind::Exception);
        for (index, own) in self.handlers_that_end_at(at) {
            for (leave, target) in self.leaves(tried(own)) {
                match self.finally_on_the_way(leave, target, index + 1) {
                    Some(clause) => add(clause.handler_start, WayKind::Resume),
                    None => add(target, WayKind::Resume),
                }
            }
            for outer in self.code.clauses.iter().filter(|outer| overlap(&tried(outer), &tried(own))) {
                entries(outer).for_each(|to| add(to, WayKind::Exception));
            }
        }
    }

    /// The finally and fault clauses whose handler an `endfinally` can end: the innermost around it, and those that share
    /// their handler with it.
    fn handlers_that_end_at(&self, at: u32) -> Vec<(usize, &Clause)> {
        let ends = |clause: &Clause| {
            matches!(clause.kind, ClauseKind::Finally | ClauseKind::Fault)
                && (clause.handler_start..clause.handler_end).contains(&at)
        };
        let around: Vec<(usize, &Clause)> =
            self.code.clauses.iter().enumerate().filter(|(_, clause)| ends(clause)).collect();
        let size = |clause: &Clause| clause.handler_end - clause.handler_start;
        let innermost = around.iter().map(|(_, clause)| size(clause)).min();
        around.into_iter().filter(|(_, clause)| Some(size(clause)) == innermost).collect()
    }

    /// The `leave`s inside a range that go out of it, each with its target.
    fn leaves(&self, range: Range<u32>) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.code.ops).filter_map(move |(at, op)| match op {
            Op::Leave(target) if range.contains(&at) && !range.contains(target) => Some((at, *target)),
            _ => None,
        })
    }

    /// A filter has answered: its own handler, or what else could handle what its block throws, after handlers in between.
    fn after_filter(&self, at: u32, add: &mut impl FnMut(u32, WayKind)) {
        add(self.exit, WayKind::Exception);
        for own in &self.code.clauses {
            let ClauseKind::Filter { start } = own.kind else { continue };
            if !(start..own.handler_start).contains(&at) {
                continue;
            }
            for other in self.code.clauses.iter().filter(|other| overlap(&tried(other), &tried(own))) {
                entries(other).for_each(|to| add(to, WayKind::Exception));
            }
        }
    }
}

fn tried(clause: &Clause) -> Range<u32> {
    clause.try_start..clause.try_end
}

fn overlap(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Where a clause can be entered: at its filter, and at its handler when others were asked in between.
fn entries(clause: &Clause) -> impl Iterator<Item = u32> {
    let filter = match clause.kind {
        ClauseKind::Filter { start } => Some(start),
        _ => None,
    };
    filter.into_iter().chain([clause.handler_start])
}

/// Whether anything can be thrown by an operation itself or by what it calls. What is not known here can.
fn may_throw(op: Op) -> bool {
    let never = matches!(
        op,
        Op::Nop
            | Op::LdVar(_)
            | Op::LdVarMem(_)
            | Op::StVar(_)
            | Op::StVarMem(_)
            | Op::LdVarAddr(_)
            | Op::LdI4(_)
            | Op::LdI8(_)
            | Op::LdR4(_)
            | Op::LdR8(_)
            | Op::LdNull
            | Op::Dup
            | Op::Pop
            | Op::Shift(_)
            | Op::Neg
            | Op::Not
            | Op::Compare(_)
            | Op::Convert(_, Checked::No)
            | Op::ConvertRUn
            | Op::Br(_)
            | Op::BrTrue(_)
            | Op::BrFalse(_)
            | Op::BrCmp(..)
            | Op::Switch(_)
            | Op::SizeOf(..)
            | Op::Leave(_)
            | Op::EndFinally
            | Op::EndFilter
            | Op::Arith(Arith::Add | Arith::Sub | Arith::Mul | Arith::And | Arith::Or | Arith::Xor)
    );
    !never
}
