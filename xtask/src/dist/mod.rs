//! `dist`: what a release consists of, byte for byte the same for the same program: an archive, a Debian package, packages for
//! `dotnet tool install`, a list of parts (SBOM), and checksums of all of them.

mod archive;
mod debian;
mod nuget;
mod payload;
mod platform;
mod sbom;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::process::{cargo, root, step};
use crate::rules::metadata::Metadata;
use payload::Payload;
use platform::Platform;

#[derive(Args)]
pub struct Options {
    /// The folder to write to
    #[arg(long, default_value = "target/dist")]
    out: PathBuf,
    /// A program that is built already [default: it is built in release]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// What it is built for, as rustc calls it [default: this machine]
    #[arg(long)]
    target: Option<String>,
}

/// A file of the release.
struct Release {
    name: String,
    bytes: Vec<u8>,
}

pub fn run(options: &Options) -> Result<()> {
    let platform = match &options.target {
        Some(target) => Platform::named(target)?,
        None => Platform::of_this_machine()?,
    };
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => built(&platform)?,
    };
    let metadata = Metadata::read_for(&platform.target)?;
    let version = metadata.packages.iter().find(|package| package.name == "cilantro");
    let version = version.context("there is no package cilantro")?.version.clone();
    let payload = Payload::read(&binary, &platform)?;
    let mut releases = vec![
        archive::release(&payload, &platform, &version)?,
        Release {
            name: format!("cilantro-{version}-{}.cdx.json", platform.target),
            bytes: sbom::document(&metadata, &version)?,
        },
    ];
    releases.extend(nuget::releases(&payload, &platform, &version)?);
    releases.extend(debian::release(&payload, &platform, &version)?);
    write(options, &releases)
}

fn built(platform: &Platform) -> Result<PathBuf> {
    let arguments = ["build", "--locked", "--release", "--package", "cilantro", "--target", &platform.target];
    let mut command = cargo(arguments);
    // Where the sources are on this machine is nobody's business, and differs between machines.
    let flags = format!("--remap-path-prefix={}=/cilantro", root().display());
    step("build", command.env("RUSTFLAGS", flags))?;
    Ok(root().join("target").join(&platform.target).join("release").join(platform.program()))
}

fn write(options: &Options, releases: &[Release]) -> Result<()> {
    let folder = root().join(&options.out);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut sums = String::new();
    for Release { name, bytes } in releases {
        fs::write(folder.join(name), bytes).with_context(|| name.clone())?;
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{digest}  {name}\n");
        println!("{digest}  {}", folder.join(name).display());
    }
    fs::write(folder.join("SHA256SUMS"), sums)?;
    Ok(())
}
