//! What the runtime did itself in .NET Core 3.1: internal calls that have been CIL since, or that had another form.

pub(crate) mod arrays;
pub(crate) mod attributes;
pub(crate) mod delegates;
pub(crate) mod members;
pub(crate) mod process;
pub(crate) mod threads;
pub(crate) mod types;
pub(crate) mod values;
