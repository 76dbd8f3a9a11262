//! Delegates: over several methods, and made at run time.

pub(crate) mod binding;
pub(crate) mod multicast;
pub(crate) mod thunks;
