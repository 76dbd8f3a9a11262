//! Objects by sequences of public calls.
//!
//! A path of a method knows its input objects by their fields. A test in another assembly cannot write these, so calls are
//! looked for that lead to such objects. *Forward*: constructors, static members and methods are run on symbolic arguments
//! (`pool`). *Bind*: what they leave in memory is put in the place of the path's inputs ([`vm::binding`]); one question
//! to the solver says whether some arguments take the path. *Backward*: only methods are tried that may change a field
//! that matters, or what such a method looks at (`touches`). Arguments that are objects are holes: objects of the path
//! itself, or further objects that calls must make.
//!
//! A sequence is a proposal. The path is still the same, with another model; what the calls really do is for the runtime
//! to say.

mod calls;
mod likeness;
mod members;
mod pool;
mod prepared;
mod running;
mod touches;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use budget::Budget;
use rustc_hash::FxHashSet;
use solver::{Answer, Limits, Solver};
use term::{Model, Symbol, Term};
use types::TypeId;
use vm::arranging::Arranged;
use vm::binding::{Binding, Side};
use vm::cells::ArrayInput;
use vm::heap::{BlockKind, Heap};
use vm::inputs::Input;
use vm::inputs::contents::Contents;
use vm::inputs::footprint::Footprint;
use vm::{Machine, State};

use crate::explorer::Explorer;
use crate::follow;
use crate::outcome::{Exploration, Path};
use crate::readable;
use crate::shrink::shrink;
pub(crate) use members::Members;
use pool::{Made, Pool};
pub use prepared::Prepared;

const TARGET: &str = "cilantro";
/// What a question counts, in steps: in itself, and for each constraint.
const STEPS_PER_QUERY: u64 = 500;
const STEPS_PER_CONSTRAINT: u64 = 10;
/// The least that the search may use for a method, in steps, and for one object.
const LEAST_EFFORT: u64 = 250_000;
const EFFORT_PER_OBJECT: u64 = 80_000;
/// Objects that are tried even when the effort is spent on making them.
const TRIED_ANYWAY: usize = 40;
/// Sequences of one test.
const MAX_SEQUENCES: usize = 12;

/// A path with inputs that calls make.
pub struct Synthesis {
    pub path: Path,
    pub sequences: Vec<Sequence>,
}

/// Calls that make one object.
#[derive(Clone)]
pub struct Sequence {
    /// The reference whose object it is.
    pub owner: Symbol,
    /// The sequence whose argument it is; `None`: it is an input of the path.
    pub within: Option<usize>,
    pub calls: Vec<Arranged>,
    /// The memory after the calls, for what their arguments are.
    pub state: State,
    pub footprint: Footprint,
    /// Arguments that are objects of whoever it is an input of: their references here and there.
    pub passed: Vec<(Symbol, Symbol)>,
}

impl Explorer {
    /// Sequences for the inputs of paths, by their numbers; `None` where none was found. `share` is the part of the effort
    /// of the exploration that may be used, in percent.
    pub fn sequences(
        &mut self,
        found: &Exploration,
        paths: &[usize],
        share: u32,
        budget: &Budget,
    ) -> Vec<Option<Synthesis>> {
        let (machine, solver, members) = self.parts();
        let aside = machine.begin_arranging();
        let wanted = paths.iter().filter_map(|index| found.paths.get(*index));
        let wanted = wanted.flat_map(|path| names_of_path(machine, path)).collect();
        let mut search = Search::new((machine, solver, members), Effort::of(found, share, budget), wanted);
        let mut answers: Vec<Option<Synthesis>> = paths.iter().map(|_| None).collect();
        // What is made for later paths may serve the earlier ones.
        for _ in 0..2 {
            for (index, answer) in paths.iter().zip(&mut answers).filter(|(_, answer)| answer.is_none()) {
                let (Some(path), Some(start)) = (found.paths.get(*index), found.start.as_ref()) else {
                    continue;
                };
                *answer = search.path(path, start, &[]);
            }
        }
        search.machine.end_arranging(aside);
        answers
    }
}

/// What the search may still do.
pub(crate) struct Effort<'a> {
    budget: &'a Budget,
    used: u64,
    most: u64,
    /// Where the search for the object at hand ends.
    object_end: u64,
}

impl<'a> Effort<'a> {
    /// A share of the effort of an exploration, in percent.
    fn of(found: &Exploration, share: u32, budget: &'a Budget) -> Effort<'a> {
        let spent = found.stats.steps + STEPS_PER_QUERY * found.stats.queries;
        let most = if share == 0 { 0 } else { LEAST_EFFORT.max(spent / 100 * u64::from(share)) };
        Effort { budget, used: 0, most, object_end: u64::MAX }
    }
}

impl Effort<'_> {
    fn is_spent(&self) -> bool {
        self.used >= self.most.min(self.object_end) || self.budget.spent(0).is_some()
    }

    fn steps(&mut self, steps: u64) {
        self.used += steps;
    }

    fn ask(&mut self, constraints: usize) {
        self.used += STEPS_PER_QUERY + STEPS_PER_CONSTRAINT * constraints as u64;
    }

    fn limits(&self) -> Limits {
        running::limits(self.budget.deadline, self.budget)
    }
}

struct Search<'a> {
    machine: &'a mut Machine,
    solver: &'a mut Solver,
    effort: Effort<'a>,
    members: &'a mut Members,
    /// By class, and by which of a path's objects of that class it is for: each needs symbols of its own.
    pools: BTreeMap<(TypeId, usize), Pool>,
    /// Names of the fields that matter to some path.
    wanted: BTreeSet<Rc<str>>,
}

/// The search for one path.
struct Task<'p> {
    state: &'p State,
    footprint: Footprint,
    conjuncts: Vec<Term>,
    model: Model,
    sequences: Vec<Sequence>,
    /// How many objects of a class have sequences.
    used: BTreeMap<TypeId, usize>,
}

/// An input object: of the path, or of a sequence.
type Root = (Option<usize>, Symbol);

impl<'a> Search<'a> {
    fn new(
        (machine, solver, members): (&'a mut Machine, &'a mut Solver, &'a mut Members),
        effort: Effort<'a>,
        wanted: BTreeSet<Rc<str>>,
    ) -> Search<'a> {
        Search { machine, solver, effort, members, pools: BTreeMap::new(), wanted }
    }
}

impl Search<'_> {
    /// Sequences for the objects of a path; `more`: references that it has besides those that the method is given.
    fn path(&mut self, path: &Path, start: &State, more: &[Symbol]) -> Option<Synthesis> {
        let footprint = path.footprint.as_ref().filter(|_| path.followed.is_none() && !path.vague)?;
        let (end, state) = match &path.explored {
            Some(explored) => (explored.0.clone(), explored.1.clone()),
            None => (path.end.clone(), path.state.clone()),
        };
        let conjuncts = path.condition.conjuncts();
        let is_outside = |term: &Term| {
            self.machine.ambient_source(*term).is_some() || !self.machine.surroundings_of(*term).is_empty()
        };
        if conjuncts.iter().any(is_outside) {
            return None;
        }
        let mut task = Task {
            state: &state,
            footprint: (**footprint).clone(),
            conjuncts,
            model: path.roomy.clone().unwrap_or_else(|| path.model.clone()),
            sequences: Vec::new(),
            used: BTreeMap::new(),
        };
        self.objects(&mut task, more);
        if task.sequences.is_empty() {
            return None;
        }
        let models = self.readable(&task);
        let Task { sequences, footprint, .. } = task;
        let footprint = Some(Rc::new(footprint));
        let plain = Path { end, state, footprint, as_found: None, roomy: None, ..path.clone() };
        models.into_iter().find_map(|model| {
            let path = self.followed(Path { model, ..plain.clone() }, start)?;
            Some(Synthesis { path, sequences: sequences.clone() })
        })
    }

    /// The path with its text made; nothing if the values of its model do not show what it is kept for.
    fn followed(&mut self, mut path: Path, start: &State) -> Option<Path> {
        if path.state.path.guessed_text {
            let (end, after) = follow::run(self.machine, start, &path.state, &path.model)?;
            if !path.state.coverage.goals().is_subset(after.coverage.goals()) {
                return None;
            }
            if let Some(footprint) = &mut path.footprint {
                self.machine.add_looked_at(&after, Rc::make_mut(footprint));
            }
            (path.end, path.state) = (end, after);
        }
        Some(path)
    }

    /// Looks for sequences for one object after the other, outermost first.
    fn objects(&mut self, task: &mut Task<'_>, more: &[Symbol]) {
        let roots = top_level(self.machine).into_iter().chain(more.iter().copied());
        let mut roots: VecDeque<Root> = roots.map(|symbol| (None, symbol)).collect();
        let mut seen = BTreeSet::new();
        while let Some((within, reference)) = roots.pop_front() {
            let state = task.state_of(within);
            let Some(Some(block)) = state.path.origins.resolution(reference) else { continue };
            let Some(owner) = state.path.origins.owner(block).filter(|owner| seen.insert((within, *owner)))
            else {
                continue;
            };
            let Some(BlockKind::Object(class)) = state.heap.get(block).map(|block| block.kind) else {
                continue;
            };
            let Some(contents) = self.machine.inputs.contents_of(owner, class).cloned() else { continue };
            let is_plain =
                matches!(&*contents, Contents::Fields { ty, .. } if !self.machine.universe.is_mock(*ty));
            if is_plain
                && task.sequences.len() < MAX_SEQUENCES
                && let Some((made, binding)) = self.object(task, (within, owner), class)
            {
                let at = task.sequences.len();
                roots.extend(binding.passed.iter().map(|(_, p)| (within, *p)));
                // What the path has looked into is the path's to make.
                let state = task.state_of(within);
                let is_seen = |p: &Symbol| state.path.origins.resolution(*p).is_some();
                let passed = binding.passed.iter().filter(|(_, p)| is_seen(p));
                let passed: FxHashSet<Symbol> = passed.map(|(q, _)| *q).collect();
                let own = made.state.path.origins.objects().iter().map(|(q, _)| *q);
                roots.extend(own.filter(|q| !passed.contains(q)).map(|q| (Some(at), q)));
                for p in &binding.made {
                    seen.insert((within, *p));
                }
                task.add((within, owner), class, &made, binding, self.machine);
                continue;
            }
            let inner = inner_references(self.machine, owner, &contents);
            roots.extend(inner.into_iter().map(|symbol| (within, symbol)));
        }
    }

    /// The first sequence that makes an object as the path needs it.
    fn object(
        &mut self,
        task: &mut Task<'_>,
        (within, owner): Root,
        class: TypeId,
    ) -> Option<(Rc<Made>, Binding)> {
        if !self.machine.universe.is_visible(class) || self.machine.is_framework(class) {
            return None;
        }
        self.effort.object_end = self.effort.used + EFFORT_PER_OBJECT;
        let (mut tried, mut bound) = (0, 0);
        let found = self.first_fitting(task, (within, owner), class, &mut tried, &mut bound);
        let class = self.machine.universe.type_name(class);
        let calls = found.as_ref().map_or(0, |(made, _)| made.calls.len());
        tracing::debug!(name: "object", target: TARGET, class, tried, bound, calls, effort = self.effort.used);
        found
    }

    /// Tries one object of the pool after the other.
    fn first_fitting(
        &mut self,
        task: &mut Task<'_>,
        (within, owner): Root,
        class: TypeId,
        tried: &mut u32,
        bound: &mut u32,
    ) -> Option<(Rc<Made>, Binding)> {
        let number = task.used.get(&class).copied().unwrap_or(0);
        if within.is_some() {
            let names = field_names(self.machine, task.state_of(within), task.footprint_of(within));
            self.wanted.extend(names);
        }
        if self.pools.get(&(class, number)).is_some_and(|pool| !pool.is_for(&self.wanted)) {
            self.pools.remove(&(class, number));
        }
        for index in 0.. {
            let (machine, members, wanted) = (&mut *self.machine, &mut *self.members, &self.wanted);
            let pool = self
                .pools
                .entry((class, number))
                .or_insert_with(|| Pool::new(machine, members, class, number, wanted, Heap::default()));
            let made = pool.get(index, machine, self.solver, &mut self.effort)?;
            // What is there already is tried whatever it has cost.
            if self.effort.is_spent() && index >= TRIED_ANYWAY {
                return None;
            }
            let state = task.state_of(within);
            let footprint = task.footprint_of(within);
            let path = Side { state, footprint, model: &task.model };
            let there = Side { state: &made.state, footprint: &made.footprint, model: &made.model };
            *tried += 1;
            let Some(binding) = self.machine.bind(path, there, owner, made.object) else { continue };
            *bound += 1;
            let mut all = task.conjuncts.clone();
            all.extend(&made.condition);
            all.extend(&binding.constraints);
            self.effort.ask(all.len());
            let hint = task.model.overlaid_with(&made.model);
            let limits = self.effort.limits();
            let terms = &mut self.machine.terms;
            if let Answer::Sat(model) = self.solver.check_with_hint(terms, &[], &all, Some(&hint), &limits) {
                task.conjuncts = all;
                task.model = model;
                return Some((made, binding));
            }
        }
        None
    }

    /// Models with values that a person would choose, the best first.
    fn readable(&mut self, task: &Task<'_>) -> [Model; 2] {
        let soft = readable::preferences(self.machine);
        let soft = readable::about(&self.machine.terms, &soft, &task.conjuncts);
        self.effort.ask(soft.len());
        let limits = self.effort.limits();
        let model = self.solver.prefer(&mut self.machine.terms, &task.conjuncts, &task.model, &soft, &limits);
        let made = task.sequences.iter().map(|sequence| &sequence.state);
        let states: Vec<&State> = std::iter::once(task.state).chain(made).collect();
        [shrink(self.machine, &task.conjuncts, &model, &states), model]
    }
}

impl Task<'_> {
    fn state_of(&self, within: Option<usize>) -> &State {
        match within.and_then(|at| self.sequences.get(at)) {
            Some(sequence) => &sequence.state,
            None => self.state,
        }
    }

    fn footprint_of(&self, within: Option<usize>) -> &Footprint {
        match within.and_then(|at| self.sequences.get(at)) {
            Some(sequence) => &sequence.footprint,
            None => &self.footprint,
        }
    }

    fn add(
        &mut self,
        (within, owner): Root,
        class: TypeId,
        made: &Made,
        binding: Binding,
        machine: &Machine,
    ) {
        match within {
            Some(at) => self.sequences[at].footprint.extend(machine, &binding.needed),
            None => self.footprint.extend(machine, &binding.needed),
        }
        let mut footprint = made.footprint.clone();
        footprint.extend(machine, &binding.constraints);
        *self.used.entry(class).or_default() += 1;
        self.sequences.push(Sequence {
            owner,
            within,
            calls: made.calls.clone(),
            state: made.state.clone(),
            footprint,
            passed: binding.passed,
        });
    }
}

/// The references that the method is given.
fn top_level(machine: &Machine) -> Vec<Symbol> {
    let mut found = Vec::new();
    let inputs = &machine.inputs;
    inputs.this.iter().chain(&inputs.arguments).for_each(|input| references(input, &mut found));
    found
}

/// Names of the fields that a path depends on.
fn names_of_path(machine: &Machine, path: &Path) -> Vec<Rc<str>> {
    let Some(footprint) = &path.footprint else { return Vec::new() };
    let state = path.explored.as_ref().map_or(&path.state, |explored| &explored.1);
    field_names(machine, state, footprint)
}

/// Names of the fields of input objects that matter.
fn field_names(machine: &Machine, state: &State, footprint: &Footprint) -> Vec<Rc<str>> {
    let mut names = Vec::new();
    for &(owner, block) in state.path.origins.objects() {
        let Some(BlockKind::Object(class)) = state.heap.get(block).map(|block| block.kind) else { continue };
        if let Some(contents) = machine.inputs.contents_of(owner, class)
            && let Contents::Fields { fields, .. } = &**contents
        {
            let needed = fields.iter().filter(|(_, input)| machine.depends_on(state, footprint, input));
            names.extend(needed.map(|(field, _)| Rc::from(&*machine.universe.field(*field).name)));
        }
    }
    names
}

fn references(input: &Input, found: &mut Vec<Symbol>) {
    match input {
        Input::Reference { symbol, .. } | Input::Span { over: symbol, .. } => found.push(*symbol),
        Input::Struct { fields, .. } => fields.iter().for_each(|(_, part)| references(part, found)),
        Input::ByRef { target, .. } => references(target, found),
        Input::Scalar { .. } | Input::Computed { .. } | Input::New { .. } => {}
    }
}

/// What an object refers to that no sequence makes.
fn inner_references(machine: &Machine, owner: Symbol, contents: &Contents) -> Vec<Symbol> {
    let of_elements = |owner, array, found: &mut Vec<Symbol>| {
        if let Some(element) = machine.universe.array_element(array) {
            let elements = machine.inputs.elements_of(ArrayInput { owner, element });
            elements.for_each(|(_, input)| references(input, found));
        }
    };
    let mut found = Vec::new();
    match contents {
        Contents::Fields { fields, .. } => {
            fields.iter().for_each(|(_, input)| references(input, &mut found));
        }
        Contents::Array { ty, .. } | Contents::Grid { ty } => of_elements(owner, *ty, &mut found),
        Contents::List { items, array, .. } => of_elements(*items, *array, &mut found),
        Contents::Filled { items, .. } => {
            items.iter().flatten().for_each(|input| references(input, &mut found));
        }
        Contents::Boxed { value, .. } => references(value, &mut found),
        Contents::Delegate { .. } | Contents::Made { .. } => {}
    }
    found
}
