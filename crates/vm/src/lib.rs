//! The CIL machine: interprets method bodies over concrete and symbolic values.
//!
//! [`Machine::run`] advances a [`State`] until the next step depends on a symbolic value, and then returns the guarded
//! successors ([`Stop::Fork`]). The machine never asks a solver which of them are feasible and never chooses what to
//! explore. Code that touches no symbolic value runs on inline numbers and byte buffers alone.

mod again;
pub mod bytes;
pub mod cells;
pub mod code;
mod collect;
mod coverage;
mod decode;
mod deferred;
pub mod effects;
mod fast;
mod framework;
pub mod heap;
pub mod host;
pub mod inputs;
mod machine;
mod models;
mod mono_ending;
mod ops;
mod outside;
pub mod program;
mod state;
mod statics;
mod stop;
mod threads;
mod trampoline;
mod value;

pub use coverage::{BitSet, Coverage};
pub use decode::compilers_branches;
pub use framework::Framework;
pub use host::Host;
pub use inputs::mocks::Mocks;
pub use inputs::{Input, Inputs};
pub use machine::{Config, Machine};
pub use state::{Frame, State};
pub use stop::{Action, Choice, PathEnd, Place, Reason, RuntimeException, Stop};
pub use value::{Repr, Value};
