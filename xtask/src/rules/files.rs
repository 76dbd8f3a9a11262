//! The files of the repository: everything but what `.gitignore` names.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub struct File {
    /// Relative to the repository, with `/`.
    pub path: String,
    pub bytes: Vec<u8>,
}

impl File {
    #[cfg(test)]
    pub fn new(path: &str, text: &str) -> File {
        File { path: path.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    /// Numbered lines, if it is a text.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

pub fn of_repository(root: &Path) -> Result<Vec<File>> {
    let ignored = fs::read_to_string(root.join(".gitignore")).context(".gitignore")?;
    let mut ignored: Vec<&str> = ignored.lines().map(|line| line.trim_matches('/')).collect();
    ignored.push(".git");
    let mut files = Vec::new();
    add(root, "", &ignored, &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn add(folder: &Path, prefix: &str, ignored: &[&str], files: &mut Vec<File>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if ignored.contains(&path.as_str()) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            add(&entry.path(), &format!("{path}/"), ignored, files)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).with_context(|| path.clone())?;
            files.push(File { path, bytes });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_ignores_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["target/a", "sub/target/b", "sub/out/c", ".git/d", "e"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        fs::write(folder.path().join(".gitignore"), "/target\nsub/out\n").unwrap();
        let files = of_repository(folder.path()).unwrap();
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [".gitignore", "e", "sub/target/b"]);
    }
}
