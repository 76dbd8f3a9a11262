//! Where a C# compiler is: what the user names, else the newest SDK beside a `dotnet`, else what the set-up provided.

use std::{
    env,
    path::{Path, PathBuf},
};

use replay::runtime::{Installation, provisioned};

/// Names a compiler for odd installations: `csc.dll`, its folder, an SDK's folder or a dotnet root.
pub const COMPILER_VARIABLE: &str = "CILANTRO_COMPILER";

/// The libraries of a C# compiler and the `dotnet` that runs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The folder with `Microsoft.CodeAnalysis.CSharp.dll`.
    pub folder: PathBuf,
    pub muxer: PathBuf,
    /// The version of the SDK that it belongs to.
    pub sdk: Option<String>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NoCompiler {
    #[error("{} has no C# compiler: it is neither csc.dll, nor its folder, nor an SDK, nor a dotnet root", .0.display())]
    Named(PathBuf),
    #[error(
        "no .NET SDK was found, so the written tests were not compiled: install one, or name a compiler with {COMPILER_VARIABLE}"
    )]
    Nowhere,
}

impl Compiler {
    /// The compiler of the installation that `muxer` belongs to, or of another one of this machine.
    pub fn find(muxer: &Path) -> Result<Compiler, NoCompiler> {
        if let Some(named) = env::var_os(COMPILER_VARIABLE).filter(|value| !value.is_empty()) {
            return Compiler::named(Path::new(&named), muxer);
        }
        let own = Installation::named(muxer).ok();
        let installed = own
            .into_iter()
            .chain(Installation::all())
            .find_map(|found| newest_sdk(&found.root, &found.muxer));
        // What the set-up provides is newer than an old runtime under test.
        let provided = || {
            let newest = newest_runtime(muxer, Installation::all().into_iter().map(|found| found.muxer));
            provisioned("roslyn-").into_iter().rev().find_map(|folder| libraries(&folder, &newest, None))
        };
        installed.or_else(provided).ok_or(NoCompiler::Nowhere)
    }

    /// What the user means; `muxer` runs it if no other is near.
    pub fn named(path: &Path, muxer: &Path) -> Result<Compiler, NoCompiler> {
        let unknown = || NoCompiler::Named(path.to_owned());
        let full = path.canonicalize().map_err(|_| unknown())?;
        let folder =
            if full.is_file() { full.parent().map(Path::to_owned).ok_or_else(unknown)? } else { full };
        // An SDK brings the runtime that its compiler wants.
        let root = folder.ancestors().find(|above| above.join(MUXER).is_file()).map(Path::to_owned);
        let near = root.as_ref().map_or(muxer.to_owned(), |root| root.join(MUXER));
        if root.as_deref() == Some(&folder) {
            return newest_sdk(&folder, &near).ok_or_else(unknown);
        }
        let of_sdk = || sdk_compiler(&folder, &near);
        libraries(&folder, &near, None).or_else(of_sdk).ok_or_else(unknown)
    }
}

const MUXER: &str = if cfg!(windows) { "dotnet.exe" } else { "dotnet" };

/// The `dotnet` with the newest framework; `muxer` if there is no newer one.
fn newest_runtime(muxer: &Path, others: impl Iterator<Item = PathBuf>) -> PathBuf {
    let newest = |muxer: &Path| {
        let frameworks = muxer.parent()?.join("shared").join("Microsoft.NETCore.App").read_dir().ok()?;
        frameworks.flatten().filter_map(|entry| Version::parse(entry.file_name().to_str()?)).max()
    };
    others.fold(muxer.to_owned(), |best, other| if newest(&other) > newest(&best) { other } else { best })
}

fn newest_sdk(root: &Path, muxer: &Path) -> Option<Compiler> {
    let mut sdks: Vec<(Version, PathBuf)> = root
        .join("sdk")
        .read_dir()
        .ok()?
        .flatten()
        .filter_map(|entry| Some((Version::parse(entry.file_name().to_str()?)?, entry.path())))
        .collect();
    sdks.sort();
    sdks.into_iter().rev().find_map(|(_, folder)| sdk_compiler(&folder, muxer))
}

/// `folder` is `sdk/<version>`.
fn sdk_compiler(folder: &Path, muxer: &Path) -> Option<Compiler> {
    let version = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    libraries(&folder.join("Roslyn").join("bincore"), muxer, version)
}

fn libraries(folder: &Path, muxer: &Path, sdk: Option<String>) -> Option<Compiler> {
    let complete = ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"]
        .iter()
        .all(|name| folder.join(name).is_file());
    complete.then(|| Compiler { folder: folder.to_owned(), muxer: muxer.to_owned(), sdk })
}

/// `10.0.100-rc.1.25451.107`: a version that is out is newer than its previews.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    numbers: Vec<u64>,
    is_out: bool,
    preview: Vec<(u64, String)>,
}

impl Version {
    pub fn parse(text: &str) -> Option<Version> {
        let (numbers, preview) = text.split_once('-').unwrap_or((text, ""));
        let numbers = numbers.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()?;
        let part = |part: &str| (part.parse().unwrap_or(u64::MAX), part.to_owned());
        let preview: Vec<_> = preview.split('.').filter(|part| !part.is_empty()).map(part).collect();
        Some(Version { numbers, is_out: preview.is_empty(), preview })
    }

    pub fn major_minor(&self) -> (u64, u64) {
        let at = |index: usize| self.numbers.get(index).copied().unwrap_or_default();
        (at(0), at(1))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;

    /// A dotnet root with these SDKs, made of empty files.
    fn root(sdks: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("shared")).unwrap();
        fs::write(root.path().join(MUXER), "").unwrap();
        for sdk in sdks {
            let folder = root.path().join("sdk").join(sdk).join("Roslyn/bincore");
            fs::create_dir_all(&folder).unwrap();
            for file in ["csc.dll", "Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"] {
                fs::write(folder.join(file), "").unwrap();
            }
        }
        root
    }

    #[test]
    fn the_newest_sdk_is_taken() {
        let root = root(&["9.0.308", "10.0.100-rc.2.25502.107", "10.0.100-rc.10.1", "10.0.100", "8.0.416"]);
        let found = newest_sdk(root.path(), Path::new("dotnet")).unwrap();
        assert_eq!(found.sdk.as_deref(), Some("10.0.100"));
        fs::remove_dir_all(root.path().join("sdk/10.0.100")).unwrap();
        let found = newest_sdk(root.path(), Path::new("dotnet")).unwrap();
        assert_eq!(found.sdk.as_deref(), Some("10.0.100-rc.10.1"));
    }

    #[test]
    fn a_provided_compiler_runs_on_the_newest_runtime() {
        let with = |version: &str| {
            let root = root(&[]);
            fs::create_dir_all(root.path().join("shared/Microsoft.NETCore.App").join(version)).unwrap();
            root
        };
        let (old, new) = (with("3.1.2"), with("10.0.0"));
        let muxer = |root: &tempfile::TempDir| root.path().join(MUXER);
        assert_eq!(newest_runtime(&muxer(&old), [muxer(&new)].into_iter()), muxer(&new));
        assert_eq!(newest_runtime(&muxer(&new), [muxer(&old)].into_iter()), muxer(&new));
        assert_eq!(newest_runtime(&muxer(&old), std::iter::empty()), muxer(&old));
    }

    #[test]
    fn an_sdk_without_a_compiler_is_none() {
        let root = root(&["8.0.416"]);
        fs::create_dir_all(root.path().join("sdk/10.0.100")).unwrap();
        assert_eq!(newest_sdk(root.path(), Path::new("dotnet")).unwrap().sdk.as_deref(), Some("8.0.416"));
    }

    #[test]
    fn every_way_to_name_one_will_do() {
        let root = root(&["8.0.416"]);
        let sdk = root.path().join("sdk/8.0.416");
        for named in [
            root.path().to_owned(),
            sdk.clone(),
            sdk.join("Roslyn/bincore"),
            sdk.join("Roslyn/bincore/csc.dll"),
        ] {
            let found = Compiler::named(&named, Path::new("other")).unwrap();
            assert!(found.folder.ends_with("sdk/8.0.416/Roslyn/bincore"), "{found:?}");
            assert!(found.muxer.starts_with(root.path().canonicalize().unwrap()), "{found:?}");
        }
        let nowhere = root.path().join("shared");
        let error = Compiler::named(&nowhere, Path::new("other")).unwrap_err();
        assert_eq!(error, NoCompiler::Named(nowhere));
    }
}
