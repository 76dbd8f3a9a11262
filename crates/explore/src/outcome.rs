//! What an exploration found.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use term::Model;
use types::TypeId;
use verdict::{Assumption, Gap, Stats};
use vm::code::Code;
use vm::inputs::footprint::Footprint;
use vm::{BitSet, PathEnd, Place, State};

use crate::condition::Condition;
use crate::loops::{Bounds, Certificate};

/// The result for one method.
pub struct Exploration {
    pub code: Rc<Code>,
    /// Where the method starts, all inputs apart.
    pub start: Option<State>,
    /// Paths worth a test: each adds coverage or a way to fail.
    pub paths: Vec<Path>,
    /// Why the answer is not the whole answer.
    pub incomplete: BTreeSet<(Gap, Option<Place>)>,
    /// Every path was followed to its end, whether or not there is a test for it.
    pub exhausted: bool,
    /// Not every path was followed to its end, for this reason alone.
    pub cut_short: Option<Gap>,
    /// What is known about its loops, if proofs rest on that.
    pub certificate: Option<Certificate>,
    /// What the answer takes for granted, in words: its proofs rest on all of it.
    pub assumed: BTreeMap<Assumption, String>,
    /// The goals that the exploration was for: those of the method and of the bodies made of its parts.
    pub wanted: Wanted,
    /// Wanted goals that no execution meets; empty unless the exploration was exhausted.
    pub unreachable: BitSet,
    /// Goals met by some path that ended or was given up, now or before.
    pub reached: BitSet,
    /// Exceptions that leave the method, whether or not there is a test for them.
    pub failures: BTreeSet<(TypeId, Place)>,
    /// The same with the parameter that an exception blames, if that is told apart.
    pub blamed: BTreeSet<Blamed>,
    pub stats: Stats,
}

/// An exception that leaves a method, where, and the parameter that it says is wrong.
pub type Blamed = (TypeId, Place, Option<String>);

impl Exploration {
    /// Edges that are wanted and were taken.
    pub fn reached_edges(&self) -> BitSet {
        self.wanted.edges.intersection(&self.reached)
    }

    /// Edges that are wanted and that no execution takes.
    pub fn unreachable_edges(&self) -> BitSet {
        self.wanted.edges.intersection(&self.unreachable)
    }

    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Takes over what can happen at all, if paths were left out for want of time alone: what nobody can take is proven to
    /// be unreachable, and if nothing is missing, the answer is the whole answer. Not every path was followed all the same.
    pub fn within(&mut self, bounds: &Bounds) {
        let Some(gap) = self.cut_short.clone() else { return };
        let missing = self.wanted.provable.without(&self.reached);
        self.unreachable = missing.without(&bounds.reached);
        if self.is_all_of(bounds) {
            self.incomplete.remove(&(gap, None));
            if !self.shows_all_of(bounds) {
                let detail = "some branches are taken only by runs of which no end was found";
                self.incomplete.insert((Gap::bound(detail), None));
            }
        }
        self.certificate = Some(bounds.certificate.clone());
        for (assumption, detail) in &bounds.assumed {
            self.assumed.entry(*assumption).or_insert_with(|| detail.clone());
        }
    }

    /// Whether everything was seen that can happen.
    fn is_all_of(&self, bounds: &Bounds) -> bool {
        bounds.reached.intersection(&self.wanted.goals).is_subset(&self.reached)
            && bounds.failures.is_subset(&self.failures)
            && bounds.blamed.is_subset(&self.blamed)
    }

    /// Whether for every branch that may be taken a path was kept that takes it and ends.
    fn shows_all_of(&self, bounds: &Bounds) -> bool {
        let mut shown = BitSet::default();
        self.paths.iter().for_each(|path| shown.union_with(path.state.coverage.goals()));
        bounds.reached.intersection(&self.wanted.edges).is_subset(&shown)
    }

    /// What bounds of the same method in any world say about this one.
    pub fn within_any_world(&self, open: &Bounds) -> AnyWorld {
        let assumed = if self.is_all_of(open) { open.assumed.clone() } else { self.assumed.clone() };
        let unreachable = match open.assumed.is_empty() {
            true => self.unreachable.without(&open.reached),
            false => BitSet::default(),
        };
        AnyWorld { assumed, unreachable }
    }

    /// Whether more could be said by exploring once more, in any world.
    pub fn rests_on_assumptions(&self) -> bool {
        self.exhausted && !self.assumed.is_empty()
    }

    /// What an exploration of the same method in any world says about this one.
    pub fn in_any_world(&self, open: &Exploration) -> AnyWorld {
        if !open.exhausted {
            return AnyWorld { assumed: self.assumed.clone(), unreachable: BitSet::default() };
        }
        let nothing_new = open.reached.intersection(&self.wanted.goals).is_subset(&self.reached)
            && open.failures.is_subset(&self.failures)
            && open.blamed.is_subset(&self.blamed);
        let assumed = if nothing_new { open.assumed.clone() } else { self.assumed.clone() };
        let is_certain = open.assumed.is_empty();
        let unreachable =
            if is_certain { self.unreachable.intersection(&open.unreachable) } else { BitSet::default() };
        AnyWorld { assumed, unreachable }
    }
}

/// What is left of the assumptions of an exploration when it is made again without those that can be left open.
pub struct AnyWorld {
    /// What the whole answer still rests on.
    pub assumed: BTreeMap<Assumption, String>,
    /// Wanted goals that no execution meets in any world.
    pub unreachable: BitSet,
}

/// The goals of an exploration, by their numbers in the zone.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub goals: BitSet,
    /// Those that are edges: what branch coverage counts.
    pub edges: BitSet,
    /// Those in code that runs only while the method does. About the others (lambdas, iterators, async methods), which run
    /// whenever somebody calls them, nothing can be proven here.
    pub provable: BitSet,
}

/// A path that ended, with inputs that lead along it.
#[derive(Clone)]
pub struct Path {
    /// The number of the path in its exploration.
    pub number: u64,
    /// What was decided on the way.
    pub condition: Condition,
    pub end: PathEnd,
    pub model: Model,
    /// The model that exploration had, if another one was more readable.
    pub as_found: Option<Model>,
    /// The model before values were made small one by one: objects are looked for that hold the values of this one.
    pub roomy: Option<Model>,
    /// The memory at the end, for what the method changed.
    pub state: State,
    /// What of the inputs matters; `None`: all of it.
    pub footprint: Option<Rc<Footprint>>,
    /// How exploration left it, if it was run once more with known values since.
    pub explored: Option<Rc<(PathEnd, State)>>,
    /// Why the last part of the path was run with known values instead of being explored.
    pub followed: Option<Gap>,
    /// Something outside decides between this path and others that end alike: only that is sure.
    pub vague: bool,
}
