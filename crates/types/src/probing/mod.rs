//! Where assemblies are looked for: the order of the .NET host and binder.
//!
//! The application comes first (what its `deps.json` lists, else every assembly beside it), then the shared frameworks
//! its `runtimeconfig.json` asks for, most specific first. When both carry an assembly the higher version wins, as in
//! the host. Last, leniently, any file of the application's folder that `deps.json` forgot.

mod deps;
mod framework;
mod runtimeconfig;
mod version;

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

pub use framework::SharedFramework;

use crate::{Error, Result};

/// Where Mono keeps assemblies that only forward.
const FACADES: &str = "Facades";

#[derive(Debug, Clone, Default)]
pub struct Probing {
    app_folder: Option<PathBuf>,
    /// Simple name (lower case) → file, as the application's deps.json says.
    listed: Option<FxHashMap<String, PathBuf>>,
    frameworks: Vec<SharedFramework>,
    /// The version of the core framework that the application asks for.
    wanted: Option<String>,
    /// What its `runtimeconfig.json` sets.
    properties: Vec<(String, String)>,
    notes: Vec<String>,
}

impl Probing {
    /// The places for `application` (an executable's or a library's dll), with the frameworks of `runtime`: a dotnet
    /// executable, a dotnet root, or a folder of framework assemblies.
    pub fn for_application(application: &Path, runtime: Option<&Path>) -> Result<Probing> {
        let folder = match application.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let stem = application.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let config_path = folder.join(format!("{stem}.runtimeconfig.json"));
        let config = runtimeconfig::RuntimeConfig::read_if_present(&config_path)?;
        let dev_path = folder.join(format!("{stem}.runtimeconfig.dev.json"));
        let extra = match runtimeconfig::RuntimeConfig::read_if_present(&dev_path)? {
            Some(dev) => dev.additional_probing_paths,
            None => Vec::new(),
        };
        let deps_path = folder.join(format!("{stem}.deps.json"));
        let listed = match deps_path.is_file() {
            true => Some(deps::assemblies(&deps_path, &folder, &extra)?),
            false => None,
        };
        let wanted = config.as_ref().and_then(framework::core_version_wanted);
        let properties = config.as_ref().map(|config| config.properties.clone()).unwrap_or_default();
        let mut probing =
            Probing { app_folder: Some(folder), listed, wanted, properties, ..Probing::default() };
        if let Some(runtime) = runtime {
            probing.frameworks = framework::find(runtime, config.as_ref(), &mut probing.notes)?;
        }
        Ok(probing)
    }

    /// Only a folder of framework assemblies (its `Facades` too).
    pub fn framework_folder(folder: &Path) -> Result<Probing> {
        let frameworks = framework::find(folder, None, &mut Vec::new())?;
        Ok(Probing { frameworks, ..Probing::default() })
    }

    /// The frameworks in probing order; the one with the core library is last.
    pub fn frameworks(&self) -> &[SharedFramework] {
        &self.frameworks
    }

    /// Whether a file is one of a framework's assemblies.
    pub fn is_framework(&self, file: &Path) -> bool {
        let folder = file.parent();
        self.frameworks.iter().any(|framework| {
            folder == Some(&framework.folder)
                || folder.is_some_and(|f| f.ends_with(FACADES) && f.parent() == Some(&framework.folder))
        })
    }

    /// The version of the core framework that the application asks for, if it has a `runtimeconfig.json`.
    pub fn wanted_version(&self) -> Option<&str> {
        self.wanted.as_deref()
    }

    /// Properties that the application's `runtimeconfig.json` sets, in its order.
    pub fn properties(&self) -> &[(String, String)] {
        &self.properties
    }

    /// The text of a property of the application, if it sets it.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(set, _)| set == name).map(|(_, value)| value.as_str())
    }

    /// The folder of the application, as an absolute path.
    pub fn application_folder(&self) -> Option<PathBuf> {
        self.app_folder.as_ref().map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))
    }

    /// The files of all assemblies that the host would list for the runtime: the application's, then the frameworks'.
    pub fn assembly_files(&self) -> Vec<PathBuf> {
        let mut own: Vec<PathBuf> = match &self.listed {
            Some(listed) => listed.values().cloned().collect(),
            None => self.application_folder().map(|folder| libraries(&folder)).unwrap_or_default(),
        };
        own.sort();
        own.extend(self.frameworks.iter().flat_map(|framework| libraries(&framework.folder)));
        own
    }

    /// What a user should know about the choice of frameworks.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The file of an assembly by its simple name.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if !is_simple_name(name) {
            return None;
        }
        let own = self.in_application(name);
        let shared = self.frameworks.iter().find_map(|framework| framework.find(name));
        match (own, shared) {
            (Some(own), Some(shared)) => Some(newer(own, shared)),
            (Some(file), None) | (None, Some(file)) => Some(file),
            (None, None) => in_folder(self.app_folder.as_deref()?, name),
        }
    }

    fn in_application(&self, name: &str) -> Option<PathBuf> {
        match &self.listed {
            Some(listed) => listed.get(&name.to_lowercase()).cloned(),
            None => in_folder(self.app_folder.as_deref()?, name),
        }
    }
}

/// `<folder>/<name>.dll` (or `.exe`, as old executables that are referenced like libraries).
fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    ["dll", "exe"].iter().map(|extension| folder.join(format!("{name}.{extension}"))).find(|p| p.is_file())
}

fn libraries(folder: &Path) -> Vec<PathBuf> {
    let files = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let mut libraries: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "dll")).collect();
    libraries.sort();
    libraries
}

/// Assembly names come from metadata: they must not lead out of the folder.
fn is_simple_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0', ':'])
}

/// The host prefers the higher assembly version, and the application's copy when they are equal.
fn newer(own: PathBuf, shared: PathBuf) -> PathBuf {
    match (assembly_version(&own), assembly_version(&shared)) {
        (Some(a), Some(b)) if b > a => shared,
        (None, Some(_)) => shared,
        _ => own,
    }
}

fn assembly_version(file: &Path) -> Option<[u16; 4]> {
    let module = cil::Module::open(file).ok()?;
    crate::assembly::version_of(&module)
}

fn read(path: &Path) -> Result<serde_json::Value> {
    let bytes = std::fs::read(path).map_err(|e| Error::unreadable(path, &e))?;
    let text = String::from_utf8_lossy(&bytes);
    serde_json::from_str(without_comments(text.trim_start_matches('\u{feff}')).as_str())
        .map_err(|e| Error::configuration(path, format!("not valid JSON: {e}")))
}

/// The host accepts `//` and `/* */` comments in its files.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            '/' if !in_string && chars.peek() == Some(&'/') => {
                for skipped in chars.by_ref() {
                    if skipped == '\n' {
                        break;
                    }
                }
                out.push('\n');
                continue;
            }
            '/' if !in_string && chars.peek() == Some(&'*') => {
                chars.next();
                let mut last = ' ';
                for skipped in chars.by_ref() {
                    if last == '*' && skipped == '/' {
                        break;
                    }
                    last = skipped;
                }
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}
