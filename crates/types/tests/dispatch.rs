//! `constrained.` calls, static virtual members, arrays as interfaces, methods of multi-dimensional arrays, names.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use expect_test::{Expect, expect};
use testkit::Options;
use types::{Constrained, Member, MethodId, TypeId, Universe};

const SOURCE: &str = r#"
    using System; using System.Collections.Generic;
    public interface IName { string Name(); string Twice() => Name(); }
    public struct Plain : IName { public string Name() => "plain"; public override string ToString() => "p"; }
    public enum Color { Red }
    public interface IMake<T> where T : IMake<T> { static abstract T Make(); static virtual int Cost => 1; }
    public struct Cheap : IMake<Cheap> { public static Cheap Make() => default; }
    public class Dear : IMake<Dear> { public static Dear Make() => null; static int IMake<Dear>.Cost => 9; }
    public class Outer<T> { public class Inner<U> { public (T, U) Both(T t, ref U u, T[,] grid, List<U>[] lists) => (t, u); } }
    public static class Calls {
        public static string Name<T>(T x) where T : IName => x.Name();
        public static string Twice<T>(T x) where T : IName => x.Twice();
        public static string Text<T>(T x) => x.ToString();
        public static int Hash<T>(T x) => x.GetHashCode();
        public static Type Kind<T>(T x) => x.GetType();
        public static T Make<T>() where T : IMake<T> => T.Make();
        public static int Cost<T>() where T : IMake<T> => T.Cost;
        public static int Count(IList<string> list) => list.Count;
        public static IEnumerator<object> Each(IEnumerable<object> list) => list.GetEnumerator();
        public static int Grid(int[,] grid) { grid[1, 2] = grid[0, 0]; ref int r = ref grid[1, 1]; return new int[2, 3].Length + r; }
    }
"#;

#[test]
fn constrained_calls() {
    let u = universe();
    let check = |method: &str, argument: &str, expected: Expect| {
        let t = find(&u, argument);
        let m = called_in(&u, method, &[t])[0];
        let answer = match u.resolve_constrained(t, m) {
            Ok(Constrained::Direct(m)) => format!("direct {}", u.method_id(m)),
            Ok(Constrained::Boxed(m)) => format!("boxed {}", u.method_id(m)),
            Ok(Constrained::Dereference(m)) => format!("dereference {}", u.method_id(m)),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&answer);
    };
    check("Name", "Plain", expect!["direct Plain::Name()"]);
    check("Twice", "Plain", expect!["boxed IName::Twice()"]);
    check("Text", "Plain", expect!["direct Plain::ToString()"]);
    check("Text", "Color", expect!["boxed System.Enum::ToString()"]);
    check("Text", "System.Int32", expect!["direct System.Int32::ToString()"]);
    check("Hash", "Plain", expect!["boxed System.ValueType::GetHashCode()"]);
    check("Hash", "System.String", expect!["dereference System.Object::GetHashCode()"]);
    check("Make", "Cheap", expect!["direct Cheap::Make()"]);
    check("Make", "Dear", expect!["direct Dear::Make()"]);
    check("Cost", "Cheap", expect!["direct IMake`1[Cheap]::get_Cost()"]);
    check("Cost", "Dear", expect!["direct Dear::IMake<Dear>.get_Cost()"]);
    check("Make", "Plain", expect!["Plain does not implement IMake`1[Plain]::Make()"]);
}

#[test]
fn arrays_as_interfaces() {
    let u = universe();
    let strings = u.make_sz_array(find(&u, "System.String")).unwrap();
    let ints = u.make_sz_array(find(&u, "System.Int32")).unwrap();
    let count = called_in(&u, "Count", &[])[0];
    let each = called_in(&u, "Each", &[])[0];
    let answer =
        |t: TypeId, m: MethodId| u.resolve_virtual(t, m).map_or_else(|e| e.to_string(), |m| u.method_id(m));
    // `Count` belongs to the interface that `IList<T>` inherits from.
    expect!["System.SZArrayHelper::get_Count<System.String>()"].assert_eq(&answer(strings, count));
    expect!["System.SZArrayHelper::GetEnumerator<System.Object>()"].assert_eq(&answer(strings, each));
    expect!["System.Int32[] does not implement System.Collections.Generic.IEnumerable`1[System.Object]::GetEnumerator()"]
        .assert_eq(&answer(ints, each));
}

#[test]
fn methods_of_arrays() {
    let u = universe();
    let called: Vec<String> = called_in(&u, "Grid", &[])
        .into_iter()
        .map(|m| {
            let sig = u.signature(m).unwrap();
            format!("{} -> {}", u.method_id(m), u.type_name(sig.ret))
        })
        .collect();
    expect![[r#"
        System.Int32[,]::Get(System.Int32,System.Int32) -> System.Int32
        System.Int32[,]::Set(System.Int32,System.Int32,System.Int32) -> System.Void
        System.Int32[,]::Address(System.Int32,System.Int32) -> System.Int32&
        System.Int32[,]::.ctor(System.Int32,System.Int32) -> System.Void
        System.Array::get_Length() -> System.Int32"#]]
    .assert_eq(&called.join("\n"));
}

#[test]
fn names() {
    let u = universe();
    let inner = find(&u, "Outer`1+Inner`1");
    let both = u.methods_named(inner, "Both").unwrap()[0];
    expect!["Outer`1+Inner`1::Both(T,U&,T[,],System.Collections.Generic.List`1[U][])"]
        .assert_eq(&u.method_id(both));
    let known = u.well_known().unwrap();
    let closed = u.make_instance(inner, &[known.int32, known.string]).unwrap();
    let both = u.methods_named(closed, "Both").unwrap()[0];
    expect!["Outer`1+Inner`1[System.Int32,System.String]::Both(System.Int32,System.String&,System.Int32[,],System.Collections.Generic.List`1[System.String][])"]
        .assert_eq(&u.method_id(both));
    expect!["System.ValueTuple`2[System.Int32,System.String]"]
        .assert_eq(&u.type_name(u.signature(both).unwrap().ret));
    let text = u.methods_named(find(&u, "Calls"), "Text").unwrap()[0];
    expect!["Calls::Text<T>(T)"].assert_eq(&u.method_id(text));
    let text = u.instantiate_method(text, u.method(text).owner, &[known.int32]).unwrap();
    expect!["Calls::Text<System.Int32>(System.Int32)"].assert_eq(&u.method_id(text));
}

/// A method that calls itself with ever larger types is stopped by an error.
#[test]
fn expansion_is_bounded() {
    let u = universe();
    let mut t = find(&u, "System.Int32");
    let error = loop {
        match u.make_sz_array(t) {
            Ok(next) => t = next,
            Err(error) => break error.to_string(),
        }
    };
    expect!["a generic type expands without end"].assert_eq(&error);
    // Wide types explode before they are deep.
    let pair = find(&u, "System.ValueTuple`2");
    let mut t = find(&u, "System.Int32");
    while let Ok(next) = u.make_instance(pair, &[t, t]) {
        t = next;
    }
    assert!(u.type_name(t).len() < 200_000);
}

fn universe() -> Universe {
    let path = testkit::compile("Dispatch", &[("Dispatch.cs", SOURCE)], &Options::default()).unwrap();
    let u = common::universe_for(&path);
    u.load(&path).unwrap();
    u.corelib().unwrap();
    u
}

fn find(u: &Universe, name: &str) -> TypeId {
    u.assemblies().find_map(|a| u.find_type(a, name).unwrap()).expect(name)
}

/// The methods a method of `Calls` calls, in order.
fn called_in(u: &Universe, name: &str, args: &[TypeId]) -> Vec<MethodId> {
    let m = u.methods_named(find(u, "Calls"), name).unwrap()[0];
    let m = u.instantiate_method(m, u.method(m).owner, args).unwrap();
    let body = u.body(m).unwrap().unwrap();
    let tokens = body.instructions().filter_map(|i| match i.unwrap().operand {
        cil::Operand::Token(token) => Some(token),
        _ => None,
    });
    let members = tokens.map(|token| u.resolve_member_token(m, token).unwrap());
    members.filter_map(|member| if let Member::Method(m) = member { Some(m) } else { None }).collect()
}
