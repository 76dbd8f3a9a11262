//! The explorer: which states to run next, which guarded successors are feasible, when to stop, and what is known then.
//!
//! A node is a state, its path condition and a model of it. A fork is decided first by the constructors of terms, then
//! in the node's own model, which satisfies exactly one guard; the other guards wait in the frontier, and a solver is asked
//! only when one of them is picked. Nothing is dropped silently: what could not be followed is a reason in the result.

mod condition;
mod explorer;
mod follow;
mod frontier;
pub mod generics;
mod outcome;
mod parts;
mod readable;

pub use explorer::{Explorer, Progress};
pub use frontier::Strategy;
pub use outcome::{Exploration, Path, Wanted};
pub use parts::{Part, is_made, parts_of};
