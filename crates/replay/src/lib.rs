//! Runs test cases on the real runtime, in a child process with limits, and tells whether they are true.
//!
//! The child is a small C# program (folder `host`), compiled ahead and embedded here: replay needs a .NET runtime
//! but no SDK. Nothing that the code under test does (crash, exit, hang, print) harms the cases after it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::atomic::AtomicBool;
//! use std::time::{Duration, Instant};
//!
//! use replay::{Limits, Replayer, Runtime, SharedFramework};
//!
//! let source = "public static class Sum { public static int Of(int a, int b) => a + b; }";
//! let dll = testkit::compile("Sum", &[("Sum.cs", source)], &testkit::Options::default())?;
//! let case = r#"{ "schema": "cilantro/case@1", "assembly": "Sum.dll", "cases": [ {
//!     "name": "Of_TwoAndForty_ReturnsFortyTwo",
//!     "method": { "id": "Sum::Of(System.Int32,System.Int32)", "type": "Sum", "name": "Of", "token": "0x06000001", "static": true,
//!         "parameters": [ {"name": "a", "type": "System.Int32"}, {"name": "b", "type": "System.Int32"} ], "returns": "System.Int32" },
//!     "arguments": [ {"type": "System.Int32", "value": "2"}, {"type": "System.Int32", "value": "40"} ],
//!     "expect": { "returns": {"type": "System.Int32", "value": "42"} } } ] }"#;
//! let cases = case::CaseFile::from_json(case)?.cases;
//!
//! let toolchain = testkit::Toolchain::locate()?;
//! let version = toolchain.runtime_version().to_owned();
//! let frameworks = vec![SharedFramework { name: "Microsoft.NETCore.App".to_owned(), version }];
//! let runtime = Runtime { muxer: toolchain.dotnet(), frameworks };
//! let mut replayer = Replayer::new(runtime, Limits::default())?;
//! let deadline = Instant::now() + Duration::from_secs(60);
//! let verdicts = replayer.replay(&dll, &cases, deadline, &AtomicBool::new(false));
//! assert!(verdicts.iter().all(|verdict| verdict.is_passed()), "{verdicts:?}");
//! # Ok(())
//! # }
//! ```

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
