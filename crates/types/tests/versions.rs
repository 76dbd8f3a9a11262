//! Programs whose libraries changed after they were compiled: what no compiler lets through must end in errors that say
//! what is wrong.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use expect_test::{Expect, expect};
use testkit::{Assembly, Options, Source};
use types::{Result, TypeId, Universe};

const BEFORE: &str = "
    public interface IA { string M() => null; string N(); }
    public interface IB : IA { }
    public interface IC : IA { }
    public interface IR : IA { }
    public class Open { public virtual void V() { } public int Field; public void Gone() { } }
    public class Outer { public class Inner { } }
    public struct Small { public int A; }
";
const AFTER: &str = "
    public interface IA { string M() => null; string N(); string New(); }
    public interface IB : IA { string IA.M() => null; }
    public interface IC : IA { string IA.M() => null; }
    public interface IR : IA { abstract string IA.M(); }
    public class Opener { public virtual void V() { } }
    public class Open : Opener { public sealed override void V() { } public long Field; }
    public class Outer { }
    public struct Small { public int A; public object B; }
";
const USER: &str = "
    public class Diamond : IB, IC { public string N() => null; }
    public class Left : IB { public string N() => null; }
    public class Again : IR { public string N() => null; }
    public class Sealed : Open { public override void V() { } }
    public class Uses {
        public void Gone() => new Open().Gone();
        public int Field() => new Open().Field;
        public Outer.Inner Inner() => null;
        public int Fine() => new Small().A;
    }
    public struct Holder { byte a; Small s; }
";

#[test]
fn default_methods_after_a_change() {
    let u = universe();
    check(&u, dispatch(&u, "Left", "M"), expect!["IB::IA.M()"]);
    check(
        &u,
        dispatch(&u, "Diamond", "M"),
        expect!["Diamond has no most specific implementation of IA::M(): both IB and IC provide one"],
    );
    check(&u, dispatch(&u, "Again", "M"), expect!["Again does not implement IA::M()"]);
    check(&u, dispatch(&u, "Left", "New"), expect!["Left does not implement IA::New()"]);
    check(&u, dispatch(&u, "Left", "N"), expect!["Left::N()"]);
}

#[test]
fn classes_after_a_change() {
    let u = universe();
    let vtable = u.vtable(find(&u, "Sealed")).map(|table| format!("{} slots", table.slots.len()));
    check(&u, vtable, expect!["type Sealed cannot be loaded: it overrides Open::V(), which is final"]);
    let layout = u.layout(find(&u, "Holder")).map(|layout| format!("{:?} {}", layout.kind, layout.size));
    check(&u, layout, expect!["Auto 24"]);
}

#[test]
fn members_after_a_change() {
    let u = universe();
    check(&u, tokens(&u, "Gone"), expect!["Open has no method System.Void Gone()"]);
    check(&u, tokens(&u, "Field"), expect!["Open has no field System.Int32 Field"]);
    check(&u, tokens(&u, "Fine"), expect!["fine"]);
    let inner = u.methods_named(find(&u, "Uses"), "Inner").unwrap()[0];
    let signature = u.signature(inner).map(|sig| u.type_name(sig.ret));
    check(&u, signature, expect!["type Inner was not found in Outer"]);
}

#[test]
fn a_missing_library_hits_only_those_who_need_it() {
    let folder = tempfile::tempdir().unwrap();
    let user = build().1;
    let path = folder.path().join("User.dll");
    std::fs::copy(&user, &path).unwrap();
    let u = common::universe_for(&path);
    u.load(&path).unwrap();
    let uses = find(&u, "Uses");
    assert_eq!(u.methods(uses).unwrap().len(), 5);
    check(&u, tokens(&u, "Fine"), expect!["assembly Library, referenced by User, was not found"]);
    check(&u, u.base(uses).map(|base| u.type_name(base.unwrap())), expect!["System.Object"]);
    check(
        &u,
        u.base(find(&u, "Sealed")).map(|_| String::new()),
        expect!["assembly Library, referenced by User, was not found"],
    );
}

/// (the new library, the program compiled against the old one)
fn build() -> (std::path::PathBuf, std::path::PathBuf) {
    let library = |name: &str, text: &str, references: Vec<_>| Assembly {
        name: name.to_owned(),
        sources: vec![Source::text(&format!("{name}.cs"), text)],
        options: Options { references, ..Options::default() },
    };
    let libraries = [library("Library", BEFORE, vec![]), library("Library", AFTER, vec![])];
    let [before, after] = testkit::compile_all(&libraries).unwrap().try_into().unwrap();
    let user = testkit::compile_all(&[library("User", USER, vec![before])]).unwrap().remove(0);
    (after, user)
}

fn universe() -> Universe {
    let (after, user) = build();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("User.dll");
    std::fs::copy(&user, &path).unwrap();
    std::fs::copy(&after, folder.path().join("Library.dll")).unwrap();
    let u = common::universe_for(&path);
    u.load(&path).unwrap();
    u.load_by_name("Library").unwrap().unwrap();
    u
}

fn find(u: &Universe, name: &str) -> TypeId {
    u.assemblies().find_map(|a| u.find_type(a, name).unwrap()).expect(name)
}

fn dispatch(u: &Universe, class: &str, method: &str) -> Result<String> {
    let declaration = u.methods_named(find(u, "IA"), method).unwrap()[0];
    u.resolve_virtual(find(u, class), declaration).map(|m| u.method_id(m))
}

/// Resolves the tokens of a method of `Uses`.
fn tokens(u: &Universe, method: &str) -> Result<String> {
    let m = u.methods_named(find(u, "Uses"), method)?[0];
    for instruction in u.body(m)?.unwrap().instructions() {
        if let cil::Operand::Token(token) = instruction.unwrap().operand {
            u.resolve_member_token(m, token)?;
        }
    }
    u.locals(m)?;
    Ok("fine".to_owned())
}

fn check(_: &Universe, answer: Result<String>, expected: Expect) {
    expected.assert_eq(&answer.unwrap_or_else(|error| error.to_string()));
}
