//! Reads everything in the files given on the command line and says what there was.
#![allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let start = std::time::Instant::now();
        let stats = cil::walk::read_bytes(std::fs::read(&path)?, u64::MAX);
        println!("{path}: {:?} {stats:?}", start.elapsed());
    }
    Ok(())
}
