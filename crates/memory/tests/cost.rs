//! Work is counted, not timed: a value counts how often it is copied, which happens once per node that is copied.

use memory::{Config, Index, Key, UpdateTree};
use std::cell::Cell;
use std::rc::Rc;
use term::{Sort, Terms};

const MANY: u32 = 10_000;
/// An AVL tree of ten thousand entries is at most 20 high; rotations copy some more.
const PATH: u64 = 30;

#[derive(Debug)]
struct Counted {
    value: u32,
    copies: Rc<Cell<u64>>,
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        self.copies.set(self.copies.get() + 1);
        Counted { value: self.value, copies: Rc::clone(&self.copies) }
    }
}

struct Counter(Rc<Cell<u64>>);

impl Counter {
    fn value(&self, value: u32) -> Counted {
        Counted { value, copies: Rc::clone(&self.0) }
    }

    fn take(&self) -> u64 {
        self.0.replace(0)
    }
}

fn configs() -> [Config<Counted>; 2] {
    [Config::plain(), Config::split(|counted| counted.value.is_multiple_of(2))]
}

#[test]
fn known_writes_and_reads_are_logarithmic() {
    for config in configs() {
        let mut terms = Terms::new();
        let counter = Counter(Rc::default());
        let mut tree = UpdateTree::new(1, config);
        for i in 0..MANY {
            tree.write(&Key::known(&[i * 7919 % MANY]), counter.value(i));
        }
        assert_eq!(tree.len(), MANY as usize);
        assert_eq!(counter.take(), 0, "nothing is shared, so nothing is copied");
        let mut forks = Vec::new();
        for i in 0..MANY {
            forks.push(tree.clone());
            assert_eq!(counter.take(), 0, "a clone shares everything");
            tree.write(&Key::known(&[i]), counter.value(i));
            assert!(counter.take() <= 2 * PATH, "a write after a clone copies one path");
        }
        let before = terms.len();
        for i in 0..MANY {
            let read = tree.read(&mut terms, &Key::known(&[i]));
            assert_eq!(read.visited, 1);
            assert_eq!((read.cases[0].1.value, read.rest), (i, None));
        }
        assert_eq!(terms.len(), before, "known reads make no terms");
    }
}

#[test]
fn known_writes_over_symbolic_ones_stay_cheap() {
    for config in configs() {
        let mut terms = Terms::new();
        let counter = Counter(Rc::default());
        let mut tree = UpdateTree::new(1, config);
        let depth = 5;
        for i in 0..depth {
            let symbolic = terms.fresh("s", Sort::Bv(32));
            tree.write(&Key::new(&terms, [Index::Symbolic(symbolic)]), counter.value(1));
            for known in 0..MANY / depth {
                tree.write(&Key::known(&[known * depth + i]), counter.value(known));
            }
        }
        counter.take();
        for i in 0..MANY {
            let fork = tree.clone();
            tree.write(&Key::known(&[i]), counter.value(i));
            assert!(counter.take() <= 3 * PATH + u64::from(depth));
            drop(fork);
        }
        let read = tree.read(&mut terms, &Key::known(&[77]));
        assert_eq!(
            (read.cases.len(), read.rest),
            (1, None),
            "the known write is newer than all symbolic ones"
        );
        counter.take();
        let j = terms.fresh("j", Sort::Bv(32));
        let key = Key::new(&terms, [Index::Symbolic(j)]);
        let before = terms.len();
        let read = tree.read(&mut terms, &key);
        assert_eq!(read.cases.len(), (MANY + depth) as usize);
        assert!(terms.len() - before < 10 * MANY as usize, "a symbolic read is linear");
    }
}

#[test]
fn long_chains_of_symbolic_writes_need_no_stack() {
    let mut terms = Terms::new();
    let mut tree = UpdateTree::new(2, Config::plain());
    for i in 0..50_000 {
        let symbolic = Index::Symbolic(terms.fresh("s", Sort::Bv(32)));
        // the regions of some cut through all older writes
        let column = if i % 500 == 0 { Index::Known(i) } else { symbolic };
        tree.write(&Key::new(&terms, [symbolic, column]), i);
    }
    assert_eq!(tree.len(), 50_000);
    let read = tree.read(&mut terms, &Key::known(&[1, 1]));
    assert!(read.rest.is_some());
    drop(tree);
}

/// What split writes save here: a concrete element that is written again is replaced in one map, instead of being
/// taken out from under the symbolic writes above it.
#[test]
fn split_writes_copy_less() {
    let copies = configs().map(|config| {
        let mut terms = Terms::new();
        let counter = Counter(Rc::default());
        let mut tree = UpdateTree::new(1, config);
        let mut forks = Vec::new();
        for round in 0..50u32 {
            let symbolic = terms.fresh("s", Sort::Bv(32));
            tree.write(&Key::new(&terms, [Index::Symbolic(symbolic)]), counter.value(1));
            for i in 0..20 {
                tree.write(&Key::known(&[(round * 37 + i) % 200]), counter.value(2 * i));
                forks.push(tree.clone());
            }
        }
        counter.take()
    });
    assert!(copies[1] * 2 < copies[0], "{copies:?}");
}
