//! Runs test cases on the real runtime, in a child process with limits, and tells whether they are true.
//!
//! The child is a small C# program (folder `host`), compiled ahead and embedded here: replay needs a .NET runtime
//! but no SDK. Nothing that the code under test does (crash, exit, hang, print) harms the cases after it.

mod child;
mod compare;
mod host;
mod limits;
mod measured;
mod process_group;
mod replayer;
pub mod runtime;

pub use child::{HostProcess, Lost};
pub use compare::differs;
pub use limits::Limits;
pub use measured::{Hits, Probes};
pub use replayer::{Replayer, Verdict};
pub use runtime::{Runtime, SharedFramework};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot prepare the replay host in a temporary folder: {0}")]
    Prepare(std::io::Error),
}
