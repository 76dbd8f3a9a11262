//! The rules of `deny.toml` that need nothing but what Cargo knows: licences, sources, banned crates, wildcards and
//! double versions. So they hold as well where cargo-deny is not installed, and nothing is compiled for them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::Offence;
use super::metadata::{Metadata, Package};

/// The registry of everybody, as lock files have it.
const REGISTRY: &str = concat!("registry+https://github.com/rust-lang/crates", ".io-index");

/// What `deny.toml` says.
#[derive(Debug, Default)]
pub struct Policy {
    licences: BTreeSet<String>,
    banned: BTreeSet<String>,
    /// Double versions are an error, not a note.
    one_version: bool,
}

impl Policy {
    pub fn read(path: &Path) -> Result<Policy> {
        let policy = Policy::parse(&fs::read_to_string(path).with_context(|| path.display().to_string())?);
        ensure!(!policy.licences.is_empty(), "{} allows no licence", path.display());
        Ok(policy)
    }

    /// Reads the few keys that are in it, not any TOML.
    fn parse(text: &str) -> Policy {
        let licences = strings(section(text, "licenses"), "allow");
        let bans = section(text, "bans");
        let one_version = bans.lines().any(|line| line.trim() == "multiple-versions = \"deny\"");
        Policy { licences, banned: strings(bans, "deny"), one_version }
    }
}

/// The lines below `[name]`.
fn section<'a>(text: &'a str, name: &str) -> &'a str {
    let after = text.split_once(&format!("[{name}]\n")).map_or("", |(_, after)| after);
    after.split("\n[").next().unwrap_or_default()
}

/// The strings in the list of a key.
fn strings(section: &str, key: &str) -> BTreeSet<String> {
    let list =
        section.split_once(&format!("\n{key} = [")).or_else(|| section.split_once(&format!("{key} = [")));
    let lines = list.map_or("", |(_, list)| list).lines().take_while(|line| !line.starts_with(']'));
    let entries = lines.filter(|line| !line.trim_start().starts_with('#'));
    entries.filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect()
}

pub fn check(metadata: &Metadata, policy: &Policy) -> Vec<Offence> {
    let mut offences: Vec<Offence> =
        metadata.packages.iter().flat_map(|package| check_package(package, policy)).collect();
    if policy.one_version {
        offences.extend(double_versions(metadata));
    }
    offences
}

/// What is worth knowing, and no error.
pub fn warnings(metadata: &Metadata, policy: &Policy) -> Vec<Offence> {
    if policy.one_version { Vec::new() } else { double_versions(metadata) }
}

fn check_package(package: &Package, policy: &Policy) -> Vec<Offence> {
    let mut offences = Vec::new();
    let mut offend = |what: String| offences.push(Offence::new(&package.name, what));
    let licence = package.license.as_deref().unwrap_or("none");
    if !satisfied(licence, &policy.licences) {
        offend(format!("the licence `{licence}` is not allowed by deny.toml"));
    }
    if policy.banned.contains(&package.name) {
        offend("is banned by deny.toml".to_owned());
    }
    match package.source.as_deref() {
        None | Some(REGISTRY) => {}
        Some(other) => offend(format!("comes from {other}")),
    }
    if package.source.is_none() {
        for requirement in package.dependencies.iter().filter(|r| r.req == "*" && r.path.is_none()) {
            offend(format!("any version of {} will do, which is none", requirement.name));
        }
    }
    offences
}

fn double_versions(metadata: &Metadata) -> Vec<Offence> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let doubles = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    doubles
        .map(|(name, versions)| Offence::new(name, format!("is there in versions {}", versions.join(", "))))
        .collect()
}

/// Whether an SPDX expression (parentheses only around alternatives) can be met.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    expression.split(" AND ").all(|alternatives| {
        let alternatives = alternatives.trim_matches(['(', ')']).replace('/', " OR ");
        alternatives.split(" OR ").any(|licence| allowed.contains(licence.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::metadata::{Requirement, Resolve};

    const DENY: &str = r#"
[licenses]
# Why.
allow = [
    "MIT",
    # "GPL-3.0",
    "Apache-2.0 WITH LLVM-exception",
]
confidence-threshold = 0.9

[bans]
multiple-versions = "deny"
deny = [
    { crate = "openssl-sys" },
]

[sources]
unknown-git = "deny"
"#;

    fn package(name: &str, version: &str, licence: &str, source: Option<&str>) -> Package {
        Package {
            id: format!("{name} {version}"),
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some(licence.to_owned()),
            source: source.map(str::to_owned),
            manifest_path: String::new(),
            dependencies: Vec::new(),
        }
    }

    fn offences(packages: Vec<Package>) -> Vec<String> {
        let resolve = Resolve { nodes: Vec::new() };
        let metadata = Metadata { packages, workspace_members: BTreeSet::new(), resolve };
        let found = check(&metadata, &Policy::parse(DENY));
        found.into_iter().map(|offence| format!("{}: {}", offence.place, offence.what)).collect()
    }

    #[test]
    fn the_file_is_understood() {
        let policy = Policy::parse(DENY);
        let licences: Vec<&str> = policy.licences.iter().map(String::as_str).collect();
        assert_eq!(licences, ["Apache-2.0 WITH LLVM-exception", "MIT"]);
        assert!(policy.banned.contains("openssl-sys") && policy.banned.len() == 1 && policy.one_version);
    }

    #[test]
    fn expressions_are_judged() {
        let allowed = Policy::parse(DENY).licences;
        assert!(satisfied("MIT OR GPL-3.0", &allowed) && satisfied("Unlicense/MIT", &allowed));
        assert!(satisfied("(GPL-3.0 OR MIT) AND Apache-2.0 WITH LLVM-exception", &allowed));
        assert!(!satisfied("(MIT OR Zlib) AND GPL-3.0", &allowed) && !satisfied("none", &allowed));
    }

    #[test]
    fn packages_are_judged() {
        let good = || package("a", "1.0.0", "MIT", Some(REGISTRY));
        assert_eq!(offences(vec![good()]), [] as [String; 0]);
        let gpl = package("b", "1.0.0", "GPL-3.0", Some(REGISTRY));
        assert_eq!(offences(vec![gpl]), ["b: the licence `GPL-3.0` is not allowed by deny.toml"]);
        let banned = package("openssl-sys", "1.0.0", "MIT", Some(REGISTRY));
        assert_eq!(offences(vec![banned]), ["openssl-sys: is banned by deny.toml"]);
        let git = package("c", "1.0.0", "MIT", Some("git+https://example.com/c"));
        assert_eq!(offences(vec![git]), ["c: comes from git+https://example.com/c"]);
        let twice = vec![good(), package("a", "2.0.0", "MIT", Some(REGISTRY))];
        assert_eq!(offences(twice), ["a: is there in versions 1.0.0, 2.0.0"]);
        let any = Requirement { name: "d".to_owned(), req: "*".to_owned(), path: None };
        let wild = Package { dependencies: vec![any], ..package("own", "0.1.0", "MIT", None) };
        assert_eq!(offences(vec![wild]), ["own: any version of d will do, which is none"]);
    }
}
