//! The CIL machine: interprets method bodies over concrete and symbolic values.
//!
//! [`Machine::run`] advances a [`State`] until the next step depends on a symbolic value, and then returns the guarded
//! successors ([`Stop::Fork`]). The machine never asks a solver which of them are feasible and never chooses what to
//! explore. Code that touches no symbolic value runs on inline numbers and byte buffers alone.

mod ambient;
pub mod arranging;
mod assumptions;
mod attached;
pub mod binding;
pub mod bytes;
mod cause;
pub mod cells;
pub mod code;
pub mod collect;
mod concrete_step;
mod consumption;
pub mod coverage;
pub mod decode;
mod deferred_text;
pub mod diagram;
pub mod effects;
mod flavor;
pub mod flow;
mod follow;
pub mod generalise;
pub mod heap;
pub mod host;
pub mod inputs;
pub mod machine;
mod made_code;
pub mod mode;
pub mod models;
mod objects;
pub mod ops;
pub mod program;
pub mod ranges;
mod shared_memory;
pub mod state;
mod statics;
pub mod stop;
pub mod threads;
mod touched_statics;
mod trampoline;
pub mod value;

pub use attached::Attached;
pub use cause::{Cause, Thrower};
pub use consumption::{Consumed, Consumption, MOST_ITEMS};
pub use coverage::{BitSet, Coverage};
pub use flavor::Flavor;
pub use host::Host;
pub use inputs::mocks::Mocks;
pub use inputs::{Input, Inputs};
pub use machine::{Config, Machine};
pub use made_code::MadeCode;
pub use mode::Mode;
pub use models::Library;
pub use objects::Source;
pub use state::{Frame, State};
pub use stop::{Action, Choice, PathEnd, Place, RuntimeException, Stop};
pub use touched_statics::TouchedStatic;
pub use value::{Repr, Value};
