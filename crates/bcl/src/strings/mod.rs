//! Strings and characters. Most models here are terms over all characters in the place of a loop, for exploration only.

pub(crate) mod allocation;
pub(crate) mod casing;
pub(crate) mod characters;
pub(crate) mod comparison;
pub(crate) mod composite_format;
pub(crate) mod hash_tables;
pub(crate) mod hashing;
pub(crate) mod interpolation;
pub(crate) mod opaque;
pub(crate) mod search;
