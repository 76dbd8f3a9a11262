//! Programs in which all threads wait stop with a reason that says who waits for what.

#![allow(clippy::unwrap_used)]

use std::rc::Rc;

use expect_test::{Expect, expect};
use testkit::{Options, Source, Target, Toolchain};
use types::{Probing, Universe};
use verdict::Reason;
use vm::host::CapturingHost;
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine};

#[test]
fn two_locks_in_opposite_orders() {
    check(
        "Opposite",
        "object a = new object(); string b = \"b\";
        var t = new Thread(() => { lock (b) { Thread.Sleep(10); lock (a) { } } });
        t.Start();
        lock (a) { Thread.Sleep(20); lock (b) { } }",
        &expect![[
            r#"deadlock: thread 1 waits for the lock of a System.String that thread 4 holds; thread 4 waits for the lock of a System.Object that thread 1 holds"#
        ]],
    );
}

#[test]
fn a_task_that_nobody_completes() {
    check(
        "Never",
        "new System.Threading.Tasks.TaskCompletionSource<int>().Task.Wait();",
        &expect![["deadlock: thread 1 waits for a pulse of a System.Object"]],
    );
}

#[test]
fn a_thread_that_waits_for_its_own_end() {
    check(
        "Own",
        "var t = new Thread(() => Thread.CurrentThread.Join()); t.Start(); t.Join(100); t.Join();",
        &expect![[
            "deadlock: thread 1 waits for the end of thread 4; thread 4 waits for the end of thread 4"
        ]],
    );
}

fn check(name: &str, body: &str, expected: &Expect) {
    let source = format!("using System.Threading; class Program {{ static void Main() {{ {body} }} }}");
    let source = Source::text(&format!("{name}.cs"), &source);
    let options = Options { target: Target::Exe, ..Options::default() };
    let dll = testkit::compile(name, &[source], &options).unwrap();
    let probing = Probing::for_application(&dll, Some(&Toolchain::locate().unwrap().dotnet())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(&dll).unwrap();
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    machine.host = Box::new(CapturingHost::default());
    match program::run(&mut machine, assembly, &[], Limits::NONE) {
        Ending::Stopped { gap, .. } if gap.reason == Reason::Deadlock => expected.assert_eq(&gap.detail),
        other => panic!("no deadlock: {other:?}"),
    }
}
