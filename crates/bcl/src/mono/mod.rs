//! What Mono's runtime does for its class library: its internal calls.
//!
//! Objects are laid out as everywhere in the machine; Mono's library does not look under its types. Handles of types,
//! methods and fields are the machine's own.

pub(crate) mod arrays;
pub(crate) mod assemblies;
pub(crate) mod attributes;
pub(crate) mod delegates;
pub(crate) mod domain;
pub(crate) mod exceptions;
pub(crate) mod files;
pub(crate) mod globalization;
pub(crate) mod lists;
pub(crate) mod members;
pub(crate) mod methods;
pub(crate) mod process;
pub(crate) mod properties;
pub(crate) mod threads;
pub(crate) mod types;
pub(crate) mod values;

use crate::table::{Entry, own_code};

/// Methods that have a model for other runtimes, but are ordinary code in this library.
pub(crate) const OWN_CODE: &[Entry] = &[
    own_code("System.ValueType", "Equals"),
    own_code("System.Globalization.GlobalizationMode", "GetGlobalizationInvariantMode"),
    own_code("System.Activator", "CreateInstance"),
];
