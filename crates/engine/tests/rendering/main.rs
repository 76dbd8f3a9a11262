//! The written project by itself: whatever a library looks like, its tests compile without a warning, with and without
//! nullable references, and pass. The verifier would leave out what does not; here it must find nothing.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use csharp::{MockLibrary, Reference, TestFramework};
use engine::{Engine, Options, Selection, Writing};
use report::NotWritten;

mod shapes;

/// Steps bound the search, so that the same tests come out everywhere; the time is only there so that nothing hangs.
const TIMEOUT: Duration = Duration::from_secs(600);

struct Suite {
    written: usize,
    /// Those that are not written, by reason.
    left_out: BTreeMap<NotWritten, Vec<String>>,
}

impl Suite {
    /// What was handed to the compiler and to the runtime and did not hold there.
    fn fallen(&self) -> Vec<&String> {
        let reasons = [NotWritten::DoesNotCompile, NotWritten::Fails, NotWritten::NotVerified];
        reasons.iter().filter_map(|reason| self.left_out.get(reason)).flatten().collect()
    }
}

fn suite(assembly: &Path, framework: TestFramework, selection: Selection, max_steps: u64) -> Suite {
    let options = Options {
        scope: engine::Scope::Private,
        selection,
        timeout: Some(TIMEOUT),
        max_steps: Some(max_steps),
        verify: true,
        ..Options::default()
    };
    let mut run = Engine::new(options).generate(assembly).unwrap();
    for _event in &mut run {}
    let mut outcome = run.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let name = assembly.file_stem().unwrap().to_string_lossy().into_owned();
    let written = outcome.write(&Writing {
        options: csharp::Options {
            framework,
            mocks: MockLibrary::None,
            target_framework: "net10.0".to_owned(),
            assembly: name,
            reference: Reference::Assembly { hint_path: assembly.to_string_lossy().into_owned() },
            theories: csharp::Theories::default(),
        },
        folder: folder.path().to_owned(),
    });
    assert!(!written.remarks.iter().any(|remark| remark.contains("not compiled")), "{:?}", written.remarks);
    let mut left_out: BTreeMap<NotWritten, Vec<String>> = BTreeMap::new();
    for method in &outcome.summary.methods {
        for unwritten in &method.unwritten {
            let line = format!("{}: {}", method.id, unwritten.detail);
            left_out.entry(unwritten.reason).or_default().push(line);
        }
    }
    Suite { written: outcome.suite.len(), left_out }
}

fn shaped(seed: u64) -> PathBuf {
    let text = shapes::library(seed);
    let compiled = testkit::compile(
        &format!("Shapes{seed}"),
        &[("Shapes.cs", text.as_str())],
        &testkit::Options::default(),
    );
    compiled.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"))
}

/// More seeds: `CILANTRO_SHAPES=100`.
fn seeds() -> u64 {
    std::env::var("CILANTRO_SHAPES").ok().and_then(|count| count.parse().ok()).unwrap_or(3)
}

#[test]
fn tests_of_random_shapes_compile_and_pass() {
    let frameworks = [TestFramework::XUnit, TestFramework::NUnit, TestFramework::MSTest];
    let mut fallen = Vec::new();
    for (seed, framework) in (0..seeds()).zip(frameworks.into_iter().cycle()) {
        let suite = suite(&shaped(seed), framework, Selection::default(), 3000);
        eprintln!("seed {seed}: {} written, left out: {:#?}", suite.written, suite.left_out);
        assert!(suite.written > 0);
        fallen.extend(suite.fallen().into_iter().map(|line| format!("seed {seed}: {line}")));
    }
    assert!(fallen.is_empty(), "{fallen:#?}");
}

/// A library of other people, and the part of it that is looked at.
struct Library {
    name: &'static str,
    namespaces: &'static [&'static str],
    framework: TestFramework,
}

const MAX_STEPS: u64 = 300;

/// Nothing that was compiled and run alone fell; what no C# says, or what holds only in some company, is less than a
/// fiftieth.
fn tests_of_library_compile_and_pass(library: &Library) {
    let toolchain = testkit::Toolchain::locate().unwrap();
    let Some(assembly) = testkit::found_or_skip(library.name, toolchain.third_party(library.name)) else {
        return;
    };
    let namespaces = library.namespaces.iter().map(|name| (*name).to_owned()).collect();
    let selection = Selection { namespaces, ..Selection::default() };
    let suite = suite(&assembly, library.framework, selection, MAX_STEPS);
    let left_out: usize = suite.left_out.values().map(Vec::len).sum();
    eprintln!("{}: {} written, left out: {:#?}", library.name, suite.written, suite.left_out);
    assert_eq!(suite.fallen(), Vec::<&String>::new(), "{}", library.name);
    let all = suite.written + left_out;
    assert!(left_out * 50 < all, "{}: {left_out} of {all} left out", library.name);
}

#[test]
fn tests_of_a_parser_library_compile_and_pass() {
    tests_of_library_compile_and_pass(&Library {
        name: "Parlot",
        namespaces: &["Parlot"],
        framework: TestFramework::XUnit,
    });
}

#[test]
fn tests_of_a_command_line_library_compile_and_pass() {
    tests_of_library_compile_and_pass(&Library {
        name: "CommandLine",
        namespaces: &["CommandLine.Core"],
        framework: TestFramework::NUnit,
    });
}

#[test]
fn tests_of_a_serializer_compile_and_pass() {
    tests_of_library_compile_and_pass(&Library {
        name: "Newtonsoft.Json",
        namespaces: &["Newtonsoft.Json.Serialization"],
        framework: TestFramework::MSTest,
    });
}
