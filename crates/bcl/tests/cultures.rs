//! Where nobody answers about cultures a program ends, and says why: it neither hangs nor gets a wrong answer.

#![allow(clippy::unwrap_used)]

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bcl::Cultures;
use culture::{Framework, Globalization, Runtime};
use testkit::{Options, Source, Target, Toolchain};
use types::{Probing, Universe};
use vm::host::CapturingHost;
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine};

#[test]
fn a_runtime_that_is_not_there() {
    let nowhere = Runtime { muxer: "/nowhere/dotnet".into(), ..Runtime::default() };
    let gap = end(Globalization::new(nowhere, culture::Limits::default()));
    assert!(gap.contains("CompareString") || gap.contains("GetSortHandle"), "{gap}");
    assert!(gap.contains("/nowhere/dotnet cannot be started"), "{gap}");
}

#[test]
fn a_process_that_does_not_answer_in_time() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let limits = culture::Limits { start: Duration::from_millis(1), ..culture::Limits::default() };
    let gap = end(Globalization::new(net10(), limits));
    assert!(gap.contains("GetSortHandle"), "{gap}");
}

#[test]
fn a_process_that_is_killed_is_started_again() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let answers = Globalization::new(net10(), culture::Limits::default());
    answers.greeting().unwrap();
    let id = answers.process_id().unwrap();
    std::process::Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
    match run(answers) {
        (Ending::Exited(0), out) => assert_eq!(out, "-1\n"),
        (other, _) => panic!("{other:?}"),
    }
}

fn net10() -> Runtime {
    let toolchain = Toolchain::locate().unwrap();
    let core =
        Framework { name: "Microsoft.NETCore.App".into(), version: toolchain.runtime_version().to_owned() };
    Runtime { muxer: toolchain.dotnet(), frameworks: vec![core], ..Runtime::default() }
}

fn end(answers: Globalization) -> String {
    match run(answers) {
        (Ending::Stopped { gap, .. }, _) => gap.detail,
        (other, out) => panic!("{other:?} {out}"),
    }
}

fn run(answers: Globalization) -> (Ending, String) {
    let source =
        "class Program { static void Main() { System.Console.WriteLine(string.Compare(\"a\", \"B\")); } }";
    let options = Options { target: Target::Exe, ..Options::default() };
    let dll = testkit::compile("AskedOnce", &[Source::text("AskedOnce.cs", source)], &options).unwrap();
    let probing = Probing::for_application(&dll, Some(&Toolchain::locate().unwrap().dotnet())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(&dll).unwrap();
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    let host = Rc::new(std::cell::RefCell::new(CapturingHost::default()));
    machine.host = Box::new(Rc::clone(&host));
    Cultures::of(Arc::new(answers)).attach(&mut machine);
    let ending = program::run(&mut machine, assembly, &[], Limits::NONE);
    let out = String::from_utf8(host.borrow().out.clone()).unwrap();
    (ending, out)
}
