//! Objects of one class that sequences of calls make, the shorter sequences first. They are made when somebody asks, and
//! serve all paths that need such an object.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;

use solver::Solver;
use term::{Model, Term};
use types::{MethodId, TypeId};
use vm::arranging::{Arranged, Given};
use vm::heap::{BlockKind, Heap, split_address};
use vm::inputs::footprint::Footprint;
use vm::{Machine, State};

use super::Effort;
use super::calls::{self, Gives, Member};
use super::likeness::{self, Likeness, Part};
use super::members::Members;
use super::running::{self, Ended};

/// Calls of a sequence, and sequences of a pool.
const MAX_CALLS: usize = 8;
const MAX_MADE: usize = 300;
/// Objects that are kept of those that the same calls make in the same form by the same branches.
const MAX_ALIKE: usize = 2;
/// What a call of another method costs, in calls, besides its own.
const OTHER_METHOD: usize = 1;

/// An object that calls have made.
#[derive(Clone)]
pub(super) struct Made {
    pub calls: Vec<Arranged>,
    pub state: State,
    pub condition: Vec<Term>,
    pub model: Model,
    pub object: u64,
    pub footprint: Footprint,
}

/// What an object looks like but for its terms, the methods that were called, and the branches they took.
type Form = (Vec<Part>, Vec<MethodId>, Vec<u32>);

pub(super) struct Pool {
    class: TypeId,
    /// The fields that its calls are for.
    wanted: BTreeSet<Rc<str>>,
    /// Tells the symbols of several pools of a class apart.
    prefix: String,
    creators: Vec<Member>,
    /// Methods of other objects that give one of the class.
    givers: Vec<Giver>,
    changers: Vec<Member>,
    made: Vec<Rc<Made>>,
    /// What objects look like that are there already.
    known: BTreeSet<Likeness>,
    /// How many objects of the same form came of the same calls by the same branches.
    alike: BTreeMap<Form, usize>,
    /// Memory that is there before the first call.
    places: Heap,
    /// What waits to be made longer: by cost, then by age.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
    next_call: usize,
}

/// A method of another class, and the objects that it is called on.
struct Giver {
    member: Member,
    others: Pool,
    next: usize,
}

impl Pool {
    pub fn new(
        machine: &Machine,
        members: &mut Members,
        class: TypeId,
        number: usize,
        wanted: &BTreeSet<Rc<str>>,
        places: Heap,
    ) -> Pool {
        let universe = &machine.universe;
        let mut pool = Pool::new_alone(machine, members, class, number, wanted, places.clone());
        let creators = members.creators(universe, class);
        for &member in creators.iter().filter(|member| member.gives == Gives::Other) {
            let info = universe.method(member.method);
            let mut wanted = wanted.clone();
            wanted.extend(members.touched(universe, member.method).read.iter().cloned());
            let mut others = Pool::new_alone(machine, members, info.owner, number, &wanted, places.clone());
            others.prefix.push_str("giver.");
            pool.givers.push(Giver { member, others, next: 0 });
        }
        pool
    }

    /// One whose objects no other object gives.
    fn new_alone(
        machine: &Machine,
        members: &mut Members,
        class: TypeId,
        number: usize,
        wanted: &BTreeSet<Rc<str>>,
        places: Heap,
    ) -> Pool {
        let universe = &machine.universe;
        let mut creators = members.creators(universe, class).to_vec();
        creators.retain(|member| member.gives != Gives::Other);
        creators.reverse();
        let changers = calls::changers(universe, members, class, wanted);
        let (made, waiting) = (Vec::new(), BinaryHeap::new());
        let (givers, prefix) = (Vec::new(), format!("made{number}."));
        let (known, alike) = (BTreeSet::new(), BTreeMap::new());
        let (wanted, next_call) = (wanted.clone(), 0);
        Pool {
            class,
            wanted,
            prefix,
            creators,
            givers,
            changers,
            made,
            known,
            alike,
            places,
            waiting,
            next_call,
        }
    }

    /// Whether its calls are for all of these fields.
    pub fn is_for(&self, wanted: &BTreeSet<Rc<str>>) -> bool {
        wanted.is_subset(&self.wanted)
    }

    /// The object of some number, made when it is first asked for.
    pub fn get(
        &mut self,
        index: usize,
        machine: &mut Machine,
        solver: &mut Solver,
        effort: &mut Effort<'_>,
    ) -> Option<Rc<Made>> {
        while self.made.len() <= index {
            if self.made.len() >= MAX_MADE || effort.is_spent() {
                return None;
            }
            if let Some(creator) = self.creators.pop() {
                self.add(creator, None, machine, solver, effort);
                continue;
            }
            let is_given = self.ask_givers(machine, solver, effort);
            let from = self.waiting.pop();
            if from.is_none() && !is_given {
                return None;
            }
            if let Some(Reverse((_, from))) = from {
                let from = Rc::clone(self.made.get(from)?);
                for changer in self.changers.clone() {
                    self.add(changer, Some(&from), machine, solver, effort);
                }
            }
        }
        self.made.get(index).cloned()
    }

    /// Calls each giver on one more object; whether there was one.
    fn ask_givers(&mut self, machine: &mut Machine, solver: &mut Solver, effort: &mut Effort<'_>) -> bool {
        let mut is_given = false;
        let mut givers = std::mem::take(&mut self.givers);
        for giver in &mut givers {
            let Some(other) = giver.others.get(giver.next, machine, solver, effort) else { continue };
            giver.next += 1;
            is_given = true;
            self.add(giver.member, Some(&other), machine, solver, effort);
        }
        self.givers = givers;
        is_given
    }

    fn add(
        &mut self,
        member: Member,
        from: Option<&Made>,
        machine: &mut Machine,
        solver: &mut Solver,
        effort: &mut Effort<'_>,
    ) {
        let calls = from.map_or(&[][..], |from| &from.calls);
        // What can only be initialised is so before anything else happens.
        let is_early = calls.iter().skip(1).all(|call| call.is_setter(&machine.universe));
        if from.is_some()
            && calls::is_init(&machine.universe, member.method)
            && !(is_early && calls.first().is_some_and(|call| call.is_constructor(&machine.universe)))
        {
            return;
        }
        // One handler is as good as several.
        let is_event = machine.universe.method(member.method).name.starts_with("add_");
        if is_event && calls.iter().any(|call| call.method == member.method) {
            return;
        }
        self.next_call += 1;
        let name = format!("{}{}", self.prefix, self.next_call);
        let given = match member.gives {
            Gives::New => Given::New,
            Gives::Other => Given::Turned,
            Gives::Itself => Given::Itself,
            Gives::Next => Given::Next,
        };
        let Ok(call) = machine.arranged(member.method, given, &name) else { return };
        let before = from.map(|from| (&from.state, from.object));
        let Ok(state) = machine.arrange(&call, before, &self.places) else { return };
        let (condition, model) =
            from.map_or_else(Default::default, |f| (f.condition.clone(), f.model.clone()));
        let calls: Vec<Arranged> = calls.iter().cloned().chain([call]).collect();
        for ended in running::run(machine, solver, effort, state, condition, model) {
            let (block, _) = split_address(ended.object);
            let exact = ended.state.heap.get(block).map(|block| block.kind);
            let is_input = ended.state.path.origins.owner(block).is_some();
            if exact != Some(BlockKind::Object(self.class)) || is_input || self.made.len() >= MAX_MADE {
                continue;
            }
            if !self.is_new(machine, &calls, &ended) {
                continue;
            }
            if calls.len() <= MAX_CALLS {
                self.waiting.push(Reverse((cost(&calls), self.made.len())));
            }
            let mut footprint = Footprint::default();
            footprint.extend(machine, &ended.condition);
            self.made.push(Rc::new(Made {
                calls: calls.clone(),
                state: ended.state,
                condition: ended.condition,
                model: ended.model,
                object: ended.object,
                footprint,
            }));
        }
    }
}

impl Pool {
    /// Whether an object is not as one that is there already: the same, or the same but for the arguments.
    fn is_new(&mut self, machine: &Machine, calls: &[Arranged], ended: &Ended) -> bool {
        let likeness = likeness::of(machine, &ended.state, ended.object);
        if !self.known.insert(likeness.clone()) {
            return false;
        }
        // What is called twice in a row, or in another order, and makes no difference in form, is the same.
        let mut methods: Vec<MethodId> = calls.iter().map(|call| call.method).collect();
        methods.sort_unstable();
        methods.dedup();
        let branches = ended.state.coverage.goals().iter().collect();
        let alike = self.alike.entry((likeness.shape, methods, branches)).or_default();
        *alike += 1;
        *alike <= MAX_ALIKE
    }
}

fn cost(calls: &[Arranged]) -> usize {
    let methods: BTreeSet<_> = calls.iter().skip(1).map(|call| call.method).collect();
    calls.len() + OTHER_METHOD * methods.len().saturating_sub(1)
}
