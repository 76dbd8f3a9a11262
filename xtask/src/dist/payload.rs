//! What is in every package: the program, its licences and words, completions and manual pages, which it writes itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::platform::Platform;
use crate::process::root;

/// A file of a package.
#[derive(Clone)]
pub struct Item {
    /// With `/` between folders.
    pub path: String,
    pub bytes: Vec<u8>,
    pub is_program: bool,
}

pub struct Payload {
    pub program: Item,
    /// README, CHANGELOG, licences.
    pub words: Vec<Item>,
    /// By the names that shells want.
    pub completions: Vec<Item>,
    /// `cilantro.1`, `cilantro-check.1`, …
    pub manual: Vec<Item>,
}

const WORDS: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];
/// The shell and the name of its file.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "cilantro.bash"),
    ("elvish", "cilantro.elv"),
    ("fish", "cilantro.fish"),
    ("powershell", "cilantro.ps1"),
    ("zsh", "_cilantro"),
];

impl Payload {
    /// The program must run on this machine: it says the rest.
    pub fn read(binary: &Path, platform: &Platform) -> Result<Payload> {
        let bytes = fs::read(binary).with_context(|| binary.display().to_string())?;
        let program = Item { path: platform.program().to_owned(), bytes, is_program: true };
        let words = WORDS.iter().map(|name| Ok(item(name, fs::read(root().join(name)).context(*name)?)));
        let completions =
            SHELLS.iter().map(|(shell, name)| Ok(item(name, said(binary, &["completions", shell])?)));
        Ok(Payload {
            program,
            words: words.collect::<Result<_>>()?,
            completions: completions.collect::<Result<_>>()?,
            manual: manual(binary)?,
        })
    }
}

pub fn item(path: &str, bytes: Vec<u8>) -> Item {
    Item { path: path.to_owned(), bytes, is_program: false }
}

fn manual(binary: &Path) -> Result<Vec<Item>> {
    let folder = tempfile::tempdir()?;
    said(binary, &["man", &folder.path().to_string_lossy()])?;
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder.path())? {
        let entry = entry?;
        pages.push(item(&entry.file_name().to_string_lossy(), fs::read(entry.path())?));
    }
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    ensure!(!pages.is_empty(), "the program wrote no manual pages");
    Ok(pages)
}

fn said(binary: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output =
        Command::new(binary).args(arguments).output().with_context(|| binary.display().to_string())?;
    ensure!(output.status.success(), "{} {} failed", binary.display(), arguments.join(" "));
    Ok(output.stdout)
}
