//! The runtime of the toolchain, with ICU.

#![allow(dead_code, clippy::unwrap_used)]

use std::{path::Path, process::Command};

use culture::{Framework, Globalization, Limits, Runtime};
use testkit::{Finished, Toolchain, versions};

pub fn net10() -> Runtime {
    let toolchain = Toolchain::locate().unwrap();
    runtime(toolchain.dotnet(), toolchain.runtime_version())
}

/// Machines that brought their own runtime may have no old one.
pub fn core31() -> Option<Runtime> {
    let muxer = Toolchain::locate().unwrap().dotnet31();
    muxer.is_file().then(|| runtime(muxer, versions::RUNTIME31))
}

fn runtime(muxer: std::path::PathBuf, version: &str) -> Runtime {
    let core = Framework { name: "Microsoft.NETCore.App".into(), version: version.into() };
    Runtime { muxer, frameworks: vec![core], ..Runtime::default() }
}

/// These tests compare with ICU: without it they fail, and say why.
pub fn globalization() -> Globalization {
    Globalization::new(net10(), Limits::default())
}

/// Runs a compiled program with ICU, whatever its own configuration says.
pub fn run_with_icu(
    runtime: &Runtime,
    program: &Path,
    args: &[&str],
    variables: &[(&str, &str)],
) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("icu.runtimeconfig.json");
    let core = &runtime.frameworks[0];
    let text = format!(
        r#"{{"runtimeOptions":{{"framework":{{"name":"{}","version":"{}"}},"configProperties":{{"System.Globalization.Invariant":false}}}}}}"#,
        core.name, core.version
    );
    std::fs::write(&config, text).unwrap();
    let mut command = Command::new(&runtime.muxer);
    command.arg("exec").arg("--runtimeconfig").arg(&config).arg(program).args(args);
    command.env_remove("LC_ALL").env_remove("LANG").env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0");
    command.envs(variables.iter().copied());
    testkit::run(&mut command).unwrap()
}

pub fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// UTF-16 units as the programs write them.
pub fn hex(units: &[u16]) -> String {
    units.iter().map(|unit| format!("{unit:04x}")).collect()
}

pub fn unhex(text: &str) -> Vec<u16> {
    text.as_bytes()
        .chunks(4)
        .map(|digits| u16::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap())
        .collect()
}
