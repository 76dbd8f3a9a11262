//! The classes behind references: the comments of `fixtures/types/classes` say what each method can do.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;

#[test]
fn methods_over_hierarchies_are_what_their_comments_say() {
    let classes = Corpus::of("types/classes");
    classes.check(&classes.generate(&["--max-steps", "3000000"]), 60);
}
