//! Every reason is explained, in sentences, and each in its own.

use std::collections::BTreeSet;

use verdict::{Explanation, Reason};

#[test]
fn every_reason_says_what_it_means_why_and_what_to_do() {
    let mut seen = BTreeSet::new();
    for reason in Reason::ALL {
        let Explanation { meaning, why, what_to_do } = reason.explanation();
        assert!(!what_to_do.is_empty(), "{reason}: nothing can be done");
        for text in [meaning, why].iter().chain(what_to_do) {
            assert!(text.ends_with('.'), "{reason}: {text:?} is no sentence");
            assert!(!text.contains("  "), "{reason}: {text:?} has a gap");
            assert!(text.chars().next().is_some_and(|c| c.is_uppercase() || c == '`'), "{reason}: {text:?}");
        }
        assert!(seen.insert(meaning), "{reason} means the same as another");
    }
}
