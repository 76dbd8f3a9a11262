//! Tries to refute what the engine claims: that a branch is unreachable, that no other exception leaves a method.
//!
//! A program on the real runtime (folder `host`) calls the methods with inputs of its own making: boundary values and the
//! constants of the code, objects by public constructors and members, subclasses and callbacks that answer anything, arguments
//! that are the same or overlap, cultures, changed static state. It shares no code with the engine or with replay. An
//! instrumented copy of the assembly records whether it came to a branch that was called unreachable.
//!
//! ```no_run
//! use std::{path::Path, time::Duration};
//! use attack::{Attack, Exploring, claims_of};
//!
//! # fn main() -> anyhow::Result<()> {
//! let library = Path::new("Shop.dll");
//! let claims = claims_of(library, Exploring { steps: 3_000, time: Duration::from_secs(60) })?;
//! let report = Attack { library, claims: &claims, seed: 1, time: Duration::from_secs(10) }.run()?;
//! for broken in &report.broken {
//!     println!("{}: {}", broken.method, broken.what);
//! }
//! # Ok(())
//! # }
//! ```

mod claims;
mod host;
mod libraries;

pub use claims::{Exploring, claims_of};
pub use host::{Attack, Broken, Report};
pub use libraries::{Library, fixtures, third_party};
