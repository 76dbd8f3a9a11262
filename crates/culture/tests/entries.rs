//! The client against the class library's own native declarations, which a program calls by reflection: the same return
//! values and the same texts, whatever the capacity of the buffer.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{globalization, hex, net10, run_with_icu, unhex, utf16};
use culture::{Globalization, Written};
use testkit::{Options, Target};

#[test]
fn every_entry_answers_as_the_class_library_hears_it() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/entries.cs");
    let options = Options { target: Target::Exe, allow_unsafe: true, ..Options::default() };
    let program = testkit::compile("Entries", &[source.as_path()], &options).unwrap();
    let finished = run_with_icu(&net10(), &program, &[], &[("LC_ALL", "de_DE.UTF-8")]);
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));

    let environment = vec![("LC_ALL".to_owned(), Some("de_DE.UTF-8".to_owned()))];
    let g = Globalization::new(culture::Runtime { environment, ..net10() }, culture::Limits::default());
    let mut differences = Vec::new();
    let mut compared = BTreeMap::<&str, usize>::new();
    for line in finished.stdout.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let (expected, answer) = answer(&g, &parts);
        *compared.entry(parts[0]).or_default() += 1;
        if answer != expected {
            differences.push(format!("{line}: {answer}"));
        }
    }
    let some = &differences[..differences.len().min(30)];
    assert!(differences.is_empty(), "{} differences: {some:#?}", differences.len());
    assert_eq!(compared.len(), 25, "{compared:?}");
    assert!(compared.values().sum::<usize>() > 8_000, "{compared:?}");
}

/// What the class library heard, and what the client says.
fn answer(g: &Globalization, parts: &[&str]) -> (String, String) {
    let number = |at: usize| parts[at].parse::<i32>().unwrap();
    let locale = || if parts[1] == "?" { vec![0xd800] } else { utf16(parts[1]) };
    let name = || if parts[1] == "?" { "\u{fffd}" } else { parts[1] };
    let optional = |at: usize| (parts[at] != "null").then(|| utf16(parts[at]));
    // How many of the last columns are the answer.
    let (columns, answer) = match parts[0] {
        "name" => (2, written(g.locale_name(&locale(), number(2)).unwrap())),
        "string" => {
            let ui = optional(4);
            (2, written(g.locale_info_string(&locale(), number(2) as u32, number(3), ui.as_deref()).unwrap()))
        }
        "int" => {
            let (success, value) = g.locale_info_int(&locale(), number(2) as u32).unwrap();
            (2, format!("{success}\t{value}"))
        }
        "groups" => {
            let (success, first, second) = g.locale_info_grouping_sizes(&locale(), number(2) as u32).unwrap();
            (3, format!("{success}\t{first}\t{second}"))
        }
        "time" => (2, written(g.locale_time_format(&locale(), number(2) == 1, number(3)).unwrap())),
        "predefined" => (1, g.is_predefined_locale(&locale()).unwrap().to_string()),
        "calendars" => (2, written(g.calendars(&locale(), number(2)).unwrap())),
        "calendar" => {
            (2, written(g.calendar_info(&locale(), number(2) as u16, number(3), number(4)).unwrap()))
        }
        "texts" => {
            let (success, texts) = g.enum_calendar_info(&locale(), number(2) as u16, number(3)).unwrap();
            let texts: Vec<String> = texts.iter().map(|text| hex(text)).collect();
            (2, format!("{success}\t{}", texts.join(",")))
        }
        "zone" => {
            let zone = utf16(parts[2]);
            (2, written(g.time_zone_display_name(&locale(), &zone, number(3), number(4)).unwrap()))
        }
        "handle" => (1, g.sort_handle(name()).unwrap().to_string()),
        "version" => (1, g.sort_version(name()).unwrap().to_string()),
        "default" => (2, written(g.default_locale_name(number(1)).unwrap())),
        "normalize" => (2, written(g.normalize_string(number(1), &unhex(parts[3]), number(2)).unwrap())),
        "ascii" => (2, written(g.to_ascii(number(1) as u32, &unhex(parts[3]), number(2)).unwrap())),
        "unicode" => (2, written(g.to_unicode(number(1) as u32, &unhex(parts[3]), number(2)).unwrap())),
        "isnormal" => (1, g.is_normalized(number(1), &unhex(parts[2])).unwrap().to_string()),
        "case" => {
            let (upper, text) = (number(2) == 1, unhex(parts[3]));
            let capacity = text.len() as i32;
            let changed = match parts[1] {
                "ChangeCase" => g.change_case(&text, upper, capacity),
                "ChangeCaseInvariant" => g.change_case_invariant(&text, upper, capacity),
                _ => g.change_case_turkish(&text, upper, capacity),
            };
            (1, hex(&changed.unwrap()))
        }
        "page" => (1, hex(&g.ordinal_casing_page(number(1) as u8).unwrap())),
        "iana" => {
            let region = optional(2);
            (2, written(g.windows_id_to_iana_id(&unhex(parts[1]), region.as_deref(), number(3)).unwrap()))
        }
        "windows" => (2, written(g.iana_id_to_windows_id(&unhex(parts[1]), number(2)).unwrap())),
        "era" => (1, g.latest_japanese_era().unwrap().to_string()),
        "start" => {
            let (success, [year, month, day]) = g.japanese_era_start(number(1)).unwrap();
            (4, format!("{success}\t{year}\t{month}\t{day}"))
        }
        "icu" => (1, g.icu_version().unwrap().to_string()),
        "locales" => (2, written(g.locales_as_written().unwrap())),
        other => panic!("{other}"),
    };
    (parts[parts.len() - columns..].join("\t"), answer)
}

fn written(written: Written) -> String {
    format!("{}\t{}", written.returned, hex(&written.units))
}

#[test]
fn names_of_locales_are_listed() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let names = globalization().locales().unwrap();
    assert!(["de-DE", "tr-TR", "ar-SA"].iter().all(|name| names.iter().any(|listed| listed == name)));
}
