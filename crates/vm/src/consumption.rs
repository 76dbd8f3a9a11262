//! What a caller does with a result that is not the end of the work: it awaits a task, it enumerates a sequence.
//!
//! The code of async methods and iterators runs when somebody asks for what they promised. So when the method under test has
//! returned such a promise, made-up code takes its place at the base of the stack and asks; what comes of it is the outcome
//! of the path.

use std::rc::Rc;

use types::{MethodId, TypeId, Universe};
use verdict::Gap;

use crate::code::{Arith, Clause, ClauseKind, Cmp, Code, Op};
use crate::decode::repr_of;
use crate::machine::{Flow, Machine, Step};
use crate::made_code::MadeCode;
use crate::state::{OnReturn, State};
use crate::stop::{PathEnd, Place, Stop};
use crate::value::{Repr, Value};

/// Items that are taken of a sequence: one that goes on is left after so many.
pub const MOST_ITEMS: u32 = 16;
/// The variable of the code below that counts the items.
const COUNTER: u32 = 3;

/// How what a method hands out is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumption {
    /// `await`, which is `GetAwaiter().GetResult()` for one who has nothing else to do.
    Await,
    /// Items go to a list, at most [`MOST_ITEMS`].
    Enumerate,
}

/// What made-up code at the base of the stack is for.
#[derive(Clone, Copy, Debug)]
pub struct Consumed {
    pub how: Consumption,
    /// The type of what comes of it; nothing may come of it.
    pub outcome: Option<TypeId>,
}

impl Machine {
    /// The code that uses what a method returns, if it returns a promise.
    pub(crate) fn consumer(&mut self, method: MethodId) -> Result<Option<Rc<Code>>, Gap> {
        let universe = Rc::clone(&self.universe);
        let ty = universe.signature(method)?.ret;
        let Some(info) = universe.def_info(ty) else { return Ok(None) };
        if !info.in_core {
            return Ok(None);
        }
        let made = match (&*info.namespace, &*info.name) {
            ("System.Threading.Tasks", "Task" | "Task`1" | "ValueTask" | "ValueTask`1") => {
                awaiting(&universe, method, ty)?
            }
            ("System.Collections.Generic", "IEnumerable`1") => {
                let [item] = *universe.type_args(ty) else { return Ok(None) };
                enumerating(&universe, method, ty, item)?
            }
            ("System.Collections", "IEnumerable") => {
                let object = universe.well_known()?.object;
                enumerating(&universe, method, ty, object)?
            }
            _ => None,
        };
        Ok(made.map(Rc::new))
    }

    /// How a promise that the method under test returns is used.
    pub fn consumption(&self) -> Option<Consumption> {
        self.consumer.as_ref()?.consumed.map(|consumed| consumed.how)
    }

    /// The method under test has returned: either that is all, or what it returned is used now.
    pub(crate) fn path_returned(&mut self, s: &mut State, value: Option<Value>) -> Step {
        let over = |value| Err(Box::new(Stop::End(PathEnd::Returned(value))));
        let Some(consumer) = self.consumer.clone() else { return over(value) };
        let is_tested = s.top.code.method == consumer.method && s.top.code.consumed.is_none();
        match value {
            Some(value) if is_tested && self.is_promise(s, &consumer, &value)? => {
                s.free_variables();
                s.top = self.frame(s, consumer, vec![value], OnReturn::EndPath)?;
                Ok(Flow::Reload)
            }
            value => over(value),
        }
    }

    /// An object of a class that callers can name is a result in itself; a sequence of another one is only what is in it.
    fn is_promise(&mut self, s: &State, consumer: &Code, value: &Value) -> Step<bool> {
        let how = consumer.consumed.map(|consumed| consumed.how);
        match *value {
            Value::I64(0) => Ok(false),
            Value::I64(_) if how == Some(Consumption::Await) => Ok(true),
            Value::I64(address) => {
                let ty = self.object_type(s, address.cast_unsigned())?;
                Ok(self.universe.def_info(ty).is_some() && !self.universe.is_visible(ty))
            }
            Value::Struct(_) => Ok(true),
            _ => Ok(false),
        }
    }
}

impl State {
    /// The use of what the method under test returned, if it has come to that.
    pub fn consumed(&self) -> Option<Consumed> {
        self.frames().last()?.code.consumed
    }

    /// Whether a sequence was left before its end.
    pub fn left_early(&self) -> bool {
        let is_counted = self.consumed().is_some_and(|consumed| consumed.how == Consumption::Enumerate);
        let counter = self.frames().last().and_then(|base| base.vars.get(COUNTER as usize));
        is_counted && matches!(counter, Some(Value::I32(count)) if *count >= MOST_ITEMS as i32)
    }

    /// Remembers where an exception was first thrown: a task keeps it and throws it again where it is awaited.
    pub(crate) fn note_thrown(&mut self, exception: u64) {
        if self.path.thrown.is_none_or(|(known, _)| known != exception) {
            self.path.thrown = Some((exception, self.own_place()));
        }
    }

    /// Where an exception leaves the method under test, or a part of it that runs later.
    pub(crate) fn thrown_place(&self, exception: u64) -> Place {
        let base = self.base_place();
        match self.path.thrown {
            Some((known, place)) if known == exception && place.method != base.method => place,
            _ => base,
        }
    }

    /// Where the code of the method under test stands: in its state machine, if that is all its own body starts, and in
    /// what it handed out, once that is used.
    fn own_place(&self) -> Place {
        let base = self.base_place();
        let is_used = self.consumed().is_some();
        let mut own = None;
        // From the top down: the last one is the nearest to the base.
        for frame in self.frames().filter(|frame| frame.code.goals.is_some()) {
            let place = frame.place();
            if place.method != base.method {
                own = Some((place, frame.code.is_state_machine));
            }
        }
        match own {
            Some((place, is_state_machine)) if is_used || is_state_machine => place,
            _ => base,
        }
    }
}

fn member(u: &Universe, ty: TypeId, name: &str) -> Result<Option<MethodId>, Gap> {
    let found = u.methods_named(ty, name)?;
    let plain = |method: &MethodId| u.signature(*method).is_ok_and(|signature| signature.params.is_empty());
    Ok(found.into_iter().find(plain))
}

fn awaiting(u: &Universe, method: MethodId, ty: TypeId) -> Result<Option<Code>, Gap> {
    let Some(get_awaiter) = member(u, ty, "GetAwaiter")? else { return Ok(None) };
    let awaiter = u.signature(get_awaiter)?.ret;
    let Some(get_result) = member(u, awaiter, "GetResult")? else { return Ok(None) };
    let returned = u.signature(get_result)?.ret;
    let is_void = u.primitive(returned) == Some(types::Primitive::Void);
    let outcome = (!is_void).then_some(returned);
    let returns = outcome.map(|ty| repr_of(u, ty)).transpose()?;
    let mut made = MadeCode::new(u, method, returns).consuming(Consumption::Await, outcome);
    let task = made.argument(ty, repr_of(u, ty)?);
    let waiting = made.local(awaiter, repr_of(u, awaiter)?);
    made.keep_in_memory(waiting);
    let load = if u.is_value_type(ty) {
        made.keep_in_memory(task);
        Op::LdVarAddr(task)
    } else {
        Op::LdVar(task)
    };
    let get_awaiter = made.call(u, get_awaiter)?;
    let get_result = made.call(u, get_result)?;
    made.ops.extend([load, Op::Call(get_awaiter), Op::StVarMem(waiting)]);
    made.ops.extend([Op::LdVarAddr(waiting), Op::Call(get_result), Op::Ret]);
    Ok(Some(made.finish()))
}

fn enumerating(u: &Universe, method: MethodId, ty: TypeId, item: TypeId) -> Result<Option<Code>, Gap> {
    let corelib = u.corelib()?;
    let core = |name: &str| u.find_type(corelib, name);
    let (Some(list), Some(plain), Some(disposable)) = (
        core("System.Collections.Generic.List`1")?,
        core("System.Collections.IEnumerator")?,
        core("System.IDisposable")?,
    ) else {
        return Ok(None);
    };
    let list = u.make_instance(list, &[item])?;
    let Some(get_enumerator) = member(u, ty, "GetEnumerator")? else { return Ok(None) };
    let enumerator = u.signature(get_enumerator)?.ret;
    let (Some(new_list), Some(add), Some(move_next), Some(current), Some(dispose)) = (
        member(u, list, ".ctor")?,
        u.methods_named(list, "Add")?.first().copied(),
        member(u, plain, "MoveNext")?,
        member(u, enumerator, "get_Current")?,
        member(u, disposable, "Dispose")?,
    ) else {
        return Ok(None);
    };
    let mut made = MadeCode::new(u, method, Some(Repr::Ref)).consuming(Consumption::Enumerate, Some(list));
    let sequence = made.argument(ty, Repr::Ref);
    let items = made.local(list, Repr::Ref);
    let position = made.local(enumerator, Repr::Ref);
    let count = made.local(u.well_known()?.int32, Repr::I4);
    let new_list = made.call(u, new_list)?;
    let get_enumerator = made.call(u, get_enumerator)?;
    let move_next = made.call(u, move_next)?;
    let current = made.call(u, current)?;
    let add = made.call(u, add)?;
    let dispose = made.call(u, dispose)?;
    made.ops.extend([Op::LdI4(0), Op::StVar(count), Op::NewObj(new_list), Op::StVar(items)]);
    made.ops.extend([Op::LdVar(sequence), Op::CallVirt(get_enumerator), Op::StVar(position)]);
    const LOOP: u32 = 7;
    const LEAVE: u32 = 22;
    const FINALLY: u32 = 23;
    const END: u32 = 29;
    made.ops.extend([Op::LdVar(count), Op::LdI4(MOST_ITEMS as i32), Op::BrCmp(Cmp::Ge, LEAVE)]);
    made.ops.extend([Op::LdVar(position), Op::CallVirt(move_next), Op::BrFalse(LEAVE)]);
    made.ops.extend([Op::LdVar(items), Op::LdVar(position), Op::CallVirt(current), Op::Call(add)]);
    made.ops.extend([Op::LdVar(count), Op::LdI4(1), Op::Arith(Arith::Add), Op::StVar(count), Op::Br(LOOP)]);
    made.ops.push(Op::Leave(END));
    // As `foreach` does: what can be disposed of is, also when an exception ends it.
    made.ops.extend([Op::LdVar(position), Op::IsInst(disposable), Op::BrFalse(FINALLY + 5)]);
    made.ops.extend([Op::LdVar(position), Op::CallVirt(dispose), Op::EndFinally]);
    made.ops.extend([Op::LdVar(items), Op::Ret]);
    made.clause(Clause {
        try_start: LOOP,
        try_end: FINALLY,
        handler_start: FINALLY,
        handler_end: END,
        kind: ClauseKind::Finally,
    });
    Ok(Some(made.finish()))
}
