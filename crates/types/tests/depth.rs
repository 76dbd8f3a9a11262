//! Chains far longer than any program has: answers or errors, but never an exhausted stack.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::fmt::Write;

use testkit::{Debug, Options};

#[test]
fn long_chains() {
    let mut source = "public class C0 { public virtual void M() { } } public interface I0 { } public struct S0 { int a; }\n"
        .to_owned();
    // A struct inside a struct costs the compiler a level of its own stack, so that chain is shorter.
    for i in 1..700 {
        writeln!(source, "public class C{i} : C{} {{ }} public interface I{i} : I{} {{ }}", i - 1, i - 1)
            .unwrap();
    }
    for i in 1..400 {
        writeln!(source, "public struct S{i} {{ S{} a; byte b; }}", i - 1).unwrap();
    }
    let options = Options { debug: Debug::None, ..Options::default() };
    let path = testkit::compile("Deep", &[("Deep.cs", source.as_str())], &options).unwrap();
    // The default stack of a thread, whatever the machine gives to the main one.
    let ask = move || {
        let u = common::universe_for(&path);
        let a = u.load(&path).unwrap();
        let find = |name: &str| u.find_type(a, name).unwrap().unwrap();
        // From the far end first: everything below is still unknown.
        let answers = [
            u.base(find("C699")).map(|_| ()),
            u.vtable(find("C699")).map(|_| ()),
            u.interfaces(find("I699")).map(|_| ()),
            u.layout(find("S399")).map(|_| ()),
        ];
        for answer in answers {
            let error = answer.unwrap_err().to_string();
            assert!(error.contains("expands without end") || error.contains("cannot be loaded"), "{error}");
        }
        // Chains of a reasonable length still work, also after the others failed.
        let u = common::universe_for(&path);
        let a = u.load(&path).unwrap();
        let find = |name: &str| u.find_type(a, name).unwrap().unwrap();
        assert_eq!(u.vtable(find("C80")).unwrap().slots.len(), 5);
        assert_eq!(u.interfaces(find("I80")).unwrap().len(), 80);
        assert_eq!(u.layout(find("S80")).unwrap().size, 4 + 80 * 4);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(ask).unwrap().join().unwrap();
}
