//! The client against the runtime's public API: a program prints what the API answers, and the client is asked the same.

#![allow(clippy::unwrap_used)]

mod common;

use common::{globalization, hex, net10, run_with_icu, unhex, utf16};
use culture::Globalization;
use testkit::{Options, Target};

/// What the class library offers its native part for names and other short texts.
const SHORT: i32 = 256;

#[test]
fn the_client_agrees_with_the_public_api() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agreement.cs");
    let options = Options { target: Target::Exe, ..Options::default() };
    let program = testkit::compile("Agreement", &[source.as_path()], &options).unwrap();
    let mut lines = Vec::new();
    for args in [&[][..], &["en-US"], &["de-DE"], &["ja-JP"], &["ar-SA"]] {
        let finished = run_with_icu(&net10(), &program, args, &[]);
        assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
        lines.extend(finished.stdout.lines().map(str::to_owned));
    }

    let asked = globalization();
    let mut differences = Vec::new();
    let mut compared = std::collections::BTreeMap::<&str, usize>::new();
    for line in &lines {
        let parts: Vec<&str> = line.split('\t').collect();
        let (question, expected, answer) = answer(&asked, &parts);
        *compared.entry(parts[0]).or_default() += 1;
        if answer != expected {
            differences
                .push(format!("{} {question}: {expected} by the API, {answer} by the client", parts[0]));
        }
    }
    assert!(
        differences.is_empty(),
        "{} differences: {:#?}",
        differences.len(),
        &differences[..differences.len().min(40)]
    );
    assert_eq!(compared.len(), 22, "{compared:?}");
    assert!(compared.values().sum::<usize>() > 100_000, "{compared:?}");
}

/// The question in words, the API's answer, and the client's.
fn answer(g: &Globalization, parts: &[&str]) -> (String, String, String) {
    let number = |at: usize| parts[at].parse::<i32>().unwrap();
    let text = |at: usize| unhex(parts[at]);
    let name = |at: usize| utf16(parts[at]);
    let last = parts.len() - 1;
    let mut expected = parts[last].to_owned();
    let mut found = |found: culture::Found| {
        expected = format!("{} {}", parts[last - 1], parts[last]);
        let nothing = found.returned == if parts[0].ends_with("fix") { 0 } else { -1 };
        format!("{} {}", found.returned, if nothing { 0 } else { found.matched.unwrap() })
    };
    let answer = match parts[0] {
        "compare" => g.compare_string(parts[1], &text(3), &text(4), number(2)).unwrap().to_string(),
        "index" => found(g.index_of(parts[1], &text(3), &text(4), number(2)).unwrap()),
        "last" => found(g.last_index_of(parts[1], &text(3), &text(4), number(2)).unwrap()),
        "prefix" => found(g.starts_with(parts[1], &text(3), &text(4), number(2)).unwrap()),
        "suffix" => found(g.ends_with(parts[1], &text(3), &text(4), number(2)).unwrap()),
        "key" => {
            let key = g.sort_key(parts[1], &text(3), number(2)).unwrap();
            key.iter().map(|byte| format!("{byte:02X}")).collect()
        }
        "upper" | "lower" => {
            let (text, upper) = (text(2), parts[0] == "upper");
            let capacity = text.len() as i32;
            let changed = match parts[1] {
                "" => g.change_case_invariant(&text, upper, capacity),
                "tr-TR" => g.change_case_turkish(&text, upper, capacity),
                _ => g.change_case(&text, upper, capacity),
            };
            hex(&changed.unwrap())
        }
        "info" => hex(&g.locale_info_string(&name(1), number(2) as u32, SHORT, None).unwrap().units),
        "number" => g.locale_info_int(&name(1), number(2) as u32).unwrap().1.to_string(),
        "groups" => {
            let (_, first, second) = g.locale_info_grouping_sizes(&name(1), 0x10).unwrap();
            if second == 0 { first.to_string() } else { format!("{first},{second}") }
        }
        "texts" => {
            let (_, texts) = g.enum_calendar_info(&name(1), number(2) as u16, number(3)).unwrap();
            texts.iter().map(|text| hex(text)).collect::<Vec<_>>().join(",")
        }
        "calendars" => {
            let written = g.calendars(&name(1), 23).unwrap();
            written.units.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
        }
        "name" => hex(&g.locale_name(&text(1), SHORT).unwrap().units),
        "zone" => hex(&g.time_zone_display_name(&name(1), &name(2), number(3), SHORT).unwrap().units),
        "normal" => hex(&g.normalize_string(number(1), &text(2), 1000).unwrap().units),
        "isnormal" => g.is_normalized(number(1), &text(2)).unwrap().to_string(),
        "ascii" => converted(g.to_ascii(number(1) as u32, &text(2), 1000).unwrap()),
        "unicode" => converted(g.to_unicode(number(1) as u32, &text(2), 1000).unwrap()),
        "iana" if parts.len() == 4 => {
            let region = text(2);
            hex(&g.windows_id_to_iana_id(&text(1), Some(&region), 100).unwrap().units)
        }
        "iana" => hex(&g.windows_id_to_iana_id(&text(1), None, 100).unwrap().units),
        "windows" => hex(&g.iana_id_to_windows_id(&text(1), 100).unwrap().units),
        "cultures" => {
            let mut names = g.locales().unwrap();
            names.sort();
            names.dedup();
            names.join(",")
        }
        other => panic!("{other}"),
    };
    (parts[1..last].join(" "), expected, answer)
}

fn converted(written: culture::Written) -> String {
    if written.returned <= 0 { "error".to_owned() } else { hex(&written.units) }
}
