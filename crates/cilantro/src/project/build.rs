//! Building a project with the user's own SDK, where there is one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use engine::Error;

/// A build that takes longer does not end.
const LONGEST: Duration = Duration::from_secs(600);
/// Lines of a failed build that are shown.
const SHOWN: usize = 10;

/// The `dotnet` that can build: the one that is named, that of DOTNET_ROOT, or the first on PATH, if it has an SDK.
pub fn sdk() -> Option<PathBuf> {
    let name = if cfg!(windows) { "dotnet.exe" } else { "dotnet" };
    let root = std::env::var_os("DOTNET_ROOT").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = root.into_iter().chain(std::env::split_paths(&path).collect::<Vec<_>>());
    folders.map(|folder| folder.join(name)).filter(|dotnet| dotnet.is_file()).find(|dotnet| has_sdk(dotnet))
}

fn has_sdk(dotnet: &Path) -> bool {
    let asked = Command::new(dotnet).arg("--list-sdks").stdin(Stdio::null()).stderr(Stdio::null()).output();
    asked.is_ok_and(|output| output.status.success() && !output.stdout.trim_ascii().is_empty())
}

/// Builds the project as its author would. What a build prints goes to a file, since it may be more than a pipe holds.
pub fn build(dotnet: &Path, project: &Path) -> Result<(), Error> {
    let failed = |why: String| Error::Other(format!("{} could not be built: {why}", project.display()));
    let log = std::env::temp_dir().join(format!("cilantro-build-{}.log", std::process::id()));
    let file = std::fs::File::create(&log).map_err(|error| failed(error.to_string()))?;
    let also = file.try_clone().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new(dotnet);
    command.arg("build").arg(project).args(["--nologo", "--verbosity", "quiet"]);
    let started = command.stdin(Stdio::null()).stdout(file).stderr(also).spawn();
    let mut child = started.map_err(|error| failed(error.to_string()))?;
    let end = Instant::now() + LONGEST;
    let status = loop {
        match child.try_wait().map_err(|error| failed(error.to_string()))? {
            Some(status) => break status,
            None if Instant::now() >= end => {
                let _ended_already = child.kill();
                let _ended = child.wait();
                return Err(failed(format!("`dotnet build` was ended after {} s", LONGEST.as_secs())));
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let said = std::fs::read(&log).unwrap_or_default();
    let _gone = std::fs::remove_file(&log);
    if status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&said).into_owned();
    let mut lines: Vec<&str> = said.lines().filter(|line| line.contains("error")).collect();
    lines.dedup();
    lines.truncate(SHOWN);
    Err(failed(format!("`dotnet build` ended with {status}\n{}", lines.join("\n")).trim_end().to_owned()))
}
