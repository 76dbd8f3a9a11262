//! Whatever the code under test does, the cases around it get their verdicts, in time.

mod common;

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use case::*;
use common::*;
use expect_test::expect;
use replay::{Limits, Verdict};

fn good() -> Case {
    call("Divide").int(6).int(3).returns(Value::int32(2))
}

#[test]
fn crashes_are_told_apart_and_the_rest_go_on() {
    check(
        &[
            good(),
            call("Recurse").int(1),
            good(),
            call("Exit").int(3),
            call("Fail"),
            call("Background"),
            good(),
        ],
        expect![[r#"
            Divide: passed
            Recurse: crashed: stack overflow
            Divide: passed
            Exit: crashed: the process ended with exit status: 3
            Fail: crashed: the process was terminated (FailFast): no way
            Background: crashed: on another thread: Unhandled exception. System.InvalidOperationException: far away
            Divide: passed
        "#]],
    );
}

#[test]
fn a_hang_costs_its_limit_and_no_more() {
    let limits = Limits { case: Duration::from_millis(400), ..Limits::default() };
    let start = Instant::now();
    let verdicts = replay_within(&[call("Hang"), good()], limits);
    assert_eq!(verdicts[0], Verdict::TimedOut);
    assert!(verdicts[1].is_passed(), "{verdicts:?}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn memory_has_a_limit() {
    let limits = Limits { heap_bytes: 96 << 20, ..Limits::default() };
    let eat = call("Eat").throws("System.OutOfMemoryException");
    let verdicts = replay_within(&[eat, good()], limits);
    let stopped = verdicts[0].is_passed() || matches!(verdicts[0], Verdict::Crashed { .. });
    assert!(stopped && verdicts[1].is_passed(), "{verdicts:?}");
}

#[test]
fn printing_and_reading_do_not_disturb() {
    check(
        &[call("Print"), call("Read").returns(Value::Null), good()],
        expect![[r#"
            Print: passed
            Read: passed
            Divide: passed
        "#]],
    );
}

#[test]
fn the_culture_is_the_invariant_one() {
    let text = Object::string(ObjectId(1), &"1.5".encode_utf16().collect::<Vec<_>>());
    let after = After { objects: vec![text], ..After::default() };
    let verdicts = replay(&[call("Culture").returns(Value::Object(ObjectId(1))).after(after)]);
    assert!(verdicts[0].is_passed(), "{verdicts:?}");
}

#[test]
fn static_state_of_earlier_cases_is_not_held_against_a_case() {
    let count = call("Count").returns(Value::int32(1));
    let verdicts = replay(&[count.clone(), count.clone(), count]);
    assert!(verdicts.iter().all(Verdict::is_passed), "{verdicts:?}");
}

#[test]
fn a_process_serves_many_calls_for_one_assembly() {
    let mut replayer = replayer(Limits::default());
    let mut count = |expected| {
        let case = call("Count").returns(Value::int32(expected));
        let deadline = Instant::now() + Duration::from_secs(60);
        replayer.replay(&subject(), &[case], deadline, &AtomicBool::new(false)).remove(0)
    };
    assert!(count(1).is_passed());
    assert!(count(2).is_passed(), "the static state shows that it is the same process");
}

#[test]
fn a_process_can_be_started_ahead() {
    let mut replayer = replayer(Limits::default());
    let never = AtomicBool::new(false);
    let assembly = subject();
    replayer.warm_up(&assembly, Instant::now() + Duration::from_secs(60), &never);
    let start = Instant::now();
    let verdicts = replayer.replay(&assembly, &[good()], start + Duration::from_secs(60), &never);
    assert!(verdicts[0].is_passed(), "{verdicts:?}");
    replayer.warm_up(Path::new("nowhere.dll"), Instant::now() + Duration::from_secs(60), &never);
}

#[test]
fn what_lives_on_the_stack_only_is_skipped_with_a_reason() {
    let pointer = call("Pointer").arg("System.Int32*", Mode::Value, Primitive::IntPtr(0).into());
    let span = call("Span").arg("System.Span`1[System.Int32]", Mode::Value, Value::Null);
    check(
        &[pointer, span],
        expect![[r#"
            Pointer: skipped: the parameter p is a pointer
            Span: mismatch: it returns 0 instead of returning
        "#]],
    );
}

#[test]
fn the_deadline_and_the_wish_to_stop_are_obeyed() {
    let cases = vec![call("Hang"); 3];
    let start = Instant::now();
    let deadline = start + Duration::from_millis(700);
    let verdicts = replayer(Limits::default()).replay(&subject(), &cases, deadline, &AtomicBool::new(false));
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    assert!(verdicts.iter().all(|v| matches!(v, Verdict::Skipped { .. })), "{verdicts:?}");

    let cancel = AtomicBool::new(false);
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            cancel.store(true, Ordering::Relaxed);
        });
        let deadline = start + Duration::from_secs(60);
        let verdicts = replayer(Limits::default()).replay(&subject(), &cases, deadline, &cancel);
        assert!(verdicts.iter().all(|v| matches!(v, Verdict::Skipped { .. })), "{verdicts:?}");
    });
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn an_assembly_that_cannot_be_loaded_is_said_once_per_case() {
    let deadline = Instant::now() + Duration::from_secs(60);
    let file = tempfile::NamedTempFile::new().unwrap();
    let never = AtomicBool::new(false);
    let verdicts = replayer(Limits::default()).replay(file.path(), &[good(), good()], deadline, &never);
    let why = brief(&verdicts[1]);
    assert!(why.contains("the runtime does not load") && why.contains("BadImageFormatException"), "{why}");

    let mut runtime = runtime();
    runtime.muxer = "/nowhere/dotnet".into();
    let mut replayer = replay::Replayer::new(runtime, Limits::default()).unwrap();
    let verdicts = replayer.replay(Path::new("x.dll"), &[good()], deadline, &never);
    assert!(brief(&verdicts[0]).starts_with("skipped: /nowhere/dotnet does not start"), "{verdicts:?}");
}
