//! Suspensions of async methods where there is one thread.
//!
//! `await Task.Yield()` hands the rest of a method to the thread pool. That a thread of the pool comes to its end before
//! anybody else goes on is one of the orders that the runtime may choose, and the one that is followed; that no other makes
//! a difference is an assumption.

use crate::table::{Entry, all};
use verdict::Assumption;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const ALONE: &[Entry] =
    &[all("System.Runtime.CompilerServices.YieldAwaitable+YieldAwaiter", "get_IsCompleted", goes_on)];

fn goes_on(m: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    m.assume(Assumption::OneThread, |_| "nobody else runs while an async method yields".to_owned());
    Ok(Some(Value::I32(1)))
}
