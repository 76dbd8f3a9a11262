//! What the runtime did itself in .NET Core 3.1: internal calls that have been CIL since, or that had another form.

mod arrays;
mod attributes;
mod delegates;
mod members;
mod process;
pub(super) mod threads;
mod types;
pub(super) mod values;

use super::Entry;

pub(super) use process::native_message;

/// Exact for symbolic states too.
pub(super) const TABLES: &[&[Entry]] = &[arrays::TABLE, types::TABLE, values::TABLE];

/// For whole programs only.
pub(super) const PROGRAMS: &[&[Entry]] =
    &[attributes::TABLE, delegates::TABLE, members::TABLE, process::TABLE, threads::TABLE];
