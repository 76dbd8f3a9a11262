//! Shared frameworks: from `--runtime` to folders in probing order.

use std::path::{Path, PathBuf};

use super::runtimeconfig::{RuntimeConfig, Wanted};
use super::version::{RollForward, Version};
use crate::{Error, Result};

const CORE: &str = "Microsoft.NETCore.App";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFramework {
    pub name: String,
    pub version: String,
    pub folder: PathBuf,
}

impl SharedFramework {
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        super::in_folder(&self.folder, name)
            .or_else(|| super::in_folder(&self.folder.join(super::FACADES), name))
    }
}

/// The frameworks of `runtime` for a program with this configuration (none: the newest core framework).
pub(super) fn find(
    runtime: &Path,
    config: Option<&RuntimeConfig>,
    notes: &mut Vec<String>,
) -> Result<Vec<SharedFramework>> {
    if runtime.is_dir() && is_framework_folder(runtime) {
        return Ok(vec![explicit(runtime)]);
    }
    let root = root_of(runtime).ok_or_else(|| Error::NoRuntime { path: runtime.to_owned() })?;
    let newest =
        [Wanted { name: CORE.into(), version: "0.0.0".into(), roll_forward: RollForward::LatestMajor }];
    let wanted = match config {
        Some(config) if !config.frameworks.is_empty() => config.frameworks.as_slice(),
        _ => &newest,
    };
    let mut found = Vec::new();
    for framework in wanted {
        add(&root, framework, 0, &mut found, notes)?;
    }
    // The core framework carries what all others build on: it is asked last.
    found.sort_by_key(|framework: &SharedFramework| framework.name == CORE);
    Ok(found)
}

/// What a program's configuration asks for.
pub(super) fn core_version_wanted(config: &RuntimeConfig) -> Option<String> {
    config.frameworks.iter().find(|wanted| wanted.name == CORE).map(|wanted| wanted.version.clone())
}

/// A folder is taken as framework assemblies when a core library lies in it.
fn is_framework_folder(folder: &Path) -> bool {
    ["System.Private.CoreLib.dll", "mscorlib.dll", "System.Runtime.dll", "netstandard.dll"]
        .iter()
        .any(|file| folder.join(file).is_file())
}

/// `…/shared/<name>/<version>` says what it is; any other folder is named by its path.
fn explicit(folder: &Path) -> SharedFramework {
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let version = last(&absolute).unwrap_or_default();
    let parent = absolute.parent().and_then(last).unwrap_or_default();
    let (name, version) = match Version::parse(&version) {
        Some(_) => (parent, version),
        None => (version, core_version(folder)),
    };
    SharedFramework { name, version, folder: folder.to_owned() }
}

fn core_version(folder: &Path) -> String {
    let files = ["System.Private.CoreLib.dll", "mscorlib.dll", "System.Runtime.dll", "netstandard.dll"];
    let version = files.iter().find_map(|file| super::assembly_version(&folder.join(file)));
    version.map(|v| format!("{}.{}.{}.{}", v[0], v[1], v[2], v[3])).unwrap_or_default()
}

/// A dotnet root (it has `shared`), or the root a `dotnet` executable belongs to.
fn root_of(runtime: &Path) -> Option<PathBuf> {
    if runtime.join("shared").is_dir() {
        return Some(runtime.to_owned());
    }
    if !runtime.is_file() {
        return None;
    }
    let beside = runtime.parent().map(Path::to_owned);
    let behind_links = runtime.canonicalize().ok().and_then(|p| p.parent().map(Path::to_owned));
    beside.into_iter().chain(behind_links).find(|folder| folder.join("shared").is_dir())
}

fn add(
    root: &Path,
    wanted: &Wanted,
    depth: u32,
    found: &mut Vec<SharedFramework>,
    notes: &mut Vec<String>,
) -> Result<()> {
    if depth > 8 || found.iter().any(|framework| framework.name == wanted.name) {
        return Ok(());
    }
    let framework = choose(root, wanted, notes)?;
    let config_path = framework.folder.join(format!("{}.runtimeconfig.json", framework.name));
    found.push(framework);
    let config = RuntimeConfig::read_if_present(&config_path)?;
    for below in config.iter().flat_map(|config| &config.frameworks) {
        add(root, below, depth + 1, found, notes)?;
    }
    Ok(())
}

/// What the host would take; else the newest there is, with a note: looking at a program must not need its exact runtime.
fn choose(root: &Path, wanted: &Wanted, notes: &mut Vec<String>) -> Result<SharedFramework> {
    let folder = root.join("shared").join(&wanted.name);
    let missing = || Error::MissingFramework {
        name: wanted.name.as_str().into(),
        version: wanted.version.as_str().into(),
        root: root.to_owned(),
    };
    let installed = installed(&folder);
    let versions: Vec<Version> = installed.iter().map(|(version, _)| version.clone()).collect();
    let version = Version::parse(&wanted.version).ok_or_else(missing)?;
    let chosen = match wanted.roll_forward.choose(&version, &versions) {
        Some(chosen) => chosen,
        None => {
            let newest = versions.iter().max().ok_or_else(missing)?;
            let text = text_of(newest, &installed);
            notes.push(format!("{} {} is not installed; using {text}", wanted.name, wanted.version));
            newest
        }
    };
    let text = text_of(chosen, &installed);
    Ok(SharedFramework { name: wanted.name.clone(), folder: folder.join(&text), version: text })
}

fn installed(folder: &Path) -> Vec<(Version, String)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter(|e| e.path().is_dir()).map(|e| e.file_name().to_string_lossy().into_owned());
    let mut found: Vec<_> = names.filter_map(|name| Some((Version::parse(&name)?, name))).collect();
    found.sort();
    found
}

fn text_of(version: &Version, installed: &[(Version, String)]) -> String {
    installed.iter().find(|(v, _)| v == version).map(|(_, text)| text.clone()).unwrap_or_default()
}
