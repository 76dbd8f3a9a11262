//! How much of the class library the programs of `fixtures/run` exercise with the same output as on CoreCLR.
//! `cargo xtask support` keeps the document in `docs/support.md`.

mod document;
#[path = "../../../bcl/tests/run/machine.rs"]
#[allow(clippy::unwrap_used, reason = "shared with the test that runs the same programs")]
mod machine;
mod measure;
#[cfg(test)]
mod tests;

pub use document::render;
pub use measure::document;
