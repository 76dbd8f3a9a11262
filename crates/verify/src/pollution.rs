//! Which tests spoil others: those that leave static state behind in which the others fail.
//!
//! A test that passes alone and fails in company has been spoiled by one before it. The one is found by halving: run in a
//! new process, half of those before it either spoil it or not. One test to blame for several failures is to go, and
//! not its victims; for a single victim nobody can say whose fault it is, and the victim goes.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use crate::{
    Cause, cause,
    lane::{Lane, Seen},
    runner::{Observed, Runner, TestName},
    service::Trouble,
    world::{Order, PLAN, World},
};

/// What was seen, and why tests fail.
pub(crate) type Judged = (Observed, BTreeMap<usize, Cause>);

/// Runs all tests; if some spoil others, the others have their say once more without them.
pub(crate) fn run_without(runner: &Runner<'_>, names: &[TestName]) -> Judged {
    let all: Vec<usize> = (0..names.len()).collect();
    let started = Instant::now();
    let mut observed = runner.run(&all);
    let took = started.elapsed();
    let mut causes = cause::find(runner, &observed);
    let polluters = find(runner, &observed, &causes);
    let has_time = runner.patience.deadline.saturating_duration_since(Instant::now()) > took + took / 2;
    if polluters.is_empty() || observed.trouble.is_some() || !has_time {
        return (observed, causes);
    }
    let goes = |test: &usize| causes.get(test) == Some(&Cause::Always) || polluters.contains_key(test);
    let rest: Vec<usize> = all.into_iter().filter(|test| !goes(test)).collect();
    let again = runner.run(&rest);
    causes.retain(|test, _| !rest.contains(test));
    causes.extend(cause::find(runner, &again));
    observed.replace(&rest, again);
    for (test, victims) in polluters {
        let victims = victims.iter().filter_map(|victim| names.get(*victim)).map(|name| name.method.clone());
        causes.entry(test).or_insert(Cause::BreaksOthers(victims.collect()));
    }
    (observed, causes)
}

/// Tests that are to go, with the tests that they spoil.
fn find(
    runner: &Runner<'_>,
    observed: &Observed,
    causes: &BTreeMap<usize, Cause>,
) -> BTreeMap<usize, Vec<usize>> {
    let spoiled = |(test, cause): (&usize, &Cause)| (*cause == Cause::OtherTests).then_some(*test);
    let mut victims: BTreeSet<usize> = causes.iter().filter_map(spoiled).collect();
    let mut found = BTreeMap::new();
    for _ in 0..MAX_SEARCHES {
        let Some(victim) = victims.pop_first() else { break };
        let Some(world) = company(observed, victim) else { continue };
        // What cannot be settled in time is not settled.
        let Ok(polluter) = culprit(runner, observed, world, victim) else { break };
        let Some(polluter) = polluter else { continue };
        let Ok(mut all) = spoiled_by(runner, world, polluter, &victims) else { break };
        victims.retain(|other| !all.contains(other));
        all.insert(0, victim);
        // One that fails itself goes anyway.
        let fails = causes.get(&polluter) == Some(&Cause::Always);
        if all.len() > 1 || fails {
            found.insert(polluter, all);
        }
    }
    found
}

/// The first world with other tests in which it failed.
fn company(observed: &Observed, victim: usize) -> Option<&'static World> {
    let seen = observed.seen.get(victim)?;
    let failed = |(world, seen): &(&World, &Option<Seen>)| {
        world.order != Order::Alone && !world.again && matches!(seen, Some(Seen::Failed(_)))
    };
    PLAN.iter().zip(seen).find(failed).map(|(world, _)| world)
}

fn culprit(
    runner: &Runner<'_>,
    observed: &Observed,
    world: &World,
    victim: usize,
) -> Result<Option<usize>, Trouble> {
    let at = PLAN.iter().position(|other| other == world).unwrap_or_default();
    let was_there =
        |test: &usize| observed.seen.get(*test).is_some_and(|seen| matches!(seen.get(at), Some(Some(_))));
    let all: Vec<usize> = (0..observed.seen.len()).filter(was_there).collect();
    let mut before = runner.ordered(world, &all);
    before.truncate(before.iter().position(|test| *test == victim).unwrap_or_default());
    if !spoils(runner, world, &before, victim)? {
        return Ok(None);
    }
    while before.len() > 1 {
        let (first, second) = before.split_at(before.len() / 2);
        let half = if spoils(runner, world, second, victim)? {
            second.to_vec()
        } else if spoils(runner, world, first, victim)? {
            first.to_vec()
        } else {
            // It takes several of them.
            return Ok(None);
        };
        before = half;
    }
    Ok(before.first().copied())
}

/// Whether the test fails in a new process after these.
fn spoils(runner: &Runner<'_>, world: &World, before: &[usize], victim: usize) -> Result<bool, Trouble> {
    let mut tests = before.to_vec();
    tests.push(victim);
    let mut failed = false;
    Lane::new(runner, world.zone).pass(world, &tests, &mut |test, seen| {
        failed |= test == victim && matches!(seen, Seen::Failed(_));
    })?;
    Ok(failed)
}

fn spoiled_by(
    runner: &Runner<'_>,
    world: &World,
    polluter: usize,
    victims: &BTreeSet<usize>,
) -> Result<Vec<usize>, Trouble> {
    let mut tests = vec![polluter];
    tests.extend(victims);
    let mut failed = Vec::new();
    Lane::new(runner, world.zone).pass(world, &tests, &mut |test, seen| {
        if test != polluter && matches!(seen, Seen::Failed(_)) {
            failed.push(test);
        }
    })?;
    Ok(failed)
}

/// A search takes some ten processes.
const MAX_SEARCHES: usize = 6;
