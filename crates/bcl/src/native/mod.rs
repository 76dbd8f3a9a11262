//! Native libraries that the class library brings along: hash functions and compression.

pub(crate) mod compression;
pub(crate) mod hashes;
