//! Test cases on disk: reading what `generate` wrote.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use case::{Case, CaseFile};

use engine::Error;

/// The cases of one assembly.
#[derive(Debug)]
pub struct Suite {
    pub assembly: PathBuf,
    pub cases: Vec<Case>,
}

/// Reads a folder that `generate` wrote (or its `cases` folder, or one file of it), grouped by assembly.
pub fn read(path: &Path) -> Result<Vec<Suite>, Error> {
    let mut suites: BTreeMap<PathBuf, Vec<Case>> = BTreeMap::new();
    for file in case_files(path)? {
        let text = fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
        let read = CaseFile::from_json(&text)
            .map_err(|error| Error::Unreadable { path: file.clone(), why: error.to_string() })?;
        let assembly = file.parent().unwrap_or(Path::new("")).join(&read.assembly);
        suites.entry(fs::canonicalize(&assembly).unwrap_or(assembly)).or_default().extend(read.cases);
    }
    if suites.values().all(Vec::is_empty) {
        return Err(Error::NoCases(path.to_owned()));
    }
    Ok(suites.into_iter().map(|(assembly, cases)| Suite { assembly, cases }).collect())
}

fn case_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::NoSuchFile(path.to_owned()),
        _ => unreadable(path, &error),
    })?;
    if metadata.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let cases = path.join("cases");
    let folder = if cases.is_dir() { cases } else { path.to_owned() };
    let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|e| e == "json") && file.is_file())
        .collect();
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::Unreadable { path: path.to_owned(), why: error.to_string() }
}
