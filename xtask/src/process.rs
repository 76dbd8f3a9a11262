//! Steps: commands whose output is shown while it is also read.

use std::{
    env,
    ffi::OsString,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::Instant,
};

use anyhow::{Context, Result, bail};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// The same cargo that runs us, in the folder of the workspace.
pub fn cargo<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command as a named step: its output goes to the terminal; a failure is an error.
pub fn step(name: &str, command: &mut Command) -> Result<()> {
    let status = timed(name, || command.status().with_context(|| start_failure(command)))?;
    if !status.success() {
        bail!("{name}: failed ({status})");
    }
    Ok(())
}

/// Like [`step`], but gives back the output as well, standard output and error in one text; a failure is
/// for the caller to judge.
pub fn observed_step(name: &str, command: &mut Command) -> Result<(ExitStatus, String)> {
    timed(name, || {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| start_failure(command))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let text = thread::scope(|scope| {
            let out = scope.spawn(|| tee(stdout, &mut std::io::stdout()));
            let err = scope.spawn(|| tee(stderr, &mut std::io::stderr()));
            [out, err].map(|thread| thread.join().unwrap_or_default()).concat()
        });
        Ok((child.wait()?, text))
    })
}

/// Whether a cargo subcommand is installed.
pub fn has_subcommand(name: &str) -> bool {
    let mut command = cargo([name, "--version"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn timed<T>(name: &str, action: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("\n── {name}");
    let start = Instant::now();
    let result = action();
    eprintln!("── {name}: {:.1} s", start.elapsed().as_secs_f32());
    result
}

/// Copies lines as they come and keeps them.
fn tee(source: Option<impl Read>, target: &mut impl Write) -> String {
    let mut text = String::new();
    let Some(source) = source else { return text };
    let mut source = BufReader::new(source);
    let mut line = Vec::new();
    while source.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        // A closed terminal must not stop the step.
        let _ = target.write_all(&line).and_then(|()| target.flush());
        text += &String::from_utf8_lossy(&line);
        line.clear();
    }
    text
}

fn start_failure(command: &Command) -> String {
    format!("cannot start {}", command.get_program().to_string_lossy())
}
