//! Cilantro as a library: from "this assembly, these methods, this much time" to tests, findings and proofs.
//!
//! [`Engine::generate`] starts a [`Run`]. A run is a stream of [`Event`]s while it works, and an [`Outcome`] when it is over:
//! the summary of every method and the test cases, each of them replayed on the real runtime.
//!
//! ```no_run
//! use engine::{Engine, Event, Options};
//!
//! # fn main() -> Result<(), engine::Error> {
//! let engine = Engine::new(Options { max_steps: Some(10_000), ..Options::default() });
//! let mut run = engine.generate("Shop.dll".as_ref())?;
//! for event in &mut run {
//!     if let Event::Explored(method) = event {
//!         println!("{}: {} tests", method.id, method.tests);
//!     }
//! }
//! let outcome = run.finish()?;
//! println!("{} of {} branches", outcome.summary.totals().covered, outcome.summary.totals().branches);
//! # Ok(())
//! # }
//! ```
//!
//! [`Engine::reach`] asks whether some places in the code can be reached, [`Engine::prove`] whether nothing leaves methods
//! that should not; both are runs of the same kind.
//!
//! `examples/library.rs` is a whole program over this interface. The command line uses nothing else.

mod claims;
mod conclusion;
mod dotnet;
mod error;
mod explanation;
mod findings;
mod hierarchy;
pub mod memory;
mod options;
pub mod panics;
mod prove;
mod reach;
mod replayer;
mod results;
mod run;
mod runtimes;
mod sequences;
mod session;
mod subject;
mod type_facts;
mod verification;
mod worker;
mod world;
mod writing;

/// Of every span and event that a run tells (`tracing`); the crates below use the same.
const TARGET: &str = "cilantro";

pub use claims::Claim;
pub use conclusion::Conclusion;
pub use error::Error;
pub use options::Options;
pub use prove::{Kind, ProofRun, Proofs, Rules};
pub use reach::{Location, ReachRun, Reached};
pub use replayer::CaseReplayer;
pub use results::{DEFAULT_SIZE, Keeping, code_of, program};
pub use run::{Engine, Event, ExploredMethod, Outcome, Progress, Run};
pub use runtimes::{Chosen, choose, choose_for_program};
pub use session::threads::spawn;
pub use subject::access::Scope;
pub use subject::entry_points::Shard;
pub use subject::nearest::nearest;
pub use subject::select::Selection;
pub use type_facts::Metadata;
pub use world::{Culture, World};
pub use writing::{Writing, Written};

/// What a run is made of, for whoever puts other parts in: another way to explore or to replay.
pub mod parts {
    pub use crate::results::Contents;
    pub use crate::session::backend::{
        Backend, BugSite, CauseSite, Explored, FoundCase, Opened, Replayed, Replayer, Worker,
    };
    pub use crate::session::gauge::Gauge;
    pub use crate::session::record::{Attempt, Finished, MethodRecord};
    pub use crate::session::run::{Job, Observer, run};
    pub use crate::subject::access::Access;
    pub use crate::subject::entry_points::{Request, Selected, entry_points};
    pub use crate::subject::instruments::{Measured, Taken};
    pub use crate::subject::select::{Selection, select};
    pub use crate::subject::target::{Body, Edge, Goals, Span, Target, Then};
}
