//! The solver on sessions of path-like queries and on hard questions.

mod workload;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use solver::{Answer, Config, Limits, Solver, Stats};
use term::{Model, Term};

use crate::figure::figure;
use workload::{Family, Hard, Session, hard, session};

const SESSIONS: u64 = 24;

/// With `details`, the counters of the layers on standard error.
pub fn measure(details: bool) -> Result<()> {
    for (name, family) in [("int path", Family::Ints), ("long product path", Family::LongProducts)] {
        let mut times = Vec::new();
        for seed in 1..=SESSIONS {
            let mut solver = Solver::new(Config::default());
            walk(session(family, seed), &mut solver, &mut times)?;
            if details {
                eprintln!("{name} {seed}: {}", described(solver.stats()));
            }
        }
        times.sort_unstable();
        let total: Duration = times.iter().sum();
        let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
        time(&format!("{name}, mean per query"), total / times.len().max(1) as u32);
        time(&format!("{name}, median"), at(0.5));
        time(&format!("{name}, 99th percentile"), at(0.99));
    }
    for question in hard() {
        measure_hard(question, details)?;
    }
    Ok(())
}

/// Asks about both sides of each branch, as an explorer does.
fn walk(session: Session, solver: &mut Solver, times: &mut Vec<Duration>) -> Result<()> {
    let Session { mut terms, taken } = session;
    let mut path: Vec<Term> = Vec::new();
    let mut model = Model::new();
    for side in taken {
        for guard in [terms.not(side), side] {
            let started = Instant::now();
            let limits = Limits::until(started + Duration::from_secs(10));
            let answer = solver.check_with_hint(&mut terms, &path, &[guard], Some(&model), &limits);
            times.push(started.elapsed());
            match answer {
                Answer::Sat(found) if guard == side => model = found,
                Answer::Unsat(_) if guard == side => bail!("a side that was taken cannot be closed"),
                _ => {}
            }
        }
        path.push(side);
    }
    Ok(())
}

fn measure_hard(question: Hard, details: bool) -> Result<()> {
    let Hard { name, mut terms, question, expected } = question;
    let mut solver = Solver::new(Config::default());
    let started = Instant::now();
    let limits = Limits::until(started + Duration::from_secs(20));
    let answer = solver.check(&mut terms, &[], &question, &limits);
    let elapsed = started.elapsed();
    match (&answer, expected) {
        (Answer::Sat(_), Some(false)) | (Answer::Unsat(_), Some(true)) => {
            bail!("{name}: wrong answer {answer:?}")
        }
        (Answer::Unknown(why), _) => eprintln!("{name}: {why}"),
        _ => {}
    }
    time(name, elapsed);
    if details {
        eprintln!("{name}: {}", described(solver.stats()));
    }
    Ok(())
}

fn time(what: &str, time: Duration) {
    figure(what, format!("{:.3}", time.as_secs_f64() * 1000.0), "ms");
}

fn described(stats: &Stats) -> String {
    format!(
        "{} queries: {} constant, {} by model, {} exact, {} by core, {} by superset, {} core calls in {:?}, \
         {} conjuncts sliced away, {} gates, {} clauses, {} unknown",
        stats.queries,
        stats.by_constant,
        stats.by_model,
        stats.by_exact_cache,
        stats.by_known_core,
        stats.by_known_superset,
        stats.core_calls,
        stats.core_time,
        stats.sliced_away,
        stats.gates,
        stats.clauses,
        stats.unknown
    )
}
