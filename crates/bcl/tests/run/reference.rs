//! A program on CoreCLR. What it does is kept beside its assembly: it depends on nothing else.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use testkit::hex_digest;

use super::program::{Observed, Program};

pub fn run(program: &Program, dll: &Path) -> Observed {
    let mut started = format!("{:?} {:?} {:?}", program.args, program.stdin, program.variables);
    if let Some(folder) = &program.reads {
        started.push_str(&format!(" {} {:?}", folder.display(), contents(folder)));
    }
    let digest = hex_digest(started.as_bytes());
    let kept = dll.with_file_name(format!("observed-{}", &digest[..12]));
    if let Some(observed) = fs::read(&kept).ok().and_then(|bytes| from_bytes(&bytes)) {
        return observed;
    }
    let mut command = Command::new(program.runtime());
    if program.framework == testkit::Framework::Mono {
        // Mono takes the console's encoding from the locale.
        command.env("LC_ALL", "C.UTF-8");
        let mono = testkit::Toolchain::locate().unwrap().mono();
        command.envs(mono.and_then(|mono| mono.config).map(|folder| ("MONO_CFG_DIR", folder)));
    } else {
        command.arg("exec");
    }
    let mut child = command
        .arg(dll)
        .args(&program.args)
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .env("DOTNET_TieredPGO", "0")
        .envs(program.variables.iter().map(|(name, value)| (name, value)))
        .current_dir(program.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program need not read what it is given.
    let _unread = child.stdin.take().unwrap().write_all(program.stdin.as_bytes());
    let output = child.wait_with_output().unwrap();
    let code = exit_code(output.status);
    fs::write(&kept, to_bytes(code, &output.stdout, &output.stderr)).unwrap();
    Observed::new(code, &output.stdout, &output.stderr)
}

/// Names and digests of what is in a folder.
fn contents(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.push(format!("{} {}", path.display(), hex_digest(&fs::read(&path).unwrap_or_default())));
        }
    }
    found.sort();
    found
}

/// As a shell has it.
fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap()
}

fn to_bytes(code: i32, stdout: &[u8], stderr: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{code} {}\n", stdout.len()).into_bytes();
    bytes.extend_from_slice(stdout);
    bytes.extend_from_slice(stderr);
    bytes
}

fn from_bytes(bytes: &[u8]) -> Option<Observed> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (code, len) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
    let (stdout, stderr) = bytes[end + 1..].split_at_checked(len.parse().ok()?)?;
    Some(Observed::new(code.parse().ok()?, stdout, stderr))
}
