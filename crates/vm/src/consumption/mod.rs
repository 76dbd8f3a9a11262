//! What a caller does with a result that is not the end of the work: it awaits a task, it enumerates a sequence.
//!
//! The code of async methods and iterators runs when somebody asks for what they promised. So when the method under test has
//! returned such a promise, made-up code takes its place at the base of the stack and asks; what comes of it is the outcome
//! of the path.

mod made;

use std::rc::Rc;

use types::{MethodId, TypeId};
use verdict::Gap;

use crate::code::Code;
use crate::machine::{Flow, Machine, Step};
use crate::state::{Frame, OnReturn, State};
use crate::stop::{PathEnd, Place, Stop};
use crate::value::Value;

/// Items that are taken of a sequence: one that goes on is left after so many.
pub const MOST_ITEMS: u32 = 16;

/// How what a method hands out is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumption {
    /// `await`, which is `GetAwaiter().GetResult()` for one who has nothing else to do.
    Await,
    /// Items go to a list, at most [`MOST_ITEMS`].
    Enumerate,
    /// The same for items that are awaited one by one.
    EnumerateAsync,
    /// The same for a position in a sequence, which is moved to the end.
    Advance,
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
                made::awaiting(&universe, method, ty)?
            }
            ("System.Collections.Generic" | "System.Collections", name) => {
                let how = match name {
                    "IEnumerable`1" | "IEnumerable" => Consumption::Enumerate,
                    "IEnumerator`1" | "IEnumerator" => Consumption::Advance,
                    "IAsyncEnumerable`1" => Consumption::EnumerateAsync,
                    _ => return Ok(None),
                };
                let item = match *universe.type_args(ty) {
                    [item] => item,
                    _ => universe.well_known()?.object,
                };
                made::collecting(&universe, method, ty, item, how)?
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
        let is_counted = self.consumed().is_some_and(|consumed| consumed.how != Consumption::Await);
        let counter = self.frames().last().and_then(|base| base.vars.get(made::COUNTER as usize));
        is_counted && matches!(counter, Some(Value::I32(count)) if *count >= MOST_ITEMS as i32)
    }

    /// Remembers where an exception was first thrown: a task keeps it and throws it again where it is awaited.
    pub(crate) fn note_thrown(&mut self, exception: u64, is_thrown_by_code: bool) {
        if self.path.thrown.is_none_or(|(known, _)| known != exception) {
            self.path.thrown = Some((exception, self.own_place()));
            self.path.cause = self.cause_of(exception, is_thrown_by_code);
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
        let mut own: Option<&Frame> = None;
        // From the top down: the last one is the nearest to the base.
        for frame in self.frames().filter(|frame| frame.code.goals.is_some()) {
            let is_around =
                own.is_some_and(|inner| inner.code.is_state_machine && is_same_class(inner, frame));
            if frame.place().method != base.method && !is_around {
                own = Some(frame);
            }
        }
        match own {
            Some(frame) if is_used || frame.code.is_state_machine => frame.place(),
            _ => base,
        }
    }
}

/// The compiler makes further methods around the body of an asynchronous iterator.
fn is_same_class(one: &Frame, other: &Frame) -> bool {
    let class = |frame: &Frame| frame.code.name.split("::").next().map(str::to_owned);
    class(one) == class(other)
}
