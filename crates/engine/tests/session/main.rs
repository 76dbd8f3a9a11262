//! A session with scripted workers: time, cancelling, panics, replay results and order.

#![allow(clippy::unwrap_used)] // a test may fail

mod scripted;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use budget::{Clock, Signals};
use case::Case;
use case::type_facts::InMemory;
use engine::parts::{Finished, Job, Request, run};
use expect_test::{Expect, expect};
use report::{Summary, TextOptions, render_text};
use scripted::{Act, Scripted};

fn job(timeout: Duration) -> Job {
    Job {
        request: Request::default(),
        clock: Clock::new(Instant::now(), timeout),
        workers: 2,
        per_method: None,
        retry_within: None,
        max_steps: None,
        solver_timeout: None,
        pace: None,
        writes: false,
        max_memory: u64::MAX / 2,
        keeping: None,
        signals: Arc::new(Signals::default()),
    }
}

const LONG: Duration = Duration::from_secs(60);

fn finished(script: Scripted, timeout: Duration) -> Finished {
    run(&job(timeout), Arc::new(script), &mut ()).unwrap()
}

fn summary(finished: &Finished) -> Summary {
    finished.conclude("Shop.dll", &InMemory::default()).summary
}

/// The text report with all times set to zero.
fn check(finished: &Finished, expected: Expect) {
    let mut summary = summary(finished);
    summary.elapsed_ms = 0;
    for method in &mut summary.methods {
        method.stats.elapsed = Duration::ZERO;
    }
    let options = TextOptions::plain();
    expected.assert_eq(&render_text(&summary, &options));
}

fn suite(finished: &Finished) -> Vec<Case> {
    finished.conclude("Shop.dll", &InMemory::default()).suite
}

fn reasons(summary: &Summary) -> Vec<Vec<&'static str>> {
    summary.methods.iter().map(|m| m.incomplete.iter().map(|i| i.reason.name()).collect()).collect()
}

#[test]
fn complete_methods_with_tests_and_a_bug() {
    let script =
        Scripted::new([("Add", Act::Covers), ("Divide", Act::Throws("System.DivideByZeroException"))]);
    let finished = finished(script, LONG);
    check(
        &finished,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

              method                    verdict     branches  proven  tests  bugs  time
              Shop.Cart::Add(Int32)     complete         2/2       -      2     -  0 ms
              Shop.Cart::Divide(Int32)  complete         1/2       1      1     1  0 ms
              2 methods                 2 complete       3/4       1      3     1  0 ms

            Crashes
              System.DivideByZeroException in Shop.Cart::Divide(Int32)
                at      Cart.cs:42 (IL_0008)
                message As the runtime says.
                inputs  x = 0
                test    Divide_ByZero_ThrowsDivideByZeroException

            1 crash found in 2 methods, 3 tests (0 ms).
        "#]],
    );
    assert_eq!(suite(&finished).len(), 3);
}

#[test]
fn a_panic_ends_one_method_only() {
    let script = Scripted::new([("Good", Act::Covers), ("Bad", Act::Panics), ("Fine", Act::Covers)]);
    check(
        &finished(script, LONG),
        expect![[r#"
        Shop.dll on Microsoft.NETCore.App 10.0.0

          method                  verdict     branches  proven  tests  bugs  time
          Shop.Cart::Good(Int32)  complete         2/2       -      2     -  0 ms
          Shop.Cart::Bad(Int32)   incomplete       0/2       -      -     -  0 ms
          Shop.Cart::Fine(Int32)  complete         2/2       -      2     -  0 ms
          3 methods               2 complete       4/6       -      4     -  0 ms

        Left out
          internal error (1 method): Cilantro itself failed here; this is a defect worth reporting.
            Shop.Cart::Bad(Int32): a defect

        No exception found in 3 methods, 4 tests, 1 method incomplete (0 ms).
    "#]],
    );
}

#[test]
fn what_does_not_replay_is_dropped_with_its_coverage_and_proofs() {
    let script = Scripted::new([("Add", Act::Covers), ("Odd", Act::Covers)]).contradicting("Odd");
    let finished = finished(script, LONG);
    check(
        &finished,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

              method                 verdict     branches  proven  tests  bugs  time
              Shop.Cart::Add(Int32)  complete         2/2       -      2     -  0 ms
              Shop.Cart::Odd(Int32)  incomplete       1/2       -      1     -  0 ms
              2 methods              1 complete       3/4       -      3     -  0 ms

            Left out
              replay mismatch (1 method): The real runtime did something else than predicted; such tests are dropped.
                Shop.Cart::Odd(Int32): with x = 0: expected 0, got 7

            No exception found in 2 methods, 3 tests, 1 method incomplete (0 ms).
        "#]],
    );
    let kept = suite(&finished);
    assert_eq!(kept.iter().filter(|case| case.method.name == "Odd").count(), 1);
    assert_eq!(kept.len(), 3);
}

#[test]
fn without_a_runtime_nothing_is_confirmed() {
    let script = Scripted::new([("Divide", Act::Throws("System.DivideByZeroException"))])
        .without_replay("no dotnet was found");
    check(
        &finished(script, LONG),
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

              method                    verdict     branches  proven  tests  bugs  time
              Shop.Cart::Divide(Int32)  incomplete       0/2       1      1     1  0 ms

            Crashes
              System.DivideByZeroException in Shop.Cart::Divide(Int32) (not confirmed on the real runtime)
                at      Cart.cs:42 (IL_0008)
                inputs  x = 0
                test    Divide_ByZero_ThrowsDivideByZeroException

            Left out
              replay unavailable (1 method): Tests could not be confirmed on the real runtime.
                Shop.Cart::Divide(Int32): 1 test: no dotnet was found

            1 crash expected but not confirmed in 1 method, 1 test, 1 method incomplete (0 ms).
        "#]],
    );
}

#[test]
fn a_finished_exploration_with_an_undecided_branch_is_a_defect() {
    let script = Scripted::new([("Half", Act::ForgetsABranch)]);
    check(
        &finished(script, LONG),
        expect![[r#"
        Shop.dll on Microsoft.NETCore.App 10.0.0

          method                  verdict     branches  proven  tests  bugs  time
          Shop.Cart::Half(Int32)  incomplete       1/2       -      1     -  0 ms

        Left out
          internal error (1 method): Cilantro itself failed here; this is a defect worth reporting.
            Shop.Cart::Half(Int32): 1 of 2 branches are neither covered nor proven unreachable

        No exception found in 1 method, 1 test, 1 method incomplete (0 ms).
    "#]],
    );
}

#[test]
fn the_time_is_kept_by_engines_that_obey() {
    let timeout = Duration::from_millis(1000);
    let script =
        Scripted::new([("Quick", Act::Covers), ("Endless", Act::UntilStopped), ("Other", Act::Covers)]);
    let started = Instant::now();
    let finished = finished(script, timeout);
    let took = started.elapsed();
    assert!(took < timeout + Duration::from_millis(150), "took {took:?}");
    let summary = summary(&finished);
    assert_eq!(reasons(&summary), [vec![], vec!["timeout"], vec![]]);
    assert_eq!(summary.methods[1].replay.passed, 1, "the partial result was replayed");
    assert_eq!(summary.stopped, None, "the run itself was not cut");
}

#[test]
fn the_time_is_kept_when_an_engine_does_not_obey() {
    let timeout = Duration::from_millis(700);
    let script = Scripted::new([("Quick", Act::Covers), ("Stuck", Act::Hangs)]);
    let started = Instant::now();
    let finished = finished(script, timeout);
    let took = started.elapsed();
    assert!(took < timeout + Duration::from_millis(150), "took {took:?}");
    check(
        &finished,
        expect![[r#"
        Shop.dll on Microsoft.NETCore.App 10.0.0

          method                   verdict     branches  proven  tests  bugs  time
          Shop.Cart::Quick(Int32)  complete         2/2       -      2     -  0 ms
          Shop.Cart::Stuck(Int32)  incomplete       0/2       -      -     -  0 ms
          2 methods                1 complete       2/4       -      2     -  0 ms

        Left out
          timeout (1 method): The time ran out; --timeout gives more.
            Shop.Cart::Stuck(Int32): not explored to an end before the run was over

        No exception found in 2 methods, 2 tests, 1 method incomplete (0 ms). The run ended early (timeout).
    "#]],
    );
}

#[test]
fn the_time_is_kept_when_replay_hangs() {
    let timeout = Duration::from_millis(700);
    let script = Scripted::new([("Quick", Act::Covers)]).with_hanging_replay();
    let started = Instant::now();
    let finished = finished(script, timeout);
    assert!(started.elapsed() < timeout + Duration::from_millis(150));
    let summary = summary(&finished);
    assert_eq!(reasons(&summary), [["timeout"]]);
    assert_eq!((summary.methods[0].replay.passed, summary.methods[0].replay.skipped), (0, 2));
}

#[test]
fn cancelling_hands_over_what_is_there() {
    let job = job(LONG);
    let signals = Arc::clone(&job.signals);
    let started = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        signals.interrupt();
    });
    let script = Scripted::new([("Quick", Act::Covers), ("Endless", Act::UntilStopped)]);
    let finished = run(&job, Arc::new(script), &mut ()).unwrap();
    assert!(started.elapsed() < Duration::from_millis(1500));
    check(
        &finished,
        expect![[r#"
        Shop.dll on Microsoft.NETCore.App 10.0.0

          method                     verdict     branches  proven  tests  bugs  time
          Shop.Cart::Quick(Int32)    complete         2/2       -      2     -  0 ms
          Shop.Cart::Endless(Int32)  incomplete       1/2       -      1     -  0 ms
          2 methods                  1 complete       3/4       -      3     -  0 ms

        Left out
          cancelled (1 method): The run was stopped before this was finished.
            Shop.Cart::Endless(Int32)

        No exception found in 2 methods, 3 tests, 1 method incomplete (0 ms). The run was stopped; this is what was there so far.
    "#]],
    );
}

#[test]
fn unused_time_flows_to_the_hard_ones() {
    let names: Vec<String> = (0..20).map(|n| format!("Quick{n}")).collect();
    let mut script: Vec<(&str, Act)> = names.iter().map(|n| (n.as_str(), Act::Covers)).collect();
    script.insert(0, ("Endless", Act::UntilStopped));
    let mut job = job(Duration::from_millis(1500));
    job.workers = 1;
    let finished = run(&job, Arc::new(Scripted::new(script)), &mut ()).unwrap();
    let endless = &summary(&finished).methods[0];
    assert!(endless.stats.elapsed > Duration::from_millis(700), "got only {:?}", endless.stats.elapsed);
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let names: Vec<String> = (0..40).map(|n| format!("M{n}")).collect();
    let answer = |workers: usize| {
        let acts = [Act::Covers, Act::Throws("System.OverflowException"), Act::Panics];
        let script = names.iter().zip(acts.iter().cycle()).map(|(n, act)| (n.as_str(), act.clone()));
        let job = Job { workers, ..job(LONG) };
        let finished = run(&job, Arc::new(Scripted::new(script)), &mut ()).unwrap();
        let mut summary = summary(&finished);
        summary.elapsed_ms = 0;
        summary.methods.iter_mut().for_each(|m| m.stats.elapsed = Duration::ZERO);
        report::render_json(&summary).unwrap()
    };
    let alone = answer(1);
    assert_eq!(alone, answer(8));
}

#[test]
fn an_engine_is_kept_between_methods_and_replaced_after_a_panic() {
    let script =
        Scripted::new([("A", Act::Covers), ("B", Act::Panics), ("C", Act::Covers), ("D", Act::Covers)]);
    let made = Arc::clone(&script.engines_made);
    let job = Job { workers: 1, ..job(LONG) };
    run(&job, Arc::new(script), &mut ()).unwrap();
    assert_eq!(made.load(Ordering::Relaxed), 2);
}

#[test]
fn far_too_much_memory_ends_the_run() {
    let mut job = job(LONG);
    job.max_memory = 1;
    let script = Scripted::new([("Endless", Act::UntilStopped), ("Other", Act::Covers)]);
    let finished = run(&job, Arc::new(script), &mut ()).unwrap();
    assert_eq!(finished.stopped, Some(report::Reason::MemoryLimit));
}

#[test]
fn a_method_that_needed_more_gets_what_the_others_left() {
    let names: Vec<String> = (0..9).map(|n| format!("Quick{n}")).collect();
    let mut script: Vec<(&str, Act)> = names.iter().map(|n| (n.as_str(), Act::Covers)).collect();
    script.insert(0, ("Hard", Act::Needs(Duration::from_millis(500))));
    let mut job = job(Duration::from_millis(2500));
    job.workers = 1;
    let finished = run(&job, Arc::new(Scripted::new(script)), &mut ()).unwrap();
    let summary = summary(&finished);
    assert_eq!(reasons(&summary)[0], Vec::<&str>::new(), "its first share of 220 ms was not enough");
    assert_eq!(summary.methods[0].replay.passed, 2);
    assert!(finished.elapsed < Duration::from_millis(1500));
}

#[test]
fn a_stuck_engine_does_not_hold_up_the_others() {
    let script =
        Scripted::new([("Stuck", Act::Hangs), ("Larger", Act::UntilStopped), ("Other", Act::UntilStopped)]);
    let mut job = job(Duration::from_millis(20_000));
    job.workers = 1;
    job.per_method = Some(Duration::from_millis(100));
    let finished = run(&job, Arc::new(script), &mut ()).unwrap();
    assert!(finished.elapsed < Duration::from_secs(5), "took {:?}", finished.elapsed);
    let summary = summary(&finished);
    assert_eq!(reasons(&summary), [["timeout"], ["timeout"], ["timeout"]]);
    assert_eq!(summary.methods.iter().map(|m| m.tests).collect::<Vec<_>>(), [0, 1, 1]);
}
