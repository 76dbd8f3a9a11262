//! Made-up classes: what they are, what they hold, and which method a call on them runs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use expect_test::{Expect, expect};
use testkit::Options;
use types::{TypeId, Universe};

const SOURCE: &str = r#"
    using System; using System.Collections.Generic;
    public interface IClock { long Now { get; } string Text() => Now.ToString(); }
    public interface IAlarm : IClock, IDisposable { void Ring(); void IDisposable.Dispose() { } }
    public interface ISource<out T> { T Next(); U Convert<U>(int from); }
    public interface IAbstractAgain : IClock { abstract string IClock.Text(); }
    public interface IMake<T> { static abstract T Make(); }
    public abstract class Shape : IClock {
        public int Corners; protected object owner;
        public abstract double Area();
        public virtual string Name() => "shape";
        public abstract long Now { get; }
        public override string ToString() => "a shape";
    }
    public sealed class Closed { }
    public struct Value { }
"#;

#[test]
fn what_a_made_up_class_is() {
    let u = universe();
    let alarm = mock(&u, "System.Object", &["IAlarm", "IClock"]);
    expect!["mock of IAlarm"].assert_eq(&u.type_name(alarm));
    assert_eq!(alarm, mock(&u, "System.Object", &["IAlarm"]), "what an interface brings along is not listed");
    let both = mock(&u, "System.Object", &["IClock", "System.IDisposable"]);
    assert_eq!(
        both,
        mock(&u, "System.Object", &["System.IDisposable", "IClock"]),
        "the order does not matter"
    );
    for (to, expected) in [
        ("IAlarm", true),
        ("IClock", true),
        ("System.IDisposable", true),
        ("System.Object", true),
        ("Shape", false),
        ("Closed", false),
    ] {
        assert_eq!(u.is_assignable(alarm, find(&u, to)).unwrap(), expected, "{to}");
        assert!(!u.is_assignable(find(&u, to), alarm).unwrap(), "{to}");
    }
    let strings = u.make_instance(find(&u, "ISource`1"), &[find(&u, "System.String")]).unwrap();
    let objects = u.make_instance(find(&u, "ISource`1"), &[find(&u, "System.Object")]).unwrap();
    let source = u.make_mock(find(&u, "System.Object"), &[strings]).unwrap();
    assert!(u.is_assignable(source, objects).unwrap(), "variance");
    assert!(u.is_reference(alarm) && u.is_sealed(alarm) && u.is_visible(alarm));
    assert!(!u.is_abstract(alarm) && !u.is_interface(alarm) && !u.is_value_type(alarm) && !u.is_open(alarm));
    assert_eq!(u.definition(alarm), alarm);
    assert_eq!(u.size_of(alarm).unwrap(), 8);
}

#[test]
fn it_is_laid_out_like_its_base() {
    let u = universe();
    let shape = find(&u, "Shape");
    let made = u.make_mock(shape, &[]).unwrap();
    expect!["mock of Shape"].assert_eq(&u.type_name(made));
    assert_eq!(u.layout(made).unwrap().fields, u.layout(shape).unwrap().fields);
    assert_eq!(u.layout(made).unwrap().size, u.layout(shape).unwrap().size);
    assert!(u.is_assignable(made, shape).unwrap() && u.is_assignable(made, find(&u, "IClock")).unwrap());
}

#[test]
fn what_calls_run() {
    let u = universe();
    let check = |base: &str, interfaces: &[&str], declared: &str, method: &str, expected: Expect| {
        let receiver = mock(&u, base, interfaces);
        let m = u.methods_named(find(&u, declared), method).unwrap()[0];
        let answer = u.resolve_virtual(receiver, m).map_or_else(|e| e.to_string(), |m| u.method_id(m));
        expected.assert_eq(&answer);
    };
    let object = "System.Object";
    check(object, &["IClock"], "IClock", "get_Now", expect!["IClock::get_Now()"]);
    check(object, &["IClock"], "IClock", "Text", expect!["IClock::Text()"]);
    check(object, &["IAlarm"], "IClock", "get_Now", expect!["IClock::get_Now()"]);
    check(
        object,
        &["IAlarm"],
        "System.IDisposable",
        "Dispose",
        expect!["IAlarm::System.IDisposable.Dispose()"],
    );
    check(object, &["IAlarm"], object, "ToString", expect!["System.Object::ToString()"]);
    check(object, &["IAbstractAgain"], "IClock", "Text", expect!["IClock::Text()"]);
    check("Shape", &[], "Shape", "Area", expect!["Shape::Area()"]);
    check("Shape", &[], "Shape", "Name", expect!["Shape::Name()"]);
    check("Shape", &[], object, "ToString", expect!["Shape::ToString()"]);
    check("Shape", &[], "IClock", "get_Now", expect!["Shape::get_Now()"]);
    check("Shape", &["IAlarm"], "IAlarm", "Ring", expect!["IAlarm::Ring()"]);
    check("Shape", &[], "IAlarm", "Ring", expect!["mock of Shape does not implement IAlarm::Ring()"]);
}

#[test]
fn variant_and_generic_calls() {
    let u = universe();
    let string = find(&u, "System.String");
    let strings = u.make_instance(find(&u, "ISource`1"), &[string]).unwrap();
    let objects = u.make_instance(find(&u, "ISource`1"), &[find(&u, "System.Object")]).unwrap();
    let source = u.make_mock(find(&u, "System.Object"), &[strings]).unwrap();
    let next = u.methods_named(objects, "Next").unwrap()[0];
    expect!["ISource`1[System.String]::Next()"]
        .assert_eq(&u.method_id(u.resolve_virtual(source, next).unwrap()));
    let convert = u.methods_named(strings, "Convert").unwrap()[0];
    let convert = u.instantiate_method(convert, strings, &[string]).unwrap();
    assert_eq!(u.resolve_virtual(source, convert).unwrap(), convert);
}

#[test]
fn what_cannot_be_made_up() {
    let u = universe();
    let object = find(&u, "System.Object");
    let refused = |base: &str, interfaces: &[&str]| {
        let interfaces: Vec<TypeId> = interfaces.iter().map(|name| find(&u, name)).collect();
        u.make_mock(find(&u, base), &interfaces).unwrap_err().to_string()
    };
    expect!["type Closed cannot be loaded: no class can be made up that extends it"]
        .assert_eq(&refused("Closed", &[]));
    expect!["type Value cannot be loaded: no class can be made up that extends it"]
        .assert_eq(&refused("Value", &[]));
    expect!["type IClock cannot be loaded: no class can be made up that extends it"]
        .assert_eq(&refused("IClock", &[]));
    expect!["type Shape cannot be loaded: no class can be made up that implements it"]
        .assert_eq(&refused("System.Object", &["Shape"]));
    let mut nested = find(&u, "IClock");
    let refusal = (0..200).find_map(|_| {
        nested = u.make_instance(find(&u, "ISource`1"), &[nested]).ok()?;
        u.make_mock(object, &[nested]).err()
    });
    assert!(
        refusal.is_some() || u.make_instance(find(&u, "ISource`1"), &[nested]).is_err(),
        "depth is bounded"
    );
    // A static member needs a real type.
    let ints = u.make_instance(find(&u, "IMake`1"), &[find(&u, "System.Int32")]).unwrap();
    let maker = u.make_mock(object, &[ints]).unwrap();
    let make = u.methods_named(ints, "Make").unwrap()[0];
    assert!(u.resolve_static_virtual(maker, make).is_err());
}

fn mock(u: &Universe, base: &str, interfaces: &[&str]) -> TypeId {
    let interfaces: Vec<TypeId> = interfaces.iter().map(|name| find(u, name)).collect();
    u.make_mock(find(u, base), &interfaces).unwrap()
}

fn universe() -> Universe {
    let path = testkit::compile("Mocks", &[("Mocks.cs", SOURCE)], &Options::default()).unwrap();
    let u = common::universe_for(&path);
    u.load(&path).unwrap();
    u.corelib().unwrap();
    u
}

fn find(u: &Universe, name: &str) -> TypeId {
    u.assemblies().find_map(|a| u.find_type(a, name).unwrap()).expect(name)
}
