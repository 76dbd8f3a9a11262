//! The console, files and folders: as the system's calls see them.

pub(crate) mod changes;
pub(crate) mod console;
pub(crate) mod files;
pub(crate) mod folders;
