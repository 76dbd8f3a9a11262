//! Files and folders that Markdown names are there: a map that names what has moved sends its reader nowhere.
//!
//! Looked at are links to files, and code between backticks that is the path of a source file or starts with a folder of the
//! repository. Prose may leave out the first folders of a path, as in `ops/call.rs`; the rest must be the end of a path that
//! exists.

use std::collections::BTreeSet;

use super::{Offence, files::File};

/// What was true of older versions is not looked at.
const HISTORY: &str = "CHANGELOG.md";

pub fn check(files: &[File]) -> Vec<Offence> {
    let places = Places::of(files);
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".md") && file.path != HISTORY) {
        let mut inside_code = false;
        for (number, line) in file.lines() {
            inside_code ^= line.trim_start().starts_with("```");
            if inside_code {
                continue;
            }
            let gone = codes(line).filter(|code| places.is_gone(code));
            let dead = links(line).filter(|link| !places.has_link(&file.path, link));
            let named = gone.map(str::to_owned).chain(dead.map(str::to_owned));
            offences.extend(named.map(|name| Offence::at(file, number, format!("`{name}` is not there"))));
        }
    }
    offences
}

struct Places {
    /// All files, and all folders that have one.
    paths: BTreeSet<String>,
    /// The names that a path of the repository may start with, with and without `crates/`.
    starts: BTreeSet<String>,
}

impl Places {
    fn of(files: &[File]) -> Places {
        let mut paths = BTreeSet::new();
        for file in files {
            let mut path = file.path.as_str();
            paths.insert(path.to_owned());
            while let Some((folder, _)) = path.rsplit_once('/') {
                paths.insert(folder.to_owned());
                path = folder;
            }
        }
        let is_folder = |path: &&String| files.iter().all(|file| file.path != **path);
        let first = |path: &String| path.strip_prefix("crates/").unwrap_or(path).to_owned();
        let starts = paths.iter().filter(is_folder).map(first).filter(|path| !path.contains('/')).collect();
        Places { paths, starts }
    }

    /// Is it a path of the repository, and leads nowhere?
    fn is_gone(&self, code: &str) -> bool {
        let is_path = code.contains('/')
            && code.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
            && !code.starts_with('/');
        let path = code.trim_end_matches('/');
        let start = path.split('/').next().unwrap_or_default();
        let is_ours = path.ends_with(".rs") || self.starts.contains(start) && path.matches('/').count() > 1;
        is_path && is_ours && !self.has_end(path)
    }

    fn has_end(&self, path: &str) -> bool {
        let is_end = |known: &String| {
            known.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.paths.iter().any(is_end)
    }

    /// A link is relative to the folder of the file that has it.
    fn has_link(&self, from: &str, link: &str) -> bool {
        let mut path: Vec<&str> = from.split('/').collect();
        path.pop();
        for part in link.trim_end_matches('/').split('/') {
            match part {
                "." => {}
                ".." => drop(path.pop()),
                part => path.push(part),
            }
        }
        self.paths.contains(&path.join("/"))
    }
}

/// What stands between single backticks.
fn codes(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// What links of a line lead to, but for other sites and places in the same page.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let files = targets.map(|target| target.split('#').next().unwrap_or_default());
    files.filter(|target| !target.is_empty() && !target.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offences(text: &str) -> Vec<String> {
        let files = [
            File::new("docs/page.md", text),
            File::new("docs/other.md", ""),
            File::new("crates/vm/src/ops/call.rs", ""),
            File::new("fixtures/run/strings/Join.cs", ""),
        ];
        check(&files).into_iter().map(|offence| format!("{} {}", offence.place, offence.what)).collect()
    }

    #[test]
    fn paths_that_lead_somewhere_pass() {
        let text = "`ops/call.rs`, `vm/src/ops`, `crates/vm/src`, `fixtures/run/strings`, `src/ops/call.rs`\n\
                    [a](other.md), [b](../crates/vm/src), [c](https://example.com/x), [d](#here), [e](other.md#part)\n\
                    `a / b`, `and/or/xor`, `net10::strings/Join`, `obj/Debug/x.dll`\n\
                    ```\n`vm/src/gone.rs`\n```\n";
        assert_eq!(offences(text), Vec::<String>::new());
    }

    #[test]
    fn paths_that_lead_nowhere_are_found() {
        let text = "`ops/gone.rs` and `vm/src/gone`\n[a](gone.md) and [b](../other.md)\n";
        assert_eq!(
            offences(text),
            [
                "docs/page.md:1 `ops/gone.rs` is not there",
                "docs/page.md:1 `vm/src/gone` is not there",
                "docs/page.md:2 `gone.md` is not there",
                "docs/page.md:2 `../other.md` is not there",
            ]
        );
    }
}
