//! A backend that does what a script says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use budget::Budget;
use case::type_facts::{InMemory, TypeFacts};
use case::{Case, Expectation, MethodRef, Mode, Parameter, Reach, Value};
use engine::Error;
use engine::parts::*;
use report::{Incomplete, Runtime, Stats};

/// What exploring a method does.
#[derive(Clone, Debug)]
pub enum Act {
    /// Two tests, both branches.
    Covers,
    /// One test, and one that throws on the other branch.
    Throws(&'static str),
    /// Says it is complete with one branch of two.
    ForgetsABranch,
    Panics,
    /// Goes on until the budget is used up, then hands over one test.
    UntilStopped,
    /// Covers both branches if it gets this long, else hands over one test.
    Needs(Duration),
    /// Does not look at its budget.
    Hangs,
}

pub struct Scripted {
    acts: Vec<(Target, Act)>,
    contradicted: Option<&'static str>,
    no_replay: Option<&'static str>,
    replay_hangs: bool,
    pub engines_made: Arc<AtomicUsize>,
}

const TAKEN: Edge = Edge { from: 1, to: 3 };
const NOT_TAKEN: Edge = Edge { from: 1, to: 8 };

impl Scripted {
    pub fn new<'a>(acts: impl IntoIterator<Item = (&'a str, Act)>) -> Scripted {
        let acts = acts.into_iter().enumerate().map(|(n, (name, act))| (target(n, name, &act), act));
        Scripted {
            acts: acts.collect(),
            contradicted: None,
            no_replay: None,
            replay_hangs: false,
            engines_made: Arc::default(),
        }
    }

    /// The real runtime disagrees about the tests of this method.
    pub fn contradicting(self, method: &'static str) -> Scripted {
        Scripted { contradicted: Some(method), ..self }
    }

    pub fn without_replay(self, why: &'static str) -> Scripted {
        Scripted { no_replay: Some(why), ..self }
    }

    pub fn with_hanging_replay(self) -> Scripted {
        Scripted { replay_hangs: true, ..self }
    }
}

fn target(number: usize, name: &str, act: &Act) -> Target {
    // Methods that take their time are larger, as in real life.
    let tail = if matches!(act, Act::UntilStopped | Act::Hangs) { 100 } else { 5 };
    let spans = [(0, 1), (1, 2), (3, 5), (8, tail)];
    Target {
        token: 0x0600_0001 + u32::try_from(number).unwrap(),
        id: format!("Shop.Cart::{name}(System.Int32)"),
        namespace: "Shop".to_owned(),
        type_name: "Shop.Cart".to_owned(),
        name: name.to_owned(),
        source: None,
        access: Access::Public,
        own_access: Access::Public,
        mark: None,
        inner: Arc::default(),
        bodies: vec![Body {
            token: 0x0600_0001 + u32::try_from(number).unwrap(),
            goals: Goals {
                instructions: spans.map(|(offset, size)| Span { offset, size, then: Then::Next }).to_vec(),
                branches: vec![TAKEN, NOT_TAKEN],
            },
        }],
    }
}

impl Backend for Scripted {
    fn open(&self) -> Result<Opened, Error> {
        let runtime = Runtime { name: "Microsoft.NETCore.App".to_owned(), version: "10.0.0".to_owned() };
        Ok(Opened {
            assembly: "Shop.dll".to_owned(),
            runtime: Some(runtime),
            remark: None,
            least: Access::Public,
            targets: self.acts.iter().map(|(target, _)| target.clone()).collect(),
            contents: Default::default(),
        })
    }

    fn worker(&self) -> Result<Box<dyn Worker>, String> {
        self.engines_made.fetch_add(1, Relaxed);
        Ok(Box::new(Actor { acts: self.acts.clone() }))
    }

    fn replayer(&self) -> Result<Box<dyn Replayer>, String> {
        match self.no_replay {
            Some(why) => Err(why.to_owned()),
            None => Ok(Box::new(Runtimes { contradicted: self.contradicted, hangs: self.replay_hangs })),
        }
    }

    fn type_facts(&self) -> Box<dyn TypeFacts> {
        Box::new(InMemory::default())
    }
}

struct Actor {
    acts: Vec<(Target, Act)>,
}

impl Worker for Actor {
    fn explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Explored {
        let act = self.acts.iter().find(|(t, _)| t == target).map(|(_, act)| act.clone());
        gauge.add_states(1);
        let mut found = Explored { stats: Stats { steps: 5, ..Stats::default() }, ..Explored::default() };
        match act.unwrap() {
            Act::Covers => found.cases = vec![case(target, 1, TAKEN, None), case(target, 0, NOT_TAKEN, None)],
            Act::Throws(exception) => found.cases.push(case(target, 0, NOT_TAKEN, Some(exception))),
            Act::ForgetsABranch => found.cases.push(case(target, 1, TAKEN, None)),
            Act::Panics => panic!("a defect"),
            Act::UntilStopped => {
                while budget.spent(0).is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let reason = budget.spent(0).unwrap().reason;
                found.incomplete.push(Incomplete { reason, detail: String::new(), at: None });
                found.cases.push(case(target, 1, TAKEN, None));
            }
            Act::Needs(time) => {
                let end = Instant::now() + time;
                while budget.spent(0).is_none() && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(1));
                }
                found.cases.push(case(target, 1, TAKEN, None));
                match budget.spent(0) {
                    Some(stop) => found.incomplete.push(Incomplete {
                        reason: stop.reason,
                        detail: String::new(),
                        at: None,
                    }),
                    None => found.cases.push(case(target, 0, NOT_TAKEN, None)),
                }
            }
            Act::Hangs => std::thread::sleep(Duration::from_secs(30)),
        }
        if let Some(Act::Throws(_)) = self.acts.iter().find(|(t, _)| t == target).map(|(_, act)| act) {
            found.proven_unreachable.push((target.token, TAKEN));
        }
        found
    }
}

fn case(target: &Target, input: i32, branch: Edge, throws: Option<&str>) -> FoundCase {
    let expect = match throws {
        Some(exception) => Expectation::throws(exception),
        None => Expectation::returns(Value::int32(input)),
    };
    let parameter = Parameter { name: "x".to_owned(), ty: "System.Int32".to_owned(), mode: Mode::Value };
    let method = MethodRef {
        id: target.id.clone(),
        ty: target.type_name.clone(),
        name: target.name.clone(),
        token: target.token,
        is_static: true,
        generic_arguments: vec![],
        parameters: vec![parameter],
        returns: "System.Int32".to_owned(),
    };
    FoundCase {
        case: Case {
            name: format!("{}_{input}", target.name),
            method,
            objects: vec![],
            this: None,
            arguments: vec![Value::int32(input)],
            expect,
            construction: Reach::Public,
            breaks: Vec::new(),
            consume: None,
            statics: Vec::new(),
            static_state: Vec::new(),
            outside: case::Outside::default(),
            sequenced: None,
        },
        once: Measured::default(),
        taken: Measured {
            methods: [(
                target.token,
                Taken { starts: vec![0], branches: vec![branch], instructions: Some(vec![0, 1, branch.to]) },
            )]
            .into(),
        },
        bug: throws.map(|exception| BugSite {
            exception: exception.to_owned(),
            message: String::new(),
            at: Some(8),
            source: "Cart.cs:42".parse().ok(),
            kind: report::FindingKind::Crash,
            cause: None,
        }),
        path: Default::default(),
    }
}

struct Runtimes {
    contradicted: Option<&'static str>,
    hangs: bool,
}

impl Replayer for Runtimes {
    fn replay(&mut self, cases: &[Case], _deadline: Instant) -> Vec<Replayed> {
        if self.hangs {
            std::thread::sleep(Duration::from_secs(30));
        }
        let answer = |case: &Case| match self.contradicted {
            Some(name) if case.method.name == name && case.name.ends_with("_0") => {
                Replayed::Failed { detail: "expected 0, got 7".to_owned() }
            }
            _ => Replayed::Passed {
                message: Some("As the runtime says.".to_owned()),
                case: None,
                measured: None,
            },
        };
        cases.iter().map(answer).collect()
    }
}
