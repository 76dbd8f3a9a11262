//! The other way round: the method under test runs on objects that calls have made.
//!
//! Binding starts from a path and needs to know what its objects look like inside. Here nothing of an object is asked but
//! the calls that made it: the method is explored from where they have ended. So branches are covered whose paths began
//! with an object that no calls make, or that binding cannot compare.

use std::collections::BTreeSet;
use std::rc::Rc;

use budget::Budget;
use term::{Const, Symbol};
use types::{MethodId, TypeId};
use vm::arranging::{Arranged, Aside};
use vm::inputs::Input;
use vm::{BitSet, State};

use super::pool::{Made, Pool};
use super::{Effort, STEPS_PER_QUERY, Search, Synthesis, TARGET, names_of_path, references};
use crate::explorer::{Explorer, Start};
use crate::outcome::{Exploration, Path};

/// Classes that are tried behind one reference, objects of a class, and steps of the method on one object.
const MAX_CLASSES: usize = 4;
const MAX_OBJECTS: usize = 80;
const STEPS_ON_ONE: u64 = 10_000;
/// What the method may cost on one object, and the least that all may cost, in steps.
const EFFORT_ON_ONE: u64 = 60_000;
const LEAST_EFFORT: u64 = 600_000;
/// The longest string or array that is worth a test.
const LONGEST: u128 = 1 << 12;
/// Tells the symbols of these pools apart from those of the others.
const FIRST_NUMBER: usize = 1_000;

/// A path of the method on an object that calls have made.
pub struct Prepared {
    pub path: Path,
    /// The input that the object stands for.
    pub reference: Symbol,
    pub calls: Vec<Arranged>,
    /// Where the method was entered.
    pub before: State,
    /// The same path with sequences for its other objects, if some were found.
    pub synthesis: Option<Synthesis>,
}

impl Explorer {
    /// Paths that meet goals which no other path without reflection does.
    pub fn prepared(
        &mut self,
        found: &Exploration,
        missing: &BitSet,
        share: u32,
        budget: &Budget,
    ) -> Vec<Prepared> {
        let Some(start) = found.start.as_ref().filter(|_| !missing.is_empty() && share > 0) else {
            return Vec::new();
        };
        let aside = self.machine.begin_arranging();
        let mut effort = Effort::of(found, share, budget);
        effort.most = effort.most.max(LEAST_EFFORT);
        let wanted = self.fields_that_matter(found);
        let mut missing = missing.clone();
        let mut answers = Vec::new();
        for (number, (reference, class)) in self.makeable(found.code.method).into_iter().enumerate() {
            let (places, number) = (start.heap.clone(), FIRST_NUMBER + number);
            let (machine, _, members) = self.parts();
            let mut pool = Pool::new(machine, members, class, number, &wanted, places);
            for index in 0..MAX_OBJECTS {
                if missing.is_empty() || effort.is_spent() {
                    break;
                }
                let (machine, solver, _) = self.parts();
                let Some(made) = pool.get(index, machine, solver, &mut effort) else { break };
                let met = self.run_on(&made, reference, found, &mut missing, &aside, &mut effort);
                let calls = self.named(&made.calls);
                let (paths, missing, effort) = (met.len(), missing.len(), effort.used);
                tracing::debug!(name: "prepared", target: TARGET, calls, paths, missing, effort);
                answers.extend(met);
            }
        }
        self.make_others(&mut answers, found, share, budget, wanted);
        self.machine.end_arranging(aside);
        answers
    }

    /// The calls in words, for those who watch.
    fn named(&self, calls: &[Arranged]) -> String {
        let name = |call: &Arranged| self.machine.universe.method(call.method).name.to_string();
        calls.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// References of the method whose objects calls may make, with classes that these can have.
    fn makeable(&self, method: MethodId) -> Vec<(Symbol, TypeId)> {
        let (machine, universe) = (&self.machine, &self.machine.universe);
        let mut found = Vec::new();
        let this = machine.inputs.this.iter().map(|input| (input, true));
        let arguments = machine.inputs.arguments.iter().map(|input| (input, false));
        for (input, is_this) in this.chain(arguments) {
            let Input::Reference { ty, symbol } = input else { continue };
            let is_own = |class: &&TypeId| {
                universe.is_visible(**class)
                    && !universe.is_abstract(**class)
                    && !machine.is_framework(**class)
                    && (!is_this || machine.receives(**class, method))
            };
            let candidates = machine.candidates(*ty).unwrap_or_else(|_| Rc::from([]));
            let own = candidates.iter().filter(is_own).take(MAX_CLASSES);
            found.extend(own.map(|class| (*symbol, *class)));
        }
        found
    }

    /// Names of the fields that paths depend on or the method looks at.
    fn fields_that_matter(&mut self, found: &Exploration) -> BTreeSet<Rc<str>> {
        let touched = self.members.touched(&self.machine.universe, found.code.method);
        let mut names = touched.read.clone();
        names.extend(found.paths.iter().flat_map(|path| names_of_path(&self.machine, path)));
        names
    }

    /// The paths of the method on one object.
    fn run_on(
        &mut self,
        made: &Made,
        reference: Symbol,
        found: &Exploration,
        missing: &mut BitSet,
        aside: &Aside,
        effort: &mut Effort<'_>,
    ) -> Vec<Prepared> {
        let method = found.code.method;
        let Ok(before) = self.machine.enter_with(method, &made.state, (reference, made.object)) else {
            return Vec::new();
        };
        let start =
            Start { state: before.clone(), condition: made.condition.clone(), model: made.model.clone() };
        let budget = Budget { max_steps: Some(STEPS_ON_ONE), ..effort.budget.clone() };
        self.machine.consume_as(Some(aside));
        let explored = self.explore_prepared(&found.code, start, missing, &budget, EFFORT_ON_ONE);
        self.machine.consume_as(None);
        // Making the values of a path readable is not what was asked for.
        let used = explored.stats.steps + STEPS_PER_QUERY * explored.stats.queries;
        effort.steps(used.min(EFFORT_ON_ONE));
        let mut answers = Vec::new();
        for path in explored.paths {
            if !path.state.coverage.goals().intersects(missing) || !self.is_sayable(&path, reference, made) {
                continue;
            }
            *missing = missing.without(path.state.coverage.goals());
            let (calls, before) = (made.calls.clone(), before.clone());
            answers.push(Prepared { path, reference, calls, before, synthesis: None });
        }
        answers
    }

    /// Whether a test can make what the path runs on: the receiver is an object, and so is whatever the calls take that must
    /// not be null; no string and no array is longer than anybody writes. A reference that is only compared with null has no
    /// object yet.
    fn is_sayable(&self, path: &Path, reference: Symbol, made: &Made) -> bool {
        let origins = &path.state.path.origins;
        let is_object = |symbol: Symbol| matches!(origins.resolution(symbol), Some(Some(_)));
        let receiver = match self.machine.inputs.this {
            Some(Input::Reference { symbol, .. }) => symbol == reference || is_object(symbol),
            _ => true,
        };
        let mut taken = Vec::new();
        made.calls.iter().flat_map(|call| &call.arguments).for_each(|input| references(input, &mut taken));
        let is_null = |symbol: Symbol| {
            path.model.get(symbol).is_none_or(|value| matches!(value, Const::Bv { value: 0, .. }))
        };
        let is_short = self.machine.inputs.lengths.iter().all(|(length, owner)| {
            !is_object(*owner) || path.model.get(*length).is_none_or(|length| length.bits() <= LONGEST)
        });
        receiver
            && is_short
            && taken.into_iter().all(|symbol| origins.resolution(symbol).is_some() || is_null(symbol))
    }

    /// Arguments of the calls and of the method may be objects that calls must make as well.
    fn make_others(
        &mut self,
        answers: &mut [Prepared],
        found: &Exploration,
        share: u32,
        budget: &Budget,
        wanted: BTreeSet<Rc<str>>,
    ) {
        let mut search = Search::new(self.parts(), Effort::of(found, share, budget), wanted);
        for answer in answers {
            let mut more = Vec::new();
            for call in &answer.calls {
                call.arguments.iter().for_each(|input| references(input, &mut more));
            }
            answer.synthesis = search.path(&answer.path, &answer.before, &more);
        }
    }
}
