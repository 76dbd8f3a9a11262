//! What a project is compiled with and run with.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{Against, Framework, Project, Setting, host::HostFiles, references::Target, standins};

/// References of a project with everything that stands for its packages.
pub(crate) struct Needs {
    pub compile: Vec<PathBuf>,
    pub run: Vec<PathBuf>,
    /// Assemblies of the test framework, by name.
    pub shared: Vec<String>,
    pub analyzers: Vec<PathBuf>,
    pub against: Against,
}

impl Needs {
    /// The restored packages, or stand-ins that are written beside the host.
    pub fn of(project: &Project, files: &HostFiles) -> io::Result<Needs> {
        let restored = project.restored.as_ref().filter(|restored| restored.has(project.framework));
        let (packages, of_run, against) = match restored {
            Some(restored) => (restored.references.clone(), restored.runtime.clone(), Against::Packages),
            None => {
                let standins = standins::write(files.folder(), project.framework, project.mocks)?;
                (standins.clone(), standins, Against::StandIns)
            }
        };
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let own: Vec<PathBuf> = project.references.iter().map(absolute).collect();
        Ok(Needs {
            compile: own.iter().cloned().chain(packages).collect(),
            shared: of_run.iter().filter_map(|path| framework_name(path)).collect(),
            run: own.into_iter().chain(of_run).collect(),
            analyzers: restored.map(|restored| restored.analyzers.clone()).unwrap_or_default(),
            against,
        })
    }

    /// The question that gives the project to the compiler service.
    pub fn open_request(&self, project: &Project, target: Target, framework: &[PathBuf]) -> Value {
        let options = &project.options;
        let setting = |setting: &Setting| json!({"nullable": setting.nullable, "usings": usings(setting, target, project.framework)});
        let settings: Vec<Value> = options.settings.iter().map(setting).collect();
        let file =
            |file: &crate::SourceFile| json!({"path": file.path, "text": file.text, "tests": file.tests});
        let files: Vec<Value> = project.files.iter().map(file).collect();
        json!({
            "op": "open",
            "name": project.name,
            "framework": framework,
            "references": self.compile,
            "analyzers": self.analyzers,
            "language": options.language.as_deref().unwrap_or(target.language()),
            "defines": options.defines,
            "unsafe": options.allow_unsafe,
            "checked": options.check_overflow,
            "warnings": target.warnings(),
            "nowarn": options.no_warn,
            "public_key": options.public_key.as_ref().map(|key| hexadecimal(key)),
            "settings": settings,
            "files": files,
        })
    }
}

/// The name of an assembly that belongs to a test framework. A mocking library makes classes at run time, in the load context
/// that it is in, so the real ones are not shared between contexts.
fn framework_name(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let lower = name.to_lowercase();
    let families = ["cilantro-", "xunit", "nunit", "mstest", "microsoft.visualstudio.test"];
    families.iter().any(|family| lower.starts_with(family)).then_some(name)
}

/// What the SDK and the template of the framework make global.
fn usings(setting: &Setting, target: Target, framework: Framework) -> Vec<&'static str> {
    if !setting.implicit_usings || !target.has_implicit_usings() {
        return Vec::new();
    }
    vec![
        "System",
        "System.Collections.Generic",
        "System.IO",
        "System.Linq",
        "System.Net.Http",
        "System.Threading",
        "System.Threading.Tasks",
        framework.namespace(),
    ]
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
