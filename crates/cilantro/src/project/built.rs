//! What a project was built to, and whether its sources have changed since.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::msbuild::Project;
use super::solution::is_searched;

/// Where builds leave the assembly, relative to the project, the newest first.
pub fn find(project: &Project) -> Option<PathBuf> {
    let mut found: Vec<(Reverse<SystemTime>, usize, PathBuf)> = Vec::new();
    for folders in folders(project) {
        // Of one build the frameworks are a matter of taste, not of time.
        let there = folders.iter().enumerate().find_map(|(number, folder)| {
            let path = file_in(project, folder)?;
            Some((Reverse(modified(&path)?), number, path))
        });
        found.extend(there);
    }
    found.into_iter().min().map(|(_, _, path)| path)
}

fn file_in(project: &Project, folder: &Path) -> Option<PathBuf> {
    let name = project.assembly_name();
    let paths = ["dll", "exe"].map(|extension| folder.join(format!("{name}.{extension}")));
    // An .exe beside a .dll is the host that starts it.
    paths.into_iter().find(|path| path.is_file())
}

/// The folders of each configuration, in the order in which frameworks are preferred.
fn folders(project: &Project) -> Vec<Vec<PathBuf>> {
    let mut frameworks = project.frameworks();
    frameworks.sort_by_key(|name| Reverse(rank(name)));
    let by_configuration = ["Debug", "Release"].map(|configuration| {
        let base = base(project, configuration);
        let mut folders: Vec<PathBuf> = frameworks.iter().map(|name| base.join(name)).collect();
        if frameworks.is_empty() {
            folders = inside(&base);
        }
        folders.push(base);
        folders
    });
    by_configuration.into()
}

fn base(project: &Project, configuration: &str) -> PathBuf {
    let folder = project.folder();
    match (project.property("OutputPath"), project.property("BaseOutputPath")) {
        (Some(path), _) => folder.join(path.replace('\\', "/")),
        (None, Some(path)) => folder.join(path.replace('\\', "/")).join(configuration),
        (None, None) => folder.join("bin").join(configuration),
    }
}

/// Where the frameworks are not known, those that somebody built for.
fn inside(base: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(base).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort_by_key(|path| Reverse(rank(&path.file_name().unwrap_or_default().to_string_lossy())));
    folders
}

/// `net10.0` before `net8.0` before `netstandard2.0` before `net48`.
fn rank(framework: &str) -> (u32, u32) {
    let number = |text: &str| text.split(['.', '-']).next().and_then(|n| n.parse().ok()).unwrap_or(0);
    if let Some(version) = framework.strip_prefix("netstandard") {
        (1, number(version))
    } else if let Some(version) = framework.strip_prefix("netcoreapp") {
        (2, number(version))
    } else if let Some(version) = framework.strip_prefix("net").filter(|version| version.contains('.')) {
        (3, number(version))
    } else {
        (0, 0)
    }
}

/// A source that is newer than what was built.
pub fn newer_source(project: &Project, built: &Path) -> Option<PathBuf> {
    let built = modified(built)?;
    let mut newest: Option<(SystemTime, PathBuf)> = None;
    let mut left = vec![project.folder().to_owned()];
    while let Some(folder) = left.pop() {
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        for path in fs::read_dir(&folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
            if is_searched(&path) && !has_project(&path) {
                left.push(path);
            } else if is_source(&path)
                && let Some(time) = modified(&path)
                && time > built
                && newest.as_ref().is_none_or(|newest| (time, &path) > (newest.0, &newest.1))
            {
                newest = Some((time, path));
            }
        }
    }
    newest.map(|(_, path)| path)
}

/// A folder with a project of its own is another project's.
fn has_project(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| super::solution::is_project(&path))
}

fn is_source(path: &Path) -> bool {
    let extensions = ["cs", "fs", "vb", "csproj", "fsproj", "vbproj", "resx", "props"];
    path.extension().is_some_and(|own| extensions.iter().any(|other| own == *other))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frameworks_have_an_order() {
        let mut names = ["net48", "netstandard2.0", "net8.0", "net10.0-windows", "netcoreapp3.1"];
        names.sort_by_key(|name| Reverse(rank(name)));
        assert_eq!(names, ["net10.0-windows", "net8.0", "netcoreapp3.1", "netstandard2.0", "net48"]);
    }
}
