//! Mono, to compare programs for it with: the machine's own, else unpacked from the packages of a Debian-like system.
//! Without any, tests that need it say so and are skipped.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use testkit::{Layout, Toolchain};

use super::{install, say, temporary};

const TITLE: &str = "Mono";

/// The runtime and the parts of the class library that programs of the tests refer to.
const PACKAGES: &[&str] = &[
    "mono-runtime-sgen",
    "mono-runtime-common",
    "libmono-corlib4.5-dll",
    "libmono-system4.0-cil",
    "libmono-system-core4.0-cil",
    "libmono-system-numerics4.0-cil",
    "libmono-system-configuration4.0-cil",
    "libmono-system-xml4.0-cil",
    "libmono-security4.0-cil",
];

/// Nothing that can go wrong here keeps the rest of the toolchain from being used.
pub fn provide(layout: &Layout, toolchain: &Toolchain) {
    if toolchain.mono().is_some() {
        return;
    }
    let there = |program: &str| {
        let mut command = Command::new(program);
        let command =
            command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !there("apt-get") || !there("dpkg-deb") {
        say(TITLE, "not on PATH, and there is no apt-get to get it with: programs are not compared with it");
        return;
    }
    match download(layout) {
        Ok(()) => say(TITLE, "ready"),
        Err(error) => say(TITLE, &format!("programs are not compared with it: {error:#}")),
    }
}

fn download(layout: &Layout) -> Result<()> {
    say(TITLE, "downloading its packages");
    let downloads = temporary(&layout.toolchain())?;
    run(Command::new("apt-get").arg("download").args(PACKAGES).current_dir(downloads.path()))?;
    install(&layout.mono(), |folder| unpack(downloads.path(), folder))
}

fn unpack(downloads: &Path, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(downloads)?.flatten() {
        run(Command::new("dpkg-deb").arg("-x").arg(entry.path()).arg(folder))?;
    }
    let library = folder.join("usr/lib/mono/4.5/mscorlib.dll");
    ensure!(library.is_file(), "the packages have no {}", library.display());
    Ok(())
}

fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {name}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} failed: {}", said.trim());
    Ok(())
}
