//! A program on the real runtime. What it does is kept beside its assembly: it depends on nothing but the assembly, how
//! it is started and the runtime.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Observed, Program};
use crate::{Error, Framework, Toolchain, hex_digest, icu};

/// What the program leaves behind on the runtime that it is for.
pub fn observe(program: &Program, dll: &Path) -> Result<Observed, Error> {
    let kept = kept(program, dll)?;
    if let Some(observed) = fs::read(&kept).ok().and_then(|bytes| from_bytes(&bytes)) {
        return Ok(observed);
    }
    observe_anew(program, dll)
}

/// What the program leaves behind when it is run once more, whatever was kept of an earlier run. Programs that wait for
/// moments of the clock can end in several ways on a busy machine, and each of them is right.
pub fn observe_anew(program: &Program, dll: &Path) -> Result<Observed, Error> {
    let mut child = command(program, dll)?.spawn().map_err(Error::io(dll))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read what it is given.
        let _unread = stdin.write_all(program.stdin.as_bytes());
    }
    let output = child.wait_with_output().map_err(Error::io(dll))?;
    let code = exit_code(output.status);
    write_whole(&kept(program, dll)?, &to_bytes(code, &output.stdout, &output.stderr))?;
    Ok(Observed::new(code, &output.stdout, &output.stderr))
}

/// The file that keeps what was observed.
fn kept(program: &Program, dll: &Path) -> Result<PathBuf, Error> {
    let mut started = format!("{:?} {:?} {:?}", program.args, program.stdin, program.variables);
    if let Some(folder) = &program.reads {
        started.push_str(&format!(" {} {:?}", folder.display(), contents(folder)?));
    }
    if program.framework == Framework::Mono {
        // Its version is the machine's, not ours; the other runtimes are part of the name of the assembly's folder.
        let library = program.framework_root()?.join("mscorlib.dll");
        let length = fs::metadata(&library).map_err(Error::io(&library))?.len();
        started.push_str(&format!(" {length}"));
    }
    if program.has_cultures {
        let world = (icu(), &program.culture, &program.time_zone);
        // Dates without a year are in this one.
        started.push_str(&format!(" {world:?} {}", this_year()));
    }
    let digest = hex_digest(started.as_bytes());
    Ok(dll.with_file_name(format!("observed-{}", digest.get(..12).unwrap_or_default())))
}

fn command(program: &Program, dll: &Path) -> Result<Command, Error> {
    let mut command = Command::new(program.runtime()?);
    if program.framework == Framework::Mono {
        // Mono takes the console's encoding from the locale.
        command.env("LC_ALL", "C.UTF-8");
        let mono = Toolchain::locate()?.needed_mono()?;
        command.envs(mono.config.map(|folder| ("MONO_CFG_DIR", folder)));
    } else {
        command.arg("exec");
    }
    command
        .arg(dll)
        .args(&program.args)
        .env("DOTNET_TieredPGO", "0")
        .envs(world(program))
        .envs(program.variables.iter().map(|(name, value)| (name, value)))
        .current_dir(program.folder()?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

fn this_year() -> u64 {
    const SECONDS: u64 = 31_556_952;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    1970 + since.as_secs() / SECONDS
}

/// The variables that decide about cultures and the time zone.
pub fn world(program: &Program) -> Vec<(&'static str, String)> {
    if !program.has_cultures {
        return vec![("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1".to_owned())];
    }
    let locale = program.culture.as_deref().map_or("C".to_owned(), |name| name.replace('-', "_"));
    let mut variables = vec![
        ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0".to_owned()),
        ("LC_ALL", format!("{locale}.UTF-8")),
        ("TZ", program.time_zone.clone().unwrap_or_else(|| "UTC".to_owned())),
    ];
    if program.framework == Framework::NetCore31 {
        // It knows no ICU as new as today's.
        variables.extend(icu().map(|version| ("CLR_ICU_VERSION_OVERRIDE", version)));
    }
    variables
}

/// Names and digests of what is in a folder.
fn contents(folder: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(folder))?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(contents(&path)?);
        } else {
            // A link may lead nowhere.
            found.push(format!("{} {}", path.display(), hex_digest(&fs::read(&path).unwrap_or_default())));
        }
    }
    found.sort();
    Ok(found)
}

/// As a shell has it.
fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}

/// The file appears whole or not at all: a test may be stopped at any time.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(Error::io(folder))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    file.persist(path).map_err(|error| Error::Io { path: path.to_owned(), source: error.error })?;
    Ok(())
}

fn to_bytes(code: i32, stdout: &[u8], stderr: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{code} {}\n", stdout.len()).into_bytes();
    bytes.extend_from_slice(stdout);
    bytes.extend_from_slice(stderr);
    bytes
}

fn from_bytes(bytes: &[u8]) -> Option<Observed> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (head, rest) = bytes.split_at_checked(end + 1)?;
    let (code, len) = std::str::from_utf8(head).ok()?.trim_end().split_once(' ')?;
    let (stdout, stderr) = rest.split_at_checked(len.parse().ok()?)?;
    Some(Observed::new(code.parse().ok()?, stdout, stderr))
}
