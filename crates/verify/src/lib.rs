//! Compiles written tests with the user's own compiler and runs them in several worlds, before anyone sees them.
//!
//! What a person gets is C#, so C# is what must be true: a test that does not compile, warns, fails, or passes only in
//! some culture, time zone or order, is left out with the reason, and the files that come back compile cleanly. The
//! compiler is the one of the SDK that the user has; it stays up as a service (folder `host`, C#). Test frameworks need
//! not be there: working miniatures of them (folder `standins`) come with us, and the real ones are used where the user's project
//! has restored them.
//!
//! ```no_run
//! use std::{path::Path, sync::atomic::AtomicBool, time::{Duration, Instant}};
//! use verify::{Compiler, Framework, Limits, Outcome, Project, SourceFile, Verifier};
//!
//! # fn example(runtime: replay::Runtime, text: String) -> Result<(), Box<dyn std::error::Error>> {
//! let compiler = Compiler::find(&runtime.muxer)?; // or: there is no SDK, said plainly
//! let mut verifier = Verifier::new(compiler, runtime, Limits::default())?;
//! let mut project = Project::new("Shop.Tests", Framework::XUnit2);
//! project.references.push(Path::new("Shop.dll").to_owned());
//! project.files.push(SourceFile::new("CartTests.cs", text, ["Add_ReturnsTotal", "Add_ThrowsArgumentException"]));
//!
//! let deadline = Instant::now() + Duration::from_secs(30);
//! let report = verifier.verify(&project, deadline, &AtomicBool::new(false));
//! for test in report.tests.iter().filter(|test| test.outcome != Outcome::Holds) {
//!     eprintln!("{} is left out: {}", test.name, test.outcome);
//! }
//! for file in &report.files {
//!     match &file.text {
//!         Some(text) => std::fs::write(&file.path, text)?,
//!         None => {} // no test of it is left
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod blame;
mod cause;
mod compiler;
mod diagnostic;
mod host;
mod lane;
mod limits;
mod needs;
mod outline;
mod pollution;
mod project;
mod references;
mod report;
mod restored;
mod runner;
mod service;
mod standins;
mod verifier;
mod world;

pub use compiler::{COMPILER_VARIABLE, Compiler, NoCompiler};
pub use diagnostic::Diagnostic;
pub use limits::Limits;
pub use project::{Framework, Mocks, Options, Project, Setting, SourceFile};
pub use report::{Against, Cause, Failure, FileReport, How, NotTried, Outcome, Report, TestReport, Timings};
pub use restored::{Restored, RestoredError};
pub use verifier::{Compiled, Verifier};
pub use world::{Order, PLAN, Thread, World};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot prepare the host program in a temporary folder: {0}")]
    Prepare(std::io::Error),
}
