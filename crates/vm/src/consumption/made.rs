//! The made-up code that uses what a method has returned.

use types::{MethodId, Primitive, TypeId, Universe};
use verdict::Gap;

use super::{Consumption, MOST_ITEMS};
use crate::code::{Arith, Clause, ClauseKind, Cmp, Code, Op};
use crate::decode::repr_of;
use crate::made_code::MadeCode;
use crate::value::Repr;

/// The variable that counts the items.
pub(super) const COUNTER: u32 = 1;

/// Awaits a task and gives what it gives.
pub(super) fn awaiting(u: &Universe, method: MethodId, ty: TypeId) -> Result<Option<Code>, Gap> {
    let Some(waiting) = Waiting::of(u, ty)? else { return Ok(None) };
    let returns = waiting.outcome.map(|ty| repr_of(u, ty)).transpose()?;
    let mut made = MadeCode::new(u, method, returns).consuming(Consumption::Await, waiting.outcome);
    let task = made.argument(ty, repr_of(u, ty)?);
    let load = if u.is_value_type(ty) {
        made.keep_in_memory(task);
        Op::LdVarAddr(task)
    } else {
        Op::LdVar(task)
    };
    made.ops.push(load);
    waiting.add(u, &mut made)?;
    made.ops.push(Op::Ret);
    Ok(Some(made.finish()))
}

/// Puts the items of a sequence into a list.
pub(super) fn collecting(
    u: &Universe,
    method: MethodId,
    ty: TypeId,
    item: TypeId,
    how: Consumption,
) -> Result<Option<Code>, Gap> {
    let Some(list) = core(u, "System.Collections.Generic.List`1")? else { return Ok(None) };
    let list = u.make_instance(list, &[item])?;
    let (Some(new_list), Some(add)) =
        (member(u, list, ".ctor")?, u.methods_named(list, "Add")?.first().copied())
    else {
        return Ok(None);
    };
    let mut made = MadeCode::new(u, method, Some(Repr::Ref)).consuming(how, Some(list));
    let sequence = made.argument(ty, Repr::Ref);
    let count = made.local(u.well_known()?.int32, Repr::I4);
    let items = made.local(list, Repr::Ref);
    let new_list = made.call(u, new_list)?;
    let add = made.call(u, add)?;
    made.ops.extend([Op::LdI4(0), Op::StVar(count), Op::NewObj(new_list), Op::StVar(items)]);
    let Some(position) = Position::begin(u, &mut made, sequence, ty, how)? else { return Ok(None) };

    let start = made.ops.len() as u32;
    made.ops.extend([Op::LdVar(count), Op::LdI4(MOST_ITEMS as i32)]);
    // Where these lead is known at the end.
    let full = made.ops.len();
    made.ops.push(Op::BrCmp(Cmp::Ge, 0));
    position.add_move(u, &mut made)?;
    let at_end = made.ops.len();
    made.ops.push(Op::BrFalse(0));
    let current = made.call(u, position.current)?;
    made.ops.extend([Op::LdVar(items), Op::LdVar(position.variable), Op::CallVirt(current), Op::Call(add)]);
    made.ops.extend([Op::LdVar(count), Op::LdI4(1), Op::Arith(Arith::Add), Op::StVar(count), Op::Br(start)]);
    let leave = made.ops.len() as u32;
    made.ops.push(Op::Leave(0));
    let finally = made.ops.len() as u32;
    position.add_end(u, &mut made)?;
    let end = made.ops.len() as u32;
    made.ops.extend([Op::LdVar(items), Op::Ret]);
    for (at, op) in
        [(full, Op::BrCmp(Cmp::Ge, leave)), (at_end, Op::BrFalse(leave)), (leave as usize, Op::Leave(end))]
    {
        if let Some(place) = made.ops.get_mut(at) {
            *place = op;
        }
    }
    made.clause(Clause {
        try_start: start,
        try_end: finally,
        handler_start: finally,
        handler_end: end,
        kind: ClauseKind::Finally,
    });
    Ok(Some(made.finish()))
}

/// A position in a sequence: how it is moved, looked at and left.
struct Position {
    variable: u32,
    move_next: MethodId,
    current: MethodId,
    dispose: MethodId,
    /// What can be disposed of.
    disposable: TypeId,
    is_async: bool,
}

impl Position {
    /// Takes the position at the start of a sequence, which may be one itself.
    fn begin(
        u: &Universe,
        made: &mut MadeCode,
        sequence: u32,
        ty: TypeId,
        how: Consumption,
    ) -> Result<Option<Position>, Gap> {
        let is_async = how == Consumption::EnumerateAsync;
        let (enumerator, getter) = match how {
            Consumption::Advance => (ty, None),
            Consumption::Enumerate | Consumption::Await => match member(u, ty, "GetEnumerator")? {
                Some(getter) => (u.signature(getter)?.ret, Some(getter)),
                None => return Ok(None),
            },
            Consumption::EnumerateAsync => match u.methods_named(ty, "GetAsyncEnumerator")?.first() {
                Some(getter) => (u.signature(*getter)?.ret, Some(*getter)),
                None => return Ok(None),
            },
        };
        let (Some(disposable), Some(plain)) = (
            core(u, if is_async { "System.IAsyncDisposable" } else { "System.IDisposable" })?,
            core(u, "System.Collections.IEnumerator")?,
        ) else {
            return Ok(None);
        };
        let (mover, dispose) = match is_async {
            true => (member(u, enumerator, "MoveNextAsync")?, member(u, disposable, "DisposeAsync")?),
            false => (member(u, plain, "MoveNext")?, member(u, disposable, "Dispose")?),
        };
        let (Some(move_next), Some(current), Some(dispose)) =
            (mover, member(u, enumerator, "get_Current")?, dispose)
        else {
            return Ok(None);
        };
        let mut variable = sequence;
        if let Some(getter) = getter {
            variable = made.local(enumerator, Repr::Ref);
            made.ops.push(Op::LdVar(sequence));
            // A token that nobody cancels.
            for &parameter in u.signature(getter)?.params.iter() {
                let none = made.local(parameter, repr_of(u, parameter)?);
                made.ops.push(Op::LdVar(none));
            }
            let getter = made.call(u, getter)?;
            made.ops.extend([Op::CallVirt(getter), Op::StVar(variable)]);
        }
        Ok(Some(Position { variable, move_next, current, dispose, disposable, is_async }))
    }

    /// Leaves on the stack whether there is a next item.
    fn add_move(&self, u: &Universe, made: &mut MadeCode) -> Result<(), Gap> {
        made.ops.push(Op::LdVar(self.variable));
        self.add_call(u, made, self.move_next)
    }

    /// As `foreach` does: what can be disposed of is, also when an exception ends it.
    fn add_end(&self, u: &Universe, made: &mut MadeCode) -> Result<(), Gap> {
        made.ops.extend([Op::LdVar(self.variable), Op::IsInst(self.disposable)]);
        let skip = made.ops.len();
        made.ops.push(Op::BrFalse(0));
        made.ops.push(Op::LdVar(self.variable));
        self.add_call(u, made, self.dispose)?;
        let end = made.ops.len() as u32;
        if let Some(place) = made.ops.get_mut(skip) {
            *place = Op::BrFalse(end);
        }
        made.ops.push(Op::EndFinally);
        Ok(())
    }

    /// Calls a method of the position, and waits for what it promises.
    fn add_call(&self, u: &Universe, made: &mut MadeCode, method: MethodId) -> Result<(), Gap> {
        let call = made.call(u, method)?;
        made.ops.push(Op::CallVirt(call));
        if !self.is_async {
            return Ok(());
        }
        let promise = u.signature(method)?.ret;
        let kept = made.local(promise, repr_of(u, promise)?);
        made.keep_in_memory(kept);
        made.ops.extend([Op::StVarMem(kept), Op::LdVarAddr(kept)]);
        match Waiting::of(u, promise)? {
            Some(waiting) => waiting.add(u, made),
            None => Err(Gap::unsupported_instruction("a promise that nobody can await")),
        }
    }
}

/// `GetAwaiter().GetResult()` of a promise.
struct Waiting {
    get_awaiter: MethodId,
    get_result: MethodId,
    outcome: Option<TypeId>,
}

impl Waiting {
    fn of(u: &Universe, promise: TypeId) -> Result<Option<Waiting>, Gap> {
        let Some(get_awaiter) = member(u, promise, "GetAwaiter")? else { return Ok(None) };
        let Some(get_result) = member(u, u.signature(get_awaiter)?.ret, "GetResult")? else {
            return Ok(None);
        };
        let returned = u.signature(get_result)?.ret;
        let outcome = (u.primitive(returned) != Some(Primitive::Void)).then_some(returned);
        Ok(Some(Waiting { get_awaiter, get_result, outcome }))
    }

    /// The promise, or the address of one that is a value, is on the stack.
    fn add(&self, u: &Universe, made: &mut MadeCode) -> Result<(), Gap> {
        let awaiter = u.signature(self.get_awaiter)?.ret;
        let kept = made.local(awaiter, repr_of(u, awaiter)?);
        made.keep_in_memory(kept);
        let get_awaiter = made.call(u, self.get_awaiter)?;
        let get_result = made.call(u, self.get_result)?;
        made.ops.extend([Op::Call(get_awaiter), Op::StVarMem(kept)]);
        made.ops.extend([Op::LdVarAddr(kept), Op::Call(get_result)]);
        Ok(())
    }
}

fn core(u: &Universe, name: &str) -> Result<Option<TypeId>, Gap> {
    Ok(u.find_type(u.corelib()?, name)?)
}

fn member(u: &Universe, ty: TypeId, name: &str) -> Result<Option<MethodId>, Gap> {
    let found = u.methods_named(ty, name)?;
    let plain = |method: &MethodId| u.signature(*method).is_ok_and(|signature| signature.params.is_empty());
    Ok(found.into_iter().find(plain))
}
