//! Which runtime is asked, and in which surroundings.

use std::path::PathBuf;

/// The user's runtime as the program under test would be started on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runtime {
    /// The `dotnet` executable.
    pub muxer: PathBuf,
    /// The frameworks in exactly these versions; the core one is enough.
    pub frameworks: Vec<Framework>,
    /// Properties of the application's `runtimeconfig.json` that choose its ICU, such as `System.Globalization.AppLocalIcu`.
    pub properties: Vec<(String, serde_json::Value)>,
    /// Variables that differ from our own environment, such as `LC_ALL`, which decides the default locale; none: unset.
    pub environment: Vec<(String, Option<String>)>,
}

impl Runtime {
    /// Runtimes before .NET 5 know the versions of ICU of their time only.
    pub(crate) fn takes_any_icu(&self) -> bool {
        let major = |framework: &Framework| framework.version.split('.').next()?.parse::<u32>().ok();
        self.frameworks.iter().filter_map(major).all(|major| major >= 5)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framework {
    /// Such as `Microsoft.NETCore.App`.
    pub name: String,
    pub version: String,
}
