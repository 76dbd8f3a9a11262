//! The `cilantro` binary: everything is in the library.

use std::process::ExitCode;

/// Tells which method uses how much memory.
#[global_allocator]
static ALLOCATOR: budget::allocation::Counting = budget::allocation::Counting;

fn main() -> ExitCode {
    cilantro::main(std::env::args_os())
}
