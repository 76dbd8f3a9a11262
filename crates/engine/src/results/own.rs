//! Who answers: this very program.

use std::sync::OnceLock;

use store::{Digesting, Key};

/// A digest of the program that runs, which is another with every change to the engine. Without it nothing is kept.
pub fn program() -> Option<Key> {
    static PROGRAM: OnceLock<Option<Key>> = OnceLock::new();
    *PROGRAM.get_or_init(|| {
        let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
        let mut digest = Digesting::new();
        digest.part("version", env!("CARGO_PKG_VERSION")).part("program", bytes);
        digest.part("machine", format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH));
        Some(digest.key())
    })
}
