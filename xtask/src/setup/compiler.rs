//! Builds the C# 12 compiler driver: our source, compiled by the older compiler of the 3.1 SDK.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result, ensure};
use testkit::{COMPILER_SOURCE, Layout, versions};

const ROSLYN: [&str; 2] = ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"];

/// Makes the driver in `folder`, with Roslyn's libraries beside it.
pub fn build(layout: &Layout, dotnet_root: &Path, folder: &Path) -> Result<()> {
    let framework = testkit::newest_framework(dotnet_root).context("the .NET 10 framework is not there")?;
    let version = framework.file_name().unwrap_or_default().to_string_lossy().into_owned();
    fs::write(folder.join("Compiler.cs"), COMPILER_SOURCE)?;
    for library in ROSLYN {
        fs::copy(layout.roslyn().join(library), folder.join(library))?;
    }
    fs::write(folder.join("csc12.runtimeconfig.json"), runtime_config(&version))?;

    let mut command = Command::new(dotnet_root.join("dotnet"));
    command.current_dir(folder);
    // The old compiler asks for its own runtime, which wants libraries that newer systems lack.
    command.args(["exec", "--fx-version", &version]).arg(layout.sdk31().join("csc/csc.dll"));
    command.args([
        "-nologo",
        "-nostdlib",
        "-optimize+",
        "-deterministic",
        "-nowarn:1701,1702",
        "-langversion:8",
    ]);
    for reference in ["System.Private.CoreLib", "System.Runtime", "System.Collections", "System.Linq"]
        .into_iter()
        .chain(["System.Collections.Immutable", "netstandard"])
    {
        command.arg(format!("-r:{}", framework.join(format!("{reference}.dll")).display()));
    }
    command.args(ROSLYN.map(|library| format!("-r:{library}"))).args(["-out:csc12.dll", "Compiler.cs"]);
    let finished = testkit::run(&mut command)?;
    ensure!(
        finished.code == Some(0) && folder.join("csc12.dll").is_file(),
        "the C# compiler driver does not compile:\n{}{}",
        finished.stdout,
        finished.stderr
    );
    Ok(())
}

fn runtime_config(version: &str) -> String {
    let major = versions::RUNTIME_MAJOR.trim_end_matches('.');
    format!(
        r#"{{"runtimeOptions":{{"tfm":"net{major}.0","framework":{{"name":"Microsoft.NETCore.App","version":"{version}"}},"configProperties":{{"System.Globalization.Invariant":true,"System.Runtime.TieredPGO":false}}}}}}
"#
    )
}
