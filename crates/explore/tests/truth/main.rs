//! Does the explorer tell the truth? Its answers against CoreCLR's, for random methods and for the fixtures.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may panic and talk"
)]

mod determinism;
mod expectations;
mod follow;
mod generator;
mod loop_fixtures;
mod mocks;
mod oracle;
mod random_loops;
mod random_methods;
mod wide_methods;
mod worker;
