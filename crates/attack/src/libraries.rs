//! What is attacked: the libraries of the fixtures, and those of other people.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use testkit::{Assembly, Options, Source, Toolchain};

/// A compiled library.
#[derive(Clone, Debug)]
pub struct Library {
    pub name: String,
    pub path: PathBuf,
}

const FOLDERS: &[&str] = &[
    "explore",
    "heap",
    "later",
    "people",
    "gallery",
    "mocks",
    "types/classes",
    "types/generics",
    "types/mocks",
    "types/groups",
];
/// Folders below are libraries, but for one whose methods a test makes.
const MISJUDGED: &str = "misjudged";
const GENERATED: &str = "pairs_of_classes";

/// Every folder of the fixtures that is a library whose methods are explored.
pub fn fixtures() -> Result<Vec<Library>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut folders: Vec<String> = FOLDERS.iter().map(|name| (*name).to_owned()).collect();
    let misjudged = root.join(MISJUDGED);
    for entry in std::fs::read_dir(&misjudged).with_context(|| misjudged.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && name != GENERATED {
            folders.push(format!("{MISJUDGED}/{name}"));
        }
    }
    folders.sort();
    let mut assemblies = Vec::new();
    for folder in &folders {
        let files = testkit::csharp_files(&root.join(folder))?;
        let sources = files.iter().map(|file| Source::file(file)).collect();
        let options = Options { allow_unsafe: true, ..Options::default() };
        let name = folder.replace(['/', '_'], ".");
        assemblies.push(Assembly { name, sources, options });
    }
    let paths = testkit::compile_all(&assemblies)?;
    Ok(folders.into_iter().zip(paths).map(|(name, path)| Library { name, path }).collect())
}

/// A library of the toolchain, by its file's name.
pub fn third_party(name: &str) -> Result<Library> {
    let path = Toolchain::locate()?.third_party(name);
    let path =
        path.with_context(|| format!("{name}.dll is not in the toolchain: `cargo xtask setup --extras`"))?;
    Ok(Library { name: name.to_owned(), path })
}
