//! What Mono's runtime does for its class library: its internal calls.
//!
//! Objects are laid out as everywhere in the machine; Mono's library does not look under its types. Handles of types,
//! methods and fields are the machine's own.

mod arrays;
mod assemblies;
mod attributes;
mod delegates;
mod domain;
mod exceptions;
mod files;
mod globalization;
mod lists;
mod members;
mod methods;
mod process;
mod properties;
mod threads;
mod types;
mod values;

use super::Entry;

pub(super) const TABLES: &[&[Entry]] =
    &[arrays::TABLE, delegates::TABLE, globalization::TABLE, types::TABLE, values::TABLE];

/// For whole programs only.
pub(super) const PROGRAMS: &[&[Entry]] = &[
    assemblies::TABLE,
    attributes::TABLE,
    domain::TABLE,
    exceptions::TABLE,
    files::TABLE,
    lists::TABLE,
    members::TABLE,
    methods::TABLE,
    properties::TABLE,
    process::TABLE,
    threads::TABLE,
];

/// Methods that have a model for other runtimes, but are ordinary code in this library.
pub(super) const OWN_CODE: &[(&str, &str)] = &[
    ("System.ValueType", "Equals"),
    ("System.Exception", "GetStackTrace"),
    ("System.Globalization.GlobalizationMode", "GetGlobalizationInvariantMode"),
    ("System.Threading.TimerQueue", "SetTimer"),
    ("System.RuntimeType", "GetUnderlyingNativeHandle"),
    ("System.Reflection.Assembly", "GetEntryAssembly"),
    ("System.Activator", "CreateInstance"),
];
