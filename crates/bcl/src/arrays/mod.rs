//! Arrays made at run time, and arrays of any rank as native code sees them.

pub(crate) mod creation;
pub(crate) mod shape;
pub(crate) mod sorting;
