//! Test cases on disk: reading what `generate` wrote.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use case::path::{PathFile, PathRecord};
use case::{Case, CaseFile};

use engine::Error;

/// Names that are offered instead of one that is not there.
const MOST_ALIKE: usize = 5;

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

/// The paths behind the tests of this name: `Add_ReturnsZero`, or `Cart.Add_ReturnsZero`.
pub fn paths_of(path: &Path, test: &str) -> Result<Vec<PathRecord>, Error> {
    let folder = path.display();
    let none = || Error::Other(format!("there are no paths in {folder}; `generate` writes them"));
    let is_stored = path.join("paths").is_dir() || path.ends_with("paths");
    if path.is_dir() && !is_stored {
        return Err(none());
    }
    let mut all = Vec::new();
    for file in json_files(path, "paths")? {
        let text = fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
        let read = PathFile::from_json(&text)
            .map_err(|error| Error::Unreadable { path: file.clone(), why: error.to_string() })?;
        all.extend(read.paths);
    }
    // A method with rows is all of them.
    let is_it = |record: &&PathRecord| {
        let names = [Some(&record.test), record.row_of.as_ref()];
        names.into_iter().flatten().any(|name| qualified(record, name).ends_with(&format!(".{test}")))
    };
    let found: Vec<PathRecord> = all.iter().filter(is_it).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    if all.is_empty() {
        return Err(none());
    }
    let wanted = test.to_lowercase();
    let alike =
        all.iter().map(|record| record.test.as_str()).filter(|name| name.to_lowercase().contains(&wanted));
    let alike: Vec<&str> = alike.take(MOST_ALIKE).collect();
    let hint = if alike.is_empty() { String::new() } else { format!("; there is {}", alike.join(", ")) };
    Err(Error::Other(format!("no test in {folder} is called {test}{hint}")))
}

/// `.Shop.Cart.Add_ReturnsZero`: it ends with whatever part of it somebody gives, from a dot on.
fn qualified(record: &PathRecord, name: &str) -> String {
    let ty = record.method.split("::").next().unwrap_or_default();
    format!(".{ty}.{name}")
}

fn case_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    json_files(path, "cases")
}

/// The file itself, or those of a folder, which may have a folder of this name.
fn json_files(path: &Path, inside: &str) -> Result<Vec<PathBuf>, Error> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::NoSuchFile(path.to_owned()),
        _ => unreadable(path, &error),
    })?;
    if metadata.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let named = path.join(inside);
    let folder = if named.is_dir() { named } else { path.to_owned() };
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
