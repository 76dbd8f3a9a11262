//! What the user's own runtime says about cultures: the answers of its native globalization part, from a process that
//! runs on it.
//!
//! The class library asks its native part (`Interop.Globalization`) how texts compare, how letters change their case,
//! what a month is called. Which answer is right depends on the user's ICU, its version and its data; a library of our
//! own would be a second truth. So a small C# program (folder `host`), compiled ahead and embedded here, is started on
//! the user's `dotnet` when the first question comes, and calls the very functions that the class library would call.
//! Answers are kept; a process that dies is started again and asked again.
//!
//! [`Globalization`] has one function for each native entry, with the same numbers and texts in and out. What writes into
//! a caller's buffer takes its capacity, since what is returned may depend on it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use culture::{Framework, Globalization, Limits, Runtime};
//!
//! let dotnet = testkit::Toolchain::locate()?;
//! let core = Framework { name: "Microsoft.NETCore.App".into(), version: dotnet.runtime_version().into() };
//! let runtime = Runtime { muxer: dotnet.dotnet(), frameworks: vec![core], ..Runtime::default() };
//! let globalization = Globalization::new(runtime, Limits::default());
//!
//! let text = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
//! // A dictionary has `a` before `B`; their numbers are the other way round.
//! assert!(globalization.compare_string("fr-FR", &text("a"), &text("B"), 0)? < 0);
//! # Ok(())
//! # }
//! ```

mod answer;
mod cache;
mod calendars;
mod casing;
mod collation;
mod entry;
mod error;
mod globalization;
mod host;
mod installed;
mod limits;
mod locales;
mod normalization;
mod order;
mod process;
mod question;
mod runtime;
mod zones;

pub use answer::{Found, Written};
pub use casing::{CaseMaps, Casing};
pub use entry::Entry;
pub use error::Error;
pub use globalization::{Counters, Globalization};
pub use installed::is_installed;
pub use limits::Limits;
pub use order::AsciiOrder;
pub use process::Greeting;
pub use runtime::{Framework, Runtime};
