//! Every dependency that a crate declares is used in its sources, and one that only its tests use is declared as theirs.
//!
//! What nobody uses is compiled all the same, and says something untrue about the architecture. Looked for is a path that
//! starts with the crate's name; comments do not count, except for the examples in documentation, which are tests.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Offence, metadata::Metadata};

pub fn check(metadata: &Metadata) -> Result<Vec<Offence>> {
    let mut offences = Vec::new();
    for (package, dependencies) in metadata.members() {
        let folder = Path::new(&package.manifest_path).parent().context("a manifest has a folder")?;
        let mut sources =
            Sources { code: text_below(&folder.join("src"))?, build: String::new(), tests: String::new() };
        for name in ["tests", "examples", "benches"] {
            sources.tests += &text_below(&folder.join(name))?;
        }
        sources.build += &fs::read_to_string(folder.join("build.rs")).unwrap_or_default();
        for dependency in dependencies {
            for kind in &dependency.dep_kinds {
                if !sources.use_it(&dependency.name, kind.kind.as_deref()) {
                    let kind = kind.kind.as_deref().map_or(String::new(), |kind| format!(" ({kind})"));
                    offences
                        .push(Offence::new(&package.name, format!("{}{kind} is not used", dependency.name)));
                }
            }
        }
    }
    Ok(offences)
}

struct Sources {
    code: String,
    build: String,
    tests: String,
}

impl Sources {
    fn use_it(&self, name: &str, kind: Option<&str>) -> bool {
        match kind {
            None => mentions(&self.code, name, false),
            Some("build") => mentions(&self.build, name, false),
            Some(_) => mentions(&self.tests, name, false) || mentions(&self.code, name, true),
        }
    }
}

/// All Rust below a folder; nothing if it is not there.
fn text_below(folder: &Path) -> Result<String> {
    let mut text = String::new();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(text) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            text += &text_below(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            // A module may lie elsewhere, and is compiled here.
            for module in own.lines().filter_map(elsewhere) {
                text += &fs::read_to_string(folder.join(module)).unwrap_or_default();
                text.push('\n');
            }
            text += &own;
            text.push('\n');
        }
    }
    Ok(text)
}

/// The file that a module's attribute names.
fn elsewhere(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]")
}

fn mentions(text: &str, name: &str, with_examples: bool) -> bool {
    let start = format!("{name}::");
    let whole = [format!("use {name};"), format!("use {name} as ")];
    text.lines().any(|line| {
        let code = line.trim_start();
        let code = match code.strip_prefix("///").or_else(|| code.strip_prefix("//!")) {
            Some(documentation) if with_examples => documentation,
            Some(_) => return false,
            None => line.split("//").next().unwrap_or_default(),
        };
        let starts_there = |at: usize| {
            let before = code.get(..at).unwrap_or_default();
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
        };
        code.match_indices(&start).any(|(at, _)| starts_there(at))
            || whole.iter().any(|whole| code.contains(whole))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_a_path_that_starts_with_the_name() {
        for used in ["use term::Terms;", "fn f(t: &term::Terms)", "#[derive(term::Error)]", "use term as t;"]
        {
            assert!(mentions(used, "term", false), "{used}");
        }
        for not in [
            "use midterm::x;",
            "use crate::term::x;",
            "// use term::Terms;",
            "let term = 1;",
            "/// use term::Terms;",
        ] {
            assert!(!mentions(not, "term", false), "{not}");
        }
        assert!(mentions("/// use term::Terms;", "term", true));
    }

    #[test]
    fn a_module_may_lie_elsewhere() {
        assert_eq!(elsewhere("  #[path = \"../run/machine.rs\"]"), Some("../run/machine.rs"));
        assert_eq!(elsewhere("mod machine;"), None);
    }

    #[test]
    fn what_only_tests_use_is_theirs() {
        let sources = Sources { code: "a::f();".into(), build: "b::f();".into(), tests: "c::f();".into() };
        assert!(
            sources.use_it("a", None)
                && sources.use_it("b", Some("build"))
                && sources.use_it("c", Some("dev"))
        );
        assert!(
            !sources.use_it("c", None) && !sources.use_it("b", None) && !sources.use_it("d", Some("dev"))
        );
    }
}
