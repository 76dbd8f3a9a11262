//! What the engine claims of a library.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use engine::{Claim, Engine, Options};
use testkit::Toolchain;

/// What the engine may use for a library.
#[derive(Clone, Copy, Debug)]
pub struct Exploring {
    pub steps: u64,
    pub time: Duration,
}

pub fn claims_of(library: &Path, exploring: Exploring) -> Result<Vec<Claim>> {
    let runtime = Toolchain::locate()?.runtime_root().to_owned();
    let options = Options {
        runtime: Some(runtime),
        timeout: Some(exploring.time),
        max_steps: Some(exploring.steps),
        ..Options::default()
    };
    let mut run = Engine::new(options).generate(library)?;
    // Nobody watches.
    while run.next().is_some() {}
    Ok(run.finish()?.claims())
}
