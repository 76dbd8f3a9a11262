//! Assertions and contracts that fail. A program that asserts in vain is ended by the runtime; whoever explores one method alone sees the end
//! of the process, and not the text and the stack that are written before it.

use crate::table::{Entry, all};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::program::ABORTED;
use vm::state::State;
use vm::stop::{PathEnd, Stop};
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    all("System.Diagnostics.Debug", "Fail", ended),
    all("System.Diagnostics.Debug", "ContractFailure", ended),
    // Contracts that only a rewriter of assemblies could check.
    all("System.Diagnostics.Contracts.Contract", "AssertMustUseRewriter", ended),
    all("System.Diagnostics.TraceInternal", "Fail", ended),
];

pub(crate) fn ended(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Err(Box::new(Stop::End(PathEnd::Exited(ABORTED))))
}
