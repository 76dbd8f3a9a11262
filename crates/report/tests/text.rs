//! The text report as a user sees it.

use expect_test::{Expect, expect};
use report::*;

fn method(id: &str, token: u32) -> Method {
    Method {
        id: id.to_owned(),
        token: format!("{token:#010x}"),
        source: "Cart.cs:17".parse().ok(),
        verdict: Verdict::Complete,
        incomplete: vec![],
        assumptions: vec![],
        loops: Vec::new(),
        coverage: Coverage {
            instructions: 50,
            covered_instructions: 50,
            branches: 8,
            covered_branches: 7,
            proven_unreachable_branches: 1,
            proven_assuming_branches: 0,
            il_bytes: 93,
            covered_il_bytes: 90,
        },
        tests: 7,
        replay: Replay { passed: 7, failed: 0, skipped: 0 },
        bugs: vec![],
        unwritten: Vec::new(),
        broken_inputs: vec![],
        stats: Stats { elapsed: std::time::Duration::from_millis(12), ..Stats::default() },
    }
}

fn shop() -> Summary {
    let mut add = method("Shop.Cart::Add(System.Int32,System.String)", 0x0600_0012);
    add.bugs.push(Bug {
        exception: "System.DivideByZeroException".to_owned(),
        message: "Attempted to divide by zero.".to_owned(),
        at: Some("IL_002a".to_owned()),
        source: "Cart.cs:42".parse().ok(),
        replayed: true,
        test: "Add_ZeroQuantity_ThrowsDivideByZero".to_owned(),
        inputs: vec![
            Input { name: "quantity".to_owned(), value: "0".to_owned() },
            Input { name: "name".to_owned(), value: "\"\"".to_owned() },
        ],
        construction: Construction::Public,
        breaks: vec![],
        kind: FindingKind::Crash,
        group: String::new(),
        place: None,
        known: false,
    });
    let mut hash = method("Shop.Cart::Hash(System.Collections.Generic.List`1[System.Int32])", 0x0600_0013);
    hash.coverage.covered_branches = 2;
    hash.coverage.proven_unreachable_branches = 0;
    hash.tests = 0;
    hash.stats.elapsed = std::time::Duration::from_millis(2345);
    hash.incomplete = vec![
        Incomplete {
            reason: Reason::UnsupportedInput,
            detail: "parameter 'items' is a class".to_owned(),
            at: None,
        },
        Incomplete { reason: Reason::Timeout, detail: String::new(), at: Some("IL_0012".to_owned()) },
        Incomplete { reason: Reason::Timeout, detail: String::new(), at: Some("IL_0012".to_owned()) },
    ];
    hash.settle();
    let mut summary = Summary::new("Shop.dll");
    summary.runtime =
        Some(Runtime { name: "Microsoft.NETCore.App".to_owned(), version: "10.0.0".to_owned() });
    summary.elapsed_ms = 61_234;
    summary.methods = vec![add, hash];
    summary
}

fn check(summary: &Summary, shown: Shown, width: Option<usize>, expected: Expect) {
    let options = TextOptions { shown, width, ..TextOptions::plain() };
    expected.assert_eq(&render_text(summary, &options));
}

#[test]
fn everything() {
    check(
        &shop(),
        Shown::Everything,
        None,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

              method                          verdict     branches  proven  tests  bugs       time
              Shop.Cart::Add(Int32,String)    complete         7/8       1      7     1      12 ms
              Shop.Cart::Hash(List`1[Int32])  incomplete       2/8       -      -     -      2.3 s
              2 methods                       1 complete      9/16       1      7     1  1 min 1 s

            Crashes
              System.DivideByZeroException in Shop.Cart::Add(Int32,String)
                at      Cart.cs:42 (IL_002a)
                message Attempted to divide by zero.
                inputs  quantity = 0, name = ""
                test    Add_ZeroQuantity_ThrowsDivideByZero

            Left out
              timeout (1 method): The time ran out; --timeout gives more.
                Shop.Cart::Hash(List`1[Int32]) at IL_0012
              unsupported input type (1 method): The method takes inputs of a type that Cilantro cannot vary yet.
                Shop.Cart::Hash(List`1[Int32]): parameter 'items' is a class

            1 crash found in 2 methods, 7 tests, 1 method incomplete (1 min 1 s).
        "#]],
    );
}

#[test]
fn narrow_terminals_cut_the_middle_of_ids() {
    let mut summary = shop();
    summary.methods.truncate(1);
    summary.methods[0].bugs.clear();
    check(
        &summary,
        Shown::Everything,
        Some(78),
        expect![[r#"
        Shop.dll on Microsoft.NETCore.App 10.0.0

          method                        verdict   branches  proven  tests  bugs   time
          Shop.Cart::Add(Int32,String)  complete       7/8       1      7     -  12 ms

        No exception found in 1 method, 7 tests (1 min 1 s).
    "#]],
    );
}

#[test]
fn bugs_only() {
    check(
        &shop(),
        Shown::BugsOnly,
        None,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

            Crashes
              System.DivideByZeroException in Shop.Cart::Add(Int32,String)
                at      Cart.cs:42 (IL_002a)
                message Attempted to divide by zero.
                inputs  quantity = 0, name = ""
                test    Add_ZeroQuantity_ThrowsDivideByZero

            Left out
              timeout (1 method): The time ran out; --timeout gives more.
                Shop.Cart::Hash(List`1[Int32]) at IL_0012
              unsupported input type (1 method): The method takes inputs of a type that Cilantro cannot vary yet.
                Shop.Cart::Hash(List`1[Int32]): parameter 'items' is a class

            1 crash found in 2 methods, 1 method incomplete (1 min 1 s).
        "#]],
    );
}

#[test]
fn unconfirmed_bugs_say_so_and_are_no_findings() {
    let mut summary = shop();
    summary.methods.truncate(1);
    summary.methods[0].bugs[0].replayed = false;
    summary.methods[0].replay = Replay { passed: 0, failed: 0, skipped: 7 };
    summary.stopped = Some(Reason::Cancelled);
    assert_eq!(summary.status(), Status::Incomplete);
    check(
        &summary,
        Shown::BugsOnly,
        None,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

            Crashes
              System.DivideByZeroException in Shop.Cart::Add(Int32,String) (not confirmed on the real runtime)
                at      Cart.cs:42 (IL_002a)
                message Attempted to divide by zero.
                inputs  quantity = 0, name = ""
                test    Add_ZeroQuantity_ThrowsDivideByZero

            1 crash expected but not confirmed in 1 method (1 min 1 s). The run was stopped; this is what was there so far.
        "#]],
    );
}

#[test]
fn long_lists_are_cut_unless_asked_for() {
    let mut summary = shop();
    summary.methods = (0..10)
        .map(|n| {
            let mut m = method(&format!("Shop.Cart::M{n}()"), 0x0600_0001 + n);
            m.incomplete.push(Incomplete {
                reason: Reason::NativeCall,
                detail: "memcpy".to_owned(),
                at: None,
            });
            m.settle();
            m
        })
        .collect();
    check(
        &summary,
        Shown::BugsOnly,
        None,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

            Left out
              native call (10 methods): The code calls into the runtime or native code that Cilantro has no model of.

            No exception found in 10 methods, 10 methods incomplete (1 min 1 s).
        "#]],
    );
    let all = TextOptions { shown: Shown::BugsOnly, verbose: true, ..TextOptions::plain() };
    assert_eq!(render_text(&summary, &all).matches("memcpy").count(), 10);
}

#[test]
fn colours_only_when_asked() {
    let options = TextOptions { theme: Theme::colored(), ..TextOptions::plain() };
    let colored = render_text(&shop(), &options);
    assert!(colored.contains("\u{1b}["));
    let plain = TextOptions { theme: Theme::plain(), ..options };
    assert!(!render_text(&shop(), &plain).contains('\u{1b}'));
}

#[test]
fn replay_table() {
    let row = |name: &str, status, detail: &str| ReplayRow {
        name: name.to_owned(),
        method: "Shop.Cart::Add(System.Int32)".to_owned(),
        status,
        detail: detail.to_owned(),
    };
    let report = ReplayReport {
        schema: REPLAY_SCHEMA.to_owned(),
        folder: "Shop.Tests".to_owned(),
        runtime: None,
        elapsed_ms: 345,
        stopped: false,
        cases: vec![
            row("Add_One", ReplayStatus::Passed, ""),
            row("Add_Zero", ReplayStatus::Failed, "expected: returns 1\nactual:   returns 2"),
        ],
    };
    expect![[r#"
        Shop.Tests

          test      method                 result
          Add_One   Shop.Cart::Add(Int32)  passed
          Add_Zero  Shop.Cart::Add(Int32)  failed
              expected: returns 1
              actual:   returns 2

        1 of 2 tests passed, 1 failed (345 ms).
    "#]]
    .assert_eq(&render_replay(&report, &Theme::plain(), None));
}

#[test]
fn broken_inputs_are_told_apart_and_are_no_findings() {
    let mut summary = shop();
    summary.methods.truncate(1);
    let method = &mut summary.methods[0];
    let mut bug = method.bugs.remove(0);
    bug.exception = "System.NullReferenceException".to_owned();
    bug.inputs = vec![Input { name: "this".to_owned(), value: "Cart { owner = null }".to_owned() }];
    bug.construction = Construction::Reflection;
    bug.breaks = vec!["the readonly field owner of Cart is null, and no constructor leaves it so".to_owned()];
    method.broken_inputs.push(bug);
    assert_eq!(summary.status(), Status::NothingFound);
    check(
        &summary,
        Shown::BugsOnly,
        None,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

            Other exceptions (--all lists them): 1 for inputs that break a rule of their class.

            No exception found in 1 method (1 min 1 s).
        "#]],
    );
}

#[test]
fn answers_that_rest_on_something_are_told_apart() {
    let mut summary = shop();
    summary.methods.truncate(1);
    let method = &mut summary.methods[0];
    method.bugs.clear();
    method.coverage.proven_unreachable_branches = 0;
    method.coverage.proven_assuming_branches = 1;
    method.assumptions =
        vec![Assumed::new(Assumption::ClosedWorld, "no subclass of Cart elsewhere has another Add")];
    method.settle();
    assert_eq!(method.verdict, Verdict::CompleteAssuming);
    assert_eq!(summary.status(), Status::Incomplete);
    let options = TextOptions::plain();
    let text = render_text(&summary, &options);
    let parts = [
        "assuming",
        "0+1?",
        "Taken for granted (--assume accepts it)",
        "closed-world (1 method): No other assembly",
        "no subclass of Cart elsewhere has another Add",
        "1 method complete under assumptions",
    ];
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

fn crash(exception: &str, origin: &str, at: &str) -> Bug {
    Bug {
        exception: exception.to_owned(),
        message: String::new(),
        at: Some("IL_0001".to_owned()),
        source: None,
        replayed: true,
        test: "Test".to_owned(),
        inputs: vec![Input { name: "x".to_owned(), value: "123".to_owned() }],
        construction: Construction::Public,
        breaks: vec![],
        kind: FindingKind::Crash,
        group: format!("{exception} in {origin} at {at}"),
        place: Some(Origin { method: origin.to_owned(), at: "IL_0003".to_owned(), source: None }),
        known: false,
    }
}

#[test]
fn crashes_with_one_cause_are_one_finding_and_the_rest_is_counted() {
    let mut summary = shop();
    summary.methods = (0..6).map(|n| method(&format!("Shop.Cart::M{n}()"), 0x0600_0001 + n)).collect();
    for (n, method) in summary.methods.iter_mut().enumerate() {
        let mut bug = crash("System.NullReferenceException", "Shop.Inner::Deep()", "ldlen");
        if n == 2 {
            // The shortest input is the one to show.
            bug.inputs[0].value = "1".to_owned();
        }
        method.bugs.push(bug);
    }
    let mut add = |kind: FindingKind, construction: Construction, replayed: bool, known: bool| {
        let bug = crash("System.IndexOutOfRangeException", "Shop.Inner::Other()", "ldelem.i4");
        summary.methods[5].bugs.push(Bug { kind, construction, replayed, known, ..bug });
    };
    add(FindingKind::Refused, Construction::Public, true, false);
    add(FindingKind::Misuse, Construction::Public, true, false);
    add(FindingKind::Crash, Construction::Reflection, true, false);
    add(FindingKind::Crash, Construction::Public, false, false);
    add(FindingKind::Crash, Construction::Public, true, true);
    check(
        &summary,
        Shown::BugsOnly,
        None,
        expect![[r#"
            Shop.dll on Microsoft.NETCore.App 10.0.0

            Crashes
              System.NullReferenceException in Shop.Inner::Deep()
                at      IL_0003
                call    Shop.Cart::M2()
                inputs  x = 1
                test    Test
                also by Shop.Cart::M0(), Shop.Cart::M1(), Shop.Cart::M3() and 2 more

            Other exceptions (--all lists them): 1 for misuse, 1 refused by design, 1 for inputs that no public way is known to, 1 not confirmed on the real runtime, 1 known.

            1 crash found in 6 methods (1 min 1 s).
        "#]],
    );
}

#[test]
fn many_crashes_fit_a_screen_or_two() {
    let mut summary = shop();
    summary.methods = vec![method("Shop.Cart::M()", 0x0600_0001)];
    for n in 0..100 {
        let origin = format!("Shop.Inner::Deep{n}()");
        summary.methods[0].bugs.push(crash("System.NullReferenceException", &origin, "ldlen"));
    }
    let text = |all: bool| {
        let options = TextOptions { shown: Shown::BugsOnly, all, ..TextOptions::plain() };
        render_text(&summary, &options)
    };
    assert!(text(false).lines().count() < 100, "{}", text(false));
    assert!(text(false).contains("and 68 more (--all lists them)"), "{}", text(false));
    assert!(text(true).contains("Shop.Inner::Deep99()"));
}
