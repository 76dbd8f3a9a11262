//! `run`: programs in the machine.

use std::process::{Command, Output};

use testkit::{Options, Target, Toolchain};

fn run(name: &str, source: &str, args: &[&str]) -> Output {
    let options = Options { target: Target::Exe, ..Options::default() };
    let dll = testkit::compile(name, &[(format!("{name}.cs").as_str(), source)], &options).unwrap();
    let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.arg("run").arg("--runtime").arg(runtime).arg(dll).args(args).output().unwrap()
}

#[test]
fn a_program_writes_and_exits_as_on_its_runtime() {
    let source = r#"
        using System;
        static class App
        {
            static int Main(string[] args)
            {
                Console.WriteLine("hello " + args[0]);
                Console.Error.WriteLine(args[1]);
                return 42;
            }
        }"#;
    let output = run("RunHello", source, &["--", "--world", "-x"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hello --world\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "-x\n");
    assert_eq!(output.status.code(), Some(42));
}

#[test]
fn what_is_not_supported_stops_with_its_name() {
    let source = r#"
        using System.Runtime.InteropServices;
        static class App
        {
            [DllImport("nowhere")] static extern int Missing();
            static int Main() => Missing();
        }"#;
    let output = run("RunNative", source, &[]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: not supported: App::Missing()\n");
    assert_eq!(output.status.code(), Some(3));
}
