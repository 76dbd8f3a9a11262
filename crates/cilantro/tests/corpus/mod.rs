//! A folder of C# whose comments say what each method can do, run through the command line: what is found is compared
//! with the comments, and the tests that come out compile without warnings and pass on the real runtime.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use report::{Method, Summary};
use tempfile::TempDir;
use testkit::{Expectation, Options, Source, Target, Toolchain};

const RUNNER: &str = include_str!("../../../csharp/tests/standins/NUnitRunner.cs");

pub struct Corpus {
    pub dll: PathBuf,
    expectations: Vec<Expectation>,
}

/// What a run has left: the summary and the folder of the tests.
pub struct Generated {
    pub summary: Summary,
    pub folder: TempDir,
}

impl Corpus {
    /// The C# files of a folder below `fixtures`.
    pub fn of(folder: &str) -> Corpus {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
        let files = testkit::csharp_files(&folder).unwrap();
        let mut expectations = Vec::new();
        for file in &files {
            expectations.extend(testkit::expectations(file).unwrap());
        }
        let sources: Vec<Source> = files.iter().map(Source::from).collect();
        let name: String = folder.file_name().unwrap().to_string_lossy().into_owned();
        let mut letters = name.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        let name: String = first.into_iter().chain(letters).collect();
        Corpus { dll: testkit::compile(&name, &sources, &Options::default()).unwrap(), expectations }
    }

    pub fn generate(&self, options: &[&str]) -> Generated {
        let folder = TempDir::new().unwrap();
        let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
        // What the renderer writes is right by itself: the net that catches the rest is not asked.
        let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
        command.arg("generate").arg(&self.dll).arg("-o").arg(folder.path()).arg("--runtime").arg(runtime);
        command
            .args(["--format", "json", "--timeout", "3m", "--framework", "nunit", "--no-verify", "--private"])
            .args(options)
            .stdin(Stdio::null());
        if !options.contains(&"--max-steps") {
            command.args(["--max-steps", "60000"]);
        }
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let summary =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"));
        Generated { summary, folder }
    }

    /// Everything is as the comments say, and at least so many tests pass.
    pub fn check(&self, generated: &Generated, least: u64) {
        let summary = &generated.summary;
        let mut wrong = Vec::new();
        for expectation in &self.expectations {
            let name = &expectation.method;
            match summary.methods.iter().find(|method| is_named(method, name)) {
                Some(method) => wrong.extend(contradictions(name, method, expectation)),
                None => wrong.push(format!("{name} is not there")),
            }
        }
        for method in summary.methods.iter().filter(|method| method.replay.failed > 0) {
            wrong.push(format!("{}: tests do not replay: {:?}", method.id, method.incomplete));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        self.passes(generated, least);
    }

    fn passes(&self, generated: &Generated, least: u64) {
        let files = testkit::csharp_files(generated.folder.path()).unwrap();
        let mut sources: Vec<Source> = files.iter().map(Source::from).collect();
        sources.push(Source::text("NUnitRunner.cs", RUNNER));
        let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
        let options = Options {
            target: Target::Exe,
            references: vec![nunit, self.dll.clone()],
            arguments: vec!["-warnaserror+".to_owned()],
            ..Options::default()
        };
        let name = format!("{}Tests", self.dll.file_stem().unwrap().to_string_lossy());
        let program = testkit::compile(&name, &sources, &options).unwrap();
        let finished = testkit::run_dotnet(&program, &[]).unwrap();
        let tests: u64 = generated.summary.methods.iter().map(|method| method.tests).sum();
        assert!(tests >= least, "only {tests} tests");
        let wanted = format!("{tests} passed, 0 failed");
        assert!(finished.stdout.contains(&wanted), "{wanted}: {}{}", finished.stdout, finished.stderr);
    }
}

fn contradictions(name: &str, method: &Method, expectation: &Expectation) -> Vec<String> {
    let mut wrong = Vec::new();
    let coverage = &method.coverage;
    // What is true may be proven under an assumption; what is not may not even then.
    let proven = coverage.proven_unreachable_branches + coverage.proven_assuming_branches;
    let reached = coverage.covered_branches;
    if proven + reached < coverage.branches && expectation.dead != Some(true) {
        wrong.push(format!("{name}: {reached} of {} branches: {:?}", coverage.branches, method.incomplete));
    }
    if expectation.dead == Some(false) && proven > 0 {
        wrong.push(format!("{name}: {proven} branches are proven unreachable"));
    }
    if expectation.dead == Some(true) && proven == 0 {
        wrong.push(format!("{name}: nothing is proven: {:?}", method.incomplete));
    }
    let simple = |full: &str| full.rsplit('.').next().unwrap_or(full).to_owned();
    let found: BTreeSet<String> = method.bugs.iter().map(|bug| simple(&bug.exception)).collect();
    if let Some(bugs) = &expectation.bugs
        && found != bugs.iter().cloned().collect()
    {
        wrong.push(format!("{name}: throws {found:?}, not {bugs:?}: {:?}", method.incomplete));
    }
    wrong
}

/// ``Tree`1::Contains``, with or without the types around it.
fn is_named(method: &Method, name: &str) -> bool {
    let (start, _) = method.id.split_once('(').unwrap_or((&method.id, ""));
    let (ty, method) = start.split_once("::").unwrap_or((start, ""));
    let method = method.split('<').next().unwrap_or(method);
    let ty = ty.rsplit(['.', '+']).next().unwrap_or(ty);
    name == format!("{ty}::{method}")
}
