//! Two thousand tests, all worlds: the figures are printed (`cargo nextest run -p verify --test speed --no-capture`).
#![allow(clippy::unwrap_used)]

mod common;

use common::{class, project, verifier, verify};
use verify::{Framework, Outcome, PLAN};

#[test]
fn two_thousand_tests_in_all_worlds() {
    const CLASSES: usize = 100;
    const TESTS: usize = 20;
    let mut files = Vec::new();
    for at in 0..CLASSES {
        let tests: Vec<(String, String)> = (0..TESTS)
            .map(|n| {
                let body = format!(
                    "var list = new List<int> {{ {n}, {at} }};\n\n            list.Reverse();\n\n            Assert.Equal(new[] {{ {at}, {n} }}, list);\n            Assert.Throws<ArgumentOutOfRangeException>(() => list[2]);"
                );
                (format!("Reverse_{n}_Swaps"), body)
            })
            .collect();
        let tests: Vec<(&str, &str)> =
            tests.iter().map(|(name, body)| (name.as_str(), body.as_str())).collect();
        files.push(class(&format!("List{at}Tests"), &tests, ""));
    }
    let project = project(Framework::XUnit2, files);
    let mut verifier = verifier();
    // As in a real run, the compiler has been waiting for a while.
    verifier.warm_up();
    let report = verify(&mut verifier, &project);
    let time = report.timings;
    println!(
        "{} tests, {} worlds: compiled in {:.2?}, run in {:.2?}, finished in {:.2?}",
        report.tests.len(),
        PLAN.len(),
        time.compile,
        time.run,
        time.finish
    );
    assert!(report.tests.iter().all(|test| test.outcome == Outcome::Holds), "{:?}", report.tests.first());
    // One test that does not compile costs little more.
    let mut broken = project;
    broken.files[3].text = broken.files[3].text.replacen("list.Reverse();", "list.Revers();", 1);
    let report = verify(&mut verifier, &broken);
    println!("with an error: compiled in {:.2?}, run in {:.2?}", report.timings.compile, report.timings.run);
    assert_eq!(report.kept(), CLASSES * TESTS - 1);
}
