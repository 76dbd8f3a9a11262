//! The tables of models against the class libraries: every line is for some method, no two lines are for the same one, and
//! the index of them is up to date.

#![allow(clippy::unwrap_used)]

mod index;
mod survey;

use expect_test::expect_file;
use survey::{Survey, describe};

/// Of two lines for a method one must be of a lower precedence, or for the overloads that have no line of their own.
#[test]
fn no_two_lines_are_for_the_same_method() {
    let survey = Survey::of_all_runtimes();
    let clashes: Vec<String> = survey.clashes.iter().cloned().collect();
    assert!(clashes.is_empty(), "{} clashes:\n{}", clashes.len(), clashes.join("\n"));
}

#[test]
fn every_line_counts_for_some_method() {
    let survey = Survey::of_all_runtimes();
    let idle = survey.idle().map(|line| describe(&line)).collect::<Vec<_>>();
    assert!(idle.is_empty(), "{} lines are for no method:\n{}", idle.len(), idle.join("\n"));
    let seen: Vec<String> = survey.unseen_but_found().map(|line| describe(&line)).collect();
    assert!(seen.is_empty(), "said to be of another runtime:\n{}", seen.join("\n"));
}

/// `cargo xtask models` writes it.
#[test]
fn the_index_is_up_to_date() {
    let survey = Survey::of_all_runtimes();
    if survey.has_mono() {
        expect_file!["../../../../docs/models.md"].assert_eq(&index::render(&survey));
    } else {
        eprintln!("without Mono the index is not compared");
    }
}
