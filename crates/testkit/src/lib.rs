//! What tests need from the outside world: the .NET toolchain, C# compiled on demand, programs run on CoreCLR.
//!
//! `cargo xtask setup` provisions the toolchain into a cache folder; this crate only finds it there.
//! Compiled assemblies are kept in the same cache by the hash of everything that went into them, so a
//! test suite compiles each source once, however many processes ask for it at the same time.

mod cache;
mod compile;
mod error;
mod expectations;
mod run;
mod toolchain;

pub use cache::{Lock, cache_dir, hex_digest};
pub use compile::{
    Assembly, Debug, Framework, Options, Source, Target, compile, compile_all, compile_each, csharp_files,
};
pub use error::Error;
pub use expectations::{Expectation, expectations};
pub use run::{Finished, run, run_dotnet};
pub use toolchain::{COMPILER_SOURCE, Layout, Mono, Toolchain, newest_framework, versions};
