//! The order of preference, narrowing, and other frameworks.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::World;
use expect_test::expect;
use testkit::{Options, Toolchain};
use type_solver::{Bounds, Kinds, Query, TypeSolver};
use types::{Probing, Universe};

const LIBRARY: &str = r#"
    namespace Lib {
        public interface IWidget { }
        public class LibWidget : IWidget { }
        internal class LibHidden : IWidget { }
    }"#;

const PROGRAM: &str = r#"
    using Lib;
    using System.Collections.Generic;
    namespace App {
        class Internal : IWidget { }
        public class NoConstructor : IWidget { private NoConstructor() { } public static NoConstructor Make() => new(); }
        public class Generic<T> : IWidget { }
        public abstract class Abstract : IWidget { }
        public struct Value : IWidget { }
        public class Public : Abstract { private class Nested : IWidget { } }
        public static class Code {
            public static IEnumerable<IWidget> All() { yield return new Public(); }
        }
    }"#;

fn world() -> World {
    let library = testkit::compile("TypeSolverLib", &[("Lib.cs", LIBRARY)], &Options::default()).unwrap();
    let options = Options { references: vec![library], ..Options::default() };
    let dll = testkit::compile("TypeSolverApp", &[("App.cs", PROGRAM)], &options).unwrap();
    World::open(&dll, Bounds { instances: 2, ..Bounds::default() })
}

fn widget(w: &World) -> types::TypeId {
    w.universe
        .find_type(w.universe.load_by_name("TypeSolverLib").unwrap().unwrap(), "Lib.IWidget")
        .unwrap()
        .unwrap()
}

#[test]
fn preference() {
    let w = world();
    let found = w.solver.candidates(&w.universe, &Query::object(widget(&w)));
    expect![[r#"
        App.Public
        App.Value
        App.Generic`1[System.Int32]
        App.NoConstructor
        App.Internal
        App.Public+Nested
        Lib.LibWidget
        Lib.LibHidden
        App.Generic`1[System.String]
        - only 2 instances of each generic definition are tried
    "#]]
    .assert_eq(&w.show(&found, 20));
    // What the compiler made comes after what anybody can name.
    let list = w.ty("IEnumerable<>");
    let widgets = w.universe.make_instance(list, &[widget(&w)]).unwrap();
    let found = w.solver.candidates(&w.universe, &Query::object(widgets));
    let names = w.names(&found, 2000);
    let place = |name: &str| names.iter().position(|n| n.starts_with(name)).unwrap();
    assert_eq!(place("Lib.IWidget[]"), 0);
    assert!(place("System.Collections.Generic.List`1[Lib.IWidget]") < place("App.Code+<All>"));
    assert!(place("App.Code+<All>") < place("System.Linq.Enumerable+"));
}

#[test]
fn kinds() {
    let w = world();
    let only = |kinds: Kinds| {
        let query = Query { kinds, ..Query::object(widget(&w)) };
        w.show(&w.solver.candidates(&w.universe, &query), 20)
    };
    expect![[r#"
        App.Value
        - all
    "#]]
    .assert_eq(&only(Kinds::VALUES));
    expect![[r#"
        Lib.IWidget
        App.Abstract
        - all
    "#]]
    .assert_eq(&only(Kinds::ABSTRACT));
}

#[test]
fn narrowing() {
    let w = world();
    let all = w.solver.candidates(&w.universe, &Query::object(widget(&w)));
    assert_eq!(all.iter(&w.universe).count(), 9);
    let classes = w.solver.narrow(
        &w.universe,
        &all,
        &Query { must_be: w.types(&["App.Abstract"]), ..Query::default() },
    );
    expect![[r#"
        App.Public
        - all
    "#]]
    .assert_eq(&w.show(&classes, 9));
    let others = w.solver.narrow(
        &w.universe,
        &all,
        &Query {
            must_not_be: w.types(&["App.Abstract", "App.Value"]),
            not_exactly: w.types(&["App.Internal"]),
            ..Query::default()
        },
    );
    expect![[r#"
        App.Generic`1[System.Int32]
        App.NoConstructor
        App.Public+Nested
        Lib.LibWidget
        Lib.LibHidden
        App.Generic`1[System.String]
        - only 2 instances of each generic definition are tried
    "#]]
    .assert_eq(&w.show(&others, 9));
    // From everything to one class, without looking at everything.
    let objects = w.solver.candidates(&w.universe, &Query::object(w.ty("object")));
    let strings = w.solver.narrow(&w.universe, &objects, &Query::object(w.ty("string")));
    expect![[r#"
        System.String
        - all
    "#]]
    .assert_eq(&w.show(&strings, 9));
    assert!(objects.known() < 2);
    let exact = w.solver.narrow(&w.universe, &objects, &Query::exactly(w.ty("List<int>")));
    expect![[r#"
        System.Collections.Generic.List`1[System.Int32]
        - all
    "#]]
    .assert_eq(&w.show(&exact, 9));
}

#[test]
fn other_frameworks() {
    let toolchain = Toolchain::locate().unwrap();
    let universe = Universe::new(Probing::framework_folder(&toolchain.framework31_dir()).unwrap());
    let core = universe.corelib().unwrap();
    let solver = TypeSolver::new(vec![core], Bounds::default());
    let enumerable = universe.well_known().unwrap().ienumerable_def.unwrap();
    let ints = universe.make_instance(enumerable, &[universe.well_known().unwrap().int32]).unwrap();
    let found = solver.candidates(&universe, &Query::object(ints));
    let names: Vec<String> = found.iter(&universe).take(4).map(|t| universe.type_name(t.unwrap())).collect();
    expect![[r#"
        System.Int32[]
        System.Collections.Generic.List`1[System.Int32]
        System.Collections.Generic.HashSet`1[System.Int32]
        System.Collections.Generic.Queue`1[System.Int32]"#]]
    .assert_eq(&names.join("\n"));
}
