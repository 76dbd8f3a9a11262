//! The embedded host program in a temporary folder, with a configuration for each of its parts.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use replay::{HostProcess, Runtime};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Compiler, Limits};

/// Compiled from `host/*.cs`; a test compares it with its source.
const ASSEMBLY: &[u8] = include_bytes!("../host/cilantro-verify-host.dll");

pub(crate) struct HostFiles {
    folder: TempDir,
}

impl HostFiles {
    pub fn write(runtime: &Runtime) -> io::Result<HostFiles> {
        let files = HostFiles { folder: tempfile::Builder::new().prefix("cilantro-verify-").tempdir()? };
        fs::write(files.path(HOST), ASSEMBLY)?;
        fs::write(files.path(RUN), run_config(runtime, false))?;
        fs::write(files.path(RUN_INVARIANT), run_config(runtime, true))?;
        Ok(files)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The part that compiles, on the runtime that the compiler's SDK brings.
    pub fn start_compiler(&self, compiler: &Compiler, limits: &Limits) -> io::Result<HostProcess> {
        let own = compiler.folder.join("csc.runtimeconfig.json");
        let config = if own.is_file() { own } else { self.write_compiler_config(compiler)? };
        let mut command = Command::new(&compiler.muxer);
        command.arg("exec").arg("--runtimeconfig").arg(config);
        command.arg(self.path(HOST)).arg("compile").arg(&compiler.folder);
        command.current_dir(self.folder());
        command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
        // A compiler makes much garbage in little time.
        command.env("DOTNET_GCgen0size", "0x8000000").env("DOTNET_TieredPGO", "0");
        HostProcess::launch(command, &limits.of_process(limits.compiler_heap_bytes))
    }

    /// The part that runs tests, in a time zone.
    pub fn start_runner(
        &self,
        runtime: &Runtime,
        zone: &str,
        invariant: bool,
        limits: &Limits,
    ) -> io::Result<HostProcess> {
        let mut command = Command::new(&runtime.muxer);
        command.arg("exec").arg("--runtimeconfig").arg(self.path(if invariant {
            RUN_INVARIANT
        } else {
            RUN
        }));
        command.arg(self.path(HOST)).arg("run");
        // Tests must not find the user's files by relative paths.
        command.current_dir(self.folder());
        // What this shell happens to say is not what the user's machines say.
        command
            .env_remove("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT")
            .env_remove("DOTNET_SYSTEM_GLOBALIZATION_APPLOCALICU");
        command.env("TZ", zone).env("DOTNET_TieredPGO", "0");
        HostProcess::launch(command, &limits.of_process(limits.heap_bytes))
    }

    /// The newest runtime beside the `dotnet` will do: a compiler runs on its own runtime or a later one.
    fn write_compiler_config(&self, compiler: &Compiler) -> io::Result<PathBuf> {
        let shared = compiler.muxer.parent().map(|root| root.join("shared").join("Microsoft.NETCore.App"));
        let versions = shared.and_then(|shared| shared.read_dir().ok()).into_iter().flatten().flatten();
        let newest = versions
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                Some((crate::compiler::Version::parse(&name)?, name))
            })
            .max();
        let version = newest.map_or("10.0.0".to_owned(), |(_, name)| name);
        let config = json!({"runtimeOptions": {
            "rollForward": "Major",
            "framework": {"name": "Microsoft.NETCore.App", "version": version},
            "configProperties": {"System.GC.Concurrent": false},
        }});
        let path = self.path("compile.runtimeconfig.json");
        fs::write(&path, config.to_string())?;
        Ok(path)
    }
}

const HOST: &str = "cilantro-verify-host.dll";
const RUN: &str = "run.runtimeconfig.json";
const RUN_INVARIANT: &str = "run-invariant.runtimeconfig.json";

/// The frameworks in exactly these versions; ICU as `dotnet test` has it, unless the machine has none.
fn run_config(runtime: &Runtime, invariant: bool) -> String {
    let frameworks: Vec<Value> =
        runtime.frameworks.iter().map(|f| json!({"name": f.name, "version": f.version})).collect();
    let config = json!({"runtimeOptions": {
        "rollForward": "Disable",
        "frameworks": frameworks,
        "configProperties": {
            "System.Globalization.Invariant": invariant,
            "System.GC.Server": false,
            "System.GC.Concurrent": false,
        },
    }});
    config.to_string()
}
