//! The process dies, hangs, talks nonsense or cannot start: a question is answered all the same, or the error says why.

#![allow(clippy::unwrap_used)]

mod common;

use std::{process::Command, time::Duration};

use common::{core31, globalization, net10, utf16};
use culture::{Error, Globalization, Limits, Runtime};

fn kill(id: u32) {
    let killed = Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
    assert!(killed.success());
}

#[test]
#[cfg(unix)]
fn a_killed_process_is_started_again() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    assert_eq!(g.process_id(), None, "nothing is started before the first question");
    let (a, b) = (utf16("côte"), utf16("co\u{302}té"));
    assert_eq!(g.compare_string("fr-FR", &a, &b, 0).unwrap(), -1);
    kill(g.process_id().unwrap());
    assert_eq!(g.compare_string("fr-FR", &b, &a, 0).unwrap(), 1);
    assert_eq!((g.counters().started, g.counters().deaths), (2, 1));
    // What is known is known without a process.
    kill(g.process_id().unwrap());
    assert_eq!(g.compare_string("fr-FR", &a, &b, 0).unwrap(), -1);
    assert_eq!(g.counters().started, 2);
}

#[test]
#[cfg(unix)]
fn deaths_in_the_middle_lose_no_answer() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let texts: Vec<Vec<u16>> = (0..60_000).map(|i| utf16(&format!("Ärger {i}"))).collect();
    let texts: Vec<&[u16]> = texts.iter().map(Vec::as_slice).collect();
    let undisturbed = globalization().sort_keys("sv-SE", &texts, 0).unwrap();
    let g = globalization();
    g.greeting().unwrap();
    let victim = g.process_id().unwrap();
    std::thread::scope(|scope| {
        let keys = scope.spawn(|| g.sort_keys("sv-SE", &texts, 0).unwrap());
        std::thread::sleep(Duration::from_millis(40));
        kill(victim);
        assert_eq!(keys.join().unwrap(), undisturbed);
    });
    assert_eq!(g.counters().deaths, 1);
}

#[test]
fn a_question_that_takes_too_long_is_given_up() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let limits = Limits { question: Duration::from_millis(200), ..Limits::default() };
    let g = Globalization::new(net10(), limits);
    let long: Vec<u16> = (0..12_000_000u32).map(|i| (i % 500 + 0x61) as u16).collect();
    let asked = std::time::Instant::now();
    assert_eq!(g.sort_key("de-DE", &long, 0), Err(Error::TimedOut(culture::Entry::GetSortKey)));
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    assert_eq!(g.sort_handle("de-DE"), Ok(0));
}

#[test]
fn a_question_that_is_too_long_is_not_asked() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let long = vec![0x61; 40 << 20];
    assert!(matches!(g.sort_key("", &long, 0), Err(Error::Refused { .. })));
    assert_eq!(g.counters().started, 0);
}

#[test]
fn many_threads_share_one_process() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    let texts: Vec<Vec<u16>> = (0..500).map(|i| utf16(&format!("text {i} é"))).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for text in &texts {
                    assert_eq!(g.compare_string("en-US", text, &utf16("u"), 4), Ok(-1));
                }
            });
        }
    });
    assert_eq!(g.counters().started, 1);
    assert_eq!(g.counters().kept + g.counters().asked, 2000);
}

#[test]
fn what_the_runtime_does_not_have_is_said() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let g = globalization();
    // Gone since .NET 5.
    let missing = g.compare_string_ordinal_ignore_case(&utf16("a"), &utf16("B"));
    assert_eq!(missing, Err(Error::NotThere(culture::Entry::CompareStringOrdinalIgnoreCase)));
    assert_eq!(g.sort_handle("en-US"), Ok(0));
}

#[test]
fn without_icu_there_are_no_answers() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    // An application that says it brings its own ICU and does not: the runtime ends the process.
    let properties = vec![("System.Globalization.AppLocalIcu".to_owned(), "1.2".into())];
    let g = Globalization::new(Runtime { properties, ..net10() }, Limits::default());
    assert_eq!(g.greeting(), Err(Error::NoIcu));
    assert_eq!(g.sort_handle("en-US"), Err(Error::NoIcu));
    assert_eq!(g.counters().started, 1, "it is not tried again");
}

#[test]
fn invariant_mode_is_not_inherited() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let environment = vec![("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT".to_owned(), Some("1".to_owned()))];
    let g = Globalization::new(Runtime { environment, ..net10() }, Limits::default());
    assert_eq!(g.compare_string("", &utf16("a"), &utf16("B"), 0), Ok(-1));
}

#[test]
fn the_environment_names_the_default_locale() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let default = |name: &str| {
        let environment = vec![("LC_ALL".to_owned(), Some(name.to_owned()))];
        let g = Globalization::new(Runtime { environment, ..net10() }, Limits::default());
        String::from_utf16(&g.default_locale_name(100).unwrap().units).unwrap()
    };
    assert_eq!(default("tr_TR.UTF-8"), "tr-TR");
    assert_eq!(default("de_AT.UTF-8"), "de-AT");
}

#[test]
fn a_runtime_that_is_not_there_is_said() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let nowhere = Runtime { muxer: "/nowhere/dotnet".into(), ..net10() };
    let g = Globalization::new(nowhere, Limits::default());
    assert!(matches!(g.greeting(), Err(Error::NoRuntime { .. })), "{:?}", g.greeting());
    let mut wrong = net10();
    wrong.frameworks[0].version = "10.0.999".into();
    let g = Globalization::new(wrong, Limits::default());
    let error = g.greeting().unwrap_err().to_string();
    assert!(error.contains("must install or update .NET") || error.contains("framework"), "{error}");
}

/// A stand-in for `dotnet`: a script.
#[cfg(unix)]
fn pretended(script: &str) -> (tempfile::TempDir, Globalization) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let muxer = folder.path().join("dotnet");
    std::fs::write(&muxer, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&muxer, std::fs::Permissions::from_mode(0o755)).unwrap();
    let limits = Limits {
        question: Duration::from_millis(400),
        start: Duration::from_secs(2),
        deaths: 5,
        ..Limits::default()
    };
    (folder, Globalization::new(Runtime { muxer, ..Runtime::default() }, limits))
}

/// A greeting without a name of the runtime.
#[cfg(unix)]
const GREETING: &str = r"printf '\015\000\000\000\000\001\000\000\000\000\000\000\000\000\000\000\000'";

#[test]
#[cfg(unix)]
fn dying_twice_at_a_question_is_an_error() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let (_folder, g) =
        pretended(&format!("{GREETING}; head -c 1 > /dev/null; echo 'Out of luck.' >&2; exit 3"));
    assert_eq!(g.greeting().unwrap().icu_version, 0);
    assert_eq!(g.sort_handle("de"), Err(Error::Died("Out of luck.".into())));
    assert_eq!((g.counters().started, g.counters().deaths), (2, 2));
    assert!(g.sort_handle("de").is_err());
    // And after too many deaths nobody tries again.
    assert_eq!(g.sort_handle("de"), Err(Error::Died("it has died too often".into())));
    assert_eq!(g.sort_handle("de"), Err(Error::Died("it has died too often".into())));
    assert_eq!(g.counters().started, 5);
}

#[test]
#[cfg(unix)]
fn nonsense_is_not_taken_for_an_answer() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let (_folder, g) = pretended("printf 'Hello, world! This is no frame.'; sleep 5");
    assert!(matches!(g.greeting(), Err(Error::NoRuntime { .. })), "{:?}", g.greeting());
    let (_folder, g) = pretended(&format!(r"{GREETING}; printf '\001\000\000\000\007'; sleep 5"));
    assert_eq!(g.sort_handle("de"), Err(Error::Protocol("GetSortHandle has the status 7".into())));
    let (_folder, g) = pretended(&format!(r"{GREETING}; printf '\002\000\000\000\000\001'; sleep 5"));
    assert_eq!(g.sort_handle("de"), Err(Error::Protocol("the answer to GetSortHandle is too short".into())));
}

#[test]
#[cfg(unix)]
fn a_process_that_never_answers_is_given_up() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let (_folder, g) = pretended("exec sleep 30");
    assert!(matches!(g.greeting(), Err(Error::NoRuntime { .. })), "{:?}", g.greeting());
    let (_folder, g) = pretended(&format!("{GREETING}; exec sleep 30"));
    assert_eq!(g.sort_handle("de"), Err(Error::TimedOut(culture::Entry::GetSortHandle)));
}

#[test]
fn an_old_runtime_answers_as_well() {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let Some(runtime) = core31() else { return };
    // 3.1.2 looks for older versions of ICU than this machine may have; the user can name one.
    let version = globalization().greeting().unwrap().icu_version;
    let version = format!("{}.{}", version >> 24 & 0xff, version >> 16 & 0xff);
    let environment = vec![("CLR_ICU_VERSION_OVERRIDE".to_owned(), Some(version))];
    let g = Globalization::new(Runtime { environment, ..runtime }, Limits::default());
    let greeting = g.greeting().unwrap();
    assert!(greeting.runtime.contains(".NET Core 3.1"), "{greeting:?}");
    assert_eq!(g.compare_string_ordinal_ignore_case(&utf16("ä"), &utf16("Ä")), Ok(0));
    assert_eq!(g.index_of_ordinal_ignore_case(&utf16("B"), &utf16("abcb"), true), Ok(3));
    let found = g.last_index_of("de-DE", &utf16("S"), &utf16("straßes"), 1).unwrap();
    // Its functions do not tell how much matched.
    assert_eq!((found.returned, found.matched), (6, None));
    assert_eq!(g.starts_with("en-US", &utf16("RÉ"), &utf16("résumé"), 1).unwrap().returned, 1);
    assert_eq!(g.ordinal_casing_page(0), Err(Error::NotThere(culture::Entry::InitOrdinalCasingPage)));
    assert_eq!(
        g.locale_info_string(&utf16("de-DE"), 0x73, 100, None).unwrap().units,
        utf16("Deutsch (Deutschland)")
    );
}
