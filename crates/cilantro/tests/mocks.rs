//! Services, callbacks and handlers that no class of the assembly implements: the comments of `fixtures/types/mocks` say
//! what each method can do, and the tests with mocks cover every branch.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;

#[test]
fn methods_over_services_are_what_their_comments_say() {
    let services = Corpus::of("types/mocks");
    services.check(&services.generate(&[]), 80);
}
