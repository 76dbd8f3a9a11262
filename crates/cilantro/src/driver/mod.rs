//! The library façade: from "this assembly, these methods, this much time" to a summary and a set of test cases.
//!
//! The driver knows how to share time, run workers, replay, and merge in a fixed order. How a method is explored and
//! how a test is replayed is behind [`Backend`], so both can be exchanged.

mod backend;
mod budget;
mod inputs;
mod merge;
mod nearest;
mod queue;
mod record;
mod select;
mod session;
mod suite;
mod target;
mod threads;

pub use backend::{Backend, BugSite, Engine, Exploration, FoundCase, Opened, Replayed, Replayer};
pub use budget::{Budget, Clock, Gauge, Signals, Stop};
pub use merge::Conclusion;
pub use record::{Attempt, Finished, MethodRecord};
pub use select::{Selection, select};
pub use session::{Job, Observer, run};
pub use target::{Edge, Shape, Span, Target};
pub(crate) use threads::spawn;
