//! The fixtures' own statements (`// expect: dead=yes bugs=OverflowException`) against the explorer's answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use budget::Budget;
use expect_test::expect;
use explore::generics::{Instantiations, is_generic};
use explore::{Exploration, Strategy};
use testkit::{Expectation, Options, Source};
use type_solver::{Bounds, TypeSolver};
use types::MethodId;
use vm::PathEnd;

use crate::worker::Worker;

/// For one method.
const TIME: Duration = Duration::from_secs(20);

#[test]
fn fixtures_are_what_their_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/explore");
    let files = testkit::csharp_files(&folder).unwrap();
    let mut expectations: BTreeMap<String, Expectation> = BTreeMap::new();
    for file in &files {
        for expectation in testkit::expectations(file).unwrap() {
            expectations.insert(expectation.method.clone(), expectation);
        }
    }
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    let dll = testkit::compile("Explore", &sources, &Options::default()).unwrap();
    let mut worker = Worker::new(&dll, Strategy::Coverage, 0);
    let mut wrong = Vec::new();
    let mut open = String::new();
    let mut methods = methods(&worker);
    methods.retain(|name, _| expectations.contains_key(name));
    for (name, overloads) in &methods {
        let expectation = &expectations[name];
        let mut answer = Answer { exhausted: true, ..Answer::default() };
        for &method in overloads {
            let method = closed(&worker, method);
            let budget = Budget {
                deadline: Some(Instant::now() + TIME),
                max_steps: expectation.unbounded.then_some(20_000),
                solver_timeout: TIME,
                ..Budget::default()
            };
            match worker.explore(method, &budget) {
                Ok(found) => answer.add(&worker, &found),
                Err(gap) => answer.give_up(gap.to_string()),
            }
        }
        wrong.extend(answer.contradictions(expectation));
        if !answer.exhausted {
            let gaps: Vec<&str> = answer.gaps.iter().map(String::as_str).collect();
            open.push_str(&format!("{name}: {}\n", gaps.join("; ")));
        }
    }
    let missing: Vec<&String> = expectations.keys().filter(|name| !methods.contains_key(*name)).collect();
    assert!(missing.is_empty(), "no such methods: {missing:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What the explorer does not finish, said honestly.
    expect![[r#"
        Loops::Stuck: the allowed number of steps was used up
        Loops::SumForever: every branch was covered and 1000000 more steps brought nothing new
        Statics::Limited: what happens depends on the static field Explore.Statics.calls
    "#]]
    .assert_eq(&open);
}

/// The method, with type arguments if it needs any.
fn closed(worker: &Worker, method: MethodId) -> MethodId {
    if !is_generic(&worker.universe, method) {
        return method;
    }
    let types = TypeSolver::new(vec![worker.assembly], Bounds::default());
    let mut choices = Instantiations::of(&worker.universe, &types, method);
    choices.next(&worker.universe).unwrap().unwrap()
}

/// All methods of the assembly by `Type::Method`, without namespaces.
fn methods(worker: &Worker) -> BTreeMap<String, Vec<MethodId>> {
    let universe = &worker.universe;
    let mut found: BTreeMap<String, Vec<MethodId>> = BTreeMap::new();
    for ty in universe.type_defs(worker.assembly).map(Result::unwrap) {
        let full = universe.type_name(ty);
        for &method in universe.methods(ty).unwrap() {
            let name = format!("{}::{}", short(&full), universe.method(method).name);
            found.entry(name).or_default().push(method);
        }
    }
    found
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// What is known about the methods of one name.
#[derive(Default)]
struct Answer {
    exhausted: bool,
    gaps: BTreeSet<String>,
    thrown: BTreeSet<String>,
    edges: usize,
    reached: usize,
    proven_dead: usize,
}

impl Answer {
    fn add(&mut self, worker: &Worker, found: &Exploration) {
        for (gap, _) in &found.incomplete {
            self.give_up(gap.to_string());
        }
        for path in &found.paths {
            if let PathEnd::Threw { ty, .. } = &path.end {
                self.thrown.insert(short(&worker.universe.type_name(*ty)).to_owned());
            }
        }
        self.edges += found.wanted.edges.len();
        self.reached += found.reached_edges().len();
        self.proven_dead += found.unreachable_edges().len();
    }

    fn give_up(&mut self, gap: String) {
        self.exhausted = false;
        self.gaps.insert(gap);
    }

    /// Where the answer and the comment cannot both be true. What is not there after an exploration that was cut short
    /// is no contradiction.
    fn contradictions(&self, expectation: &Expectation) -> Vec<String> {
        let mut wrong = Vec::new();
        let name = &expectation.method;
        if let Some(bugs) = &expectation.bugs {
            let bugs: BTreeSet<String> = bugs.iter().cloned().collect();
            let invented: Vec<&String> = self.thrown.difference(&bugs).collect();
            let missed: Vec<&String> = bugs.difference(&self.thrown).collect();
            if !invented.is_empty() {
                wrong.push(format!("{name}: nothing throws {invented:?}"));
            }
            if !missed.is_empty() && self.exhausted {
                wrong.push(format!("{name}: exhausted without {missed:?}"));
            }
        }
        match expectation.dead {
            Some(false) if self.proven_dead > 0 => {
                wrong.push(format!("{name}: a live branch was proven dead"))
            }
            Some(false) if self.exhausted && self.reached < self.edges => {
                wrong.push(format!("{name}: {} of {} edges were reached", self.reached, self.edges));
            }
            Some(true) if self.exhausted && self.proven_dead == 0 => {
                wrong.push(format!("{name}: the dead branch was not proven dead"));
            }
            _ => {}
        }
        wrong
    }
}
