//! `cargo xtask support`: measures what of the class library runs as on CoreCLR, prints the figures and keeps the document.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, observed_step, root};
use crate::setup;

pub fn run() -> Result<()> {
    setup::run(&setup::Options { extras: true, own_runtime: false })?;
    let mut measure = cargo(["run", "--locked", "--quiet", "--package", "bench", "--", "support"]);
    let (status, text) = observed_step("measure", &mut measure)?;
    if !status.success() {
        bail!("measuring failed: {status}");
    }
    let document = root().join("docs/support.md");
    fs::write(&document, &text).with_context(|| format!("cannot write {}", document.display()))?;
    let figures = text.lines().skip_while(|line| !line.starts_with("| programs")).take(3);
    for line in figures {
        println!("{line}");
    }
    println!("\n{}", document.display());
    Ok(())
}
