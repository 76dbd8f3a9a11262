//! Which projects there are: those of a solution, or those of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Error;
use roxmltree::Document;

const PROJECTS: [&str; 3] = ["csproj", "fsproj", "vbproj"];

pub fn is_project(path: &Path) -> bool {
    has_extension(path, &PROJECTS)
}

pub fn is_solution(path: &Path) -> bool {
    has_extension(path, &["sln", "slnx"])
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|own| extensions.iter().any(|other| own.eq_ignore_ascii_case(other)))
}

/// The projects of a solution that are there, in its order.
pub fn projects_of(solution: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |why: String| Error::Unreadable { path: solution.to_owned(), why };
    let bytes = fs::read(solution).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let names = if has_extension(solution, &["slnx"]) {
        let document = Document::parse(text.trim_start_matches('\u{feff}'))
            .map_err(|error| unreadable(format!("it is not well-formed XML: {error}")))?;
        let projects = document.descendants().filter(|node| node.has_tag_name("Project"));
        projects.filter_map(|node| node.attribute("Path").map(str::to_owned)).collect()
    } else {
        text.lines().filter_map(of_line).collect::<Vec<String>>()
    };
    let folder = solution.parent().unwrap_or(Path::new(""));
    let paths = names.iter().map(|name| folder.join(name.replace('\\', "/")));
    Ok(paths.filter(|path| is_project(path) && path.is_file()).collect())
}

/// `Project("{…}") = "Shop", "src\Shop\Shop.csproj", "{…}"`
fn of_line(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("Project(")?.split_once('=')?.1;
    rest.split(',').nth(1).map(|part| part.trim().trim_matches('"').to_owned())
}

/// The solution or the projects of a folder; those of folders inside it if it has none itself.
pub fn find(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let here = entries(folder);
    let mut solutions = here.iter().filter(|path| is_solution(path));
    if let (Some(solution), None) = (solutions.next(), solutions.next()) {
        return projects_of(solution);
    }
    let own: Vec<PathBuf> = here.into_iter().filter(|path| is_project(path)).collect();
    if !own.is_empty() {
        return Ok(own);
    }
    let mut found = Vec::new();
    below(folder, 0, &mut found);
    Ok(found)
}

/// Sorted, so that every machine sees them in the same order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    const DEEPEST: usize = 4;
    for path in entries(folder) {
        if path.is_file() && is_project(&path) {
            found.push(path);
        } else if depth < DEEPEST && is_searched(&path) {
            below(&path, depth + 1, found);
        }
    }
}

/// A folder that may hold sources. Links are not followed: they may lead in a circle.
pub(super) fn is_searched(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_other =
        name.starts_with('.') || ["bin", "obj", "node_modules", "packages"].contains(&name.as_str());
    !is_other && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_solutions() {
        let line = r#"Project("{FAE04EC0}") = "Shop", "src\Shop\Shop.csproj", "{1}""#;
        assert_eq!(of_line(line).as_deref(), Some(r"src\Shop\Shop.csproj"));
        for other in ["EndProject", "Project(", "", "Project(\"x\") = \"a\""] {
            assert_eq!(of_line(other), None, "{other}");
        }
    }
}
