//! Calls of every kind: by reference, hidden, on objects, throwing.

mod common;

use case::*;
use common::*;
use expect_test::expect;
use replay::Verdict;

fn account(ty: &str, fields: Vec<FieldValue>) -> Object {
    Object::instance(ObjectId(1), ty, fields)
}

fn balance(value: i32) -> FieldValue {
    field("Zoo.Account", "balance", Value::int32(value))
}

fn this_after(object: Object) -> After {
    After { this: Some(Value::Object(ObjectId(1))), objects: vec![object], ..After::default() }
}

#[test]
fn by_ref_arguments_are_read_back() {
    let after = |values: &[(usize, i32)]| After {
        arguments: values
            .iter()
            .map(|&(index, value)| ArgumentAfter { index, value: Value::int32(value) })
            .collect(),
        ..After::default()
    };
    let swap = call("Swap").arg("System.Int32", Mode::Ref, Value::int32(1)).arg(
        "System.Int32",
        Mode::Ref,
        Value::int32(2),
    );
    let half = call("TryHalf")
        .arg("System.Int32", Mode::In, Value::int32(7))
        .arg("System.Int32", Mode::Out, Value::int32(0))
        .returns(Value::boolean(false));
    check(
        &[
            swap.clone().after(after(&[(0, 2), (1, 1)])),
            swap.after(after(&[(0, 1)])),
            half.after(after(&[(1, 3)])),
        ],
        expect![[r#"
            Swap: passed
            Swap: mismatch: argument 0 is 2 instead of 1
            TryHalf: passed
        "#]],
    );
}

#[test]
fn receivers_are_built_and_read_back() {
    let this = || Value::Object(ObjectId(1));
    let mut moved = call_on("Zoo.Point", "Move").int(5).on(point(1, 2));
    moved.expect.after.this = Some(point(6, 2));
    let mut half_moved = call_on("Zoo.Point", "Move").int(-5).on(point(1, 2));
    half_moved = half_moved.throws("System.ArgumentOutOfRangeException");
    half_moved.expect.after.this = Some(point(-4, 2));
    let withdraw = call_on("Zoo.Account", "Withdraw").int(4).on(this()).returns(Value::boolean(true));
    let own = field("Zoo.Savings", "balance", Value::int32(8));
    let place = field("Zoo.Account", "where", point(1, 1));
    let savings = account("Zoo.Savings", vec![own.clone(), balance(5), place.clone()]);
    let savings_after = account("Zoo.Savings", vec![own, balance(1), place]);
    let made = Construction {
        factory: None,
        parameters: vec!["System.Int32".into()],
        arguments: vec![Value::int32(4)],
        assigned: vec![],
        calls: vec![],
    };
    let made = Instance { ty: "Zoo.Account".into(), construction: Some(made), fields: vec![] };
    let made = Object { id: ObjectId(1), kind: ObjectKind::Object(made) };
    check(
        &[
            call_on("Zoo.Point", "Sum").on(point(3, -4)).returns(Value::int32(-1)),
            moved,
            half_moved,
            withdraw.clone().with(savings).after(this_after(savings_after)),
            withdraw.with(made).after(this_after(account("Zoo.Account", vec![balance(0)]))),
            call_on("Zoo.Account", "Spoil")
                .on(this())
                .with(account("Zoo.Account", vec![balance(4)]))
                .throws("System.InvalidOperationException")
                .after(this_after(account("Zoo.Account", vec![balance(-1)]))),
        ],
        expect![[r#"
            Sum: passed
            Move: passed
            Move: passed
            Withdraw: passed
            Withdraw: passed
            Spoil: passed
        "#]],
    );
}

#[test]
fn constructors_make_their_receiver() {
    let constructor = |ty: &str| {
        let mut case = call_on(ty, ".ctor");
        case.method.is_static = false;
        case
    };
    let made = constructor("Zoo.Account").int(5);
    let point_made =
        constructor("Zoo.Point").int(5).arg("System.Int16", Mode::Value, Primitive::Int16(6).into());
    check(
        &[
            made.clone().after(this_after(account("Zoo.Account", vec![balance(5)]))),
            made.after(this_after(account("Zoo.Account", vec![balance(6)]))),
            constructor("Zoo.Account").int(-1).throws("System.ArgumentException"),
            point_made.after(After { this: Some(point(5, 6)), ..After::default() }),
        ],
        expect![[r#"
            .ctor: passed
            .ctor: mismatch: this.balance is 5 instead of 6
            .ctor: passed
            .ctor: passed
        "#]],
    );
}

#[test]
fn generic_and_nested_and_hidden_members_are_found() {
    let set = call_on("Zoo.Holder`1[Zoo.Point]", "Set").arg("Zoo.Point", Mode::Value, point(1, 2));
    let holder = |value| {
        let value = field("Zoo.Holder`1[Zoo.Point]", "value", value);
        account("Zoo.Holder`1[Zoo.Point]", vec![value])
    };
    let twice = call_on("Zoo.Holder`1+Inner[System.Int32]", "Twice").int(1).int(21);
    check(
        &[
            set.on(Value::Object(ObjectId(1)))
                .with(holder(point(0, 0)))
                .after(this_after(holder(point(1, 2)))),
            twice.returns(Value::int32(42)),
            call("Hidden").int(1).returns(Value::int32(2)),
            call("Nowhere").int(1),
            call_on("Zoo.None", "Any"),
        ],
        expect![[r#"
            Set: passed
            Twice: passed
            Hidden: passed
            Nowhere: skipped: the assembly has no method Zoo.Calls::Nowhere
            Any: skipped: there is no type Zoo.None
        "#]],
    );
}

#[test]
fn a_token_names_the_method_and_is_checked() {
    let ask = |which| call("TokenOf").int(which).returns(Value::int32(0));
    let tokens: Vec<u32> = replay(&[ask(0), ask(1)])
        .iter()
        .map(|verdict| match verdict {
            Verdict::Mismatch { observed, .. } => match observed.outcome {
                Outcome::Returns(Value::Primitive(Primitive::Int32(token))) => token as u32,
                _ => panic!("{verdict:?}"),
            },
            _ => panic!("{verdict:?}"),
        })
        .collect();
    let divide = |token| {
        let mut case = call("Divide").int(6).int(3).returns(Value::int32(2));
        case.method.token = token;
        case
    };
    assert!(tokens[0] > 0x0600_0000 && tokens[0] != tokens[1]);
    let verdicts = replay(&[divide(tokens[0]), divide(tokens[1]), divide(0x06ff_ffff), divide(0x0200_0002)]);
    assert!(verdicts.iter().all(Verdict::is_passed), "{verdicts:?}");
}

#[test]
fn exceptions_are_exact_and_have_a_place() {
    let divide = call("Divide").int(1).int(0);
    let cases = [
        divide.clone().throws("System.DivideByZeroException"),
        divide.clone().throws("System.ArithmeticException"),
        divide.returns(Value::int32(0)),
        call("Wrapped").throws("System.Reflection.TargetInvocationException"),
        call("Custom").throws("Zoo.Odd"),
        call_on("Zoo.Broken", "Get").throws("System.TypeInitializationException"),
    ];
    check(
        &cases,
        expect![[r#"
            Divide: passed
            Divide: mismatch: System.DivideByZeroException is thrown instead of System.ArithmeticException
            Divide: mismatch: it throws System.DivideByZeroException instead of returning 0
            Wrapped: passed
            Custom: passed
            Get: passed
        "#]],
    );
    let deep = [call("Deep").int(0).throws("System.DivideByZeroException")];
    let [Verdict::Passed { observed, .. }] = &replay(&deep)[..] else { panic!() };
    let Outcome::Throws(thrown) = &observed.outcome else { panic!() };
    assert_eq!(thrown.message.as_deref(), Some("Attempted to divide by zero."));
    let place = thrown.at.as_ref().unwrap();
    let source = include_str!("subject.cs");
    let line = 1 + source.lines().position(|line| line.contains("int Deep(")).unwrap();
    assert_eq!(place.line, Some(line as u32), "the line in the method under test, not in its callee");
    assert!(place.file.as_deref().unwrap().ends_with("subject.cs"));
}

#[test]
fn static_fields_are_set_before_the_call_and_put_back_after_it() {
    let field = |name: &str, value: Option<Value>, elements: bool| StaticBefore {
        declaring: "Zoo.Calls".to_owned(),
        name: name.to_owned(),
        value,
        elements,
    };
    let count = |returns: i32, statics: &[StaticBefore]| Case {
        statics: statics.to_vec(),
        ..call("Count").returns(Value::int32(returns))
    };
    let mark = |returns: i32, statics: &[StaticBefore]| Case {
        statics: statics.to_vec(),
        ..call("Mark").returns(Value::int32(returns))
    };
    let set = field("counter", Some(Value::int32(41)), false);
    let keep = field("counter", None, false);
    // Nothing can be put into a readonly field, but into its array.
    let elements = field("marks", None, true);
    // Only in one process, and only if each of them cleans up, do the plain calls count so.
    let cases = [
        count(1, &[]),
        count(42, &[set]),
        count(2, &[]),
        count(3, &[keep]),
        count(3, &[]),
        mark(1, &[]),
        mark(2, std::slice::from_ref(&elements)),
        mark(2, &[elements]),
        mark(2, &[]),
    ];
    let verdicts = replay(&cases);
    assert!(verdicts.iter().all(Verdict::is_passed), "{verdicts:?}");
    let lost = Case { statics: vec![field("nowhere", None, false)], ..call("Count") };
    check(
        &[lost],
        expect![[r#"
        Count: skipped: there is no static field Zoo.Calls.nowhere
    "#]],
    );
}
