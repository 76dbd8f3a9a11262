//! Paths as test cases: [`case_of`] writes a path down with the values of its model, and [`minimize`] chooses the fewest cases
//! that keep what all of them show.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use testgen::{Merits, minimize};
//!
//! let case = |edges: &[u32], bug: Option<&'static str>, cost| Merits {
//!     edges: edges.iter().copied().collect::<BTreeSet<_>>(),
//!     bug,
//!     cost,
//! };
//! let cases = [case(&[1], None, 1), case(&[1, 2], None, 9), case(&[2], Some("by zero"), 1), case(&[1, 2], None, 3)];
//! // The last one has both edges and is easier to read than the second; the bug needs its own.
//! assert_eq!(minimize(&cases), [2, 3]);
//! ```

mod from_path;
mod minimize;

pub use from_path::{CallsOf, EndedPath, Prepared, case_of, case_with_sequences, method_ref};
pub use minimize::{Merits, minimize};
