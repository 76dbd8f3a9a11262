//! Programs on CoreCLR: run to the end, or stopped after a while.

use std::{
    fs::File,
    io::Read,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{Error, Toolchain};

const LIMIT: Duration = Duration::from_secs(120);

/// What a finished program left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The exit code; none when a signal ended the program.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a compiled program on the .NET 10 runtime.
pub fn run_dotnet(dll: &Path, args: &[&str]) -> Result<Finished, Error> {
    let dotnet = Toolchain::locate()?.dotnet();
    let mut command = Command::new(dotnet);
    command.arg("exec").arg(dll).args(args);
    run(&mut command)
}

/// Asks for a runtime without cultures; it outweighs what a program's configuration says.
const INVARIANT: &str = "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT";

/// Runs a command with no input and captured output; the variables .NET wants on a bare machine are set, unless the
/// caller has set them: `DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=0` is for programs with cultures.
pub fn run(command: &mut Command) -> Result<Finished, Error> {
    let program = Path::new(command.get_program()).to_path_buf();
    // Files and not pipes: a program that writes much must not wait for a reader.
    let mut stdout = tempfile::tempfile().map_err(Error::io(&program))?;
    let mut stderr = tempfile::tempfile().map_err(Error::io(&program))?;
    if !command.get_envs().any(|(name, _)| name == INVARIANT) {
        command.env(INVARIANT, "1");
    }
    let mut child = command
        .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
        .env("DOTNET_TieredPGO", "0")
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(Error::io(&program))?)
        .stderr(stderr.try_clone().map_err(Error::io(&program))?)
        .spawn()
        .map_err(Error::io(&program))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(Error::io(&program))? {
            break status;
        }
        if start.elapsed() > LIMIT {
            // The process may just have ended by itself: then there is nothing to stop.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::Timeout { program, seconds: LIMIT.as_secs() });
        }
        thread::sleep(Duration::from_millis(5));
    };
    let text = |file: &mut File| contents(file).map_err(Error::io(&program));
    Ok(Finished { code: status.code(), stdout: text(&mut stdout)?, stderr: text(&mut stderr)? })
}

fn contents(file: &mut File) -> std::io::Result<String> {
    use std::io::Seek;
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
