//! Objects, arrays, strings and collections as inputs: the comments of `fixtures/heap` say what each method can do.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;

#[test]
fn methods_over_heaps_are_what_their_comments_say() {
    let heap = Corpus::of("heap");
    heap.check(&heap.generate(&[]), 100);
}

/// Long tables and compressed data take many steps before a method has begun.
#[test]
fn what_static_initializers_prepare_is_looked_up() {
    let prepared = Corpus::of("prepared");
    prepared.check(&prepared.generate(&["--max-steps", "2000000"]), 8);
}
