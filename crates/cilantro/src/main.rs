//! The `cilantro` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    cilantro::main(std::env::args_os())
}
