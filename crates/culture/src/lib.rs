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
