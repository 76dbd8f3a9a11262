//! What tests do in several worlds, and what they do to their process.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{class, compiler, limits, outcome, project, runtime, verifier, verify};
use verify::{Cause, Framework, How, Limits, Outcome, Report, Verifier};

fn cause<'a>(report: &'a Report, name: &str) -> &'a Cause {
    match outcome(report, name) {
        Outcome::Fails { cause, .. } => cause,
        other => panic!("{name}: {other}"),
    }
}

fn how<'a>(report: &'a Report, name: &str) -> &'a How {
    match outcome(report, name) {
        Outcome::Fails { failures, .. } => &failures.first().unwrap().how,
        other => panic!("{name}: {other}"),
    }
}

fn assert_holds(report: &Report, names: &[&str]) {
    for name in names {
        assert_eq!(*outcome(report, name), Outcome::Holds, "{name}: {}", outcome(report, name));
    }
}

#[test]
fn a_test_holds_in_every_world_or_is_left_out() {
    let counter =
        "private static int runs;\n\n        private static readonly List<string> Seen = new List<string>();";
    let files = vec![
        class(
            "WorldTests",
            &[
                ("Plain", "Assert.Equal(4, 2 + 2);"),
                ("Wrong", "Assert.Equal(5, 2 + 2);"),
                ("DecimalPoint", "Assert.Equal(\"1.5\", (1.5).ToString());"),
                ("PinnedPoint", "Assert.Equal(\"1.5\", (1.5).ToString(CultureInfo.InvariantCulture));"),
                ("DottedI", "Assert.Equal(\"TITLE\", \"title\".ToUpper());"),
                (
                    "Calendar",
                    "Assert.Equal(2024, int.Parse(new DateTime(2024, 3, 1).ToString(\"yyyy\", CultureInfo.CurrentCulture), CultureInfo.InvariantCulture));",
                ),
                ("Comma", "Assert.Equal(\"1,5\", (1.5).ToString());"),
                (
                    "Zone",
                    "Assert.Equal(12, new DateTime(2021, 7, 1, 12, 0, 0, DateTimeKind.Utc).ToLocalTime().Hour);",
                ),
                ("Pool", "Assert.False(Thread.CurrentThread.IsThreadPoolThread);"),
                ("HashCode", "Assert.Equal(\"a\".GetHashCode() & 1023, Hash.Value);"),
            ],
            "private static class Hash { public static readonly int Value = 77; }",
        ),
        class(
            "OrderTests",
            &[
                ("First", "Seen.Add(\"first\"); Assert.NotEmpty(Seen);"),
                ("AfterFirst", "Assert.Contains(\"first\", Seen);"),
                ("BeforeThird", "Assert.DoesNotContain(\"third\", Seen);"),
                ("Third", "Seen.Add(\"third\"); Assert.NotEmpty(Seen);"),
                ("Once", "runs++; Assert.Equal(1, runs);"),
            ],
            counter,
        ),
    ];
    let report = verify(&mut verifier(), &project(Framework::XUnit2, files));
    assert_eq!((report.problems.clone(), report.not_tried.clone()), (vec![], vec![]));
    assert_holds(&report, &["Plain", "PinnedPoint", "First", "Third"]);
    assert_eq!(*cause(&report, "Wrong"), Cause::Always);
    assert_eq!(*cause(&report, "DecimalPoint"), Cause::Culture(vec!["ar-SA", "de-DE", "tr-TR"]));
    assert_eq!(*cause(&report, "Comma"), Cause::Culture(vec!["", "ar-SA", "en-US"]));
    assert_eq!(*cause(&report, "DottedI"), Cause::Culture(vec!["tr-TR"]));
    assert_eq!(*cause(&report, "Calendar"), Cause::Culture(vec!["ar-SA"]));
    assert_eq!(
        *cause(&report, "Zone"),
        Cause::TimeZone(vec!["America/New_York", "Asia/Kolkata", "Europe/Berlin"])
    );
    assert_eq!(*cause(&report, "Pool"), Cause::Thread);
    assert_eq!(*cause(&report, "AfterFirst"), Cause::NeedsOthers);
    assert_eq!(*cause(&report, "BeforeThird"), Cause::OtherTests);
    assert_eq!(*cause(&report, "Once"), Cause::Repetition);
    assert!(matches!(cause(&report, "HashCode"), Cause::Always | Cause::Unsteady));
    let How::Failed { exception, message, line } = how(&report, "Wrong") else { panic!() };
    assert_eq!(exception, "Xunit.Sdk.EqualException");
    assert!(message.contains("Expected: 5") && message.contains("Actual:   4"), "{message}");
    // Counted in the text that came.
    assert_eq!(*line, 21);
    assert_eq!(report.kept(), 4);
}

#[test]
fn a_test_that_spoils_others_goes_and_they_stay() {
    let members =
        "private static string name = \"Ann\";\n\n        private static int Length() => name.Length;";
    let files = vec![
        class(
            "NameTests",
            &[
                ("Before", "Assert.Equal(3, Length());"),
                ("Forgets", "name = null; Assert.Throws<NullReferenceException>(() => Length());"),
                ("After", "Assert.Equal(3, Length());"),
                ("Later", "Assert.Equal(3, Length() + 0);"),
                ("Wrong", "Assert.Equal(4, Length());"),
            ],
            members,
        ),
        class("OtherTests", &[("Other", "Assert.True(true);")], ""),
    ];
    let mut project = project(Framework::XUnit2, files);
    project.options.settings.truncate(1);
    let report = verify(&mut verifier(), &project);
    let victims = ["Before", "After", "Later"];
    let Cause::BreaksOthers(broken) = cause(&report, "Forgets") else {
        panic!("{}", outcome(&report, "Forgets"))
    };
    assert!(broken.iter().all(|name| victims.contains(&name.as_str())) && broken.len() > 1, "{broken:?}");
    assert_holds(&report, &victims);
    assert_holds(&report, &["Other"]);
    assert_eq!(*cause(&report, "Wrong"), Cause::Always);
}

#[test]
fn what_a_test_does_to_its_process_is_its_own_result() {
    let files = vec![
        class(
            "BadTests",
            &[
                ("Before", "Assert.True(true);"),
                ("Hangs", "while (true) { Thread.Sleep(10); }"),
                ("FailsFast", "Environment.FailFast(\"on purpose\");"),
                ("Overflows", "Assert.Equal(1, Deep(0));"),
                ("Exits", "Environment.Exit(3);"),
                ("Finalizes", "new Broken(); Assert.True(true);"),
                (
                    "OnThread",
                    "var thread = new Thread(() => throw new InvalidOperationException(\"elsewhere\")); thread.Start(); thread.Join();",
                ),
                (
                    "Prints",
                    "Console.WriteLine(\"{\\\"test\\\":0}\"); Console.Error.WriteLine(\"!\"); Console.OpenStandardOutput().Write(new byte[] { 10, 65, 10 }, 0, 3);",
                ),
                ("Devours", "var all = new List<byte[]>(); while (true) { all.Add(new byte[100_000_000]); }"),
                ("After", "Assert.True(true);"),
            ],
            "private static int Deep(int n) => Deep(n + 1) + 1;\n\n        private sealed class Broken { ~Broken() { throw new InvalidOperationException(\"too late\"); } }",
        ),
        class("GoodTests", &[("Fine", "Assert.True(true);"), ("Also", "Assert.True(true);")], ""),
    ];
    let limits = Limits { test: Duration::from_secs(3), ..limits() };
    let mut verifier = Verifier::new(compiler(), runtime(), limits).unwrap();
    let report = verify(&mut verifier, &project(Framework::XUnit2, files));
    assert_holds(&report, &["Before", "After", "Prints", "Fine", "Also"]);
    assert_eq!(*how(&report, "Hangs"), How::TimedOut);
    let crash = |name: &str| match how(&report, name) {
        How::Crashed { how } => how.clone(),
        other => panic!("{name}: {other}"),
    };
    assert!(crash("FailsFast").contains("on purpose"), "{}", crash("FailsFast"));
    assert_eq!(crash("Overflows"), "stack overflow");
    assert!(crash("Exits").contains("exit status: 3"), "{}", crash("Exits"));
    assert!(crash("Finalizes").contains("too late"), "{}", crash("Finalizes"));
    assert!(crash("OnThread").contains("elsewhere"), "{}", crash("OnThread"));
    let How::Failed { exception, .. } = how(&report, "Devours") else {
        panic!("{}", how(&report, "Devours"))
    };
    assert_eq!(exception, "System.OutOfMemoryException");
    let text = report.files.first().unwrap().text.clone().unwrap();
    assert!(!text.contains("Broken") && !text.contains("Deep"), "{text}");
}

#[test]
fn a_deadline_is_kept_and_what_was_not_verified_says_so() {
    use std::{sync::atomic::AtomicBool, time::Instant};
    let tests: Vec<(String, String)> =
        (0..40).map(|at| (format!("Slow{at}"), "Thread.Sleep(100); Assert.True(true);".to_owned())).collect();
    let tests: Vec<(&str, &str)> = tests.iter().map(|(name, body)| (name.as_str(), body.as_str())).collect();
    let project = project(Framework::XUnit2, vec![class("SlowTests", &tests, "")]);
    let mut verifier = verifier();
    verifier.warm_up();
    let never = AtomicBool::new(false);
    let late = |until: Instant| Instant::now().saturating_duration_since(until);
    for seconds in [0.0, 0.3, 9.0] {
        // A compiler that was stopped in the middle is started again, and warm afterwards.
        verifier.compile(&project, Instant::now() + Duration::from_secs(120), &never);
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        let report = verifier.verify(&project, deadline, &never);
        let late = late(deadline);
        // The machine may be busy with other things; the promise is 100 ms.
        assert!(late < Duration::from_millis(400), "{late:?} after a deadline of {seconds} s");
        let unverified = |outcome: &Outcome| matches!(outcome, Outcome::NotVerified { .. });
        assert!(report.tests.iter().all(|test| unverified(&test.outcome)), "{:?}", report.tests);
        let text = report.files.first().unwrap().text.clone();
        let held = report.tests.iter().filter(|test| test.outcome.is_kept()).count();
        match seconds {
            9.0 => assert!(held > 0 && text.unwrap().matches("[Fact]").count() == held),
            _ => assert_eq!((text, held), (None, 0)),
        }
    }

    let cancel = AtomicBool::new(true);
    let started = Instant::now();
    let report = verifier.verify(&project, started + Duration::from_secs(60), &cancel);
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(report.kept(), 0);
    assert!(outcome(&report, "Slow0").to_string().contains("stopped"), "{}", outcome(&report, "Slow0"));
}

#[test]
fn the_oldest_runtime_will_do() {
    let toolchain = testkit::Toolchain::locate().unwrap();
    let core = replay::SharedFramework {
        name: "Microsoft.NETCore.App".into(),
        version: testkit::versions::RUNTIME31.into(),
    };
    let runtime = replay::Runtime { muxer: toolchain.dotnet31(), frameworks: vec![core] };
    let mut verifier = Verifier::new(compiler(), runtime, limits()).unwrap();
    let files = vec![class(
        "OldTests",
        &[
            ("Plain", "Assert.Equal(4, 2 + 2);"),
            ("Version", "Assert.Equal(3, Environment.Version.Major);"),
            ("TooNew", "Span<int> numbers = [1, 2]; Assert.Equal(2, numbers.Length);"),
            (
                "Zone",
                "Assert.Equal(12, new DateTime(2021, 7, 1, 12, 0, 0, DateTimeKind.Utc).ToLocalTime().Hour);",
            ),
        ],
        "",
    )];
    let report = verify(&mut verifier, &project(Framework::XUnit2, files));
    assert_holds(&report, &["Plain", "Version"]);
    assert!(
        matches!(outcome(&report, "TooNew"), Outcome::DoesNotCompile { .. }),
        "{}",
        outcome(&report, "TooNew")
    );
    assert!(matches!(cause(&report, "Zone"), Cause::TimeZone(_)));
    // It does not find the libraries of a system that is younger than itself.
    assert!(
        report.not_tried.iter().all(|missing| *missing == verify::NotTried::Cultures),
        "{:?}",
        report.not_tried
    );
}
