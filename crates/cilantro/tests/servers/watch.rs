//! `watch`: a table for each build.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::lsp::{SOURCE, build};

/// A program that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(200);

#[test]
fn every_build_gets_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = testkit::Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.args(["watch", "Shop.dll", "--max-steps", "3000", "--cache", "kept", "--runtime"]).arg(runtime);
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut watch = command.spawn().unwrap();
    let (lines, heard) = channel();
    for stream in [
        Box::new(watch.stdout.take().unwrap()) as Box<dyn std::io::Read + Send>,
        Box::new(watch.stderr.take().unwrap()),
    ] {
        let lines = lines.clone();
        std::thread::spawn(move || {
            BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| lines.send(line)).ok();
        });
    }
    let until = |end: &str| {
        let mut text = String::new();
        while !text.contains(end) {
            text += &(heard.recv_timeout(PATIENCE).unwrap() + "\n");
        }
        text
    };
    until("Shop.dll does not exist");
    build(folder.path(), SOURCE);
    let first = until("Waiting for the next build");
    assert!(
        first.contains("0 of 2 methods are as they were") && first.contains("2 crashes found"),
        "{first}"
    );
    build(
        folder.path(),
        &SOURCE.replace("return total / people;", "return people > 0 ? total / people : 0;"),
    );
    let second = until("Waiting for the next build");
    assert!(second.contains("No exception found in 2 methods") && !second.contains("\u{1b}"), "{second}");
    #[cfg(unix)]
    {
        let pid = watch.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert_eq!(watch.wait().unwrap().code(), Some(0));
    }
    let _ended_already = watch.kill();
    let _ended = watch.wait();
}
