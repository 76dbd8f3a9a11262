//! What `generate` leaves in its folder: the test project, the JSON cases, the summary.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use report::{Summary, render_json};
use testgen::case::{Case, CaseFile};

use crate::args::Framework;
use crate::driver::Finished;
use crate::error::CommandError;
use crate::files;

pub struct Output {
    assembly: PathBuf,
    folder: PathBuf,
    #[expect(dead_code, reason = "the project writer takes it")]
    framework: Framework,
}

impl Output {
    /// Complains before any work is done when the folder cannot be one.
    pub fn new(assembly: &Path, folder: Option<&Path>, framework: Framework) -> Result<Output, CommandError> {
        let folder = folder.map_or_else(|| default_folder(assembly), Path::to_owned);
        if folder.exists() && !folder.is_dir() {
            return Err(CommandError::CannotWrite { path: folder, why: "it is not a folder".to_owned() });
        }
        Ok(Output { assembly: assembly.to_owned(), folder, framework })
    }

    /// Writes everything and notes the folder in the summary.
    pub fn write(&self, finished: &Finished, summary: &mut Summary) -> Result<(), CommandError> {
        let explored: Vec<&str> = finished.records.iter().map(|r| r.target.type_name.as_str()).collect();
        self.write_cases(&finished.suite(), &explored)?;
        summary.output = Some(self.folder.display().to_string());
        let json = render_json(summary).map_err(|e| CommandError::Internal(e.to_string()))?;
        write(&self.folder.join("summary.json"), &json)
    }

    /// One file per type. Types that were not explored this time keep their files; explored ones without any test
    /// lose theirs.
    fn write_cases(&self, suite: &[Case], explored: &[&str]) -> Result<(), CommandError> {
        let folder = self.folder.join("cases");
        create(&folder)?;
        let mut by_file: BTreeMap<String, Vec<Case>> =
            explored.iter().map(|ty| (case_file_name(ty), Vec::new())).collect();
        for case in suite {
            by_file.entry(case_file_name(&case.method.ty)).or_default().push(case.clone());
        }
        let assembly = files::relative(&self.assembly, &folder);
        for (name, cases) in by_file {
            let path = folder.join(name);
            if cases.is_empty() {
                let _not_there = fs::remove_file(&path);
                continue;
            }
            let json = CaseFile::new(&assembly, cases).to_json();
            write(&path, &json.map_err(|e| CommandError::Internal(e.to_string()))?)?;
        }
        Ok(())
    }
}

fn default_folder(assembly: &Path) -> PathBuf {
    let stem = assembly.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("./{stem}.Tests"))
}

/// `Shop.Cart.json`; instantiations of a generic type share the file of their definition.
fn case_file_name(type_name: &str) -> String {
    let definition = type_name.split('[').next().unwrap_or(type_name);
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    format!("{}.json", definition.chars().map(safe).collect::<String>())
}

fn create(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder)
        .map_err(|e| CommandError::CannotWrite { path: folder.to_owned(), why: e.to_string() })
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    fs::write(path, text).map_err(|e| CommandError::CannotWrite { path: path.to_owned(), why: e.to_string() })
}
