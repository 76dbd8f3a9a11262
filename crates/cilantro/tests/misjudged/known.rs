//! `known.txt`: what is misjudged today, one line each: folder, case, what is wrong.
//!
//! With `UPDATE_EXPECT=1` lines that are no longer true are taken out. Nothing is ever added by itself.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::cases::Case;
use crate::judge::{Judged, Verdict};
use crate::library;

/// Fails if something else is misjudged than the list says.
pub fn compare(folder: &str, judged: &[Judged]) {
    let line =
        |judged: &Judged| judged.verdict.name().map(|name| format!("{folder} {} {name}", judged.case.name));
    let wrong: BTreeSet<String> = judged.iter().filter_map(line).collect();
    let unsure = judged.iter().filter(|judged| judged.verdict == Verdict::Undecided);
    let unsure: BTreeSet<&str> = unsure.map(|judged| &*judged.case.name).collect();
    let listed: BTreeSet<String> = listed().into_iter().filter(|line| of(line, 0) == folder).collect();
    let new: Vec<&String> = wrong.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&wrong).filter(|line| !unsure.contains(of(line, 1))).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        remove(&gone);
    } else {
        assert!(gone.is_empty(), "no longer misjudged; take these lines out of known.txt: {gone:#?}");
    }
    assert!(new.is_empty(), "misjudged: {new:#?}");
}

/// Fails if a line names nothing.
pub fn check_names(all: &[(String, Vec<Case>)]) {
    for line in listed() {
        let cases = all.iter().find(|(folder, _)| folder == of(&line, 0)).map(|(_, cases)| cases);
        let is_there = cases.is_some_and(|cases| cases.iter().any(|case| case.name == of(&line, 1)));
        assert!(is_there, "known.txt: there is no case {line}");
    }
}

fn of(line: &str, word: usize) -> &str {
    line.split(' ').nth(word).unwrap_or_default()
}

fn path() -> PathBuf {
    library::root().join("known.txt")
}

fn listed() -> Vec<String> {
    let text = std::fs::read_to_string(path()).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

fn remove(gone: &[&String]) {
    let cache = testkit::cache_dir().unwrap();
    let _lock = testkit::Lock::acquire(&cache.join("locks/misjudged.lock"), || {}).unwrap();
    let text = std::fs::read_to_string(path()).unwrap();
    let kept = text.lines().filter(|line| !gone.iter().any(|gone| gone == line));
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    std::fs::write(path(), kept).unwrap();
}
