//! The embedded host program, written to a temporary folder together with its runtime configuration.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::{
    Runtime,
    limits::{HEAP_BYTES, MAX_LAST_WORDS},
};

/// Compiled from `host/*.cs`; a test compares it with its source.
const ASSEMBLY: &[u8] = include_bytes!("../host/cilantro-culture-host.dll");

/// Variables that would make another world of it: invariant mode above all.
const UNWANTED: [&str; 6] = [
    "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT",
    "DOTNET_STARTUP_HOOKS",
    "DOTNET_ROOT",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_ROLL_FORWARD",
    "DOTNET_ROLL_FORWARD_TO_PRERELEASE",
];

pub struct HostFiles {
    folder: TempDir,
}

impl HostFiles {
    pub fn write(runtime: &Runtime) -> io::Result<HostFiles> {
        let files = HostFiles { folder: tempfile::Builder::new().prefix("cilantro-culture-").tempdir()? };
        fs::write(files.assembly(), ASSEMBLY)?;
        fs::write(files.config(), runtime_config(runtime))?;
        Ok(files)
    }

    /// The command that starts the host; its messages go into a file.
    pub fn command(&self, runtime: &Runtime) -> io::Result<Command> {
        let mut command = Command::new(&runtime.muxer);
        command.arg("exec").arg("--runtimeconfig").arg(self.config()).arg(self.assembly());
        command.current_dir(self.folder());
        set_environment(&mut command, runtime);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(self.messages())?);
        // Ctrl-C at the terminal is for us; the host ends when we do.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(command)
    }

    /// What the process wrote to its standard error.
    pub fn last_words(&self) -> String {
        let mut words = Vec::new();
        if let Ok(file) = File::open(self.messages()) {
            // What cannot be read is not known.
            let _ = file.take(MAX_LAST_WORDS).read_to_end(&mut words);
        }
        String::from_utf8_lossy(&words).into_owned()
    }

    fn assembly(&self) -> PathBuf {
        self.folder().join("cilantro-culture-host.dll")
    }

    fn config(&self) -> PathBuf {
        self.folder().join("cilantro-culture-host.runtimeconfig.json")
    }

    fn messages(&self) -> PathBuf {
        self.folder().join("messages.txt")
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }
}

fn set_environment(command: &mut Command, runtime: &Runtime) {
    for (name, value) in &runtime.environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let heap = format!("{HEAP_BYTES:x}");
    for prefix in ["DOTNET", "COMPlus"] {
        command.env(format!("{prefix}_GCHeapHardLimit"), &heap);
        command.env(format!("{prefix}_EnableDiagnostics"), "0");
        command.env(format!("{prefix}_DbgEnableMiniDump"), "0");
    }
    command.env("DOTNET_MULTILEVEL_LOOKUP", "0");
    for variable in UNWANTED {
        command.env_remove(variable);
    }
}

/// The very frameworks that were chosen for the program under test, with cultures.
fn runtime_config(runtime: &Runtime) -> String {
    let frameworks: Vec<_> =
        runtime.frameworks.iter().map(|f| json!({"name": f.name, "version": f.version})).collect();
    let mut properties: Map<String, Value> = runtime.properties.iter().cloned().collect();
    for (name, value) in [
        ("System.Globalization.Invariant", false),
        ("System.GC.Server", false),
        ("System.GC.Concurrent", false),
        ("System.Runtime.TieredPGO", false),
    ] {
        properties.insert(name.to_owned(), value.into());
    }
    let options = json!({"rollForward": "Disable", "frameworks": frameworks, "configProperties": properties});
    json!({"runtimeOptions": options}).to_string()
}
