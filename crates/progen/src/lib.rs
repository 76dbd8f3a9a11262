//! Random C# programs, run by the machine and by CoreCLR, compared, and made smaller where the two differ.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use progen::batch::{Flavour, Verdict, compare};
//! use progen::Program;
//!
//! // The same seed gives the same program everywhere.
//! let programs = [Program::generate(7)];
//! assert_eq!(programs[0].text(), Program::generate(7).text());
//! let folder = tempfile::tempdir()?;
//! assert_eq!(compare(&programs, Flavour::of(0), folder.path())?, [Verdict::Same]);
//! # Ok(())
//! # }
//! ```

pub mod batch;
pub mod generate;
pub mod reduce;
pub mod tree;

pub use generate::Program;
