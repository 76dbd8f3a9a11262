//! Development tasks: set-up, demo, test, bench.

fn main() {}
