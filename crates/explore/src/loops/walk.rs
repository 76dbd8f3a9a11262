//! One exploration along a plan: it accepts the plan, or says what has to change. See the module for why it is sound.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use budget::Budget;
use rustc_hash::FxHashMap;
use solver::{Answer, Limits, Solver};
use term::{Evaluator, Model, Node as TermNode, Symbol, Term};
use types::TypeId;
use verdict::Gap;
use vm::code::Code;
use vm::generalise::{LivenessCache, Spot, Unlike};
use vm::inputs::references::Resolution;
use vm::stop::RuntimeException;
use vm::{Action, BitSet, Choice, Machine, PathEnd, Place, State, Stop};

use super::calls::{Activation, Results, Returned, changes};
use super::elements::{self, Known, LeftElement, ReadElement};
use super::plan::{AnchorId, Annotation, Change, Head, Plan};
use super::round::{Mark, Rounds};
use super::text::Text;
use crate::condition::Chain;
use crate::explorer::blame;
use crate::outcome::Blamed;

/// What a walk may cost, in units that do not depend on the machine's speed.
pub(super) const MOST_QUESTIONS: u64 = 4_000;
const MOST_ANCHORS: usize = 300;
/// Anchors of one path at one head.
const MOST_AT_ONE_HEAD: usize = 3;

/// What a question about one fact or branch may cost more than others.
pub(super) const PATIENCE: u64 = 6;

pub(super) struct Walk<'a> {
    pub machine: &'a mut Machine,
    pub solver: &'a mut Solver,
    pub plan: &'a Plan,
    pub budget: &'a Budget,
    /// Steps that it may take.
    pub most_steps: u64,
    /// For one question.
    pub limits: Limits,
    pub alive: &'a mut LivenessCache,
    pub results: &'a mut Results,
    /// Exceptions about different parameters are different ones.
    pub tells_blame: bool,
}

/// What a walk has seen.
#[derive(Default)]
pub(super) struct Seen {
    /// Empty if the plan is accepted.
    pub changes: Vec<Change>,
    pub entries: BTreeMap<AnchorId, Vec<Entry>>,
    pub returns: BTreeMap<AnchorId, Vec<Return>>,
    /// What recursive methods return.
    pub results: BTreeMap<AnchorId, Vec<Returned>>,
    pub reached: BitSet,
    pub failures: BTreeSet<(TypeId, Place)>,
    pub blamed: BTreeSet<Blamed>,
    pub steps: u64,
    pub questions: u64,
    pub paths: u64,
}

/// A state that arrived at an anchor's head from outside.
pub(super) struct Entry {
    /// What stood where symbols stand now.
    pub values: FxHashMap<Symbol, Term>,
    /// What facts may speak of, besides the anchor's own symbols.
    pub older: BTreeSet<Symbol>,
    pub lengths: Vec<Term>,
    /// Names of the fields among the places that are forgotten.
    pub fields: BTreeMap<Spot, String>,
    pub place: Place,
    pub code: Rc<Code>,
}

/// A state that came back.
pub(super) struct Return {
    pub values: FxHashMap<Symbol, Term>,
    /// What was decided in this round.
    pub decided: Vec<Term>,
    /// Elements that it has read, and what it has left where it may have written.
    pub read: Vec<ReadElement>,
    pub left: Vec<LeftElement>,
}

/// A generalised state at the head of a loop, on the path that led there.
pub(super) struct Anchor {
    pub id: AnchorId,
    pub state: State,
    /// What was really forgotten of this state.
    forgotten: BTreeSet<Spot>,
    /// Conditions of the path when it was made.
    pub conditions: usize,
}

impl Anchor {
    fn is_at(&self, state: &State) -> bool {
        self.state.depth == state.depth
            && self
                .state
                .frames()
                .zip(state.frames())
                .all(|(a, b)| a.pc == b.pc && Rc::ptr_eq(&a.code, &b.code))
    }
}

#[derive(Clone)]
pub(super) struct Node {
    pub state: State,
    pub condition: Chain<Term>,
    /// Satisfies the condition.
    pub model: Model,
    /// Anchors whose loops the path may still be in.
    anchors: Vec<Rc<Anchor>>,
    /// Recursive methods that it is in.
    pub activations: Vec<Rc<Activation>>,
    /// The depth of each call that it is in, and how much it had decided then.
    pub entered: Vec<(u32, u32)>,
    /// Calls that were not followed.
    pub skipped: u32,
    /// All anchors that were made on the way.
    pub made: AnchorId,
    rounds: Rounds,
    pub forks: u32,
    /// What is known about all elements of arrays, for which of them it was used, and how many reads there were then.
    pub known: Vec<Rc<Known>>,
    pub uses: BTreeSet<(Symbol, Term)>,
    pub reads: usize,
}

/// A path that goes on from an anchor, the anchor, and what stood where its symbols stand.
type Generalised = (Node, Anchor, FxHashMap<Symbol, Term>);

/// Whether a path goes on.
pub(super) enum Next {
    On(Box<Node>),
    Over,
}

/// What becomes of a path that has come back to an anchor.
enum Back {
    /// It is an instance of the anchor, or the plan has to change.
    Over,
    /// Something happened for the first time: it is none, but the paths that come back from here may be alike.
    Anew,
}

pub(super) struct Walker<'a, 'b> {
    pub walk: &'b mut Walk<'a>,
    pub seen: Seen,
    waiting: Vec<Node>,
    anchors: usize,
    /// Activations that exceptions have left, and those with handlers in the way of exceptions of inner calls.
    pub thrown: BTreeSet<AnchorId>,
    pub guarded: BTreeSet<AnchorId>,
}

impl Walk<'_> {
    /// Explores from these states. An error: the method is beyond this.
    pub fn run(mut self, starts: Vec<State>) -> Result<Seen, Gap> {
        let node = |state| Node {
            state,
            condition: Chain::default(),
            model: Model::default(),
            anchors: Vec::new(),
            activations: Vec::new(),
            entered: Vec::new(),
            skipped: 0,
            made: Vec::new(),
            rounds: Rounds::new(),
            forks: 0,
            known: Vec::new(),
            uses: BTreeSet::new(),
            reads: 0,
        };
        let mut walker = Walker {
            walk: &mut self,
            seen: Seen::default(),
            waiting: Vec::new(),
            anchors: 0,
            thrown: BTreeSet::new(),
            guarded: BTreeSet::new(),
        };
        for start in starts.into_iter().rev() {
            if let Next::On(node) = walker.enter(node(start))? {
                walker.waiting.push(*node);
            }
        }
        while let Some(node) = walker.waiting.pop() {
            walker.follow(node)?;
            if walker.must_begin_again() {
                return Ok(walker.seen);
            }
        }
        walker.judge_exceptions()?;
        Ok(walker.seen)
    }
}

impl Walker<'_, '_> {
    /// States that are not what the plan takes them for are of no use; facts that do not hold are all looked for at once.
    fn must_begin_again(&self) -> bool {
        self.seen.changes.iter().any(|change| !matches!(change, Change::Drop { .. }))
    }

    fn follow(&mut self, node: Node) -> Result<(), Gap> {
        let mut node = node;
        loop {
            if self.seen.steps >= self.walk.most_steps {
                return Err(Gap::bound("proofs about loops would take too many steps"));
            }
            if self.seen.steps.is_multiple_of(64)
                && let Some(gap) = self.walk.budget.spent(0)
            {
                return Err(gap);
            }
            self.seen.steps += 1;
            match self.before_return(node)? {
                Some(next) => node = next,
                None => return Ok(()),
            }
            let text = Text::before(self.walk.machine, &node.state)?;
            let mark = Mark::of(&node.state);
            let stop = self.walk.machine.run(&mut node.state, 1);
            let stop = match stop {
                Stop::OutOfSteps => None,
                stop => Some(stop),
            };
            text.after(&node.state)?;
            if !self.learn_elements(&mut node)? {
                return Ok(());
            }
            match self.stopped(node, mark, stop)? {
                Next::On(next) => node = *next,
                Next::Over => return Ok(()),
            }
            if self.must_begin_again() {
                return Ok(());
            }
        }
    }

    /// What comes of a step. Of a fork, one side goes on and the others wait.
    fn stopped(&mut self, node: Node, mark: Mark, stop: Option<Stop>) -> Result<Next, Gap> {
        match stop {
            None | Some(Stop::OutOfSteps) => self.moved(node, mark),
            Some(Stop::End(end)) => {
                self.end(&node, end)?;
                Ok(Next::Over)
            }
            Some(Stop::Fork(choices)) => self.fork(node, mark, choices),
            Some(Stop::Concretize { term, depth }) => self.concretize(node, term, depth),
        }
    }

    fn fork(&mut self, node: Node, mark: Mark, choices: Vec<Choice>) -> Result<Next, Gap> {
        let conjuncts = conjuncts(&node.condition);
        let mut evaluator = Evaluator::new(node.model.clone());
        let mut going: Vec<Node> = Vec::new();
        let limits = self.limits_of(&node.state, &choices);
        for mut choice in choices {
            if is_out_of_memory(&choice.action) {
                choice.guard = self.walk.machine.terms.and(choice.guard, limits);
            }
            if matches!(choice.action, Action::Resolve { to: Resolution::Mock(_), .. }) {
                return Err(Gap::bound("proofs about loops do not rest on mocks"));
            }
            let model = match evaluator.eval(&self.walk.machine.terms, choice.guard).is_true() {
                true => Some(node.model.clone()),
                false => self.model_of_branch(&conjuncts, choice.guard, &node.model)?,
            };
            let Some(model) = model else { continue };
            let mut next = Node {
                condition: node.condition.and(choice.guard),
                model,
                forks: node.forks + 1,
                ..node.clone()
            };
            self.walk.machine.learn(&mut next.state, choice.guard);
            let stop = self.walk.machine.take(&mut next.state, choice.action);
            if let Next::On(next) = self.stopped(next, mark, stop)? {
                going.push(*next);
            }
        }
        let last = going.pop();
        self.waiting.append(&mut going);
        Ok(last.map_or(Next::Over, |node| Next::On(Box::new(node))))
    }

    /// Where memory may not suffice, what the runtime allows of the inputs: it has found room for them.
    fn limits_of(&mut self, state: &State, choices: &[Choice]) -> Term {
        let matters = choices.iter().any(|choice| is_out_of_memory(&choice.action));
        let limits = if matters { self.walk.machine.length_limits(state) } else { Vec::new() };
        self.walk.machine.terms.and_all(limits)
    }

    /// A number must be known: the only one that it can be, or nothing is known.
    fn concretize(&mut self, mut node: Node, term: Term, depth: usize) -> Result<Next, Gap> {
        let value = self.walk.machine.terms.eval(term, &node.model).bits();
        let width = self.walk.machine.terms.width(term);
        let constant = self.walk.machine.terms.bv(width, value);
        let same = self.walk.machine.terms.eq(term, constant);
        let differs = self.walk.machine.terms.not(same);
        let conjuncts = conjuncts(&node.condition);
        if self.model_of(&conjuncts, differs, &node.model)?.is_some() {
            return Err(Gap::bound("a number in a loop would have to be tried value by value"));
        }
        self.walk.machine.concretize(&mut node.state, depth, value as u64, width);
        Ok(Next::On(Box::new(node)))
    }

    /// The same for a branch, on which the whole proof depends: it is worth a second, longer try.
    fn model_of_branch(&mut self, path: &[Term], guard: Term, hint: &Model) -> Result<Option<Model>, Gap> {
        if let Ok(model) = self.model_of(path, guard, hint) {
            return Ok(model);
        }
        let usual = self.walk.limits.conflicts;
        self.walk.limits.conflicts = usual.map(|most| most * PATIENCE);
        let answer = self.model_of(path, guard, hint);
        self.walk.limits.conflicts = usual;
        answer
    }

    /// A model of a path and one more condition; none if they contradict each other.
    pub(super) fn model_of(
        &mut self,
        path: &[Term],
        guard: Term,
        hint: &Model,
    ) -> Result<Option<Model>, Gap> {
        self.seen.questions += 1;
        if self.seen.questions > MOST_QUESTIONS {
            return Err(Gap::bound("proofs about loops would take too many questions"));
        }
        let Walk { machine, solver, limits, .. } = &mut *self.walk;
        match solver.check_with_hint(&mut machine.terms, path, &[guard], Some(hint), limits) {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(why) => Err(Gap::solver_unknown(why.to_string())),
        }
    }

    fn end(&mut self, node: &Node, end: PathEnd) -> Result<(), Gap> {
        self.seen.paths += 1;
        self.seen.reached.union_with(node.state.coverage.goals());
        if node.state.left_early() {
            return Err(Gap::bound("only the first items of a sequence are taken"));
        }
        match end {
            PathEnd::Incomplete { gap, .. } => Err(gap),
            PathEnd::Threw { ty, thrown_at, .. } => {
                self.seen.failures.insert((ty, thrown_at));
                self.thrown.extend(node.activations.iter().map(|activation| activation.anchor.id.clone()));
                if self.walk.tells_blame {
                    self.seen.blamed.extend(blame::blamed(self.walk.machine, &node.state, &end)?);
                }
                Ok(())
            }
            PathEnd::Exited(_) => Err(Gap::native_call("the process is ended")),
            PathEnd::Returned(_) | PathEnd::Impossible => Ok(()),
        }
    }

    /// A step is done: the path may have come to the head of a loop.
    fn moved(&mut self, mut node: Node, mark: Mark) -> Result<Next, Gap> {
        if mark.has_returned(&node.state) {
            let depth = node.state.depth;
            node.rounds.leave(depth);
            node.anchors.retain(|anchor| anchor.state.depth <= depth);
            self.after_unwinding(&mut node);
        }
        if mark.has_called(&node.state) {
            return self.enter(node);
        }
        if !mark.arrives(&node.state) {
            return Ok(Next::On(Box::new(node)));
        }
        if let Some(anchor) = node.anchors.iter().rev().find(|anchor| anchor.is_at(&node.state)).cloned() {
            self.seen.reached.union_with(node.state.coverage.goals());
            let head: Head = (node.state.top.code.method, node.state.top.pc);
            return match self.come_back(&anchor, &node)? {
                Back::Over => Ok(Next::Over),
                Back::Anew => self.cut(node, head).map(|node| Next::On(Box::new(node))),
            };
        }
        // Loops inside of this one begin anew.
        let (depth, pc) = (node.state.depth, node.state.top.pc);
        let body = node.state.top.code.flow().loop_body(pc);
        node.anchors.retain(|anchor| anchor.state.depth != depth || !body.contains(anchor.state.top.pc));
        let head: Head = (node.state.top.code.method, pc);
        if let Some(choices) = self.unsettled(&node.state, head) {
            return self.fork(node, mark, choices);
        }
        let (before, has_decided) = node.rounds.arrive(&node.state, node.forks);
        match self.walk.plan.cuts.get(&head) {
            Some(after) if before >= *after => self.cut(node, head).map(|node| Next::On(Box::new(node))),
            None if has_decided => {
                self.seen.changes.push(Change::Cut { head, after: 0 });
                Ok(Next::Over)
            }
            _ => Ok(Next::On(Box::new(node))),
        }
    }

    /// Makes an anchor of a state and goes on from what it is generalised to.
    fn cut(&mut self, node: Node, head: Head) -> Result<Node, Gap> {
        let (mut node, anchor, _) = self.generalise(node, head)?;
        node.anchors.push(Rc::new(anchor));
        Ok(node)
    }

    /// Forgets what a plan says of an anchor. Also: what stood there.
    pub(super) fn generalise(&mut self, mut node: Node, head: Head) -> Result<Generalised, Gap> {
        self.anchors += 1;
        if self.anchors > MOST_ANCHORS {
            return Err(Gap::bound("loops are come to in too many ways"));
        }
        let mut id = node.made.clone();
        id.push(head);
        let annotation = self.walk.plan.anchors.get(&id).cloned().unwrap_or_default();
        let entry = self.entry(&node, &annotation)?;
        let (values, older) = (entry.values.clone(), Some(&entry.older));
        let facts = self.holding(&node, &id, &annotation, &annotation.facts, &values, older)?;
        let mut forgotten = BTreeSet::new();
        for (spot, symbol) in &annotation.spots {
            if self.walk.machine.forget(&mut node.state, *spot, *symbol) {
                forgotten.insert(*spot);
            }
        }
        let elements = self.of_elements(&node, &annotation, &values);
        for (symbol, value) in &values {
            let value = self.walk.machine.terms.eval(*value, &node.model);
            node.model.set(*symbol, value);
            if let Some(TermNode::Var(own)) =
                elements.get(symbol).map(|own| *self.walk.machine.terms.node(*own))
            {
                node.model.set(own, value);
            }
        }
        self.keep_elements(&mut node, &annotation, &facts);
        for fact in facts {
            let fact = self.walk.machine.terms.substitute(fact, &elements);
            // What is known of elements may need other ones than the model has.
            let holds = match self.walk.machine.terms.eval(fact, &node.model).is_true() {
                true => {
                    node.condition = node.condition.and(fact);
                    true
                }
                false => !elements.is_empty() && self.narrow(&mut node, fact)?,
            };
            if !holds {
                return Err(Gap::internal_error("a fact does not hold where it was found to"));
            }
        }
        let conditions = node.condition.values().len();
        self.seen.entries.entry(id.clone()).or_default().push(entry);
        let anchor = Anchor { id: id.clone(), state: node.state.clone(), forgotten, conditions };
        node.made = id;
        Ok((node, anchor, values))
    }

    fn entry(&mut self, node: &Node, annotation: &Annotation) -> Result<Entry, Gap> {
        let machine = &mut *self.walk.machine;
        let lengths = machine.lengths_in(&node.state);
        let mut older: BTreeSet<Symbol> = machine.symbols_in(&node.state).into_iter().collect();
        for term in node.condition.values().into_iter().copied().chain(lengths.iter().copied()) {
            older.extend(machine.terms.symbols_of(term).iter());
        }
        // A symbol means one thing on a path.
        if annotation.spots.values().flatten().any(|own| older.contains(own)) {
            return Err(Gap::internal_error("a symbol of a loop is older than the loop"));
        }
        let values = values_at(machine, &node.state, annotation);
        let code = Rc::clone(&node.state.top.code);
        let named = annotation.spots.keys();
        let fields = named.filter_map(|spot| Some((*spot, machine.field_at(&node.state, *spot)?))).collect();
        Ok(Entry { values, older, lengths, fields, place: node.state.place(), code })
    }

    /// A path has come back to an anchor: it must be an instance of it, or begins anew with an anchor of its own.
    fn come_back(&mut self, anchor: &Anchor, node: &Node) -> Result<Back, Gap> {
        let annotation = self.walk.plan.anchors.get(&anchor.id).cloned().unwrap_or_default();
        if self.must_settle(anchor, node) {
            return Ok(Back::Over);
        }
        let spots = self.walk.machine.differences(&anchor.state, &node.state, self.walk.alive);
        if let Err(Unlike { settles: true, .. }) = spots
            && self.later(anchor).is_none()
            && node.anchors.iter().filter(|anchor| anchor.is_at(&node.state)).count() < MOST_AT_ONE_HEAD
        {
            return Ok(Back::Anew);
        }
        let Some(spots) = self.settled(anchor, spots)? else { return Ok(Back::Over) };
        if self.must_forget(anchor, &annotation, spots)? {
            return Ok(Back::Over);
        }
        let values = values_at(self.walk.machine, &node.state, &annotation);
        self.holding(node, &anchor.id, &annotation, &annotation.facts, &values, None)?;
        let decided = node.condition.values().into_iter().skip(anchor.conditions).copied().collect();
        let read = elements::read(self.walk.machine, &node.state, &annotation);
        let left = elements::left(self.walk.machine, &node.state, &annotation);
        let back = Return { values, decided, read, left };
        self.seen.returns.entry(anchor.id.clone()).or_default().push(back);
        Ok(Back::Over)
    }

    /// A reference that was there before the loop is looked at in it: after that round it is settled, or it can be before.
    /// What stands for a forgotten reference is another object in each round.
    pub(super) fn must_settle(&mut self, anchor: &Anchor, node: &Node) -> bool {
        let mut settled = node.state.path.origins.settled_since(&anchor.state.path.origins);
        if settled.is_empty() {
            return false;
        }
        let known: BTreeSet<Symbol> = self.walk.machine.symbols_in(&anchor.state).into_iter().collect();
        let annotation = self.walk.plan.anchors.get(&anchor.id);
        let is_own =
            |symbol: &Symbol| annotation.is_some_and(|a| a.spots.values().any(|own| *own == Some(*symbol)));
        settled.retain(|symbol| known.contains(symbol) && !is_own(symbol));
        let Some(head) = anchor.id.last().copied().filter(|_| !settled.is_empty()) else { return false };
        let before = self.walk.plan.settled.get(&head);
        let is_new = settled.iter().any(|symbol| before.is_none_or(|before| !before.contains(symbol)));
        let change = match self.later(anchor) {
            Some(later) => later,
            None if is_new => Change::Settle { head, references: settled },
            None => return false,
        };
        self.seen.changes.push(change);
        true
    }

    /// The choices about the first reference that is to be settled before a head is cut.
    fn unsettled(&mut self, state: &State, head: Head) -> Option<Vec<Choice>> {
        let references = self.walk.plan.settled.get(&head)?;
        let known: BTreeSet<Symbol> = self.walk.machine.symbols_in(state).into_iter().collect();
        let mut known = references.iter().filter(|symbol| known.contains(symbol));
        known.find_map(|symbol| self.walk.machine.settling(state, *symbol))
    }

    fn later(&self, anchor: &Anchor) -> Option<Change> {
        anchor.id.last().and_then(|head| self.walk.plan.later(*head))
    }

    /// The places that differ; none if the loop is to be cut later.
    pub(super) fn settled(
        &mut self,
        anchor: &Anchor,
        spots: Result<Vec<Spot>, Unlike>,
    ) -> Result<Option<Vec<Spot>>, Gap> {
        match spots {
            Ok(spots) => Ok(Some(spots)),
            Err(unlike) => match self.later(anchor).filter(|_| unlike.settles) {
                Some(later) => {
                    self.seen.changes.push(later);
                    Ok(None)
                }
                None => Err(changes(unlike)),
            },
        }
    }

    /// Whether more is to be forgotten.
    pub(super) fn must_forget(
        &mut self,
        anchor: &Anchor,
        annotation: &Annotation,
        spots: Vec<Spot>,
    ) -> Result<bool, Gap> {
        let mut new = Vec::new();
        for spot in spots.into_iter().filter(|spot| !anchor.forgotten.contains(spot)) {
            if annotation.spots.contains_key(&spot) {
                return Err(Gap::internal_error("a place that a loop changes could not be forgotten"));
            }
            new.push((spot, self.walk.machine.hole_at(&anchor.state, spot)));
        }
        let is_new = !new.is_empty();
        if is_new {
            self.seen.changes.push(Change::Forget { anchor: anchor.id.clone(), spots: new });
        }
        Ok(is_new)
    }
}

/// What stands in a state where an anchor has its symbols.
pub(super) fn values_at(
    machine: &mut Machine,
    state: &State,
    annotation: &Annotation,
) -> FxHashMap<Symbol, Term> {
    let mut values = FxHashMap::default();
    for (spot, symbol) in &annotation.spots {
        if let (Some(symbol), Some(value)) = (symbol, machine.number_at(state, *spot)) {
            values.insert(*symbol, value);
        }
    }
    elements::values_at(machine, state, annotation, &mut values);
    values
}

fn is_out_of_memory(action: &Action) -> bool {
    matches!(action, Action::Throw(RuntimeException::OutOfMemory))
}

pub(super) fn conjuncts(condition: &Chain<Term>) -> Vec<Term> {
    condition.values().into_iter().copied().collect()
}
