//! Methods made to be misjudged (`fixtures/misjudged`): a branch that is easy to call dead and is reached by a witness on
//! the real runtime; an exception that is easy to miss; and branches that are truly dead and must stay provable.
//!
//! What is misjudged today is listed in `known.txt`. A new misjudgement fails, and so does a line that is no longer true:
//! the list only shrinks.

#![allow(clippy::unwrap_used)] // a test may fail

mod cases;
mod judge;
mod known;
mod library;
mod pairs;
mod witnesses;

use cases::{Case, Kind};
use judge::{Judged, Verdict};
use library::Library;

macro_rules! folders {
    ($($folder:ident)*) => {
        /// In the order of the tables.
        const FOLDERS: &[&str] = &[$(stringify!($folder)),*];
        $(
            #[test]
            fn $folder() {
                check(stringify!($folder));
            }
        )*
    };
}

folders! {
    open_world friends statics generics aliasing arrays text cultures invariants structs collections chance ambient pointers
    delegates numbers flow identity language failures pairs_of_classes
}

fn check(folder: &str) {
    let library = Library::of(folder);
    let judged = library.judged();
    show(folder, &judged);
    witnesses::check(&library, &judged);
    known::compare(folder, &judged);
}

#[test]
fn every_folder_has_a_test() {
    let mut tested: Vec<&str> = FOLDERS.to_vec();
    tested.sort_unstable();
    assert_eq!(library::folders(), tested);
}

#[test]
fn every_known_misjudgement_names_a_case() {
    let all: Vec<(String, Vec<Case>)> =
        FOLDERS.iter().map(|folder| ((*folder).to_owned(), library::cases_of(folder))).collect();
    known::check_names(&all);
}

fn figures(judged: &[Judged]) -> [usize; 7] {
    let count = |kinds: &[Kind], verdict: Option<Verdict>| {
        let is_counted = |judged: &&Judged| {
            kinds.contains(&judged.case.kind) && verdict.is_none_or(|wanted| wanted == judged.verdict)
        };
        judged.iter().filter(is_counted).count()
    };
    let live = &[Kind::Live, Kind::Inner];
    [
        count(live, None),
        count(live, Some(Verdict::FalseProof)),
        count(&[Kind::Throws], None),
        count(&[Kind::Throws], Some(Verdict::MissedBug)),
        count(&[Kind::Dead], None),
        count(&[Kind::Dead], Some(Verdict::Right)),
        count(&[Kind::Dead], Some(Verdict::Impossible)),
    ]
}

/// Seen with `cargo nextest run -p cilantro --test misjudged --no-capture`: live branches, false proofs, exceptions, missed
/// ones, dead branches, proven ones, those called reachable.
#[allow(clippy::print_stdout)]
fn show(folder: &str, judged: &[Judged]) {
    let figures: Vec<String> = figures(judged).iter().map(ToString::to_string).collect();
    println!("| {folder} | {} |", figures.join(" | "));
}
