//! What mocks derive from, and why some cannot be.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::World;
use expect_test::expect;
use type_solver::Query;

fn world() -> World {
    World::compile(
        "TypeSolverMocks",
        r#"
        using System;
        using System.Collections.Generic;
        public interface IClock { DateTime Now { get; } }
        public interface ITicking : IClock { event Action Tick; }
        public interface IGeneric<T> { T Get<U>(U key, ref int count, out string text); }
        public interface ISpans { ReadOnlySpan<char> Text(); }
        public interface ITakesSpans { int Parse(ReadOnlySpan<char> text); }
        public unsafe interface IPointers { void Fill(byte* target); }
        public interface IRefs { ref int At(int index); }
        public interface IStatic<T> { static abstract T Create(); }
        public interface IDefault { int A() => 1; static virtual int B() => 2; }
        internal interface IInternal { }
        public interface IHalf { internal void Hidden(); }
        public abstract class Shape { protected abstract double Area(); }
        public abstract class Round : Shape, IClock { public abstract DateTime Now { get; } }
        public abstract class Other { }
        public abstract class Private { private Private() { } }
        public abstract class Internal { internal Internal() { } protected internal Internal(int x) { } }
        public abstract class OnlyInternal { internal OnlyInternal() { } }
        public abstract class InternalMember { internal abstract void M(); }
        public class Plain { public virtual int M() => 1; }
        public sealed class Final { }
        public struct Value { }
        public delegate int Handler(object sender, string text);
        public delegate ref int RefHandler();
        "#,
    )
}

fn mock(w: &World, must_be: &[&str]) -> String {
    let query = Query { must_be: w.types(must_be), ..Query::default() };
    match w.solver.mock(&w.universe, &query) {
        Ok(shape) => {
            let interfaces: Vec<String> = shape.interfaces.iter().map(|i| w.name(*i)).collect();
            if !w.universe.is_delegate(shape.base) {
                w.universe.make_mock(shape.base, &shape.interfaces).unwrap();
            }
            format!("{} [{}]", w.name(shape.base), interfaces.join(", "))
        }
        Err(why) => format!("no: {why}"),
    }
}

#[test]
fn what_a_mock_is() {
    let w = world();
    let all: &[&[&str]] = &[
        &["IClock"],
        &["IClock", "ITicking", "object"],
        &["ITicking", "IDisposable"],
        &["IGeneric<int>"],
        &["ITakesSpans"],
        &["IDefault"],
        &["Shape"],
        &["Shape", "IClock"],
        &["Round", "IClock", "Shape"],
        &["Internal"],
        &["Plain", "IClock"],
        &["Handler"],
        &["Func<int, string>"],
        &["IEnumerable<int>"],
        &["Stream"],
        &["object"],
    ];
    let text: String = all.iter().map(|must_be| format!("{}\n", mock(&w, must_be))).collect();
    expect![[r#"
        System.Object [IClock]
        System.Object [ITicking]
        System.Object [ITicking, System.IDisposable]
        System.Object [IGeneric`1[System.Int32]]
        System.Object [ITakesSpans]
        System.Object [IDefault]
        Shape []
        Shape [IClock]
        Round []
        Internal []
        Plain [IClock]
        Handler []
        System.Func`2[System.Int32,System.String] []
        System.Object [System.Collections.Generic.IEnumerable`1[System.Int32]]
        System.IO.Stream []
        System.Object []
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_cannot_be_mocked() {
    let w = world();
    let all: &[&[&str]] = &[
        &["string"],
        &["Final"],
        &["Value"],
        &["int[]"],
        &["Array"],
        &["Delegate"],
        &["ISpans"],
        &["IPointers"],
        &["IRefs"],
        &["IStatic<int>"],
        &["IInternal"],
        &["IGeneric<IInternal>"],
        &["IHalf"],
        &["Private"],
        &["OnlyInternal"],
        &["InternalMember"],
        &["Shape", "Other"],
        &["Handler", "IClock"],
        &["RefHandler"],
    ];
    let text: String = all.iter().map(|must_be| format!("{}\n", mock(&w, must_be))).collect();
    expect![[r#"
        no: System.String is sealed
        no: Final is sealed
        no: Value is a value type
        no: System.Int32[] is an array
        no: no class but the runtime's own can derive from System.Array
        no: no class but the runtime's own can derive from System.Delegate
        no: ISpans::Text() has a signature that no mock can answer: it returns a ref struct
        no: IPointers::Fill(System.Byte*) has a signature that no mock can answer: it has pointers
        no: IRefs::At(System.Int32) has a signature that no mock can answer: it returns by reference
        no: IStatic`1[System.Int32]::Create() is a static abstract member
        no: IInternal is not visible outside of its assembly
        no: IGeneric`1[IInternal] is not visible outside of its assembly
        no: IHalf::Hidden() cannot be overridden outside of its assembly
        no: Private has no constructor that a derived class could call
        no: OnlyInternal has no constructor that a derived class could call
        no: InternalMember::M() cannot be overridden outside of its assembly
        no: Shape and Other are unrelated classes
        no: Handler is a delegate and IClock must be implemented as well
        no: RefHandler::Invoke() has a signature that no mock can answer: it returns by reference
    "#]]
    .assert_eq(&text);
}

#[test]
fn other_constraints() {
    let w = world();
    let clock = w.ty("IClock");
    let why = |query: Query| w.solver.mock(&w.universe, &query).unwrap_err().to_string();
    expect!["every implementation would also be IClock"]
        .assert_eq(&why(Query { must_not_be: vec![clock], ..Query::object(w.ty("ITicking")) }));
    expect!["nothing but System.String itself and its supertypes contains System.String"]
        .assert_eq(&why(Query { must_contain: w.types(&["string"]), ..Query::object(w.ty("object")) }));
}
