//! The stand-in for NUnit against the real one: the same assertions pass, and nothing is offered that is not there.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use testkit::{Options, Target, Toolchain};

fn standin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("standins/cilantro-nunit3.dll")
}

#[test]
fn the_same_assertions_pass_as_with_the_real_one() {
    let run = |name: &str, framework: PathBuf| {
        let source = ("Assertions.cs", include_str!("nunit/Assertions.cs"));
        let options = Options { target: Target::Exe, references: vec![framework], ..Options::default() };
        let program = testkit::compile(name, &[source], &options).unwrap();
        let finished = testkit::run_dotnet(&program, &[]).unwrap();
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        finished.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let real = run("AssertionsReal", Toolchain::locate().unwrap().nunit_framework().unwrap());
    let ours = run("AssertionsStandIn", standin());
    assert!(real.len() > 250, "{}", real.len());
    let pairs = real.iter().zip(&ours).filter(|(real, ours)| real != ours);
    let differences: Vec<String> = pairs.map(|(real, ours)| format!("{real}, stand-in {ours}")).collect();
    assert!(differences.is_empty() && real.len() == ours.len(), "{differences:#?}");
}

#[test]
fn nothing_is_offered_that_the_real_one_has_not_got() {
    let real = Toolchain::locate().unwrap().nunit_framework().unwrap();
    let source = ("Signatures.cs", include_str!("nunit/Signatures.cs"));
    let options = Options { target: Target::Exe, ..Options::default() };
    let program = testkit::compile("Signatures", &[source], &options).unwrap();
    let standin = standin();
    let arguments = [real.to_str().unwrap(), standin.to_str().unwrap()];
    let finished = testkit::run_dotnet(&program, &arguments).unwrap();
    assert_eq!(finished.stdout.trim(), "compared many", "{}", finished.stderr);
}
