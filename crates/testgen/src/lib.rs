//! Paths as test cases: [`case_of`] writes a path down with the values of its model, and [`minimize`] chooses the fewest cases
//! that keep what all of them show.

mod from_path;
mod minimize;

pub use from_path::{EndedPath, case_of, method_ref};
pub use minimize::{Merits, minimize};
