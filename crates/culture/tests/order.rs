//! Tables and short cuts against the runtime's own comparison, on random texts from fixed seeds.

#![allow(clippy::unwrap_used)]

mod common;

use std::cmp::Ordering;

use common::{globalization, utf16};
use culture::{AsciiOrder, Casing, Globalization};
use random::Random;

const CULTURES: [&str; 12] =
    ["", "en-US", "de-DE", "tr-TR", "ar-SA", "sv-SE", "ja-JP", "cs-CZ", "hu-HU", "da-DK", "br-FR", "fr-CA"];
/// None; IgnoreCase; IgnoreNonSpace; both; IgnoreSymbols; all but those of numbers.
const OPTIONS: [i32; 6] = [0, 1, 2, 3, 4, 31];

#[test]
fn tables_of_ascii_decide_as_the_runtime() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let mut random = Random::new(1);
    for locale in CULTURES {
        for options in OPTIONS {
            let order = g.ascii_order(locale, options).unwrap();
            let order = order.unwrap_or_else(|| panic!("{locale} {options} has no table"));
            let covered = compare(&g, &order, locale, options, &mut random);
            assert!(covered > 500, "{locale} {options}: the table says nothing about most texts: {covered}");
        }
    }
}

/// How many of 1000 comparisons the table decided, all of them rightly.
fn compare(g: &Globalization, order: &AsciiOrder, locale: &str, options: i32, random: &mut Random) -> usize {
    let texts: Vec<Vec<u16>> = (0..1000).map(|_| ascii(random)).collect();
    let pairs: Vec<(Vec<u16>, Vec<u16>)> =
        texts.iter().map(|text| (text.clone(), changed(text, random))).collect();
    let asked: Vec<(&[u16], &[u16])> = pairs.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
    let mut covered = 0;
    for ((a, b), expected) in asked.iter().zip(g.compare_strings(locale, &asked, options).unwrap()) {
        let Some(decided) = order.compare(a, b) else { continue };
        let texts = (String::from_utf16_lossy(a), String::from_utf16_lossy(b));
        assert_eq!(decided, expected.cmp(&0), "{locale} {options} {texts:?}");
        covered += 1;
    }
    covered
}

#[test]
fn tables_of_ascii_search_as_the_runtime() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let mut random = Random::new(5);
    for locale in ["", "de-DE", "tr-TR", "cs-CZ", "da-DK"] {
        for options in [0, 1, 2, 3, 4] {
            let order = g.ascii_order(locale, options).unwrap().unwrap();
            let mut covered = 0;
            for _ in 0..400 {
                let letter = |random: &mut Random| {
                    random.pick(&[0x61, 0x41, 0x62, 0x63, 0x68, 0x69, 0x49, 0x2d, 0x31])
                };
                let target: Vec<u16> = (0..1 + random.below(2)).map(|_| letter(&mut random)).collect();
                let source: Vec<u16> = (0..random.below(9)).map(|_| letter(&mut random)).collect();
                let Some(places) = order.places(&target, &source) else { continue };
                covered += 1;
                let length = target.len() as i32;
                let index = |place: Option<&usize>| place.map_or(-1, |&place| place as i32);
                let texts = format!("{locale} {options} {target:x?} {source:x?}");
                let first = g.index_of(locale, &target, &source, options).unwrap();
                assert_eq!(first.returned, index(places.first()), "{texts}");
                assert!(first.returned < 0 || first.matched == Some(length), "{texts}");
                let last = g.last_index_of(locale, &target, &source, options).unwrap();
                assert_eq!(last.returned, index(places.last()), "{texts}");
                let starts = g.starts_with(locale, &target, &source, options).unwrap().returned;
                assert_eq!(starts == 1, places.first() == Some(&0), "{texts}");
                let ends = g.ends_with(locale, &target, &source, options).unwrap().returned;
                let end = source.len().checked_sub(target.len());
                assert_eq!(ends == 1, end.is_some_and(|end| places.contains(&end)), "{texts}");
            }
            assert!(covered > 20, "{locale} {options}: {covered}");
        }
    }
}

#[test]
fn contractions_are_found() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let contractions = |locale: &str| -> Vec<String> {
        let order = g.ascii_order(locale, 0).unwrap().unwrap();
        order.contractions().map(|part| String::from_utf8(part.to_vec()).unwrap()).collect()
    };
    assert_eq!(contractions("en-US"), Vec::<String>::new());
    assert_eq!(contractions("cs-CZ"), ["CH", "Ch", "cH", "ch"]);
    assert_eq!(contractions("da-DK"), ["AA", "Aa", "aa"]);
    assert_eq!(contractions("br-FR"), ["C'H", "C'h", "CH", "Ch", "c'h", "ch"]);
    assert!(contractions("hu-HU").contains(&"dz".to_owned()));
    let czech = g.ascii_order("cs-CZ", 0).unwrap().unwrap();
    assert_eq!(czech.compare(&utf16("cz"), &utf16("d")), Some(Ordering::Less));
    assert_eq!(czech.compare(&utf16("ch"), &utf16("d")), None);
    assert_eq!(czech.compare(&utf16("č"), &utf16("d")), None);
    assert_eq!((czech.is_ignored(0), czech.is_ignored(0x41)), (true, false));
    assert_eq!(czech.compare(&utf16("a\0b"), &utf16("ab")), Some(Ordering::Equal));
}

#[test]
fn digits_count_together_in_numeric_order() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let order = g.ascii_order("en-US", 0x20).unwrap().unwrap();
    assert_eq!(order.compare(&utf16("a9"), &utf16("a10")), None);
    assert_eq!(order.compare(&utf16("a9"), &utf16("b1")), Some(Ordering::Less));
    assert_eq!(g.compare_string("en-US", &utf16("a9"), &utf16("a10"), 0x20), Ok(-1));
}

#[test]
fn sort_keys_of_plain_texts_decide_as_the_comparison_everywhere() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let plain: Vec<u16> = (0x20..0x7f).chain(0xc0..0x180).collect();
    let mut random = Random::new(2);
    let locales = g.locales().unwrap();
    assert!(locales.len() > 500, "{}", locales.len());
    for locale in &locales {
        let options = random.pick(&[0, 1, 2, 3, 8, 16, 24, 27]);
        let pairs: Vec<(Vec<u16>, Vec<u16>)> = (0..60)
            .map(|_| {
                let a: Vec<u16> = (0..random.below(7)).map(|_| random.pick(&plain)).collect();
                let mut b = a.clone();
                let at = random.below(a.len() + 1);
                match b.get_mut(at) {
                    Some(unit) => *unit = random.pick(&plain),
                    None => b.push(random.pick(&plain)),
                }
                (a, b)
            })
            .collect();
        let pairs: Vec<(&[u16], &[u16])> = pairs.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
        for ((a, b), expected) in pairs.iter().zip(g.compare_strings(locale, &pairs, options).unwrap()) {
            let decided = g.compare_string(locale, a, b, options).unwrap();
            let texts = (String::from_utf16_lossy(a), String::from_utf16_lossy(b));
            assert_eq!(decided, expected, "{locale} {options} {texts:?}");
        }
    }
}

#[test]
fn a_long_sort_asks_about_each_text_once() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let mut random = Random::new(3);
    let mut texts: Vec<Vec<u16>> =
        (0..1000).map(|i| utf16(&format!("name {} {i}", random.below(100)))).collect();
    texts.sort_by(|a, b| g.compare_string("de-DE", a, b, 0).unwrap().cmp(&0));
    let asked = g.counters().asked;
    assert!(asked <= 1000, "{asked} questions");
}

#[test]
fn case_maps_change_texts_as_the_runtime() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let mut random = Random::new(4);
    for casing in [Casing::Usual, Casing::Invariant, Casing::Turkish] {
        let maps = g.case_maps(casing).unwrap();
        for _ in 0..200 {
            // What has a pair in it is asked for as a whole, and the pair has no case.
            let text: Vec<u16> =
                (0..40).map(|_| random.below(0xd800) as u16).chain("iIıİßςΣ😀".encode_utf16()).collect();
            for upper in [true, false] {
                let changed = match casing {
                    Casing::Usual => g.change_case(&text, upper, 49),
                    Casing::Invariant => g.change_case_invariant(&text, upper, 49),
                    Casing::Turkish => g.change_case_turkish(&text, upper, 49),
                };
                let mapped: Vec<u16> = text
                    .iter()
                    .map(|&unit| if upper { maps.upper(unit) } else { maps.lower(unit) })
                    .collect();
                assert_eq!(changed.unwrap(), mapped);
            }
        }
    }
    assert!(g.counters().asked >= 1200, "{:?}", g.counters());
    let map = |casing| g.case_maps(casing).unwrap();
    let (i, dotted, dotless) = (0x69, 0x130, 0x131);
    assert_eq!(map(Casing::Turkish).upper(i), dotted);
    assert_eq!(map(Casing::Turkish).upper(dotless), 0x49);
    assert_eq!(map(Casing::Invariant).upper(i), 0x49);
    assert_eq!(map(Casing::Invariant).upper(dotless), dotless);
}

/// Letters most of all, few of them, so that texts are alike.
fn ascii(random: &mut Random) -> Vec<u16> {
    let mut text: Vec<u16> = Vec::new();
    for _ in 0..random.below(9) {
        text.push(match random.below(10) {
            0 => random.below(128) as u16,
            1 => 0x20 + random.below(95) as u16,
            2 | 3 => 0x41 + random.below(26) as u16,
            _ => 0x61 + random.below(26) as u16,
        });
    }
    text
}

fn changed(text: &[u16], random: &mut Random) -> Vec<u16> {
    let mut text = text.to_vec();
    let at = random.below(text.len() + 1);
    match random.below(4) {
        0 => text.truncate(at),
        1 => text.splice(at.., ascii(random)).for_each(drop),
        2 => text.iter_mut().skip(at).for_each(|unit| {
            if (0x41..0x5b).contains(unit) {
                *unit += 0x20
            }
        }),
        _ => text.insert(at, random.below(128) as u16),
    }
    text
}
