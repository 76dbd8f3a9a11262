//! What a question costs: `cargo run --release -p culture --example speed`.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::{globalization, utf16};
use culture::Globalization;

fn main() {
    let g = globalization();
    eprintln!("start: {:?}", timed(1, || g.greeting().map(drop).unwrap()));
    let texts: Vec<Vec<u16>> = (0..20_000).map(|i| utf16(&format!("Text № {i}"))).collect();
    let texts: Vec<&[u16]> = texts.iter().map(Vec::as_slice).collect();
    let count = texts.len() as u32;
    // The number sign keeps the comparison from taking the way over sort keys.
    let compare = |g: &Globalization| {
        texts.iter().for_each(|text| assert_eq!(g.compare_string("de-DE", text, &utf16("u"), 0), Ok(-1)));
    };
    eprintln!("a question alone: {:?}", timed(count, || compare(&g)));
    eprintln!("an answer that is kept: {:?}", timed(count, || compare(&g)));
    eprintln!("many together: {:?}", timed(count, || drop(g.sort_keys("de-DE", &texts, 0).unwrap())));
    let mut names: Vec<Vec<u16>> =
        (0..5000u32).map(|i| utf16(&format!("name {}", i.wrapping_mul(2654435761)))).collect();
    let asked = g.counters().asked;
    let time = timed(1, || names.sort_by(|a, b| g.compare_string("de-DE", a, b, 0).unwrap().cmp(&0)));
    eprintln!("sorting 5000 names: {time:?}, {} questions", g.counters().asked - asked);
    eprintln!("the order of ASCII: {:?}", timed(1, || drop(g.ascii_order("de-DE", 0).unwrap())));
    eprintln!(
        "both cases of all characters: {:?}",
        timed(1, || drop(g.case_maps(culture::Casing::Usual).unwrap()))
    );
}

fn timed(count: u32, work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed() / count
}
