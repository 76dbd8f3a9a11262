//! `cargo xtask rules`: what holds for the whole repository and no compiler checks.
//!
//! Each rule is a function from what it looks at to the offences it found; its module says why the rule is there.

mod crates;
mod deny;
mod dependencies;
mod files;
mod markdown;
pub mod metadata;
mod places;
mod words;

use anyhow::{Result, bail};

use crate::process::{cargo, has_subcommand, root, step};
use files::File;
use metadata::Metadata;

/// Where a rule is broken, and how.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offence {
    /// `path:line`, or the name of a crate.
    pub place: String,
    pub what: String,
}

impl Offence {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Offence {
        Offence { place: place.into(), what: what.into() }
    }

    fn at(file: &File, line: usize, what: impl Into<String>) -> Offence {
        Offence::new(format!("{}:{line}", file.path), what)
    }
}

pub fn run() -> Result<()> {
    eprintln!("\n── rules");
    let files = files::of_repository(&root())?;
    let metadata = Metadata::read()?;
    let policy = deny::Policy::read(&root().join("deny.toml"))?;
    for warning in deny::warnings(&metadata, &policy) {
        eprintln!("note: {}: {}", warning.place, warning.what);
    }
    let mut offences = words::check(&files, &words::of_this_machine(&root()));
    offences.extend(markdown::check(&files));
    offences.extend(places::check(&files));
    offences.extend(crates::check(&files));
    offences.extend(dependencies::check(&metadata)?);
    offences.extend(deny::check(&metadata, &policy));
    offences.sort();
    for offence in &offences {
        eprintln!("error: {}: {}", offence.place, offence.what);
    }
    if !offences.is_empty() {
        bail!("the rules of the repository are broken in {} places", offences.len());
    }
    eprintln!("── rules: {} files keep them", files.len());
    // It knows of advisories as well, which are kept elsewhere.
    if has_subcommand("deny") {
        step("cargo deny", &mut cargo(["deny", "--locked", "check"]))?;
    }
    Ok(())
}
