//! No file mentions a host that packages are fetched from, or a path of somebody's machine.
//!
//! Packages are fetched by the clients that people have configured for their network: a host name in the repository
//! would go around that. A path of one machine helps nobody on another.

use std::path::Path;

use super::{Offence, files::File};

/// The parts of host names, so that this file does not have them.
const HOSTS: &[&[&str]] = &[
    &["crates", "io"],
    &["pypi", "org"],
    &["pythonhosted", "org"],
    &["npmjs", "org"],
    &["npmjs", "com"],
    &["nuget", "org"],
    &["debian", "org"],
    &["ubuntu", "com"],
];

/// Lock files are Cargo's own, and name the registry in every entry; where sources come from is a rule of `deny.toml`.
const LOCKS: [&str; 2] = ["Cargo.lock", "fuzz/Cargo.lock"];

/// The paths that must not be mentioned: those of every machine of a kind, and those of this one.
pub fn of_this_machine(root: &Path) -> Vec<String> {
    let mut paths: Vec<String> =
        [["", "root", ""], ["", "Users", ""]].iter().map(|parts| parts.join("/")).collect();
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).to_path_buf());
    for folder in [home, Some(root.to_path_buf())].into_iter().flatten() {
        // A folder right below the root of the file system may be called like anything.
        if folder.components().count() > 2 {
            paths.push(folder.display().to_string());
        }
    }
    paths
}

pub fn check(files: &[File], paths: &[String]) -> Vec<Offence> {
    let hosts = HOSTS.iter().map(|parts| parts.join("."));
    let mut words: Vec<String> = hosts.collect();
    words.extend(paths.iter().cloned());
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| !LOCKS.contains(&file.path.as_str())) {
        for word in words.iter().filter(|word| contains(&file.bytes, word.as_bytes())) {
            let line =
                file.lines().find(|(_, line)| line.contains(word.as_str())).map_or(0, |(line, _)| line);
            offences.push(Offence::at(file, line, format!("mentions `{word}`")));
        }
    }
    offences
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_paths_are_found() {
        let host = ["pypi", "org"].join(".");
        let files = [
            File::new("a.rs", &format!("fine\nhttps://{host}/simple")),
            File::new("Cargo.lock", &["crates", "io"].join(".")),
            File::new("b.md", "look in /here/it/is/x"),
            File::new("c.md", "look in /elsewhere"),
        ];
        let found = check(&files, &["/here/it/is".to_owned()]);
        let found: Vec<&str> = found.iter().map(|offence| offence.place.as_str()).collect();
        assert_eq!(found, ["a.rs:2", "b.md:1"]);
    }

    #[test]
    fn the_folder_of_the_repository_is_a_path_of_this_machine() {
        let paths = of_this_machine(Path::new("/build/somewhere/cilantro"));
        assert!(paths.contains(&"/build/somewhere/cilantro".to_owned()), "{paths:?}");
        assert!(!of_this_machine(Path::new("/src")).contains(&"/src".to_owned()));
    }
}
