//! Runs the tests of an assembly through the plan of worlds.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Instant,
};

use replay::Runtime;
use serde_json::json;

use crate::{
    Limits, NotTried,
    host::HostFiles,
    lane::{Lane, Seen},
    service::{Patience, Trouble},
    world::{Order, PLAN, World, ordered},
};

/// A test as reflection finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestName {
    pub class: String,
    pub method: String,
}

/// An assembly of tests and what it needs.
pub(crate) struct Suite<'a> {
    pub assembly: &'a Path,
    pub family: &'static str,
    pub references: &'a [PathBuf],
    /// Assemblies of the test framework.
    pub shared: Vec<String>,
    pub tests: &'a [TestName],
}

pub(crate) struct Runner<'a> {
    pub files: &'a HostFiles,
    pub runtime: &'a Runtime,
    pub limits: Limits,
    pub patience: Patience<'a>,
    pub load_request: String,
    /// There is no ICU.
    pub is_invariant: AtomicBool,
    pub lacks_cultures: AtomicBool,
    tests: &'a [TestName],
}

/// What was seen: for each test, for each world of the plan.
pub(crate) struct Observed {
    pub seen: Vec<Vec<Option<Seen>>>,
    pub not_tried: Vec<NotTried>,
    /// Why not everything was tried.
    pub trouble: Option<Trouble>,
}

/// What one lane has seen, by test and world.
type Told = Vec<(usize, usize, Seen)>;

impl<'a> Runner<'a> {
    pub fn new(
        files: &'a HostFiles,
        runtime: &'a Runtime,
        limits: &Limits,
        suite: &Suite<'a>,
        patience: Patience<'a>,
    ) -> Runner<'a> {
        let tests: Vec<_> =
            suite.tests.iter().map(|test| json!({"type": test.class, "method": test.method})).collect();
        let load = json!({"load": {
            "assembly": suite.assembly,
            "references": suite.references,
            "shared": suite.shared,
            "framework": suite.family,
            "tests": tests,
        }});
        Runner {
            files,
            runtime,
            limits: limits.clone(),
            patience,
            load_request: load.to_string(),
            is_invariant: AtomicBool::new(false),
            lacks_cultures: AtomicBool::new(false),
            tests: suite.tests,
        }
    }

    pub fn has_cultures(&self) -> bool {
        !self.lacks_cultures.load(Ordering::Relaxed)
    }

    /// Some tests in all worlds of the plan. The base world comes first and alone: what crashes or hangs there is not tried elsewhere.
    pub fn run(&self, tests: &[usize]) -> Observed {
        let mut observed = Observed {
            seen: vec![vec![None; PLAN.len()]; self.tests.len()],
            not_tried: Vec::new(),
            trouble: None,
        };
        let mut lanes = lanes();
        if tests.is_empty() || lanes.is_empty() {
            return observed;
        }
        let (zone, worlds) = lanes.remove(0);
        let mut first = Lane::new(self, zone);
        let mut told = Told::new();
        let base = self.visit(&mut first, worlds.get(..1).unwrap_or_default(), tests, &mut told);
        let fatal: Vec<usize> = told.iter().filter(|told| told.2.is_fatal()).map(|told| told.0).collect();
        observed.note(told);
        if let Err(trouble) = base {
            observed.trouble = Some(trouble);
            return observed;
        }
        let rest: Vec<usize> = tests.iter().copied().filter(|test| !fatal.contains(test)).collect();
        let mut work = vec![(first, worlds.get(1..).unwrap_or_default().to_vec())];
        work.extend(lanes.into_iter().map(|(zone, worlds)| (Lane::new(self, zone), worlds)));
        self.run_lanes(work, &rest, &mut observed);
        if observed.trouble.is_none() {
            observed.trouble = self.confirm_alone(&mut observed).err();
        }
        if !self.has_cultures() {
            observed.not_tried.push(NotTried::Cultures);
        }
        let missed = rest.iter().filter(|test| observed.was_alone(**test) == Some(false)).count();
        if missed > 0 && observed.trouble.is_none() {
            observed.not_tried.push(NotTried::Alone(missed));
        }
        observed
    }

    /// Several processes at a time; what they saw is put together in the order of the plan.
    fn run_lanes(&self, work: Vec<(Lane<'_>, Vec<usize>)>, tests: &[usize], observed: &mut Observed) {
        let count = work.len();
        let queue = Mutex::new(work.into_iter().enumerate());
        let finished = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..self.limits.jobs.clamp(1, count) {
                scope.spawn(|| {
                    while let Some((at, (mut lane, worlds))) = next(&queue) {
                        let mut told = Told::new();
                        let result = self.visit(&mut lane, &worlds, tests, &mut told);
                        let missing = (!lane.has_zone)
                            .then(|| {
                                worlds.first().and_then(|world| PLAN.get(*world)).map(|world| world.zone)
                            })
                            .flatten();
                        if let Ok(mut finished) = finished.lock() {
                            finished.push((at, told, missing, result.err()));
                        }
                    }
                });
            }
        });
        let mut finished = finished.into_inner().unwrap_or_default();
        finished.sort_by_key(|(at, ..)| *at);
        for (_, told, missing, trouble) in finished {
            observed.note(told);
            observed.not_tried.extend(missing.map(NotTried::TimeZone));
            observed.trouble = observed.trouble.take().or(trouble);
        }
    }

    /// A test that fails only where everything was loaded afresh may fail because of that: in a process of its own it is really alone.
    fn confirm_alone(&self, observed: &mut Observed) -> Result<(), Trouble> {
        let Some(alone) = PLAN.iter().position(|world| world.order == Order::Alone) else { return Ok(()) };
        let Some(world) = PLAN.get(alone) else { return Ok(()) };
        let world = World { order: Order::Declared, ..*world };
        let mut sound = true;
        for (test, seen) in observed
            .seen
            .iter_mut()
            .enumerate()
            .filter(|(_, seen)| fails_only_at(seen, alone))
            .take(MAX_CONFIRMED)
        {
            let mut lane = Lane::new(self, world.zone);
            lane.pass(&world, &[test], &mut |_, result| {
                sound &= result == Seen::Passed;
                if let Some(place) = seen.get_mut(alone) {
                    *place = Some(result);
                }
            })?;
        }
        // If none of so many was to blame, the loading is.
        if sound {
            for seen in observed.seen.iter_mut().filter(|seen| fails_only_at(seen, alone)) {
                if let Some(place) = seen.get_mut(alone) {
                    *place = Some(Seen::Passed);
                }
            }
        }
        Ok(())
    }

    /// Passes of one lane. What crashed or hung in one is not tried in the next.
    fn visit(
        &self,
        lane: &mut Lane<'_>,
        worlds: &[usize],
        tests: &[usize],
        told: &mut Told,
    ) -> Result<(), Trouble> {
        let mut tests = tests.to_vec();
        for at in worlds {
            let Some(world) = PLAN.get(*at) else { continue };
            let in_order = self.ordered(world, &tests);
            let mut fatal = Vec::new();
            let mut tell = |test: usize, seen: Seen| {
                if seen.is_fatal() {
                    fatal.push(test);
                }
                told.push((test, *at, seen));
            };
            if world.order == Order::Alone {
                let started = Instant::now();
                for some in in_order.chunks(ALONE_AT_ONCE) {
                    if started.elapsed() < self.limits.alone {
                        lane.pass(world, some, &mut tell)?;
                    }
                }
            } else {
                lane.pass(world, &in_order, &mut tell)?;
            }
            tests.retain(|test| !fatal.contains(test));
        }
        Ok(())
    }

    pub fn ordered(&self, world: &World, tests: &[usize]) -> Vec<usize> {
        let class = |test: usize| self.tests.get(test).map(|test| test.class.clone()).unwrap_or_default();
        ordered(world.order, tests, class)
    }
}

impl Observed {
    /// What these tests did in another run counts.
    pub fn replace(&mut self, tests: &[usize], other: Observed) {
        for (test, seen) in other.seen.into_iter().enumerate().filter(|(test, _)| tests.contains(test)) {
            if let Some(place) = self.seen.get_mut(test) {
                *place = seen;
            }
        }
        self.not_tried = other.not_tried;
        self.trouble = other.trouble;
    }

    /// Whether it was run by itself, where that is planned.
    fn was_alone(&self, test: usize) -> Option<bool> {
        let alone = PLAN.iter().position(|world| world.order == Order::Alone)?;
        self.seen.get(test)?.get(alone).map(Option::is_some)
    }

    /// A later result of the same test in the same world counts: a class can fail when it is left.
    fn note(&mut self, told: Told) {
        for (test, world, seen) in told {
            if let Some(place) = self.seen.get_mut(test).and_then(|worlds| worlds.get_mut(world)) {
                *place = Some(seen);
            }
        }
    }
}

/// The worlds of the plan by the process that visits them.
fn lanes() -> Vec<(&'static str, Vec<usize>)> {
    let mut lanes: Vec<(&'static str, Vec<usize>)> = Vec::new();
    for (at, world) in PLAN.iter().enumerate() {
        match lanes.last_mut() {
            Some((zone, worlds)) if *zone == world.zone => worlds.push(at),
            _ => lanes.push((world.zone, vec![at])),
        }
    }
    lanes
}

/// Everything else was tried and passed.
fn fails_only_at(seen: &[Option<Seen>], at: usize) -> bool {
    let passed = |(place, seen): (usize, &Option<Seen>)| place == at || *seen == Some(Seen::Passed);
    matches!(seen.get(at), Some(Some(Seen::Failed(_)))) && seen.iter().enumerate().all(passed)
}

/// Tests that are asked for at once when each is alone.
const ALONE_AT_ONCE: usize = 16;

/// Tests that get a process of their own to be alone in.
const MAX_CONFIRMED: usize = 48;

fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().ok()?.next()
}
