//! What a program is built for, by all the names that this has.

use std::process::Command;

use anyhow::{Context, Result, bail};

pub struct Platform {
    /// As rustc calls it.
    pub target: String,
    /// As .NET calls it.
    pub rid: &'static str,
    /// As Debian calls it, where there is one.
    pub debian: Option<&'static str>,
}

/// Built and tested is the first one; the others are described, and nobody has run them.
const ALL: [(&str, &str, Option<&str>); 5] = [
    ("x86_64-unknown-linux-gnu", "linux-x64", Some("amd64")),
    ("aarch64-unknown-linux-gnu", "linux-arm64", Some("arm64")),
    ("x86_64-pc-windows-msvc", "win-x64", None),
    ("aarch64-apple-darwin", "osx-arm64", None),
    ("x86_64-apple-darwin", "osx-x64", None),
];

impl Platform {
    pub fn named(target: &str) -> Result<Platform> {
        let Some((target, rid, debian)) = ALL.iter().find(|(name, ..)| *name == target) else {
            let all: Vec<&str> = ALL.iter().map(|(name, ..)| *name).collect();
            bail!("nothing is released for {target}; there are {}", all.join(", "));
        };
        Ok(Platform { target: (*target).to_owned(), rid, debian: *debian })
    }

    pub fn of_this_machine() -> Result<Platform> {
        let output = Command::new("rustc").arg("-vV").output().context("rustc")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        Platform::named(host.context("rustc does not say what it is for")?)
    }

    pub fn program(&self) -> &'static str {
        if self.rid.starts_with("win") { "cilantro.exe" } else { "cilantro" }
    }
}
