//! The packages that the user's test project has restored: `obj/project.assets.json` names their files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// The assemblies of a project's packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// To compile against.
    pub references: Vec<PathBuf>,
    /// To run with.
    pub runtime: Vec<PathBuf>,
    /// Analyzers of the test framework; their warnings count.
    pub analyzers: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum RestoredError {
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{} says nothing about packages that is understood", .0.display())]
    Unclear(PathBuf),
    #[error("the package file {} is not there; restore the project again", .0.display())]
    Missing(PathBuf),
}

impl Restored {
    /// Of the project file's folder; none when nothing was restored there.
    pub fn beside(folder: &Path) -> Result<Option<Restored>, RestoredError> {
        let path = folder.join("obj").join("project.assets.json");
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path)
            .map_err(|source| RestoredError::Unreadable { path: path.clone(), source })?;
        Restored::parse(&text, &path).map(Some)
    }

    /// Whether the framework's assemblies are among them.
    pub fn has(&self, framework: crate::Framework) -> bool {
        let wanted = match framework.family() {
            "xunit" => "xunit.assert.dll",
            "nunit" => "nunit.framework.dll",
            _ => "Microsoft.VisualStudio.TestPlatform.TestFramework.dll",
        };
        let newer = "MSTest.TestFramework.dll";
        let is_named =
            |path: &PathBuf, name: &str| path.file_name().is_some_and(|file| file.eq_ignore_ascii_case(name));
        self.references.iter().any(|path| {
            is_named(path, wanted)
                || framework.family() == "mstest" && is_named(path, newer)
                || framework == crate::Framework::XUnit3 && is_named(path, "xunit.v3.assert.dll")
        })
    }

    fn parse(text: &str, path: &Path) -> Result<Restored, RestoredError> {
        let unclear = || RestoredError::Unclear(path.to_owned());
        let assets: Value = serde_json::from_str(text).map_err(|_| unclear())?;
        let object = |name: &str| assets.get(name).and_then(Value::as_object).ok_or_else(unclear);
        let folders: Vec<PathBuf> = object("packageFolders")?.keys().map(PathBuf::from).collect();
        let libraries = object("libraries")?;
        // A target with a runtime identifier comes after the one without.
        let (_, target) = object("targets")?.iter().next().ok_or_else(unclear)?;
        let mut restored = Restored::default();
        for (name, package) in target.as_object().ok_or_else(unclear)? {
            if package.get("type").and_then(Value::as_str) != Some("package") {
                continue;
            }
            let library = libraries.get(name).ok_or_else(unclear)?;
            let below = library.get("path").and_then(Value::as_str).ok_or_else(unclear)?;
            restored.analyzers.extend(analyzers(name, library, below, &folders));
            restored.references.extend(files(package, "compile", below, &folders)?);
            restored.runtime.extend(files(package, "runtime", below, &folders)?);
        }
        Ok(restored)
    }
}

/// Of the packages that belong to a test framework.
fn analyzers(package: &str, library: &Value, below: &str, folders: &[PathBuf]) -> Vec<PathBuf> {
    let lower = package.to_lowercase();
    if !["xunit", "nunit", "mstest"].iter().any(|family| lower.starts_with(family)) {
        return Vec::new();
    }
    let listed =
        library.get("files").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let for_csharp = |file: &&str| {
        file.starts_with("analyzers/dotnet/cs/")
            && file.ends_with(".dll")
            && !file.ends_with(".resources.dll")
    };
    let locate =
        |file: &str| folders.iter().map(|folder| folder.join(below).join(file)).find(|path| path.is_file());
    // One that is not there cannot complain.
    listed.filter(for_csharp).filter_map(locate).collect()
}

fn files(
    package: &Value,
    kind: &str,
    below: &str,
    folders: &[PathBuf],
) -> Result<Vec<PathBuf>, RestoredError> {
    let listed = package.get(kind).and_then(Value::as_object);
    let mut found = Vec::new();
    for file in listed.into_iter().flatten().map(|(file, _)| file).filter(|file| file.ends_with(".dll")) {
        let candidates = folders.iter().map(|folder| folder.join(below).join(file));
        let missing = || RestoredError::Missing(Path::new(below).join(file));
        found.push(candidates.into_iter().find(|path| path.is_file()).ok_or_else(missing)?);
    }
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Framework;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn assets(packages: &Path) -> String {
        serde_json::json!({
            "version": 3,
            "targets": {"net10.0": {
                "NUnit/4.3.2": {
                    "type": "package",
                    "compile": {"lib/net8.0/nunit.framework.dll": {}},
                    "runtime": {"lib/net8.0/nunit.framework.dll": {}},
                },
                "Microsoft.NET.Test.Sdk/17.14.1": {"type": "package", "compile": {"lib/net8.0/_._": {}}},
                "Shop/1.0.0": {"type": "project", "compile": {"bin/placeholder/Shop.dll": {}}},
            }},
            "libraries": {
                "NUnit/4.3.2": {"type": "package", "path": "nunit/4.3.2", "files": [
                    "analyzers/dotnet/cs/nunit.analyzers.dll", "analyzers/dotnet/cs/de/nunit.analyzers.resources.dll",
                ]},
                "Microsoft.NET.Test.Sdk/17.14.1": {"type": "package", "path": "microsoft.net.test.sdk/17.14.1"},
            },
            "packageFolders": {packages.to_str().unwrap(): {}},
        })
        .to_string()
    }

    #[test]
    fn the_files_of_packages_are_found() {
        let root = tempfile::tempdir().unwrap();
        let packages = root.path().join("packages");
        assert!(Restored::beside(root.path()).unwrap().is_none());
        write(root.path(), "obj/project.assets.json", &assets(&packages));
        let missing = Restored::beside(root.path()).unwrap_err();
        assert!(matches!(missing, RestoredError::Missing(_)), "{missing}");
        write(root.path(), "packages/nunit/4.3.2/lib/net8.0/nunit.framework.dll", "");
        let found = Restored::beside(root.path()).unwrap().unwrap();
        assert_eq!(found.references, [packages.join("nunit/4.3.2/lib/net8.0/nunit.framework.dll")]);
        assert_eq!(found.runtime, found.references);
        assert!(found.analyzers.is_empty());
        write(root.path(), "packages/nunit/4.3.2/analyzers/dotnet/cs/nunit.analyzers.dll", "");
        let found = Restored::beside(root.path()).unwrap().unwrap();
        assert_eq!(found.analyzers, [packages.join("nunit/4.3.2/analyzers/dotnet/cs/nunit.analyzers.dll")]);
        assert!(found.has(Framework::NUnit4));
        assert!(!found.has(Framework::XUnit2));
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in ["", "{}", "[1]", r#"{"targets":{},"libraries":{},"packageFolders":{}}"#] {
            let root = tempfile::tempdir().unwrap();
            write(root.path(), "obj/project.assets.json", text);
            assert!(matches!(Restored::beside(root.path()), Err(RestoredError::Unclear(_))), "{text}");
        }
    }
}
