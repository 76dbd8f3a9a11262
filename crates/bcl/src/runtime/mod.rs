//! The runtime's own services: feature tests, settings, the garbage collector, debugging.

pub(crate) mod app_context;
pub(crate) mod diagnostics;
pub(crate) mod features;
pub(crate) mod gc;
pub(crate) mod settings;
