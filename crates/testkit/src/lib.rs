//! What tests need from the outside world: the .NET toolchain, C# compiled on demand, programs run on CoreCLR.
//!
//! `cargo xtask setup` provisions the toolchain into a cache folder; this crate only finds it there.
//! Compiled assemblies are kept in the same cache by the hash of everything that went into them, so a
//! test suite compiles each source once, however many processes ask for it at the same time.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let source = "System.Console.WriteLine(args.Length + 40);";
//! let options = testkit::Options { target: testkit::Target::Exe, ..Default::default() };
//! let program = testkit::compile("Counter", &[("Counter.cs", source)], &options)?;
//! let finished = testkit::run_dotnet(&program, &["one", "two"])?;
//! assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "42\n"));
//! # Ok(())
//! # }
//! ```

mod cache;
mod compile;
mod error;
mod expectations;
mod icu;
mod programs;
mod required;
mod run;
mod toolchain;

pub use cache::{Lock, cache_dir, hex_digest};
pub use compile::{
    Assembly, Debug, Framework, Options, Source, Target, compile, compile_all, compile_each, compiled,
    csharp_files,
};
pub use error::Error;
pub use expectations::{Expectation, expectations};
pub use icu::icu;
pub use programs::{
    FailingList, Observed, Program, compare, observe, observe_anew, program_files, program_names, programs,
    world,
};
pub use required::{
    REQUIRE_ALL, SKIPPED, WITHOUT_ICU, found_or_skip, icu_or_skip, leaves_out_icu, requires_all,
};
pub use run::{Finished, run, run_dotnet};
pub use toolchain::{COMPILER_SOURCE, Layout, Mono, Toolchain, newest_framework, versions};
