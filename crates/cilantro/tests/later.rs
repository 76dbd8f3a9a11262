//! Code that runs when somebody asks for what it promised: the comments of `fixtures/later` say what async methods,
//! iterators and queries can do, and the tests await and enumerate.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;

#[test]
fn promises_are_what_their_comments_say() {
    let promises = Corpus::of("later");
    promises.check(&promises.generate(&[]), 60);
}
