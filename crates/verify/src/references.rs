//! The base class library as a compiler sees it: reference assemblies of the target, else the runtime's own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use replay::Runtime;

use crate::compiler::Version;

/// The target that tests for this runtime have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub major: u64,
    pub minor: u64,
}

impl Target {
    pub fn of(runtime: &Runtime) -> Target {
        let core = runtime.frameworks.iter().find(|framework| framework.name == CORE);
        let version = core.or(runtime.frameworks.first()).and_then(|f| Version::parse(&f.version));
        let (major, minor) = version.map_or((10, 0), |version| version.major_minor());
        Target { major, minor }
    }

    /// The language that a project for this target is compiled as.
    pub fn language(self) -> &'static str {
        match self.major {
            0..=2 => "7.3",
            3 => "8.0",
            5 => "9.0",
            6 => "10.0",
            7 => "11.0",
            8 => "12.0",
            9 => "13.0",
            10 => "14.0",
            _ => "latest",
        }
    }

    /// The warning level that the SDK sets.
    pub fn warnings(self) -> u64 {
        if self.major >= 5 { self.major } else { 4 }
    }

    /// Whether the language has `global using`.
    pub fn has_implicit_usings(self) -> bool {
        self.major >= 6
    }

    fn moniker(self) -> String {
        match self.major {
            0..=4 => format!("netcoreapp{}.{}", self.major, self.minor),
            _ => format!("net{}.{}", self.major, self.minor),
        }
    }
}

const CORE: &str = "Microsoft.NETCore.App";

/// The assemblies of the frameworks that the runtime stands for.
pub(crate) fn of_frameworks(runtime: &Runtime, sdk_muxer: &Path) -> Vec<PathBuf> {
    let target = Target::of(runtime);
    let mut all = Vec::new();
    for framework in &runtime.frameworks {
        let pack = packs(runtime, sdk_muxer, &framework.name)
            .into_iter()
            .find_map(|packs| newest_pack(&packs, target));
        let folder = pack.or_else(|| implementation(runtime, &framework.name, &framework.version));
        all.extend(folder.iter().flat_map(|folder| assemblies(folder)));
    }
    all
}

/// Folders with one folder per version of the pack: beside `dotnet`, or where packages are restored to.
fn packs(runtime: &Runtime, sdk_muxer: &Path, framework: &str) -> Vec<PathBuf> {
    let name = format!("{framework}.Ref");
    let roots = [sdk_muxer, &runtime.muxer].map(Path::parent);
    let mut folders: Vec<PathBuf> =
        roots.into_iter().flatten().map(|root| root.join("packs").join(&name)).collect();
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    let restored = std::env::var_os("NUGET_PACKAGES")
        .map(PathBuf::from)
        .or_else(|| home.map(|home| Path::new(&home).join(".nuget/packages")));
    folders.extend(restored.map(|packages| packages.join(name.to_lowercase())));
    folders
}

fn newest_pack(packs: &Path, target: Target) -> Option<PathBuf> {
    let mut versions: Vec<(Version, PathBuf)> = fs::read_dir(packs)
        .ok()?
        .flatten()
        .filter_map(|entry| Some((Version::parse(entry.file_name().to_str()?)?, entry.path())))
        .filter(|(version, _)| version.major_minor() == (target.major, target.minor))
        .collect();
    versions.sort();
    let folder = versions.pop()?.1.join("ref").join(target.moniker());
    folder.is_dir().then_some(folder)
}

fn implementation(runtime: &Runtime, framework: &str, version: &str) -> Option<PathBuf> {
    let folder = runtime.muxer.parent()?.join("shared").join(framework).join(version);
    folder.is_dir().then_some(folder)
}

fn assemblies(folder: &Path) -> Vec<PathBuf> {
    let managed = |name: &str| name.ends_with(".dll") && !name.contains(".Native.");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(managed))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use replay::SharedFramework;

    use super::*;

    fn runtime(root: &Path, version: &str) -> Runtime {
        let core = SharedFramework { name: CORE.to_owned(), version: version.to_owned() };
        Runtime { muxer: root.join("dotnet"), frameworks: vec![core] }
    }

    #[test]
    fn reference_assemblies_of_the_target_come_first() {
        let root = tempfile::tempdir().unwrap();
        let touch = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        touch("packs/Microsoft.NETCore.App.Ref/8.0.2/ref/net8.0/System.Runtime.dll");
        touch("packs/Microsoft.NETCore.App.Ref/8.0.11/ref/net8.0/System.Runtime.dll");
        touch("packs/Microsoft.NETCore.App.Ref/10.0.0/ref/net10.0/System.Runtime.dll");
        touch("shared/Microsoft.NETCore.App/9.0.1/System.Private.CoreLib.dll");
        touch("shared/Microsoft.NETCore.App/9.0.1/System.Native.dll.dbg");
        touch("shared/Microsoft.NETCore.App/9.0.1/System.IO.Compression.Native.dll");
        let of = |version: &str| {
            let runtime = runtime(root.path(), version);
            let all = of_frameworks(&runtime, &runtime.muxer);
            let short = |path: PathBuf| path.strip_prefix(root.path()).unwrap().display().to_string();
            all.into_iter().map(short).collect::<Vec<_>>()
        };
        assert_eq!(of("8.0.5"), ["packs/Microsoft.NETCore.App.Ref/8.0.11/ref/net8.0/System.Runtime.dll"]);
        assert_eq!(of("9.0.1"), ["shared/Microsoft.NETCore.App/9.0.1/System.Private.CoreLib.dll"]);
    }

    #[test]
    fn a_target_has_its_language() {
        let of = |version: &str| Target::of(&runtime(Path::new("/x"), version));
        assert_eq!(of("8.0.5").language(), "12.0");
        assert_eq!(of("3.1.2").language(), "8.0");
        assert_eq!(of("3.1.2").moniker(), "netcoreapp3.1");
        assert_eq!((of("10.0.0").warnings(), of("3.1.0").warnings()), (10, 4));
    }
}
