//! The seven groups of programs by which choosing types is measured, each in its smallest form.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::World;
use expect_test::expect;
use type_solver::{ArgumentQuery, Bounds, Generic, Query};

fn world() -> World {
    // A program that refers to little, so that the ends of the sequences can be seen.
    World::compile(
        "TypeSolverGroups",
        r#"
        using System;
        using System.Collections.Generic;

        namespace Parameters {
            public interface IShape { }
            public class Circle : IShape { }
            public struct Dot : IShape { }
            public abstract class Base<T> { }
            public class OfInt : Base<int> { }
            public interface IEntity<K> { }
            public class User : IEntity<Guid> { }
            public class Order : IEntity<long>, IEntity<string> { }
            public enum Colour { Red }
            public static class Methods {
                public static void Shape<T>(T t) where T : IShape { }
                public static void NewShape<T>() where T : class, IShape, new() { }
                public static void Pair<T, U>(T t, U u) where T : Base<U> { }
                public static void Entity<T, K>(T t, K k) where T : IEntity<K> { }
                public static void Naked<T, U>(T t, U u) where T : U where U : IShape { }
                public static void Compare<T>(T a, T b) where T : IComparable<T> { }
                public static void Unmanaged<T>(T a) where T : unmanaged, IShape { }
                public static void Enumeration<T>(T a) where T : struct, Enum { }
                public static void Any<T>(T a) { }
                public static void Handler<T>(T a) where T : Delegate { }
                public static void Rows<T, U>() where T : IEnumerable<IEnumerable<U>>, ICollection<U[]> where U : Exception { }
                public static void Produced<T, U>() where T : Deep.ISource<U> where U : struct { }
                public static void Chain<T, U, V>() where T : IDictionary<U, V> where U : struct, IComparable<U> where V : IEnumerable<U> { }
                public static void Impossible<T>() where T : struct, Enum, IDisposable { }
            }
        }
        namespace Relocation {
            // Nothing implements IPart but mocks; a whole takes it as an argument.
            public interface IPart { }
            public interface IWhole { }
            public class Whole<T> : IWhole where T : IPart { }
        }
        namespace Deep {
            public interface ISource<out T> { }
            public interface ISink<in T> { }
            public class A<T> : ISource<T[]> { }
            public class B<T> : A<List<T>> { }
            public class C<T, U> : B<Dictionary<T, U>> where T : notnull { }
            public class Both<T> : ISource<T>, ISink<IEnumerable<T>> { }
            public class Fixed : C<string, int> { }
        }
        namespace Nested {
            public class Outer<T> {
                public class Inner<U> : IEqualityComparer<KeyValuePair<T, U>> {
                    public bool Equals(KeyValuePair<T, U> a, KeyValuePair<T, U> b) => true;
                    public int GetHashCode(KeyValuePair<T, U> a) => 0;
                }
                public interface IIn { }
                public class Leaf : IIn { }
            }
        }
        namespace None {
            public interface INothing { }
            public interface IOnlyStruct<T> where T : struct { }
            public class Closed<T> : IOnlyStruct<T> where T : struct, INothing { }
            public sealed class Sealed { }
        }
        namespace Candidates {
            public interface IRepository<T> { }
            public class Repository<T> : IRepository<T> where T : Entity, new() { }
            public class Cached<T, R> : IRepository<T> where R : IRepository<T> { }
            public class Entity { }
            public class Person : Entity { }
            public abstract class Hidden : Entity { }
            public class NoDefault : Entity { public NoDefault(int x) { } }
            // The class in terms of itself.
            public abstract class Node<T> where T : Node<T> { }
            public class Tree : Node<Tree> { }
            public class Box<T> : IComparable<Box<T>> { public int CompareTo(Box<T> other) => 0; }
            public interface ITwice<T> { }
            public class Twice : ITwice<int>, ITwice<string> { }
            public class Swapped<T, U> : Pair<U, T> { }
            public class Pair<T, U> { }
        }
        "#,
    )
}

fn arguments(w: &World, owner: &str, method: &str, count: usize) -> String {
    let m = w.universe.methods_named(w.ty(owner), method).unwrap()[0];
    let lists = w.solver.arguments(&w.universe, &ArgumentQuery::new(Generic::Method(m))).unwrap();
    let mut text = String::new();
    for n in 0..count {
        let Some(list) = lists.get(&w.universe, n).unwrap() else {
            let end = lists.bound().map_or("all".to_owned(), |bound| bound.to_string());
            return format!("{text}- {end}\n");
        };
        let names: Vec<String> = list.iter().map(|t| w.name(t)).collect();
        text += &format!("{}\n", names.join(", "));
        let closed = list.apply_to_method(&w.universe, m).unwrap();
        assert!(w.universe.method_satisfies_constraints(closed).unwrap());
    }
    text + "...\n"
}

#[test]
fn method_parameters() {
    let w = world();
    let show = |method: &str, count: usize| arguments(&w, "Parameters.Methods", method, count);
    expect![[r#"
        System.Exception[][], System.Exception
        System.Collections.Generic.List`1[System.Exception[]], System.Exception
        System.ArgumentException[][], System.ArgumentException
        ...
    "#]]
    .assert_eq(&show("Rows", 3));
    expect![[r#"
        Deep.Both`1[System.Int32], System.Int32
        Deep.ISource`1[System.Int32], System.Int32
        Deep.Both`1[Parameters.Dot], Parameters.Dot
        ...
    "#]]
    .assert_eq(&show("Produced", 3));
    expect![[r#"
        System.Collections.Generic.Dictionary`2[System.Int32,System.Int32[]], System.Int32, System.Int32[]
        System.Collections.Generic.SortedDictionary`2[System.Int32,System.Int32[]], System.Int32, System.Int32[]
        System.Collections.Generic.Dictionary`2[System.Int32,System.Collections.Generic.List`1[System.Int32]], System.Int32, System.Collections.Generic.List`1[System.Int32]
        ...
    "#]].assert_eq(&show("Chain", 3));
    expect![[r#"
        - all
    "#]]
    .assert_eq(&show("Impossible", 3));
    expect![[r#"
        Parameters.Circle
        Parameters.Dot
        Parameters.IShape
        - all
    "#]]
    .assert_eq(&show("Shape", 9));
    expect![[r#"
        Parameters.Circle
        - all
    "#]]
    .assert_eq(&show("NewShape", 9));
    expect![[r#"
        Parameters.OfInt, System.Int32
        Parameters.Base`1[System.Int32], System.Int32
        Parameters.Base`1[System.String], System.String
        Parameters.Base`1[Candidates.Entity], Candidates.Entity
        Parameters.Base`1[Candidates.Person], Candidates.Person
        Parameters.Base`1[Candidates.NoDefault], Candidates.NoDefault
        Parameters.Base`1[Candidates.Tree], Candidates.Tree
        Parameters.Base`1[Candidates.Twice], Candidates.Twice
        Parameters.Base`1[None.Sealed], None.Sealed
        ...
    "#]]
    .assert_eq(&show("Pair", 9));
    expect![[r#"
        Parameters.User, System.Guid
        Parameters.Order, System.Int64
        Parameters.Order, System.String
        Parameters.IEntity`1[System.Int32], System.Int32
        Parameters.IEntity`1[System.String], System.String
        ...
    "#]]
    .assert_eq(&show("Entity", 5));
    expect![[r#"
        Parameters.Circle, Parameters.Circle
        Parameters.Dot, Parameters.Dot
        Parameters.Circle, Parameters.IShape
        Parameters.Dot, Parameters.IShape
        Parameters.IShape, Parameters.IShape
        - all
    "#]]
    .assert_eq(&show("Naked", 9));
    expect![[r#"
        System.Int32
        System.String
        Candidates.Box`1[System.Int32]
        System.Boolean
        System.Double
        ...
    "#]]
    .assert_eq(&show("Compare", 5));
    expect![[r#"
        Parameters.Dot
        - all
    "#]]
    .assert_eq(&show("Unmanaged", 5));
    expect![[r#"
        Parameters.Colour
        System.DayOfWeek
        System.Environment+SpecialFolder
        ...
    "#]]
    .assert_eq(&show("Enumeration", 3));
    expect![[r#"
        System.Int32
        System.String
        Candidates.Entity
        Candidates.Person
        ...
    "#]]
    .assert_eq(&show("Any", 4));
    expect![[r#"
        System.Action
        System.Func`1[System.Int32]
        System.Func`2[System.Int32,System.Int32]
        ...
    "#]]
    .assert_eq(&show("Handler", 3));
}

#[test]
fn mock_relocation() {
    let w = world();
    // The whole is real; its argument is the interface, which needs no implementation.
    expect![[r#"
        Relocation.Whole`1[Relocation.IPart]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Relocation.IWhole"]), 5));
    expect![[r#"
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Relocation.IPart"]), 5));
    let mock = w.solver.mock(&w.universe, &Query::object(w.ty("Relocation.IPart"))).unwrap();
    assert_eq!(*mock.interfaces, [w.ty("Relocation.IPart")]);
}

#[test]
fn deep_propagation() {
    let w = world();
    expect![[r#"
        Deep.A`1[System.Collections.Generic.List`1[System.Int32]]
        Deep.B`1[System.Int32]
        Deep.Both`1[System.Collections.Generic.List`1[System.Int32][]]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Deep.ISource<List<int>[]>"]), 5));
    expect![[r#"
        Deep.Fixed
        Deep.A`1[System.Collections.Generic.List`1[System.Collections.Generic.Dictionary`2[System.String,System.Int32]]]
        Deep.B`1[System.Collections.Generic.Dictionary`2[System.String,System.Int32]]
        Deep.Both`1[System.Collections.Generic.List`1[System.Collections.Generic.Dictionary`2[System.String,System.Int32]][]]
        Deep.C`2[System.String,System.Int32]
        - all
    "#]].assert_eq(&w.show(&w.object(&["Deep.ISource<List<Dictionary<string, int>>[]>"]), 6));
    expect![[r#"
        Deep.Both`1[System.Int32]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Deep.ISource<int>", "Deep.ISink<List<int>>"]), 5));
    expect![[r#"
        Deep.Both`1[System.String]
        Deep.Both`1[System.Object]
        Deep.Both`1[System.ICloneable]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["Deep.ISink<List<string>>"]), 3));
}

#[test]
fn nested() {
    let w = world();
    expect![[r#"
        Nested.Outer`1+Inner`1[System.String,System.Int32]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IEqualityComparer<KeyValuePair<string, int>>"]), 1));
    let leaf = w.universe.find_type(w.assembly, "Nested.Outer`1+IIn").unwrap().unwrap();
    let of_int = w.universe.make_instance(leaf, &[w.ty("int")]).unwrap();
    let found = w.solver.candidates(&w.universe, &Query::object(of_int));
    expect![[r#"
        Nested.Outer`1+Leaf[System.Int32]
        - all
    "#]]
    .assert_eq(&w.show(&found, 5));
}

#[test]
fn no_solution() {
    let w = world();
    expect![[r#"
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["None.INothing"]), 5));
    expect![[r#"
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["None.IOnlyStruct<int>"]), 5));
    expect![[r#"
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["None.Sealed", "None.INothing"]), 5));
    let why = w.solver.mock(
        &w.universe,
        &Query { must_be: w.types(&["None.Sealed", "None.INothing"]), ..Query::default() },
    );
    expect!["None.Sealed is sealed"].assert_eq(&why.unwrap_err().to_string());
}

#[test]
fn generic_candidates() {
    let w = world();
    expect![[r#"
        Candidates.Repository`1[Candidates.Person]
        Candidates.Cached`2[Candidates.Person,Candidates.Repository`1[Candidates.Person]]
        Candidates.Cached`2[Candidates.Person,Candidates.IRepository`1[Candidates.Person]]
        Candidates.Cached`2[Candidates.Person,Candidates.Cached`2[Candidates.Person,Candidates.Repository`1[Candidates.Person]]]
        Candidates.Cached`2[Candidates.Person,Candidates.Cached`2[Candidates.Person,Candidates.IRepository`1[Candidates.Person]]]
        Candidates.Cached`2[Candidates.Person,Candidates.Cached`2[Candidates.Person,Candidates.Cached`2[Candidates.Person,Candidates.Repository`1[Candidates.Person]]]]
        ...
    "#]].assert_eq(&w.show(&w.object(&["Candidates.IRepository<Candidates.Person>"]), 6));
    expect![[r#"
        Candidates.Cached`2[Candidates.NoDefault,Candidates.IRepository`1[Candidates.NoDefault]]
        Candidates.Cached`2[Candidates.NoDefault,Candidates.Cached`2[Candidates.NoDefault,Candidates.IRepository`1[Candidates.NoDefault]]]
        Candidates.Cached`2[Candidates.NoDefault,Candidates.Cached`2[Candidates.NoDefault,Candidates.Cached`2[Candidates.NoDefault,Candidates.IRepository`1[Candidates.NoDefault]]]]
        - type arguments nested deeper than 3 are not tried
    "#]].assert_eq(&w.show(&w.object(&["Candidates.IRepository<Candidates.NoDefault>"]), 4));
    expect![[r#"
        Candidates.Cached`2[System.Int32,Candidates.IRepository`1[System.Int32]]
        Candidates.Cached`2[System.Int32,Candidates.Cached`2[System.Int32,Candidates.IRepository`1[System.Int32]]]
        Candidates.Cached`2[System.Int32,Candidates.Cached`2[System.Int32,Candidates.Cached`2[System.Int32,Candidates.IRepository`1[System.Int32]]]]
        - type arguments nested deeper than 3 are not tried
    "#]].assert_eq(&w.show(&w.object(&["Candidates.IRepository<int>"]), 4));
    expect![[r#"
        Candidates.Tree
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Candidates.Node<Candidates.Tree>"]), 4));
    expect![[r#"
        Candidates.Twice
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Candidates.ITwice<string>"]), 4));
    expect![[r#"
        Candidates.Pair`2[System.Int32,System.String]
        Candidates.Swapped`2[System.String,System.Int32]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["Candidates.Pair<int, string>"]), 4));
    expect![[r#"
        Candidates.Box`1[System.Int32]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["IComparable<Candidates.Box<int>>"]), 4));
}

#[test]
fn nested_generics() {
    let w = world();
    expect![[r#"
        System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Object]][]
        System.Collections.Generic.List`1[System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Object]]]
        System.Collections.Generic.HashSet`1[System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Object]]]
        System.Collections.Generic.Queue`1[System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Object]]]
        System.Collections.Generic.Stack`1[System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Object]]]
        System.Collections.Generic.LinkedList`1[System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Object]]]
        ...
    "#]].assert_eq(&w.show(&w.object(&["IEnumerable<IEnumerable<IEnumerable<object>>>"]), 6));
    expect![[r#"
        System.Func`2[System.Collections.Generic.IEnumerable`1[System.String],System.Object]
        System.Func`2[System.Collections.Generic.IEnumerable`1[System.String],System.String]
        System.Func`2[System.Object,System.Object]
        System.Func`2[System.Collections.Generic.IEnumerable`1[System.String],Candidates.Entity]
        System.Func`2[System.Object,System.String]
        System.Func`2[System.Collections.IEnumerable,System.Object]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["Func<IEnumerable<string>, object>"]), 6));
    expect![[r#"
        Candidates.Pair`2[Candidates.Pair`2[System.Int32,System.String],System.Collections.Generic.List`1[System.Int32]]
        Candidates.Swapped`2[System.Collections.Generic.List`1[System.Int32],Candidates.Pair`2[System.Int32,System.String]]
        - all
    "#]].assert_eq(&w.show(&w.object(&["Candidates.Pair<Candidates.Pair<int, string>, List<int>>"]), 4));
}

#[test]
fn bounds_are_said() {
    let bounds = Bounds { depth: 1, candidates: 3, ..Bounds::default() };
    let w = World::bounded(
        "TypeSolverBounds",
        "public interface I { } public class Box<T> : I { } public class A { }",
        bounds,
    );
    expect![[r#"
        Box`1[System.Int32]
        Box`1[System.String]
        Box`1[A]
        - only the first 3 types are tried
    "#]]
    .assert_eq(&w.show(&w.object(&["I"]), 9));
    let w = World::bounded(
        "TypeSolverBounds",
        "public interface I { } public class Box<T> : I { } public class A { }",
        Bounds { depth: 0, ..Bounds::default() },
    );
    expect![[r#"
        - type arguments nested deeper than 0 are not tried
    "#]]
    .assert_eq(&w.show(&w.object(&["I"]), 9));
}

#[test]
fn arguments_that_differ() {
    let w = world();
    let show = |method: &str, prefer: &[&str]| {
        let m = w.universe.methods_named(w.ty("Parameters.Methods"), method).unwrap()[0];
        let query = ArgumentQuery { prefer: w.types(prefer), ..ArgumentQuery::new(Generic::Method(m)) };
        let lists = w.solver.varied_arguments(&w.universe, &query, 6).unwrap();
        let line = |list: &type_solver::ArgumentList| -> String {
            let names: Vec<String> = list.iter().map(|t| w.name(t)).collect();
            format!("{}\n", names.join(", "))
        };
        lists.iter().map(|list| line(list)).collect::<String>()
    };
    expect![[r#"
        System.Int32
        System.String
    "#]]
    .assert_eq(&show("Any", &[]));
    expect![[r#"
        System.Double
        System.Guid
        System.String
    "#]]
    .assert_eq(&show("Any", &["double", "Guid"]));
    expect![[r#"
        Parameters.Dot
        Parameters.Circle
    "#]]
    .assert_eq(&show("Shape", &["double", "Parameters.Dot"]));
    expect![[r#"
        Parameters.Circle, Parameters.Circle
        Parameters.Dot, Parameters.Dot
    "#]]
    .assert_eq(&show("Naked", &[]));
    expect![[r#"
        Parameters.User, System.Guid
        Parameters.Order, System.String
    "#]]
    .assert_eq(&show("Entity", &[]));
    expect![[r#"
        Parameters.Circle
    "#]]
    .assert_eq(&show("NewShape", &[]));
}
