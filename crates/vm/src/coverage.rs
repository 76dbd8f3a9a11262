//! What a path has met of the code under test. A goal is something that a test can be wanted for: a method that is entered,
//! an exception handler that runs, an edge of a conditional jump or switch that is taken; and, for whoever asks about a
//! place in the code, an instruction that is executed.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use types::{AssemblyId, MethodId, Universe};

use crate::decode;

/// A growing set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub fn contains(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Whether the index was absent.
    pub fn insert(&mut self, index: u32) -> bool {
        let word = index as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let bit = 1u64 << (index % 64);
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        fresh
    }

    pub fn union_with(&mut self, other: &BitSet) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().enumerate().all(|(i, word)| word & !other.words.get(i).copied().unwrap_or(0) == 0)
    }

    /// The members of this set that the other one has not.
    pub fn without(&self, other: &BitSet) -> BitSet {
        let words = self.words.iter().enumerate();
        BitSet { words: words.map(|(i, word)| word & !other.words.get(i).copied().unwrap_or(0)).collect() }
    }

    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    pub fn intersection(&self, other: &BitSet) -> BitSet {
        BitSet { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub fn extend(&mut self, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            self.insert(number);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i as u32 * 64 + bit)
        })
    }
}

/// Goals of the zone that a path has met.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    goals: Rc<BitSet>,
    /// Those that it meets whoever has run before. The others it met in static initializers, which run once in a process.
    every_time: Rc<BitSet>,
    /// A static initializer runs.
    pub(crate) is_initializing: bool,
}

impl Coverage {
    pub fn goals(&self) -> &BitSet {
        &self.goals
    }

    /// What is met only if static initializers run now.
    pub fn once(&self) -> BitSet {
        self.goals.without(&self.every_time)
    }

    /// Something that is no goal has the number [`NO_GOAL`].
    #[inline]
    pub(crate) fn meet(&mut self, goal: u32) {
        if goal == NO_GOAL || self.every_time.contains(goal) {
            return;
        }
        if !self.goals.contains(goal) {
            Rc::make_mut(&mut self.goals).insert(goal);
        }
        if !self.is_initializing {
            Rc::make_mut(&mut self.every_time).insert(goal);
        }
    }
}

/// The number of what nobody asks for.
pub const NO_GOAL: u32 = u32::MAX;

/// Numbers the goals of the assembly under test: for each method its entry, its exception handlers, and the edges of its
/// conditional jumps and switches. All instantiations of a method share its goals, since they share its IL.
#[derive(Debug, Default)]
pub struct Zone {
    assembly: Option<AssemblyId>,
    /// By definition.
    methods: FxHashMap<MethodId, Rc<MethodGoals>>,
    /// In the order of their numbers.
    order: Vec<Rc<MethodGoals>>,
    next: u32,
    /// Instructions that somebody asks about, by definition.
    watched: FxHashMap<MethodId, Vec<u32>>,
    /// Tokens of methods that are covered through those that call them.
    hidden: Rc<FxHashSet<u32>>,
    /// The goals of these that tests are wanted for, as far as they are known.
    inner: BitSet,
}

/// The goals of one method.
#[derive(Debug)]
pub struct MethodGoals {
    /// Its definition.
    pub method: MethodId,
    /// The number of its entry; handlers follow, then edges.
    pub first: u32,
    pub places: GoalPlaces,
}

/// Where goals are, as IL offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalPlaces {
    /// The handlers in the order of the clauses.
    pub handlers: Vec<HandlerPlace>,
    /// From a conditional jump or switch to a successor, sorted by the jump.
    pub edges: Vec<(u32, u32)>,
    /// Instructions that are watched, sorted; see [`Zone::watch`].
    pub watched: Vec<u32>,
}

/// An exception handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandlerPlace {
    /// Its first instruction.
    pub start: u32,
    /// It runs only if something is thrown that it catches; others run in any case.
    pub catches: bool,
}

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    Entry,
    /// The handler that begins at this IL offset.
    Handler(u32),
    /// From one IL offset to another.
    Edge(u32, u32),
    /// The watched instruction at this IL offset.
    Instruction(u32),
}

impl Zone {
    /// Whose methods have goals. Nothing has been decoded yet.
    pub fn set_assembly(&mut self, assembly: AssemblyId) {
        self.assembly = Some(assembly);
    }

    pub fn contains(&self, assembly: AssemblyId) -> bool {
        self.assembly == Some(assembly)
    }

    /// Whether it is of no assembly.
    pub fn is_open(&self) -> bool {
        self.assembly.is_none()
    }

    /// Makes goals of the instructions at these IL offsets. Nothing of the definition has been decoded yet.
    pub fn watch(&mut self, definition: MethodId, offsets: impl IntoIterator<Item = u32>) {
        let watched = self.watched.entry(definition).or_default();
        watched.extend(offsets);
        watched.sort_unstable();
        watched.dedup();
    }

    /// The goals of a definition; none if it is outside of the zone or has no body.
    pub fn goals_of(&mut self, universe: &Universe, definition: MethodId) -> Option<Rc<MethodGoals>> {
        if let Some(known) = self.methods.get(&definition) {
            return Some(Rc::clone(known));
        }
        let assembly = universe.assembly_of(definition).ok().filter(|assembly| self.contains(*assembly))?;
        let body = universe.body(definition).ok()??;
        let mut places = decode::goal_places(universe.assembly(assembly).module(), &body);
        places.watched = self.watched.get(&definition).cloned().unwrap_or_default();
        let goals = Rc::new(MethodGoals { method: definition, first: self.next, places });
        self.next += goals.count();
        if self.is_hidden(universe, definition) {
            self.inner.extend(goals.wanted());
        }
        self.methods.insert(definition, Rc::clone(&goals));
        self.order.push(Rc::clone(&goals));
        Some(goals)
    }

    /// Says which methods are covered through their callers.
    pub fn set_hidden(&mut self, universe: &Universe, hidden: &Rc<FxHashSet<u32>>) {
        if Rc::ptr_eq(&self.hidden, hidden) {
            return;
        }
        self.hidden = Rc::clone(hidden);
        let mut inner = BitSet::default();
        for goals in self.order.iter().filter(|goals| self.is_hidden(universe, goals.method)) {
            inner.extend(goals.wanted());
        }
        self.inner = inner;
    }

    fn is_hidden(&self, universe: &Universe, definition: MethodId) -> bool {
        let token = universe.method(definition).token();
        token.is_some_and(|token| self.hidden.contains(&token.raw()))
    }

    /// The goals of methods that are covered through their callers.
    pub fn inner(&self) -> &BitSet {
        &self.inner
    }

    /// The method of a number, and what it stands for.
    pub fn goal(&self, number: u32) -> Option<(MethodId, Goal)> {
        let at = self.order.partition_point(|goals| goals.first <= number).checked_sub(1)?;
        let goals = self.order.get(at)?;
        goals.goal(number).map(|goal| (goals.method, goal))
    }
}

impl MethodGoals {
    pub fn count(&self) -> u32 {
        (1 + self.places.handlers.len() + self.places.edges.len() + self.places.watched.len()) as u32
    }

    /// The numbers that tests are wanted for: finally blocks run anyway.
    pub fn wanted(&self) -> impl Iterator<Item = u32> + '_ {
        let handlers = self.places.handlers.iter().zip(self.first + 1..);
        let catching = handlers.filter(|(handler, _)| handler.catches).map(|(_, number)| number);
        std::iter::once(self.first).chain(catching).chain(self.edges())
    }

    /// The numbers of its edges.
    pub fn edges(&self) -> std::ops::Range<u32> {
        let start = self.first + 1 + self.places.handlers.len() as u32;
        start..start + self.places.edges.len() as u32
    }

    /// The watched instructions with their numbers.
    pub fn watched(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.places.watched.iter().copied().zip(self.edges().end..)
    }

    fn goal(&self, number: u32) -> Option<Goal> {
        let index = number.checked_sub(self.first)? as usize;
        let handlers = self.places.handlers.len();
        match index {
            0 => Some(Goal::Entry),
            _ if index <= handlers => self.places.handlers.get(index - 1).map(|at| Goal::Handler(at.start)),
            _ => match self.places.edges.get(index - 1 - handlers) {
                Some((from, to)) => Some(Goal::Edge(*from, *to)),
                None => {
                    let watched = self.places.watched.get(index - 1 - handlers - self.places.edges.len());
                    watched.map(|at| Goal::Instruction(*at))
                }
            },
        }
    }
}
