//! Why a test passes here and fails there: it is run alone, with one thing changed at a time.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Cause, How, World,
    lane::{Lane, Seen},
    runner::{Observed, Runner},
    world::{Order, PLAN, Thread},
};

/// The causes of failures, by test. What is not certain for want of time is called unsteady.
pub(crate) fn find(runner: &Runner<'_>, observed: &Observed) -> BTreeMap<usize, Cause> {
    let mut causes = BTreeMap::new();
    let mut open: BTreeMap<usize, Failed<'_>> = BTreeMap::new();
    for (test, seen) in observed.seen.iter().enumerate() {
        let failed: Vec<&World> = PLAN
            .iter()
            .zip(seen)
            .filter(|(_, seen)| is_failure(seen.as_ref()))
            .map(|(world, _)| world)
            .collect();
        if failed.is_empty() {
            continue;
        }
        let in_base = is_failure(seen.first().and_then(Option::as_ref));
        let fatal = seen.iter().flatten().any(Seen::is_fatal);
        let everywhere = failed.len() == seen.iter().flatten().count();
        let was_alone =
            PLAN.iter().zip(seen).any(|(world, seen)| world.order == Order::Alone && seen.is_some());
        if fatal && in_base || everywhere && was_alone || open.len() >= MAX_PROBED {
            causes.insert(test, if everywhere { Cause::Always } else { Cause::Unsteady });
        } else {
            open.insert(test, Failed { worlds: failed, everywhere });
        }
    }
    if !open.is_empty() {
        let probes = Probes::run(runner, &open);
        for (test, failed) in open {
            causes.insert(test, probes.judge(test, &failed));
        }
    }
    causes
}

/// Where a test failed.
struct Failed<'a> {
    worlds: Vec<&'a World>,
    everywhere: bool,
}

fn is_failure(seen: Option<&Seen>) -> bool {
    matches!(seen, Some(Seen::Failed(_)))
}

fn cultures() -> BTreeSet<&'static str> {
    PLAN.iter().map(|world| world.culture).collect()
}

fn zones() -> BTreeSet<&'static str> {
    PLAN.iter().map(|world| world.zone).collect()
}

/// What tests do when they are alone.
struct Probes {
    /// By culture (in UTC) or by zone (in the invariant culture).
    alone: BTreeMap<(usize, &'static str, &'static str), bool>,
    on_pool: BTreeMap<usize, bool>,
    second: BTreeMap<usize, bool>,
}

impl Probes {
    fn run(runner: &Runner<'_>, open: &BTreeMap<usize, Failed<'_>>) -> Probes {
        let mut probes = Probes { alone: BTreeMap::new(), on_pool: BTreeMap::new(), second: BTreeMap::new() };
        let base = World::BASE;
        let tests: Vec<usize> = open.keys().copied().collect();
        let mut lane = Lane::new(runner, base.zone);
        probes.pass_alone(&mut lane, "", base.zone, &tests);
        // What fails everywhere is decided by now, one way or the other.
        let undecided = |test: &usize| open.get(test).is_some_and(|failed| !failed.everywhere);
        let tests: Vec<usize> = tests.into_iter().filter(undecided).collect();
        if tests.is_empty() {
            return probes;
        }
        for culture in cultures().into_iter().filter(|culture| !culture.is_empty()) {
            probes.pass_alone(&mut lane, culture, base.zone, &tests);
        }
        let pool = World { thread: Thread::Pool, ..World::alone("", World::BASE.zone) };
        let on_pool = &mut probes.on_pool;
        // A lane that stops early leaves a gap, and a gap is no finding.
        let _ = lane.pass(&pool, &tests, &mut |test, seen| {
            on_pool.insert(test, is_failure(Some(&seen)));
        });
        probes.pass_twice(runner, &tests);
        for zone in zones().into_iter().filter(|zone| *zone != World::BASE.zone) {
            probes.pass_alone(&mut Lane::new(runner, zone), "", zone, &tests);
        }
        probes
    }

    fn pass_alone(
        &mut self,
        lane: &mut Lane<'_>,
        culture: &'static str,
        zone: &'static str,
        tests: &[usize],
    ) {
        let _ = lane.pass(&World::alone(culture, zone), tests, &mut |test, seen| {
            self.alone.insert((test, culture, zone), is_failure(Some(&seen)));
        });
    }

    /// The second run in a process, with nothing between but the other suspects.
    fn pass_twice(&mut self, runner: &Runner<'_>, tests: &[usize]) {
        for test in tests.iter().take(MAX_PAIRS) {
            let mut lane = Lane::new(runner, World::BASE.zone);
            let mut first = None;
            let _ = lane.pass(&World::BASE, &[*test], &mut |_, seen| first = Some(is_failure(Some(&seen))));
            let second = &mut self.second;
            let _ = lane.pass(&World::BASE, &[*test], &mut |test, seen| {
                second.insert(test, first == Some(false) && is_failure(Some(&seen)));
            });
        }
    }

    fn judge(&self, test: usize, failed: &Failed<'_>) -> Cause {
        let base = World::BASE;
        let alone = |culture, zone| self.alone.get(&(test, culture, zone)).copied();
        match alone("", base.zone) {
            None if failed.everywhere => return Cause::Always,
            None => return Cause::Unsteady,
            Some(true) if failed.everywhere => return Cause::Always,
            Some(false) if failed.everywhere => return Cause::OtherTests,
            Some(true) if !failed.worlds.contains(&&base) => return Cause::NeedsOthers,
            Some(_) => {}
        }
        // A thing that it fails with in one way and passes with in another is what it depends on.
        let by_culture: Vec<&'static str> =
            cultures().into_iter().filter(|culture| alone(culture, base.zone) == Some(true)).collect();
        let by_zone: Vec<&'static str> =
            zones().into_iter().filter(|zone| alone("", zone) == Some(true)).collect();
        if !by_culture.is_empty() && by_culture.len() < cultures().len() {
            Cause::Culture(by_culture)
        } else if !by_zone.is_empty() && by_zone.len() < zones().len() {
            Cause::TimeZone(by_zone)
        } else if self.on_pool.get(&test) == Some(&true) {
            Cause::Thread
        } else if self.second.get(&test) == Some(&true) {
            Cause::Repetition
        } else if failed.worlds.iter().any(|world| world.order == Order::Alone) {
            Cause::Unsteady
        } else {
            Cause::OtherTests
        }
    }
}

/// Tests whose failures are looked into; where there are more, something else is wrong.
const MAX_PROBED: usize = 256;

/// Each pair of runs wants a process of its own.
const MAX_PAIRS: usize = 16;

/// The failures of a test in the order of the plan.
pub(crate) fn failures(seen: &[Option<Seen>]) -> Vec<crate::Failure> {
    let failed = |(world, seen): (&World, &Option<Seen>)| match seen {
        Some(Seen::Failed(how)) => Some(crate::Failure { world: *world, how: How::clone(how) }),
        _ => None,
    };
    PLAN.iter().zip(seen).filter_map(failed).collect()
}
