//! The action, the GitLab template and the Azure steps: their own scripts, run here as these services would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::library::shop;
use crate::program::runtime;

fn repository() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The scripts of a file in YAML: what follows `run: |`, `bash: |` or the items of `script:`.
fn scripts(file: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(file)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut scripts = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let key = line.trim_start().trim_start_matches("- ");
        let inside = lines.iter().skip(number + 1).take_while(|other| indentation(other) > indentation(line));
        match key {
            "run: |" | "bash: |" => {
                // In an item of a list its other keys follow, as deep as the key.
                let depth = indentation(lines[number + 1]);
                let own = inside.take_while(|other| indentation(other) >= depth);
                scripts.push(own.map(|line| line.trim()).collect::<Vec<_>>().join("\n"));
            }
            "script:" => {
                let items = inside.map(|item| item.trim_start().trim_start_matches("- ").trim_matches('\''));
                scripts.push(items.collect::<Vec<_>>().join("\n"));
            }
            _ => {}
        }
    }
    scripts
}

/// A job of a service: a folder of its own, the real binary on its PATH.
struct Job {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Job {
    fn new(project: &Path) -> Job {
        let folder = tempfile::tempdir().unwrap();
        let variables = vec![
            ("CHECK_PROJECT", project.display().to_string()),
            ("CHECK_ARGUMENTS", "--type Shop.Cart --max-steps 3000".to_owned()),
            ("CILANTRO_RUNTIME", runtime().display().to_string()),
        ];
        Job { folder, variables }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Job {
        self.variables.push((name, value.into()));
        self
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn run(&self, script: &str) -> Output {
        let binary = Path::new(env!("CARGO_BIN_EXE_cilantro")).parent().unwrap();
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        bash.args(["-eo", "pipefail", "-c", script]).current_dir(self.folder.path()).env("PATH", path);
        bash.envs(self.variables.iter().cloned()).output().unwrap()
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn github_has_annotations_a_summary_and_sarif() {
    let job = Job::new(&shop()).with("GITHUB_ACTION_PATH", repository().display().to_string());
    let files = ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH"];
    let job = files.iter().fold(job, |job, name| {
        let path = job.file(name).display().to_string();
        job.with(name, path)
    });
    let [install, check] = scripts("action.yml").try_into().unwrap();
    assert!(job.run(&install).status.success());
    assert!(Path::new(job.text("GITHUB_PATH").trim()).join("cilantro").is_file());
    let output = job.run(&check);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("::error") && said(&output).contains("DivideByZeroException"),
        "{}",
        said(&output)
    );
    assert!(job.text("GITHUB_STEP_SUMMARY").contains("## cilantro check: Shop.dll"));
    assert_eq!(job.text("GITHUB_OUTPUT"), "reports=cilantro-reports\nexit-code=1\n");
    let sarif: Value = serde_json::from_str(&job.text("cilantro-reports/cilantro.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    // The next job compares with what this one has left: nothing has changed.
    let again = job.with("CHECK_SINCE", "cilantro-reports/summary.json");
    let output = again.run(&check);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(again.text("cilantro-reports/summary.md").contains("0 methods that changed since"));
}

#[test]
fn gitlab_has_code_quality_and_junit() {
    let job = Job::new(&shop()).with("CILANTRO_SOURCE", repository().display().to_string());
    let [script] = scripts("ci/gitlab.yml").try_into().unwrap();
    let output = job.run(&script);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let quality: Value = serde_json::from_str(&job.text("cilantro-reports/code-quality.json")).unwrap();
    assert!(quality.as_array().is_some_and(|found| !found.is_empty()), "{quality}");
    assert!(job.text("cilantro-reports/junit.xml").contains("<testsuites"));
}

#[test]
fn azure_has_a_summary_and_junit() {
    let job = Job::new(&shop()).with("CILANTRO_SOURCE", repository().display().to_string());
    let [script] = scripts("ci/azure.yml").try_into().unwrap();
    let output = job.run(&script);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("##vso[task.uploadsummary]/"), "{}", said(&output));
    assert!(job.text("cilantro-reports/junit.xml").contains("<testsuites"));
}

#[test]
fn an_incomplete_answer_fails_a_strict_job_only() {
    let check = repository().join("ci/check.sh").display().to_string();
    let options = "--type Shop.Loops.Endless --max-steps 500 --fail-on none";
    let job = || Job::new(&shop()).with("CHECK_ARGUMENTS", options);
    let output = job().run(&format!("'{check}' gitlab"));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = job().with("CHECK_STRICT", "true").run(&format!("'{check}' gitlab"));
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert_eq!(job().run(&format!("'{check}' jenkins")).status.code(), Some(2));
    // A project that is not there is an error, whatever else is wanted.
    let output = Job::new(Path::new("no.dll")).run(&format!("'{check}' github"));
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}
