//! Paths that users give, and what is wrong with them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use engine::Error;

/// The things that can be said about a file before anyone looks into it.
pub fn check_readable(path: &Path) -> Result<(), Error> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Error::NoSuchFile(path.to_owned()),
        _ => Error::Unreadable { path: path.to_owned(), why: error.to_string() },
    };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(Error::IsFolder(path.to_owned()));
    }
    if !metadata.is_file() {
        let why = "it is not a regular file".to_owned();
        return Err(Error::Unreadable { path: path.to_owned(), why });
    }
    if metadata.len() == 0 {
        return Err(Error::EmptyFile(path.to_owned()));
    }
    fs::File::open(path).map(drop).map_err(unreadable)
}

/// How to get to `path` from `folder`, with `/` between the parts. The absolute path when there is no common root.
pub fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder) = (absolute(path), absolute(folder));
    let mut to: Vec<Component<'_>> = path.components().collect();
    let mut from: Vec<Component<'_>> = folder.components().collect();
    let shared = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return path.to_string_lossy().into_owned();
    }
    to.drain(..shared);
    from.drain(..shared);
    let up = from.iter().map(|_| "..".to_owned());
    let down = to.iter().map(|c| c.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

fn absolute(path: &Path) -> PathBuf {
    fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths() {
        let check = |path: &str, folder: &str, expected: &str| {
            assert_eq!(relative(Path::new(path), Path::new(folder)), expected);
        };
        check("/no-a/b/c.dll", "/no-a/b/out/cases", "../../c.dll");
        check("/no-a/b/c.dll", "/no-a/b", "c.dll");
        check("/no-a/c.dll", "/no-x/y", "../../no-a/c.dll");
    }
}
