//! The embedded host program, written to a temporary folder together with its runtime configuration.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::json;
use tempfile::TempDir;

use crate::Runtime;

/// Compiled from `host/*.cs`; a test compares it with its source.
const ASSEMBLY: &[u8] = include_bytes!("../host/cilantro-replay-host.dll");
/// The same for Mono's class library: compiled with `host/mono/*.cs` as well.
const FOR_MONO: &[u8] = include_bytes!("../host/mono/cilantro-replay-host.exe");

pub struct HostFiles {
    folder: TempDir,
    for_mono: bool,
}

impl HostFiles {
    pub fn write(runtime: &Runtime, invariant: bool) -> io::Result<HostFiles> {
        let folder = tempfile::Builder::new().prefix("cilantro-replay-").tempdir()?;
        let files = HostFiles { folder, for_mono: runtime.is_mono() };
        if files.for_mono {
            fs::write(files.assembly(), FOR_MONO)?;
            return Ok(files);
        }
        fs::write(files.assembly(), ASSEMBLY)?;
        fs::write(files.config(), runtime_config(runtime, invariant))?;
        Ok(files)
    }

    pub fn assembly(&self) -> PathBuf {
        let extension = if self.for_mono { "exe" } else { "dll" };
        self.folder().join("cilantro-replay-host").with_extension(extension)
    }

    pub fn config(&self) -> PathBuf {
        self.folder().join("cilantro-replay-host.runtimeconfig.json")
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// The very frameworks that were chosen for the assembly under test, in exactly these versions.
fn runtime_config(runtime: &Runtime, invariant: bool) -> String {
    let frameworks: Vec<_> =
        runtime.frameworks.iter().map(|f| json!({"name": f.name, "version": f.version})).collect();
    let config = json!({"runtimeOptions": {
        "rollForward": "Disable",
        "frameworks": frameworks,
        "configProperties": {
            "System.Globalization.Invariant": invariant,
            "System.GC.Server": false,
            "System.GC.Concurrent": false,
            "System.Runtime.TieredPGO": false,
        },
    }});
    config.to_string()
}
