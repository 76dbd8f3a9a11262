//! Every source says what it is for, and every library shows how it is used.
//!
//! A module without its `//!` is a module whose one job nobody has named. An example in the documentation is compiled and
//! run by the doc tests, so it cannot go out of date.

use super::{Offence, files::File};

/// Libraries that have none yet.
const WITHOUT_EXAMPLE: [&str; 2] = ["cilantro", "vm"];

pub fn check(files: &[File]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| is_source(&file.path)) {
        if file.lines().next().is_none_or(|(_, line)| !line.starts_with("//!")) {
            offences.push(Offence::at(file, 1, "does not start with `//!` and what it is for"));
        }
        let library = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/src/lib.rs"));
        if library.is_some_and(|name| !WITHOUT_EXAMPLE.contains(&name)) && !has_example(file) {
            offences.push(Offence::at(file, 1, "the library has no example that doc tests run"));
        }
    }
    offences
}

/// Sources of the crates and of the tasks; tests follow where they have more than one file.
fn is_source(path: &str) -> bool {
    path.ends_with(".rs") && (path.starts_with("crates/") || path.starts_with("xtask/"))
}

/// Whether the documentation has a block of code that is compiled.
fn has_example(file: &File) -> bool {
    let documented = file.lines().filter_map(|(_, line)| {
        let line = line.trim_start();
        line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))
    });
    // Every second mark ends a block.
    let marks = documented.filter_map(|line| line.trim().strip_prefix("```")).step_by(2);
    marks.into_iter().any(|mark| ["", "no_run"].contains(&mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_libraries_explain_themselves() {
        let example = "//! Adds.\n//!\n//! ```\n//! assert_eq!(1 + 1, 2);\n//! ```\n";
        let good = [File::new("crates/a/src/lib.rs", example), File::new("crates/a/src/b.rs", "//! B.\n")];
        assert_eq!(check(&good), []);
        let bad = [
            File::new("crates/a/src/lib.rs", "//! Adds.\n//! ```text\n//! 1 + 1\n//! ```\n"),
            File::new("xtask/src/b.rs", "// B.\n"),
            File::new("crates/a/tests/c.rs", ""),
        ];
        let found = check(&bad);
        let found: Vec<&str> = found.iter().map(|offence| offence.place.as_str()).collect();
        assert_eq!(found, ["crates/a/src/lib.rs:1", "xtask/src/b.rs:1", "crates/a/tests/c.rs:1"]);
    }
}
