//! `fixtures/loops`: nothing that happens may be excluded, and what is not decided is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use budget::Budget;
use expect_test::{Expect, expect};
use explore::Strategy;
use explore::loops::Bounds;
use testkit::{Expectation, Options, Source};
use types::MethodId;
use vm::coverage::Goal;

use crate::worker::Worker;

/// For one method.
const TIME: Duration = Duration::from_secs(30);

#[test]
fn no_optimised_fixture_is_misjudged() {
    judge(
        true,
        expect![[r#"
            Counting::Digits: OverflowException is not excluded
            Elements::EveryOtherChecked: IndexOutOfRangeException is not excluded
            Elements::IndexesChecked: IndexOutOfRangeException is not excluded
            Growing::RememberedIn: a loop changes a reference to an object of its own
            Growing::SeenThroughSpan: a loop changes a reference in memory
            Growing::SwappedBuffers: a loop changes a reference to an object of its own
            Links::Depth: proofs about loops would take too many steps
            Links::HasCycle: proofs about loops would take too many questions
            Links::MeetsFirstAgain: proofs about loops would take too many questions
            Links::MeetsWrittenBefore: no facts about the loops were found to hold together
            Links::ReverseThenLook: no facts about the loops were found to hold together
            Links::SumOfLeaves: proofs about loops would take too many steps
            Links::TwoWalkers: proofs about loops would take too many questions
            Scanning::ParseDigits: OverflowException is not excluded
            Scanning::Rows: a number in a loop would have to be tried value by value
            Tricky::NewObjects: a loop changes a reference to an object of its own
            Tricky::SameObjectTwice: a loop changes an input object that was made and written in the loop
            Tricky::ThroughAlias: a loop changes an input object that was made and written in the loop
            Writes::Touch: a loop changes an input object that was made and written in the loop"#]],
    );
}

#[test]
fn no_plain_fixture_is_misjudged() {
    judge(
        false,
        expect![[r#"
            Counting::Digits: OverflowException is not excluded
            Elements::EveryOtherChecked: IndexOutOfRangeException is not excluded
            Elements::IndexesChecked: IndexOutOfRangeException is not excluded
            Growing::RememberedIn: a loop changes a reference to an object of its own
            Growing::SeenThroughSpan: a loop changes a reference in memory
            Growing::SwappedBuffers: a loop changes a reference to an object of its own
            Links::Depth: proofs about loops would take too many steps
            Links::HasCycle: proofs about loops would take too many steps
            Links::MeetsFirstAgain: proofs about loops would take too many steps
            Links::MeetsWrittenBefore: no facts about the loops were found to hold together
            Links::OwnHungIn: no branch is excluded
            Links::ReverseThenLook: no facts about the loops were found to hold together
            Links::SumOfLeaves: proofs about loops would take too many steps
            Links::TwoWalkers: proofs about loops would take too many steps
            Numbers::CheckedDoublingTooFar: no branch is excluded
            Scanning::ParseDigits: OverflowException is not excluded
            Scanning::Rows: a number in a loop would have to be tried value by value
            Tricky::NewObjects: a loop changes a reference to an object of its own
            Tricky::SameObjectTwice: a loop changes an input object that was made and written in the loop
            Tricky::ThroughAlias: a loop changes an input object that was made and written in the loop
            Writes::Touch: a loop changes an input object that was made and written in the loop"#]],
    );
}

/// Compares what is said of every fixture with its comment; what is left open is expected.
fn judge(optimize: bool, expected: Expect) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/loops");
    let files = testkit::csharp_files(&folder).unwrap();
    let mut expectations: BTreeMap<String, Expectation> = BTreeMap::new();
    for file in &files {
        for expectation in testkit::expectations(file).unwrap() {
            expectations.insert(expectation.method.clone(), expectation);
        }
    }
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    let (mut wrong, mut open) = (Vec::new(), BTreeSet::new());
    let only = std::env::var("LOOPS_ONLY").ok();
    let options = Options { optimize, ..Options::default() };
    let dll = testkit::compile("Loops", &sources, &options).unwrap();
    let mut worker = Worker::new(&dll, Strategy::Coverage, 0);
    for (name, expectation) in &expectations {
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let (class, method) = name.split_once("::").unwrap();
        let method = worker.method(&format!("Loops.{class}"), method);
        let started = Instant::now();
        let budget = Budget { deadline: Some(started + TIME), ..Budget::default() };
        match worker.explorer.bound_loops(method, false, &budget) {
            Ok(bounds) => {
                let answer = answer(&worker, method, &bounds);
                let spent = (bounds.stats.steps, bounds.stats.queries, started.elapsed());
                println!("{name} {optimize}: {answer:?} {spent:?}");
                if only.is_some() {
                    println!("{:#?}", bounds.certificate);
                }
                wrong.extend(answer.faults(expectation).map(|fault| format!("{name}: {fault}")));
                open.extend(answer.doubts(expectation).map(|doubt| format!("{name}: {doubt}")));
            }
            Err(gap) => {
                println!("{name} {optimize}: {gap} {:?}", started.elapsed());
                open.insert(format!("{name}: {}", gap.detail));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let open: Vec<String> = open.into_iter().collect();
    if only.is_none() {
        expected.assert_eq(&open.join("\n"));
    }
}

#[derive(Debug)]
struct Answer {
    bugs: BTreeSet<String>,
    /// Branches of the method that are not taken.
    dead: Vec<(u32, u32)>,
}

impl Answer {
    /// What is excluded and happens.
    fn faults(&self, truth: &Expectation) -> impl Iterator<Item = String> {
        let missing = truth.bugs.iter().flatten().filter(|bug| !self.bugs.contains(*bug));
        let excluded = missing.map(|bug| format!("{bug} is excluded, but happens"));
        let dead = (truth.dead == Some(false) && !self.dead.is_empty())
            .then(|| format!("branches {:?} are excluded, but taken", self.dead));
        excluded.chain(dead).collect::<Vec<_>>().into_iter()
    }

    /// What does not happen and is not excluded.
    fn doubts(&self, truth: &Expectation) -> impl Iterator<Item = String> {
        let happen = truth.bugs.clone().unwrap_or_default();
        let bugs = self.bugs.iter().filter(|bug| !happen.contains(*bug));
        let doubtful = bugs.map(|bug| format!("{bug} is not excluded"));
        let dead =
            (truth.dead == Some(true) && self.dead.is_empty()).then(|| "no branch is excluded".to_owned());
        doubtful.chain(dead).collect::<Vec<_>>().into_iter()
    }
}

fn answer(worker: &Worker, method: MethodId, bounds: &Bounds) -> Answer {
    let name = |ty| {
        let full = worker.universe.type_name(ty);
        full.rsplit('.').next().unwrap_or(&full).to_owned()
    };
    let bugs = bounds.failures.iter().map(|(ty, _)| name(*ty)).collect();
    let mut dead = Vec::new();
    let zone = &worker.explorer.machine.recording.zone;
    for number in 0.. {
        let Some((owner, goal)) = zone.goal(number) else { break };
        if let (true, Goal::Edge(from, to)) = (owner == method, goal)
            && !bounds.reached.contains(number)
        {
            dead.push((from, to));
        }
    }
    Answer { bugs, dead }
}
