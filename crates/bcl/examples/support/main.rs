//! Measures how much of the class library the programs of `fixtures/run` exercise with the same output as on CoreCLR, and
//! prints the support document. `cargo xtask support` keeps it in `docs/support.md`.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod document;
#[path = "../../tests/run/judging.rs"]
#[allow(dead_code)]
mod judging;
#[path = "../../tests/run/machine.rs"]
mod machine;
mod measure;
#[path = "../../tests/run/program.rs"]
#[allow(dead_code)]
mod program;
#[path = "../../tests/run/reference.rs"]
mod reference;

fn main() {
    print!("{}", document::render(&measure::document()));
}
