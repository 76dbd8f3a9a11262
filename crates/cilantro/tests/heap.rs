//! Objects, arrays, strings and collections as inputs: the comments of `fixtures/heap` say what each method can do.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;

#[test]
fn methods_over_heaps_are_what_their_comments_say() {
    let heap = Corpus::of("heap");
    heap.check(&heap.generate(&[]), 100);
}
