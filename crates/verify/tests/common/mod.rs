//! What all tests of this crate start from.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses a part of it

use std::{
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use testkit::Toolchain;
use verify::{Compiler, Framework, Limits, Outcome, Project, Report, SourceFile, Verifier};

pub fn runtime() -> replay::Runtime {
    let toolchain = Toolchain::locate().unwrap();
    let version = toolchain.runtime_version().to_owned();
    let core = replay::SharedFramework { name: "Microsoft.NETCore.App".into(), version };
    replay::Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] }
}

/// The compiler of the set-up plays the one of an SDK.
pub fn compiler() -> Compiler {
    let toolchain = Toolchain::locate().unwrap();
    Compiler::named(&toolchain.layout().roslyn(), &toolchain.dotnet()).unwrap()
}

pub fn limits() -> Limits {
    Limits { test: Duration::from_secs(20), ..Limits::default() }
}

pub fn verifier() -> Verifier {
    Verifier::new(compiler(), runtime(), limits()).unwrap()
}

pub fn project(framework: Framework, files: Vec<SourceFile>) -> Project {
    let mut project = Project::new("Subject.Tests", framework);
    project.files = files;
    project
}

pub fn verify(verifier: &mut Verifier, project: &Project) -> Report {
    verifier.verify(project, Instant::now() + Duration::from_secs(240), &AtomicBool::new(false))
}

/// A class of xUnit tests from the bodies of its tests.
pub fn class(name: &str, tests: &[(&str, &str)], members: &str) -> SourceFile {
    let mut text = format!(
        "using System;\nusing System.Collections.Generic;\nusing System.Globalization;\nusing System.Threading;\nusing System.Threading.Tasks;\nusing Xunit;\n\nnamespace Subject.Tests\n{{\n    public class {name}\n    {{\n"
    );
    for (index, (test, body)) in tests.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&format!(
            "        [Fact]\n        public void {test}()\n        {{\n            {body}\n        }}\n"
        ));
    }
    if !members.is_empty() {
        text.push_str(&format!("\n        {members}\n"));
    }
    text.push_str("    }\n}\n");
    SourceFile::new(&format!("{name}.cs"), text, tests.iter().map(|(test, _)| *test))
}

pub fn outcome<'a>(report: &'a Report, name: &str) -> &'a Outcome {
    let found = report.tests.iter().find(|test| test.name == name);
    &found.unwrap_or_else(|| panic!("no {name} in {:?}", report.tests)).outcome
}

/// A library of these sources.
pub fn library(name: &str, text: &str) -> PathBuf {
    testkit::compile(name, &[(&*format!("{name}.cs"), text)], &testkit::Options::default()).unwrap()
}
