//! `.cilantroignore`: what is left out, one pattern per line.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Error;

pub const NAME: &str = ".cilantroignore";

/// The patterns of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    pub file: Option<PathBuf>,
    pub patterns: Vec<String>,
}

pub fn read(path: &Path) -> Result<Ignored, Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::Unreadable { path: path.to_owned(), why: error.to_string() })?;
    Ok(Ignored { file: Some(path.to_owned()), patterns: patterns(&text) })
}

/// Empty lines and those that begin with `#` are for people.
fn patterns(text: &str) -> Vec<String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_no_patterns() {
        assert_eq!(patterns("# old\r\n\r\n Shop.Legacy.* \nCart.Add\n"), ["Shop.Legacy.*", "Cart.Add"]);
        assert!(patterns("").is_empty());
    }
}
