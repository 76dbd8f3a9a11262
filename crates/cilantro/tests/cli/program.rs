//! Runs the binary.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// How the program ended and what it said.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn cilantro<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Ended {
    ended(command(args).output().unwrap())
}

/// Asks about an assembly, with the runtime that tests use.
pub fn ask(command: &str, dll: &Path, options: &[&str]) -> Ended {
    ended(asking(command, dll, options).output().unwrap())
}

pub fn asking(name: &str, dll: &Path, options: &[&str]) -> Command {
    let mut asking = command([name]);
    asking.arg(dll).arg("--runtime").arg(runtime()).args(options);
    asking
}

/// Not yet started; stdin is closed, colours and the terminal's width are out of the way.
pub fn command<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command
}

pub fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The folder of the shared .NET runtime that tests use.
pub fn runtime() -> PathBuf {
    testkit::Toolchain::locate().unwrap().runtime_root().to_owned()
}

/// `text` without the paths of this machine.
pub fn without(text: &str, folder: &Path) -> String {
    text.replace(&folder.display().to_string(), "DIR")
}
