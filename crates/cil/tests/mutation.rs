//! Real files with bytes changed, cut off or copied over each other: whatever comes out, reading everything must
//! end with values or errors, soon, and without much memory.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cil::walk;
use random::Random;
use testkit::{Debug, Options, Source, Toolchain, compile};

/// Enough to read each of the files whole when it is sound.
const BUDGET: u64 = 200_000;
/// No single case may take longer than this, even on a busy machine without optimisation.
const SLOWEST: Duration = Duration::from_secs(5);

/// Where it hurts most: the headers of the file, and the metadata with its counts.
struct Original {
    bytes: Vec<u8>,
    metadata: usize,
}

impl Original {
    fn new(bytes: Vec<u8>) -> Original {
        let metadata = bytes.windows(4).position(|window| window == b"BSJB").unwrap();
        Original { bytes, metadata }
    }

    fn place(&self, random: &mut Random) -> usize {
        let len = self.bytes.len();
        match random.below(6) {
            0 => random.below(0x300.min(len)),
            1 => self.metadata + random.below((len - self.metadata).min(0x100)),
            2 => self.metadata + random.below((len - self.metadata).min(0x2000)),
            3 => self.metadata + random.below(len - self.metadata),
            _ => random.below(len),
        }
    }

    fn mutant(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for _ in 0..=random.below(4) {
            let at = self.place(random);
            match random.below(8) {
                0..=2 => flip(&mut bytes, at, 1 << random.below(8)),
                3 => overwrite(&mut bytes, at, &[random.number() as u8]),
                4 | 5 => overwrite(&mut bytes, at & !1, &count(random)),
                6 => {
                    let from = self.place(random);
                    let piece: Vec<u8> =
                        self.bytes.iter().skip(from).take(random.below(64)).copied().collect();
                    overwrite(&mut bytes, at, &piece);
                }
                _ if random.below(3) == 0 => bytes.truncate(at),
                _ => flip(&mut bytes, at, random.number() as u8),
            }
        }
        bytes
    }
}

/// Numbers that counts, sizes and offsets are likely to be badly checked for.
fn count(random: &mut Random) -> [u8; 4] {
    let interesting =
        [0u32, 1, 0x7f, 0x80, 0xffff, 0x1_0000, 0xff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    match random.below(3) {
        0 => (random.number() as u32).to_le_bytes(),
        1 => (random.below(0x1000) as u32).to_le_bytes(),
        _ => interesting[random.below(interesting.len())].to_le_bytes(),
    }
}

fn flip(bytes: &mut [u8], at: usize, mask: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= mask;
    }
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    for (place, &byte) in bytes.iter_mut().skip(at).zip(with) {
        *place = byte;
    }
}

/// The most address space the process has had, in bytes: reserving is enough to be seen (Linux only).
fn peak_address_space() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn check(bytes: Vec<u8>, seed: u64, cases: usize) {
    let sound = walk::read_bytes(bytes.clone(), BUDGET).unwrap();
    assert_eq!(sound.first_error, None);
    assert!(!sound.exhausted, "the budget is too small for the file itself");
    let original = Original::new(bytes);
    let memory_before = peak_address_space();
    let mut random = Random::new(seed);
    let (mut refused, mut damaged) = (0, 0);
    for case in 0..cases {
        let mutant = original.mutant(&mut random);
        let start = Instant::now();
        match walk::read_bytes(mutant, BUDGET) {
            Err(_) => refused += 1,
            Ok(stats) => damaged += usize::from(stats.errors > 0),
        }
        assert!(start.elapsed() < SLOWEST, "case {case} of seed {seed} took {:?}", start.elapsed());
    }
    // The mutations reach both the headers and what lies behind them.
    assert!(refused > cases / 50, "{refused} of {cases} refused");
    assert!(damaged > cases / 10, "{damaged} of {cases} damaged");
    if let (Some(before), Some(after)) = (memory_before, peak_address_space()) {
        assert!(after - before < 512 << 20, "{} MB of address space", (after - before) >> 20);
    }
}

fn everything(debug: Debug) -> std::path::PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/Everything.cs");
    let options = Options { debug, allow_unsafe: true, ..Options::default() };
    compile("Everything", &[Source::file(&source)], &options).unwrap()
}

#[test]
fn an_assembly_with_one_of_everything() {
    check(fs::read(everything(Debug::Embedded)).unwrap(), 1, 4000);
}

#[test]
fn a_portable_pdb() {
    check(fs::read(everything(Debug::Portable).with_extension("pdb")).unwrap(), 2, 4000);
}

#[test]
fn a_facade_full_of_forwarders() {
    let folder = Toolchain::locate().unwrap().framework31_dir();
    check(fs::read(folder.join("System.Runtime.dll")).unwrap(), 3, 1500);
}

#[test]
fn a_ready_to_run_image() {
    let folder = Toolchain::locate().unwrap().framework31_dir();
    check(fs::read(folder.join("System.Collections.NonGeneric.dll")).unwrap(), 4, 400);
}

#[test]
fn every_truncation_of_a_small_file() {
    let bytes = fs::read(everything(Debug::Embedded)).unwrap();
    for len in (0..bytes.len()).step_by(7) {
        assert!(walk::read_bytes(bytes[..len].to_vec(), BUDGET).is_err(), "{len} bytes were enough");
    }
}
