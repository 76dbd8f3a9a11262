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

/// The path of a `file:` URI; others name nothing that can be looked at.
pub fn path_of_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.get(rest.find('/')?..)?;
    let mut bytes = Vec::new();
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(left.next())?, digit(left.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    let text = String::from_utf8(bytes).ok()?;
    // file:///C:/Shop
    let is_drive = text.get(2..3) == Some(":");
    Some(PathBuf::from(if is_drive { text.get(1..)? } else { &text }))
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

    #[test]
    fn uris_are_paths() {
        let check =
            |uri: &str, expected: Option<&str>| assert_eq!(path_of_uri(uri), expected.map(PathBuf::from));
        check("file:///a/b%20c/%C3%A9", Some("/a/b c/é"));
        check("file://localhost/a", Some("/a"));
        check("file:///C:/Shop", Some("C:/Shop"));
        check("https://example.org/a", None);
        check("file:///a%2", None);
        check("file:///%FF", None);
    }
}
