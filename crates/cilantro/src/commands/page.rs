//! `report`: what a run has left, as a page for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use engine::Error;
use report::{HtmlReport, LINES_SCHEMA, LinesFile, SUMMARY_SCHEMA, SourceText, Summary, render_html};
use serde::de::DeserializeOwned;

use super::Exit;
use crate::args::Page;
use crate::console::Console;
use crate::source_root::SourceRoot;
use crate::{stored, test_text};

/// A source file that is larger is no reading matter.
const LARGEST: u64 = 2 << 20;

pub fn run(args: &Page, console: &Console) -> Result<Exit, Error> {
    if !args.folder.exists() {
        return Err(Error::NoSuchFile(args.folder.clone()));
    }
    let is_folder = args.folder.is_dir();
    let folder =
        if is_folder { args.folder.as_path() } else { args.folder.parent().unwrap_or(Path::new("")) };
    let summary_path = if is_folder { folder.join("summary.json") } else { args.folder.clone() };
    if is_folder && !summary_path.is_file() {
        let why = format!("there is no summary.json in {}; `generate` writes it", folder.display());
        return Err(Error::Other(why));
    }
    let summary: Summary = read(&summary_path, SUMMARY_SCHEMA)?;
    let lines_path = folder.join("lines.json");
    let has_lines = is_folder && lines_path.is_file();
    let lines: Option<LinesFile> = has_lines.then(|| read(&lines_path, LINES_SCHEMA)).transpose()?;
    let assembly = if is_folder { assembly(folder) } else { None };
    let root = SourceRoot::new(args.source_root.as_deref(), assembly.as_deref())?;
    let (lines, sources) = named(lines, &root);
    let tests = if is_folder { tests(folder, &summary) } else { BTreeMap::new() };
    let page = render_html(&HtmlReport { summary, lines, tests, sources });
    let output = args.output.clone().unwrap_or_else(|| folder.join("report.html"));
    fs::write(&output, page)
        .map_err(|error| Error::CannotWrite { path: output.clone(), why: error.to_string() })?;
    console.result(&format!("The page is {}.\n", output.display()));
    Ok(Exit::NothingFound)
}

/// A file of ours; another one is said to be no such file.
fn read<T: DeserializeOwned>(path: &Path, schema: &str) -> Result<T, Error> {
    let bad = |why: String| Error::Unreadable { path: path.to_owned(), why };
    let text = fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    if value.get("schema").and_then(|found| found.as_str()) != Some(schema) {
        return Err(bad(format!("it is not {schema}")));
    }
    serde_json::from_value(value).map_err(|error| bad(error.to_string()))
}

/// The assembly that the stored cases are about, for the checksums of its sources.
fn assembly(folder: &Path) -> Option<PathBuf> {
    match stored::read(folder).ok()?.as_slice() {
        [suite] => Some(suite.assembly.clone()).filter(|path| path.is_file()),
        _ => None,
    }
}

/// The lines by the names that a reader knows their files by, and the files.
fn named(lines: Option<LinesFile>, root: &SourceRoot) -> (Option<LinesFile>, Vec<SourceText>) {
    let Some(mut lines) = lines else { return (None, Vec::new()) };
    let paths: BTreeSet<String> = lines.methods.iter().map(|of| of.file.clone()).collect();
    let sources = paths.iter().map(|path| {
        let file = root.file(path).filter(|file| fs::metadata(file).is_ok_and(|data| data.len() <= LARGEST));
        let bytes = file.as_ref().and_then(|file| fs::read(file).ok());
        let has_changed = file.is_some_and(|file| root.is_same(path, &file) == Some(false));
        let text =
            bytes.map(|bytes| String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned());
        SourceText { name: root.name(path), text, has_changed }
    });
    let sources = sources.collect();
    lines.methods.iter_mut().for_each(|of| of.file = root.name(&of.file));
    (Some(lines), sources)
}

/// The texts of the tests that show something.
fn tests(folder: &Path, summary: &Summary) -> BTreeMap<(String, String), String> {
    let files = test_text::files(folder);
    let mut tests = BTreeMap::new();
    for method in &summary.methods {
        for bug in method.bugs.iter().chain(&method.broken_inputs) {
            if let Some(text) = test_text::find(&files, &method.id, &bug.test) {
                tests.insert((method.id.clone(), bug.test.clone()), text);
            }
        }
    }
    tests
}
