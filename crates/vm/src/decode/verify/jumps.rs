//! Jumps and exception clauses: what may be left and entered where. This holds of all code, reached or not.

use std::ops::Range;

use cil::Opcode;

use super::{Body, Verified, invalid};
use crate::code::{Clause, ClauseKind, Code, Op};

/// Checks every way from one instruction to another.
pub(super) fn check(body: &Body<'_>) -> Verified {
    let code = body.code;
    if code.ops.last().is_none_or(|op| falls_through(*op)) {
        return invalid();
    }
    for (at, instruction) in body.instructions.iter().enumerate() {
        // The JIT looks at these before it knows what is reached.
        let takes_address = matches!(
            instruction.opcode,
            Opcode::Ldarga
                | Opcode::LdargaS
                | Opcode::Ldloca
                | Opcode::LdlocaS
                | Opcode::Starg
                | Opcode::StargS
        );
        let jumps = matches!(instruction.operand, cil::Operand::Target(_) | cil::Operand::Switch(_));
        if (takes_address || jumps)
            && let Some(Op::Fail(index)) = code.ops.get(at)
            && let Some(Some(refusal)) = body.refusals.get(*index as usize)
        {
            return Err(refusal.clone());
        }
    }
    if code.clauses.is_empty() {
        return Ok(());
    }
    clauses(code)?;
    for (at, op) in code.ops.iter().enumerate() {
        leaves(code, at as u32, *op)?;
    }
    Ok(())
}

/// Where an instruction may jump to; none if it is no jump.
pub(super) fn targets(code: &Code, op: Op) -> Option<Vec<u32>> {
    Some(match op {
        Op::Br(to) | Op::BrTrue(to) | Op::BrFalse(to) | Op::BrCmp(_, to) | Op::Leave(to) => vec![to],
        Op::Switch(index) => code.switches.get(index as usize).map(|all| all.to_vec()).unwrap_or_default(),
        Op::Ret | Op::Throw | Op::Rethrow | Op::Jmp(_) | Op::EndFinally | Op::EndFilter => Vec::new(),
        _ => return None,
    })
}

fn falls_through(op: Op) -> bool {
    !matches!(
        op,
        Op::Br(_)
            | Op::Leave(_)
            | Op::Ret
            | Op::Throw
            | Op::Rethrow
            | Op::Jmp(_)
            | Op::EndFinally
            | Op::EndFilter
            | Op::Fail(_)
    )
}

/// The ranges of a clause are in order, not empty, and inside of the code.
fn clauses(code: &Code) -> Verified {
    let end = code.ops.len() as u32;
    for clause in &code.clauses {
        let fits = clause.try_start < clause.try_end
            && clause.try_end <= end
            && clause.handler_start < clause.handler_end
            && clause.handler_end <= end
            && (clause.handler_end <= clause.try_start || clause.try_end <= clause.handler_start);
        if !fits {
            return invalid();
        }
    }
    Ok(())
}

fn leaves(code: &Code, at: u32, op: Op) -> Verified {
    let around = Around::of(code, at);
    match op {
        Op::Ret | Op::Jmp(_) if around.try_of.is_some() || around.handler.is_some() => return invalid(),
        Op::EndFinally | Op::EndFilter => {
            let Some(handler) = around.handler else { return invalid() };
            let in_inner_try = around.try_of.is_some_and(|inner| handler.whole().contains(&inner.start));
            let is_filter = matches!(handler.clause.kind, ClauseKind::Filter { .. });
            if in_inner_try || matches!(op, Op::EndFilter) != (is_filter && handler.in_filter) {
                return invalid();
            }
        }
        _ => {}
    }
    for target in targets(code, op).unwrap_or_default() {
        permitted(code, at, target, matches!(op, Op::Leave(_)))?;
    }
    if falls_through(op) && (at as usize) + 1 < code.ops.len() {
        permitted(code, at, at + 1, false)?;
    }
    Ok(())
}

/// The innermost protected block and handler around an instruction.
struct Around<'a> {
    try_of: Option<Range<u32>>,
    handler: Option<Handler<'a>>,
}

#[derive(Clone, Copy)]
struct Handler<'a> {
    clause: &'a Clause,
    in_filter: bool,
}

impl Handler<'_> {
    /// With its filter.
    fn whole(&self) -> Range<u32> {
        match self.clause.kind {
            ClauseKind::Filter { start } => start..self.clause.handler_end,
            _ => self.clause.handler_start..self.clause.handler_end,
        }
    }
}

impl<'a> Around<'a> {
    fn of(code: &'a Code, at: u32) -> Around<'a> {
        let tries = code.clauses.iter().map(|clause| clause.try_start..clause.try_end);
        let try_of = tries.filter(|range| range.contains(&at)).min_by_key(|range| range.end - range.start);
        let handlers = code.clauses.iter().map(|clause| {
            let in_filter = !(clause.handler_start..clause.handler_end).contains(&at);
            Handler { clause, in_filter }
        });
        let handler = handlers
            .filter(|handler| handler.whole().contains(&at))
            .min_by_key(|handler| handler.whole().end - handler.whole().start);
        Around { try_of, handler }
    }
}

fn permitted(code: &Code, from: u32, to: u32, leaves: bool) -> Verified {
    let (source, target) = (Around::of(code, from), Around::of(code, to));
    match (source.handler, target.handler) {
        (Some(handler), other) => {
            let same = other.is_some_and(|other| std::ptr::eq(other.clause, handler.clause));
            let crosses = other.is_some_and(|other| same && other.in_filter != handler.in_filter);
            if crosses || (!same && !may_leave(handler, other, from, leaves)) {
                return invalid();
            }
        }
        (None, Some(_)) => return invalid(),
        (None, None) => {}
    }
    if leaves && back_to_own_try(code, &source, from, to) {
        return Ok(());
    }
    between_tries(code, &source, &target, from, to, leaves)
}

fn may_leave(handler: Handler<'_>, other: Option<Handler<'_>>, from: u32, leaves: bool) -> bool {
    let is_catch = matches!(
        handler.clause.kind,
        ClauseKind::Catch(_) | ClauseKind::CatchUnresolved | ClauseKind::Filter { .. }
    );
    // It may go on in a handler around this one.
    let stays = other.is_none_or(|other| other.whole().contains(&from));
    leaves && is_catch && !handler.in_filter && stays
}

/// `leave` may go from a catch handler back into the block that it protects.
fn back_to_own_try(code: &Code, source: &Around<'_>, from: u32, to: u32) -> bool {
    if source.handler.is_none() {
        return false;
    }
    let mut own =
        code.clauses.iter().filter(|clause| (clause.handler_start..clause.handler_end).contains(&from));
    own.any(|clause| {
        let is_catch = !matches!(clause.kind, ClauseKind::Finally | ClauseKind::Fault);
        let protected = clause.try_start..clause.try_end;
        // Blocks inside of it are entered at their start.
        let inner = code.clauses.iter().map(|inner| inner.try_start..inner.try_end);
        let mut entered = inner.filter(|inner| {
            inner.contains(&to)
                && protected.start <= inner.start
                && inner.end <= protected.end
                && *inner != protected
        });
        is_catch && protected.contains(&to) && entered.all(|inner| inner.start == to)
    })
}

fn between_tries(
    code: &Code,
    source: &Around<'_>,
    target: &Around<'_>,
    from: u32,
    to: u32,
    leaves: bool,
) -> Verified {
    if source.try_of == target.try_of {
        return Ok(());
    }
    let tries = || code.clauses.iter().map(|clause| clause.try_start..clause.try_end);
    let mut entered = tries().filter(|range| range.contains(&to) && !range.contains(&from));
    let left = tries().any(|range| range.contains(&from) && !range.contains(&to));
    if left && !leaves || !entered.all(|range| range.start == to) {
        return invalid();
    }
    Ok(())
}
