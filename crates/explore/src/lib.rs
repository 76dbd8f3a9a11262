//! The explorer: which states to run next, which guarded successors are feasible, when to stop, and what is known then.
//!
//! A node is a state, its path condition and a model of it. A fork is decided first by the constructors of terms, then
//! in the node's own model, which satisfies exactly one guard; the other guards wait in the frontier, and a solver is asked
//! only when one of them is picked. Nothing is dropped silently: what could not be followed is a reason in the result.

mod condition;
mod decision;
mod explorer;
mod follow;
mod frontier;
pub mod generics;
mod names;
mod outcome;
pub mod places;
mod readable;
mod words;

pub use condition::{Chain, Condition};
pub use decision::{Decision, Settled, Settlement};
pub use explorer::{Explorer, Progress};
pub use frontier::Strategy;
pub use names::InputNames;
pub use outcome::{Exploration, Path, Reached};
pub use words::type_name;
