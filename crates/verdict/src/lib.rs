//! The words of an answer, shared by everyone who gives, keeps or prints one: why it is not the whole answer ([`Reason`],
//! [`Gap`]), what it takes for granted ([`Assumption`]), what an exception is worth ([`FindingKind`]), which line is meant
//! ([`SourceLine`]) and what it all took ([`Stats`]).
//!
//! ```
//! use verdict::{Gap, Reason};
//!
//! let gap = Gap::native_call("System.GC::Collect(): there is no model of it");
//! assert_eq!(gap.reason, Reason::NativeCall);
//! assert_eq!(gap.reason.name(), "native call");
//! ```

mod assumption;
mod explanation;
mod finding;
mod gap;
mod reason;
mod source;
mod stats;

pub use assumption::{Assumption, Assumptions};
pub use explanation::Explanation;
pub use finding::FindingKind;
pub use gap::Gap;
pub use reason::Reason;
pub use source::{Columns, NoSourceLine, SourceLine};
pub use stats::Stats;
