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

use std::fmt::Write as _;

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
    delegates numbers flow pairs_of_classes
}

fn check(folder: &str) {
    let library = Library::of(folder);
    let judged = library.judged();
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

/// `cargo nextest run -p cilantro --test misjudged table --run-ignored all --no-capture`
#[test]
#[ignore = "prints the figures of all folders, judges nothing"]
fn table() {
    let mut text = String::from(
        "| folder | live | false proofs | exceptions | missed | dead | proven | called reachable |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut sums = [0; 7];
    for folder in FOLDERS {
        let row = figures(&Library::of(folder).judged());
        row.iter().zip(&mut sums).for_each(|(figure, sum)| *sum += figure);
        write_row(&mut text, folder, &row);
    }
    write_row(&mut text, "all", &sums);
    #[allow(clippy::print_stdout)]
    {
        println!("{text}");
    }
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

fn write_row(text: &mut String, name: &str, figures: &[usize]) {
    let _ = write!(text, "| {name} |");
    for figure in figures {
        let _ = write!(text, " {figure} |");
    }
    text.push('\n');
}
