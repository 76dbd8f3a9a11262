//! Paths as URIs.

/// A path with `/` between its parts, whichever system it comes from; and whether it is absolute.
pub(super) fn parts(path: &str) -> (String, bool) {
    let has_drive = matches!(path.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic());
    // A backslash is part of a name where paths begin with a slash.
    let slashed = if path.starts_with('/') { path.to_owned() } else { path.replace('\\', "/") };
    (slashed, path.starts_with(['/', '\\']) || has_drive)
}

/// A relative reference, or a `file:` URI for an absolute path.
pub(super) fn reference(path: &str) -> String {
    match parts(path) {
        (path, true) => {
            let separator = if path.starts_with('/') { "" } else { "/" };
            format!("file://{separator}{}", encoded(&path))
        }
        // A colon in the first part would be taken for a scheme.
        (path, false) if path.split('/').next().is_some_and(|first| first.contains(':')) => {
            format!("./{}", encoded(&path))
        }
        (path, false) => encoded(&path),
    }
}

/// The `file:` URI of a folder, with its final slash.
pub fn file_uri(folder: &str) -> String {
    let uri = reference(folder);
    if uri.ends_with('/') { uri } else { format!("{uri}/") }
}

fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'/'
            | b':'
            | b'+'
            | b'@' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_all_systems() {
        let check = |path: &str, expected: &str| assert_eq!(reference(path), expected, "{path}");
        check("src/Cart.cs", "src/Cart.cs");
        check(r"src\My Cart#.cs", "src/My%20Cart%23.cs");
        check("/_/src/Cart.cs", "file:///_/src/Cart.cs");
        check(r"C:\build\Cart.cs", "file:///C:/build/Cart.cs");
        check(r"\\server\share\Cart.cs", "file:////server/share/Cart.cs");
        check("a:b/Cart.cs", "./a:b/Cart.cs");
        check("ä%.cs", "%C3%A4%25.cs");
        assert_eq!(file_uri("/work/shop"), "file:///work/shop/");
        assert_eq!(file_uri("/"), "file:///");
    }
}
