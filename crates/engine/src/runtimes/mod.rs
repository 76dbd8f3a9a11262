//! Which .NET runtime is used: the one the user names, else the newest that suits the assembly.

mod mono;

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use replay::runtime::Installation;
use types::{AssemblyId, Probing, Universe};

use crate::error::Error;

/// A runtime for one assembly.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What to give to [`Probing`].
    pub path: PathBuf,
    /// The frameworks in probing order, the core one last.
    pub frameworks: Vec<types::SharedFramework>,
    /// How to run tests on it, or why that is not possible.
    pub replay: Result<replay::Runtime, String>,
}

impl Chosen {
    pub fn described(&self) -> Option<report::Runtime> {
        let core = self.frameworks.last()?;
        Some(report::Runtime { name: core.name.clone(), version: core.version.clone() })
    }

    /// A universe of its own, with the assembly in it.
    pub fn load(&self, assembly: &Path) -> types::Result<(Universe, AssemblyId)> {
        let universe = Universe::new(self.probing(assembly)?);
        let id = universe.load(assembly)?;
        Ok((universe, id))
    }

    pub fn probing(&self, assembly: &Path) -> types::Result<Probing> {
        Probing::for_application(assembly, Some(&self.path))
    }
}

/// As [`choose`], for a program that is to be run: one for Mono gets Mono's class library without being asked.
pub fn choose_for_program(program: &Path, named: Option<&Path>) -> Result<Chosen, Error> {
    let library = match named {
        Some(path) => mono::library_named(path),
        None => mono::library_for(program),
    };
    match library {
        Some(library) => choose_mono(program, &library),
        None => choose(program, named),
    }
}

pub fn choose(assembly: &Path, named: Option<&Path>) -> Result<Chosen, Error> {
    match named {
        Some(path) => match mono::library_named(path) {
            Some(library) => choose_mono(assembly, &library),
            None => choose_named(assembly, path),
        },
        None => choose_newest(assembly),
    }
}

/// Mono's class library, with the Mono that it belongs to for replay.
fn choose_mono(assembly: &Path, library: &Path) -> Result<Chosen, Error> {
    let mut chosen = choose_named(assembly, library)?;
    chosen.replay = match mono::executable_of(library) {
        Some(executable) => Ok(replay::Runtime::mono(executable)),
        None => Err("there is no mono executable beside this class library".into()),
    };
    Ok(chosen)
}

fn choose_named(assembly: &Path, path: &Path) -> Result<Chosen, Error> {
    let probing =
        Probing::for_application(assembly, Some(path)).map_err(|error| Error::Other(error.to_string()))?;
    let frameworks = probing.frameworks().to_vec();
    let replay = Installation::named(path)
        .map(|installation| runnable(&installation, &frameworks))
        .map_err(|error| error.to_string());
    Ok(Chosen { path: path.to_owned(), frameworks, replay })
}

fn choose_newest(assembly: &Path) -> Result<Chosen, Error> {
    let mut best: Option<(Suits, Chosen)> = None;
    let mut why = "install one, set DOTNET_ROOT, or name it with --runtime".to_owned();
    for installation in Installation::all() {
        match Probing::for_application(assembly, Some(&installation.root)) {
            Ok(probing) => {
                let frameworks = probing.frameworks().to_vec();
                let replay = Ok(runnable(&installation, &frameworks));
                let found = Chosen { path: installation.root.clone(), frameworks, replay };
                let suits = Suits::of(&probing);
                let is_better = |(other, best): &(Suits, Chosen)| {
                    suits > *other || suits == *other && is_newer(&found, best)
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some((suits, found));
                }
            }
            Err(error) => why = error.to_string(),
        }
    }
    best.map(|(_, chosen)| chosen).ok_or(Error::NoRuntime { why })
}

/// How well the frameworks of an installation suit what a program asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suits {
    /// The host would refuse them.
    Badly,
    /// It would roll forward to them.
    Forward,
    /// The same major and minor version.
    Well,
}

impl Suits {
    fn of(probing: &Probing) -> Suits {
        let release = |version: &str| version.split('.').take(2).map(str::to_owned).collect::<Vec<_>>();
        let has = probing.frameworks().last().map(|framework| release(&framework.version));
        match probing.wanted_version() {
            _ if !probing.notes().is_empty() => Suits::Badly,
            Some(wanted) if has == Some(release(wanted)) => Suits::Well,
            _ => Suits::Forward,
        }
    }
}

fn runnable(installation: &Installation, frameworks: &[types::SharedFramework]) -> replay::Runtime {
    let framework = |f: &types::SharedFramework| replay::SharedFramework {
        name: f.name.clone(),
        version: f.version.clone(),
    };
    replay::Runtime {
        muxer: installation.muxer.clone(),
        frameworks: frameworks.iter().rev().map(framework).collect(),
    }
}

fn is_newer(a: &Chosen, b: &Chosen) -> bool {
    let version = |c: &Chosen| c.frameworks.last().map(|f| f.version.clone()).unwrap_or_default();
    compare_versions(&version(a), &version(b)) == Ordering::Greater
}

/// By numbers; a release is newer than its previews.
fn compare_versions(a: &str, b: &str) -> Ordering {
    let split = |v: &str| {
        let (release, preview) = v.split_once('-').unwrap_or((v, ""));
        let numbers: Vec<u32> = release.split('.').map(|n| n.parse().unwrap_or(0)).collect();
        (numbers, preview.is_empty(), preview.to_owned())
    };
    split(a).cmp(&split(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for (older, newer) in
            [("9.0.9", "10.0.0"), ("10.0.0-rc.1", "10.0.0"), ("10.0.0", "10.0.1"), ("", "3.1.2")]
        {
            assert_eq!(compare_versions(older, newer), Ordering::Less, "{older} {newer}");
        }
    }
}
