//! The parts of the files, as the compiler service lists them, and what is known about them by name.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// A part that can be taken out of its file. Its number is its place in the list.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Item {
    pub file: usize,
    pub kind: Kind,
    pub name: String,
    /// The class of a test, as reflection names it.
    #[serde(rename = "type")]
    pub class: String,
    pub parent: Option<usize>,
    /// Names of helpers and classes of the project that occur in it.
    pub mentions: BTreeSet<String>,
    pub declares: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    File,
    Using,
    /// A class with tests in it.
    Group,
    Test,
    Helper,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    pub items: Vec<Item>,
}

impl Outline {
    /// The methods of this name in a file.
    pub fn tests(&self, file: usize, name: &str) -> Vec<usize> {
        self.ids(|item| item.kind == Kind::Test && item.file == file && item.name == name)
    }

    /// Everything below a part, with the part itself.
    pub fn below(&self, id: usize) -> Vec<usize> {
        let inside = |mut at: usize| {
            loop {
                if at == id {
                    return true;
                }
                match self.items.get(at).and_then(|item| item.parent) {
                    Some(parent) => at = parent,
                    None => return false,
                }
            }
        };
        (0..self.items.len()).filter(|at| inside(*at)).collect()
    }

    /// What is of no use any more once some parts are gone: helpers that nobody mentions but somebody did, classes and files without
    /// the tests that they had.
    pub fn useless(&self, gone: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut useless = BTreeSet::new();
        loop {
            let is_there = |id: &usize| !gone.contains(id) && !useless.contains(id);
            let more: Vec<usize> =
                (0..self.items.len()).filter(is_there).filter(|id| self.is_useless(*id, &is_there)).collect();
            if more.is_empty() {
                return useless;
            }
            for id in more {
                useless.extend(self.below(id).into_iter().filter(|part| !gone.contains(part)));
            }
        }
    }

    fn is_useless(&self, id: usize, is_there: &impl Fn(&usize) -> bool) -> bool {
        let Some(item) = self.items.get(id) else { return false };
        match item.kind {
            // A file that is there for others is kept whole or not at all.
            Kind::Helper => self.has_tests(item.file) && self.is_forgotten(id, &item.declares, is_there),
            Kind::Group | Kind::File => {
                let inside = self.below(id);
                let tests: Vec<&usize> = inside.iter().filter(|at| self.is(**at, Kind::Test)).collect();
                if !tests.is_empty() {
                    return !tests.into_iter().any(is_there);
                }
                let names =
                    inside.iter().filter_map(|at| self.items.get(*at)).flat_map(|i| i.declares.iter());
                let names: BTreeSet<String> = names.cloned().collect();
                item.kind == Kind::File && self.is_forgotten(id, &names, is_there)
            }
            Kind::Test | Kind::Using => false,
        }
    }

    fn has_tests(&self, file: usize) -> bool {
        self.items.iter().any(|item| item.file == file && item.kind == Kind::Test)
    }

    /// Mentioned from outside at first, and now no more.
    fn is_forgotten(&self, id: usize, names: &BTreeSet<String>, is_there: &impl Fn(&usize) -> bool) -> bool {
        let inside: BTreeSet<usize> = self.below(id).into_iter().collect();
        let mut users = (0..self.items.len())
            .filter(|at| !inside.contains(at))
            .filter(|at| self.items.get(*at).is_some_and(|item| !item.mentions.is_disjoint(names)))
            .peekable();
        users.peek().is_some() && !users.any(|at| is_there(&at))
    }

    pub fn is(&self, id: usize, kind: Kind) -> bool {
        self.items.get(id).is_some_and(|item| item.kind == kind)
    }

    pub fn ids(&self, wanted: impl Fn(&Item) -> bool) -> Vec<usize> {
        self.items.iter().enumerate().filter(|(_, item)| wanted(item)).map(|(id, _)| id).collect()
    }

    /// The files that have one of these parts.
    pub fn files_of(&self, ids: &BTreeSet<usize>) -> BTreeSet<usize> {
        ids.iter().filter_map(|id| self.items.get(*id)).map(|item| item.file).collect()
    }

    /// The part that is the file.
    pub fn file_item(&self, file: usize) -> Option<usize> {
        self.ids(|item| item.kind == Kind::File && item.file == file).first().copied()
    }
}

/// Why parts go, by their numbers.
pub(crate) type Reasons = BTreeMap<usize, Reason>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    pub diagnostics: Vec<crate::Diagnostic>,
    /// The helper that is at fault, when the part itself is not.
    pub through: Option<String>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn item(file: usize, kind: Kind, parent: Option<usize>, declares: &[&str], mentions: &[&str]) -> Item {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Item {
            file,
            kind,
            name: String::new(),
            class: String::new(),
            parent,
            mentions: set(mentions),
            declares: set(declares),
        }
    }

    /// A file with a class of two tests, a stub for one of them that uses a method; a file of help.
    fn outline() -> Outline {
        Outline {
            items: vec![
                item(0, Kind::File, None, &[], &[]),
                item(0, Kind::Group, Some(0), &["CartTests"], &[]),
                item(0, Kind::Test, Some(1), &[], &["PricesStub"]),
                item(0, Kind::Test, Some(1), &[], &["Reflected", "Get"]),
                item(0, Kind::Helper, Some(1), &["PricesStub"], &["Next", "PricesStub"]),
                item(0, Kind::Helper, Some(1), &["Next"], &["Next"]),
                item(0, Kind::Helper, Some(1), &["SetUp"], &["SetUp"]),
                item(1, Kind::File, None, &[], &[]),
                item(1, Kind::Group, Some(7), &["Reflected"], &[]),
                item(1, Kind::Helper, Some(8), &["Get"], &["Get"]),
                item(1, Kind::Helper, Some(8), &["Set"], &["Set"]),
            ],
        }
    }

    #[test]
    fn helpers_go_with_the_last_test_that_needs_them() {
        let useless = |gone: &[usize]| {
            outline().useless(&gone.iter().copied().collect()).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(useless(&[]), [] as [usize; 0]);
        assert_eq!(useless(&[2]), [4, 5]);
        assert_eq!(useless(&[3]), [7, 8, 9, 10]);
        assert_eq!(useless(&[2, 3]), [0, 1, 4, 5, 6, 7, 8, 9, 10]);
        // Of a file that is still used nothing is taken away.
        let mut outline = outline();
        outline.items[2].mentions.insert("Reflected".to_owned());
        assert!(outline.useless(&[3].into()).is_empty());
    }
}
