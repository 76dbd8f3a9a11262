//! `*.deps.json`: which files an application (or a framework) brings with it.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::Result;

/// Simple name (lower case) → file. A later entry never replaces an earlier one, except that an asset for this
/// platform (`runtimeTargets`) beats the portable one.
pub(super) fn assemblies(
    path: &Path,
    folder: &Path,
    extra: &[PathBuf],
) -> Result<FxHashMap<String, PathBuf>> {
    let json = super::read(path)?;
    let mut files = FxHashMap::default();
    let Some(target) = target(&json) else { return Ok(files) };
    for (library, assets) in target {
        let package = json.pointer("/libraries").and_then(|l| l.get(library)?.get("path")?.as_str());
        let specific = assets.get("runtimeTargets").and_then(Value::as_object).into_iter().flatten();
        let specific = specific.filter(|(_, asset)| is_for_this_platform(asset)).map(|(path, _)| path);
        let portable =
            assets.get("runtime").and_then(Value::as_object).into_iter().flatten().map(|(path, _)| path);
        for asset in specific.chain(portable) {
            let Some(name) = simple_name(asset) else { continue };
            if files.contains_key(&name) {
                continue;
            }
            if let Some(file) = locate(asset, package, folder, extra) {
                files.insert(name, file);
            }
        }
    }
    Ok(files)
}

/// The target named by `runtimeTarget`, else the first one that is not empty.
fn target(json: &Value) -> Option<&serde_json::Map<String, Value>> {
    let targets = json.get("targets")?.as_object()?;
    let named =
        json.pointer("/runtimeTarget/name").or_else(|| json.get("runtimeTarget")).and_then(Value::as_str);
    let named = named.and_then(|name| targets.get(name)).and_then(Value::as_object);
    named.or_else(|| targets.values().filter_map(Value::as_object).find(|target| !target.is_empty()))
}

fn is_for_this_platform(asset: &Value) -> bool {
    let text = |key| asset.get(key).and_then(Value::as_str).unwrap_or_default();
    let platforms: &[&str] = match std::env::consts::OS {
        "windows" => &["win", "win-x64", "any"],
        "macos" => &["osx", "osx-x64", "osx-arm64", "unix", "any"],
        _ => &["linux-x64", "linux-arm64", "linux", "unix-x64", "unix", "any"],
    };
    text("assetType") == "runtime" && platforms.contains(&text("rid"))
}

/// `lib/net8.0/Foo.dll` → `foo`; `_._` and native files are no assemblies.
fn simple_name(asset: &str) -> Option<String> {
    let file = asset.rsplit('/').next()?;
    let name = file.strip_suffix(".dll").or_else(|| file.strip_suffix(".exe"))?;
    Some(name.to_lowercase())
}

/// A published application has the file beside it (or under the same relative path); one that was only built has it in
/// a package folder.
fn locate(asset: &str, package: Option<&str>, folder: &Path, extra: &[PathBuf]) -> Option<PathBuf> {
    let file = asset.rsplit('/').next()?;
    let mut places = vec![folder.join(asset), folder.join(file)];
    if let Some(package) = package {
        places.extend(extra.iter().map(|root| root.join(package).join(asset)));
        places.extend(package_folders().map(|root| root.join(package).join(asset)));
    }
    places.into_iter().find(|place| place.is_file())
}

/// The package folders the build tools use.
fn package_folders() -> impl Iterator<Item = PathBuf> {
    let own = std::env::var_os("NUGET_PACKAGES").map(PathBuf::from);
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    own.into_iter().chain(home.map(|home| Path::new(&home).join(".nuget").join("packages")))
}
