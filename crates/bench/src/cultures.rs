//! What a question to the runtime's cultures costs.

use std::time::Instant;

use anyhow::{Result, ensure};
use culture::{Casing, Framework, Globalization, Limits, Runtime};
use testkit::Toolchain;

use crate::figure::figure;

const CULTURE: &str = "de-DE";
const TEXTS: u32 = 20_000;
const NAMES: u32 = 5000;

pub fn measure() -> Result<()> {
    let toolchain = Toolchain::locate()?;
    let version = toolchain.runtime_version().to_owned();
    let core = Framework { name: "Microsoft.NETCore.App".to_owned(), version };
    let runtime = Runtime { muxer: toolchain.dotnet(), frameworks: vec![core], ..Runtime::default() };
    let cultures = Globalization::new(runtime, Limits::default());
    timed("start", 1, || Ok(cultures.greeting().map(drop)?))?;

    // The number sign keeps the comparison from taking the way over sort keys.
    let texts: Vec<Vec<u16>> = (0..TEXTS).map(|i| utf16(&format!("Text № {i}"))).collect();
    let compare = || {
        for text in &texts {
            ensure!(cultures.compare_string(CULTURE, text, &utf16("u"), 0)? == -1);
        }
        Ok(())
    };
    timed("a question alone", TEXTS, compare)?;
    timed("an answer that is kept", TEXTS, compare)?;
    let together: Vec<&[u16]> = texts.iter().map(Vec::as_slice).collect();
    timed("one of many together", TEXTS, || Ok(cultures.sort_keys(CULTURE, &together, 0).map(drop)?))?;

    let mut names: Vec<Vec<u16>> =
        (0..NAMES).map(|i| utf16(&format!("name {}", i.wrapping_mul(2_654_435_761)))).collect();
    let asked = cultures.counters().asked;
    timed("sorting 5000 names", 1, || {
        let order =
            |a: &Vec<u16>, b: &Vec<u16>| cultures.compare_string(CULTURE, a, b, 0).unwrap_or(0).cmp(&0);
        names.sort_by(order);
        Ok(())
    })?;
    figure("sorting 5000 names: questions", cultures.counters().asked - asked, "");
    timed("both cases of all characters", 1, || Ok(cultures.case_maps(Casing::Usual).map(drop)?))
}

fn timed(what: &str, count: u32, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    work()?;
    figure(what, format!("{:.1}", start.elapsed().as_secs_f64() * 1e6 / f64::from(count)), "µs");
    Ok(())
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}
