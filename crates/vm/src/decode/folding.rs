//! Comparisons of types that are known when a method is decoded: `typeof(T) == typeof(int)` in generic code.
//!
//! The JIT decides these when it compiles a method for a list of type arguments, and the class library counts on that: it
//! asks on every call of its innermost methods. The operations become ones that do nothing, so that numbers and counts of
//! operations stay as they are.

use crate::code::{Code, Op};
use crate::models::TypeQuestion;
use types::MethodId;

/// Operations of `typeof(A) == typeof(B)`.
const LENGTH: usize = 5;

/// Replaces comparisons of two types that are written down in the code.
pub(crate) fn fold_types(code: &mut Code, question: impl Fn(MethodId) -> Option<TypeQuestion>) {
    let mut at = 0;
    while let Some(answer) = answer(code, at, &question) {
        if let Some(truth) = answer
            && !is_entered(code, at)
            && let Some(ops) = code.ops.get_mut(at..at + LENGTH)
        {
            ops.copy_from_slice(&[Op::Nop, Op::Nop, Op::Nop, Op::Nop, Op::LdI4(i32::from(truth))]);
            at += LENGTH;
        } else {
            at += 1;
        }
    }
}

/// Whether the comparison that begins here holds, if there is one; nothing at the end of the code.
fn answer(
    code: &Code,
    at: usize,
    question: &impl Fn(MethodId) -> Option<TypeQuestion>,
) -> Option<Option<bool>> {
    let ops = code.ops.get(at..at.checked_add(LENGTH)?)?;
    let [Op::LdTokenType(a), Op::Call(x), Op::LdTokenType(b), Op::Call(y), Op::Call(compared)] = *ops else {
        return Some(None);
    };
    let asked = |site: u32| question(code.calls.get(site as usize)?.method);
    let are_types = [x, y].into_iter().all(|site| asked(site) == Some(TypeQuestion::OfHandle));
    Some(match asked(compared) {
        Some(TypeQuestion::Same) if are_types => Some(a == b),
        Some(TypeQuestion::Different) if are_types => Some(a != b),
        _ => None,
    })
}

/// Whether something jumps into the middle.
fn is_entered(code: &Code, at: usize) -> bool {
    let inside = at as u32 + 1..(at + LENGTH) as u32;
    let jumps = code.ops.iter().any(|op| match op {
        Op::Br(target)
        | Op::BrTrue(target)
        | Op::BrFalse(target)
        | Op::BrCmp(_, target)
        | Op::Leave(target) => inside.contains(target),
        Op::Switch(index) => {
            let targets = code.switches.get(*index as usize);
            targets.is_some_and(|targets| targets.iter().any(|target| inside.contains(target)))
        }
        _ => false,
    });
    let is_edge = |place: u32| inside.contains(&place);
    let clauses = code.clauses.iter().any(|clause| {
        [clause.try_start, clause.try_end, clause.handler_start, clause.handler_end].into_iter().any(is_edge)
            || matches!(clause.kind, crate::code::ClauseKind::Filter { start } if is_edge(start))
    });
    jumps || clauses
}
