//! Texts that are tried as inputs, because no solver finds them (see [`crate::trials`]).
//!
//! A model of a path that is known gets another text in the place of one of its strings and is followed with that. If it
//! shows something new it is a test, and its own strings are tried next. Nothing is left out or proven by it.

use budget::interrupt::interruptible;
use std::time::Duration;
use term::{Const, Model, Symbol, Term};
use verdict::Gap;
use vm::{Input, State};

use super::Run;
use super::node::Node;
use crate::decision::{Decision, Settled};
use crate::follow;
use crate::outcome::Path;
use crate::trials;

/// Steps of all trials of an exploration.
const MAX_STEPS: u64 = 1_000_000;
/// Trials of an exploration.
const MAX_TRIALS: usize = 200;
/// Strings of a path that get other texts.
const MAX_STRINGS: usize = 3;
/// Paths whose strings get other texts.
const MAX_PATHS: usize = 4;
/// For how long at most after the deadline, where there is one.
const TIME: Duration = Duration::from_millis(500);
/// Effort without anything new, in steps, after which texts are tried.
const PATIENCE: u64 = 5_000;

/// A model whose strings are replaced, and the state that it leads to.
struct Base {
    model: Model,
    state: State,
}

impl Run<'_> {
    /// Tries texts once, if something is missing that these may reach: when nothing new was seen for a while, or in the end.
    pub(super) fn try_texts(&mut self, is_end: bool) {
        let is_due = is_end || self.work.effort() - self.work.news > PATIENCE;
        if !is_due || std::mem::replace(&mut self.work.tried_texts, true) {
            return;
        }
        if self.is_covered() || self.only_wanted || self.machine.inputs.any_world || *self.is_spoilt {
            return;
        }
        let watch = if is_end { self.budget.wrapping_up(TIME) } else { self.budget.watch() };
        if let Err(gap) = interruptible(watch, || self.try_all_texts()) {
            self.interrupted(gap, None);
        }
    }

    fn try_all_texts(&mut self) {
        let code = std::rc::Rc::clone(&self.code);
        let texts = trials::texts(self.machine, &code);
        let Some(start) = self.start.clone().filter(|_| !texts.is_empty()) else { return };
        let mut waiting: Vec<Base> = self.bases(&start);
        let (mut steps, mut trials, mut next) = (0, 0, 0);
        while next < waiting.len() {
            let strings = self.strings(&waiting[next].state);
            for (&string, text) in
                strings.iter().flat_map(|string| texts.iter().map(move |text| (string, text)))
            {
                if self.is_covered() || steps > MAX_STEPS || trials > MAX_TRIALS {
                    return;
                }
                trials += 1;
                let Some(model) = self.with_text(&waiting[next].model, string, text) else { continue };
                let (spent, found) = self.try_model(&start, model, string);
                steps += spent;
                if waiting.len() < MAX_PATHS {
                    waiting.extend(found);
                }
            }
            next += 1;
        }
    }

    /// What trials begin with: no reference argument is null; and paths that are known.
    fn bases(&mut self, start: &State) -> Vec<Base> {
        let mut plain = Model::default();
        let references: Vec<Symbol> = self.machine.inputs.arguments.iter().filter_map(reference).collect();
        for symbol in references {
            plain.set(symbol, Const::from_bits(self.machine.terms.symbol_sort(symbol), 1));
        }
        let mut bases: Vec<Base> = Vec::new();
        if let Some((_, state)) = follow::run(self.machine, start, start, &plain) {
            bases.push(Base { model: plain, state });
        }
        let kept = self.kept.paths.iter().take(MAX_PATHS);
        bases.extend(kept.map(|path| Base { model: path.model.clone(), state: path.state.clone() }));
        bases
    }

    /// The input strings that a path has looked at.
    fn strings(&mut self, state: &State) -> Vec<Symbol> {
        let owners = state.path.origins.objects().iter().map(|(owner, _)| *owner);
        let mut strings: Vec<Symbol> = Vec::new();
        for owner in owners {
            if self.machine.string_length(owner).is_some() {
                strings.push(owner);
            }
        }
        strings.truncate(MAX_STRINGS);
        strings
    }

    fn with_text(&mut self, model: &Model, string: Symbol, text: &str) -> Option<Model> {
        let mut model = model.clone();
        let mut set = |symbol: Symbol, bits: u128, sort| model.set(symbol, Const::from_bits(sort, bits));
        let length = self.machine.string_length(string)?;
        let length = *self.machine.terms.symbols_of(length).iter().next()?;
        let units: Vec<u16> = text.encode_utf16().collect();
        set(length, units.len() as u128, self.machine.terms.symbol_sort(length));
        for (index, unit) in units.iter().enumerate() {
            let Ok(Input::Scalar { symbol, .. }) = self.machine.character(string, index as u32) else {
                return None;
            };
            set(symbol, u128::from(*unit), self.machine.terms.symbol_sort(symbol));
        }
        Some(model)
    }

    /// Follows a model; the steps that it took, and the path if it is worth a test.
    fn try_model(&mut self, start: &State, model: Model, string: Symbol) -> (u64, Option<Base>) {
        let (followed, steps) = follow::attempt(self.machine, start, start, &model);
        let Some((end, mut state)) = followed else { return (steps, None) };
        // The values may still change to more readable ones.
        state.path.guessed_text = true;
        self.note_reached(&state, false);
        if !self.is_worth_a_test(&state, &end) {
            return (steps, None);
        }
        let mut node =
            Node { model: model.clone(), ..Node::start(self.work.next_path(), start.clone(), false) };
        for guard in self.pinned(&model, string) {
            let at = start.base_place();
            node.condition =
                node.condition.and(Decision { guard, at, inside: None, settled: Settled::Before });
        }
        let condition = node.condition.conjuncts();
        let footprint = self.machine.footprint(&state, &condition, &end);
        let followed = Some(Gap::bound("a text was tried that no solver finds"));
        let footprint = Some(std::rc::Rc::new(footprint));
        let base = Base { model, state: state.clone() };
        self.kept.paths.push(Path { state, followed, footprint, ..Path::of(node, end) });
        (steps, Some(base))
    }

    /// That a string is this text.
    fn pinned(&mut self, model: &Model, string: Symbol) -> Vec<Term> {
        let Some(length) = self.machine.string_length(string) else { return Vec::new() };
        let count = self.machine.terms.eval(length, model).bits() as u32;
        let mut terms = vec![length];
        for index in 0..count {
            if let Ok(Input::Scalar { symbol, .. }) = self.machine.character(string, index) {
                terms.push(self.machine.terms.var(symbol));
            }
        }
        let is_as_in_model = |term| {
            let value = self.machine.terms.eval(term, model);
            let value = self.machine.terms.constant(value);
            self.machine.terms.eq(term, value)
        };
        terms.into_iter().map(is_as_in_model).collect()
    }
}

fn reference(input: &Input) -> Option<Symbol> {
    match input {
        Input::Reference { symbol, .. } => Some(*symbol),
        _ => None,
    }
}
