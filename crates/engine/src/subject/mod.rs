//! The assembly under test: its methods, what there is to cover in each, and which of them are asked for.

pub mod access;
pub mod catalog;
pub mod entry_points;
pub mod exclusion;
pub mod goals;
pub mod instruments;
pub mod nearest;
pub mod select;
pub mod sources;
pub mod target;
