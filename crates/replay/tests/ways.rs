//! Objects that may be made in several ways: the first that makes the wanted object is taken.

mod common;

use case::construct::Offer;
use case::*;
use common::*;
use replay::{Limits, Verdict};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const GATE: &str = "Zoo.Gate";

fn gate(id: u32, fields: &[(&str, Value)]) -> Object {
    let fields = fields.iter().map(|(name, value)| field(GATE, name, value.clone())).collect();
    Object::instance(ObjectId(id), GATE, fields)
}

fn way(parameters: &[&str], arguments: &[Value], assigned: &[(&str, Value)]) -> Construction {
    let member =
        |(member, value): &(&str, Value)| Assigned { member: (*member).into(), value: value.clone() };
    Construction {
        factory: None,
        parameters: parameters.iter().map(|p| (*p).into()).collect(),
        arguments: arguments.to_vec(),
        assigned: assigned.iter().map(member).collect(),
        calls: Vec::new(),
    }
}

/// What became of the offer: the constructions by object, and whether the call was as expected.
fn settled(case: Case, ways: Vec<(u32, Vec<Construction>)>) -> (Vec<Option<Construction>>, Verdict) {
    let mut offer = Offer::none(case);
    offer.ways = ways.into_iter().map(|(id, ways)| (ObjectId(id), ways)).collect();
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut replayer = replayer(Limits::default());
    let mut results = replayer.replay_offers(&subject(), vec![offer], deadline, &AtomicBool::new(false));
    let (case, verdict) = results.remove(0);
    let made = case.objects.into_iter().filter_map(|object| match object.kind {
        ObjectKind::Object(instance) => Some(instance.construction),
        _ => None,
    });
    (made.collect(), verdict)
}

fn width(object: Object, expected: i32) -> Case {
    let this = Value::Object(object.id);
    call_on(GATE, "Width").on(this).with(object).returns(Value::int32(expected))
}

#[test]
fn a_way_that_throws_or_leads_elsewhere_is_left() {
    let five = || Value::int32(5);
    let throws = way(&["System.Int32"], &[Value::int32(-1)], &[]);
    let wrong = way(&["System.Int32"], &[Value::int32(4)], &[]);
    let right = way(&["System.Int32"], &[Value::int32(4)], &[("Size", five())]);
    let (made, verdict) = settled(
        width(gate(1, &[("size", five())]), 5),
        vec![(1, vec![throws.clone(), wrong.clone(), right.clone()])],
    );
    assert_eq!(made, [Some(right)]);
    assert!(verdict.is_passed(), "{verdict:?}");

    let (made, verdict) = settled(width(gate(1, &[("size", five())]), 5), vec![(1, vec![throws, wrong])]);
    assert_eq!(made, [None], "the last resort");
    assert!(verdict.is_passed(), "{verdict:?}");
}

#[test]
fn a_constructor_that_changes_its_argument_is_noticed() {
    let inner = gate(2, &[("size", Value::int32(3))]);
    let outer = gate(1, &[("inner", Value::Object(ObjectId(2)))]);
    let case = width(outer, 3).with(inner);
    let plain = way(&["System.Int32"], &[Value::int32(3)], &[]);
    let spoils = way(&[GATE], &[Value::Object(ObjectId(2))], &[]);
    let (made, verdict) = settled(case, vec![(1, vec![spoils]), (2, vec![plain])]);
    assert_eq!(made, [None, None]);
    assert!(verdict.is_passed(), "{verdict:?}");
}

#[test]
fn what_a_constructor_makes_is_taken_over() {
    let ty = "System.Collections.Generic.List`1[System.Int32]".to_owned();
    let list = |items| Object {
        id: ObjectId(2),
        kind: ObjectKind::Collection(Collection { ty: ty.clone(), items }),
    };
    let log = || Value::Object(ObjectId(2));
    let none = || way(&["System.Int32"], &[Value::int32(1)], &[]);
    let case = |items| width(gate(1, &[("size", Value::int32(1)), ("log", log())]), 1).with(list(items));
    let after = |items| After { objects: vec![list(items)], ..After::default() };
    let item = |value| Item { key: None, value: Value::int32(value) };

    let (made, verdict) = settled(case(vec![]).after(after(vec![item(1)])), vec![(1, vec![none()])]);
    assert_eq!(made, [Some(none())]);
    assert!(verdict.is_passed(), "{verdict:?}");

    let (made, verdict) =
        settled(case(vec![item(7)]).after(after(vec![item(7), item(1)])), vec![(1, vec![none()])]);
    assert_eq!(made, [None], "the list of the constructor is empty");
    assert!(verdict.is_passed(), "{verdict:?}");
}
