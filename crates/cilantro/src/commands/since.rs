//! `--since`: what the methods of an assembly are compared with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use engine::Error;
use report::{Since, Summary};

use crate::args::Common;

const SUMMARY: &str = "summary.json";
/// What every assembly begins with.
const PORTABLE_EXECUTABLE: &[u8] = b"MZ";

/// The methods that are to be looked at.
pub struct Comparison {
    /// Ids of methods whose code differs or is new.
    pub changed: Arc<BTreeSet<String>>,
    pub told: Since,
}

impl Comparison {
    /// Compares the code of an assembly with what the user names.
    pub fn new(
        what: &str,
        assembly: &Path,
        code: &BTreeMap<String, String>,
        common: &Common,
    ) -> Result<Comparison, Error> {
        let before = known(what, assembly, common)?;
        let is_changed = |(id, digest): &(&String, &String)| before.get(*id) != Some(*digest);
        let changed: BTreeSet<String> = code.iter().filter(is_changed).map(|(id, _)| id.clone()).collect();
        let told = Since {
            what: what.to_owned(),
            changed: changed.len() as u64,
            unchanged: (code.len() - changed.len()) as u64,
        };
        Ok(Comparison { changed: Arc::new(changed), told })
    }
}

/// What methods did then.
fn known(what: &str, assembly: &Path, common: &Common) -> Result<BTreeMap<String, String>, Error> {
    let path = Path::new(what);
    let path = if path.is_dir() { path.join(SUMMARY) } else { path.to_owned() };
    if !path.exists() {
        return of_summary(what, &of_git(what, assembly)?);
    }
    let bytes =
        fs::read(&path).map_err(|error| Error::Unreadable { path: path.clone(), why: error.to_string() })?;
    match bytes.starts_with(PORTABLE_EXECUTABLE) {
        true => engine::code_of(&path, common.runtime.as_deref()),
        false => of_summary(what, &bytes),
    }
}

fn of_summary(what: &str, bytes: &[u8]) -> Result<BTreeMap<String, String>, Error> {
    let unusable = |why: &str| Error::Other(format!("{what} cannot be compared with: {why}"));
    let summary: Summary = serde_json::from_slice(bytes)
        .map_err(|error| unusable(&format!("it is neither an assembly nor a summary ({error})")))?;
    match summary.code.is_empty() {
        true => Err(unusable(
            "the summary does not say what methods did; `generate` and `check --report json=FILE` do",
        )),
        false => Ok(summary.code),
    }
}

/// The summary as it is stored in a revision.
fn of_git(what: &str, assembly: &Path) -> Result<Vec<u8>, Error> {
    let object = match what.contains(':') {
        true => what.to_owned(),
        false => {
            let name = assembly.file_stem().unwrap_or_default().to_string_lossy();
            format!("{what}:./{name}.Tests/{SUMMARY}")
        }
    };
    let unusable = |why: &str| {
        Error::Other(format!(
            "{what} cannot be compared with: it is no file, and git has no {object} ({}); give a {SUMMARY}, another build of \
             the assembly, or REVISION:PATH of a summary that is stored in git",
            why.trim()
        ))
    };
    // What begins with a hyphen would be an option.
    if object.starts_with('-') {
        return Err(unusable("this is no revision"));
    }
    let asked = Command::new("git").args(["show", &object]).stdin(Stdio::null()).output();
    let output = asked.map_err(|error| unusable(&error.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(unusable(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default())),
    }
}
