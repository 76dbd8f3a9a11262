//! Real files with bytes changed, cut off or copied over each other, and probes that make no sense: there is a copy or an
//! error, soon, and a copy can be read again.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cil::{MethodDefId, Module};
use common::BASE;
use instrument::{Edge, Probe, edges, instrument};
use random::Random;
use testkit::{Debug, Options, Source, Toolchain, compile};

const SLOWEST: Duration = Duration::from_secs(5);

/// Probes for what can be read, and with little chance some for what is not there.
fn probes(module: &Module, random: &mut Random) -> Vec<Probe> {
    let mut probes = Vec::new();
    for method in module.method_defs().take(500) {
        let Ok(Some(body)) = module.method_body(method) else { continue };
        let offsets: Vec<u32> = body.instructions().map_while(|i| Some(i.ok()?.offset)).collect();
        probes.extend(offsets.iter().map(|&offset| Probe::reached(method, offset)));
        probes.extend(edges(&body).unwrap_or_default().into_iter().map(|edge| Probe::edge(method, edge)));
    }
    if random.percent(20) {
        let method = MethodDefId::new(random.below(50) as u32);
        probes.push(Probe::reached(method, random.below(30) as u32));
        let edge = Edge { from: random.below(30) as u32, to: random.below(30) as u32 };
        probes.push(Probe::edge(method, edge));
    }
    if random.percent(20) {
        // Not all errors of bodies should stop everything.
        probes.truncate(random.below(probes.len() + 1));
    }
    probes
}

fn mutant(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let metadata = original.windows(4).position(|window| window == b"BSJB").unwrap();
    for _ in 0..=random.below(3) {
        let at = match random.below(6) {
            0 | 1 => random.below(0x300),
            // The CLI header and the bodies come before the metadata.
            2 | 3 => random.below(metadata),
            4 => metadata + random.below(0x1000),
            _ => random.below(original.len()),
        };
        let value = match random.below(4) {
            0 => random.number() as u32,
            1 => random.below(0x1000) as u32,
            2 => {
                random.pick(&[0, 1, 0x7f, 0x200, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff])
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
                continue;
            }
        };
        let size = random.pick(&[1, 2, 4]);
        bytes.iter_mut().skip(at).zip(value.to_le_bytes()).take(size).for_each(|(to, from)| *to = from);
        if random.percent(2) {
            bytes.truncate(at);
        }
    }
    bytes
}

fn check(original: Vec<u8>, seed: u64, cases: usize) {
    let mut random = Random::new(seed);
    let (mut unreadable, mut refused, mut copied) = (0, 0, 0);
    for case in 0..cases {
        let start = Instant::now();
        let Ok(module) = Module::from_vec(mutant(&original, &mut random)) else {
            unreadable += 1;
            continue;
        };
        let probes = probes(&module, &mut random);
        match instrument(&module, &probes, BASE) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Ok(copy) => {
                let read = Module::from_vec(copy.image).unwrap();
                for probe in &probes {
                    let body = read.method_body(probe.method).unwrap().unwrap();
                    assert!(body.max_stack >= 2, "case {case} of seed {seed}");
                }
                for (method, map) in &copy.methods {
                    let body = read.method_body(*method).unwrap().unwrap();
                    let starts: Vec<u32> = body.instructions().map(|i| i.unwrap().offset).collect();
                    assert!(map.pieces().iter().all(|(start, _)| starts.binary_search(start).is_ok()));
                }
                copied += 1;
            }
        }
        assert!(start.elapsed() < SLOWEST, "case {case} of seed {seed} took {:?}", start.elapsed());
    }
    // The mutations reach all three outcomes.
    assert!(unreadable > cases / 50, "{unreadable} of {cases} could not be read");
    assert!(refused > cases / 50, "{refused} of {cases} were refused");
    assert!(copied > cases / 5, "{copied} of {cases} were copied");
}

fn everything(arguments: &[&str]) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cil/tests/data/Everything.cs");
    let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
    let options = Options { debug: Debug::Embedded, allow_unsafe: true, arguments, ..Options::default() };
    fs::read(compile("Everything", &[Source::file(&source)], &options).unwrap()).unwrap()
}

#[test]
fn an_assembly_with_one_of_everything() {
    check(everything(&[]), 1, 3000);
}

#[test]
fn the_same_in_64_bits() {
    check(everything(&["-platform:x64"]), 2, 3000);
}

#[test]
fn a_ready_to_run_image() {
    let folder = Toolchain::locate().unwrap().framework31_dir();
    check(fs::read(folder.join("System.Collections.NonGeneric.dll")).unwrap(), 3, 1000);
}
