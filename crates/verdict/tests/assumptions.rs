//! Sets of assumptions, and their names on the command line and in summaries.

use verdict::{Assumption, Assumptions};

#[test]
fn every_assumption_is_found_by_its_name_and_no_two_share_one() {
    for assumption in Assumption::ALL {
        assert_eq!(Assumption::named(assumption.name()), Some(assumption));
    }
    assert_eq!(Assumption::named("closed world"), None);
}

#[test]
fn a_set_holds_what_was_added_in_report_order() {
    let set: Assumptions =
        [Assumption::Models, Assumption::ClosedWorld, Assumption::Models].into_iter().collect();
    assert_eq!(set.iter().collect::<Vec<_>>(), [Assumption::ClosedWorld, Assumption::Models]);
    assert!(Assumptions::NONE.is_empty() && !set.is_empty());
    let all: Assumptions = Assumption::ALL.into_iter().collect();
    assert_eq!(all.iter().count(), Assumption::ALL.len());
}
