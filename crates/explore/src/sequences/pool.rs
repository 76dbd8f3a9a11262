//! Objects of one class that sequences of calls make, the shorter sequences first. They are made when somebody asks, and
//! serve all paths that need such an object.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

use solver::Solver;
use term::{Model, Term};
use types::TypeId;
use vm::arranging::{Arranged, Given};
use vm::heap::{BlockKind, split_address};
use vm::inputs::footprint::Footprint;
use vm::{Machine, State};

use super::Effort;
use super::calls::{self, Gives, Member};
use super::running;
use super::touches::Touches;

/// Calls of a sequence, and sequences of a pool.
const MAX_CALLS: usize = 8;
const MAX_MADE: usize = 300;
/// What a call of another method costs, in calls: four calls of one method come before two of two.
const OTHER_METHOD: usize = 3;

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

pub(super) struct Pool {
    class: TypeId,
    /// The fields that its calls are for.
    wanted: BTreeSet<Rc<str>>,
    /// Tells the symbols of several pools of a class apart.
    number: usize,
    creators: Vec<Member>,
    changers: Vec<Member>,
    made: Vec<Rc<Made>>,
    /// What waits to be made longer: by cost, then by age.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
    next_call: usize,
}

impl Pool {
    pub fn new(
        machine: &Machine,
        touches: &mut Touches,
        class: TypeId,
        number: usize,
        wanted: &BTreeSet<Rc<str>>,
    ) -> Pool {
        let universe = &machine.universe;
        let mut creators = calls::creators(universe, class);
        creators.reverse();
        let changers = calls::changers(universe, touches, class, wanted);
        let (made, waiting) = (Vec::new(), BinaryHeap::new());
        let wanted = wanted.clone();
        Pool { class, wanted, number, creators, changers, made, waiting, next_call: 0 }
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
            } else {
                let Reverse((_, from)) = self.waiting.pop()?;
                let from = Rc::clone(self.made.get(from)?);
                for changer in self.changers.clone() {
                    self.add(changer, Some(&from), machine, solver, effort);
                }
            }
        }
        self.made.get(index).cloned()
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
        self.next_call += 1;
        let name = format!("made{}.{}", self.number, self.next_call);
        let given = match member.gives {
            Gives::New => Given::New,
            Gives::Other => Given::ByOther,
            Gives::Itself => Given::Itself,
            Gives::Next => Given::Next,
        };
        let Ok(call) = machine.arranged(member.method, given, &name) else { return };
        let Ok(state) = machine.arrange(&call, from.map(|from| (&from.state, from.object))) else { return };
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

fn cost(calls: &[Arranged]) -> usize {
    let methods: BTreeSet<_> = calls.iter().skip(1).map(|call| call.method).collect();
    calls.len() + OTHER_METHOD * methods.len().saturating_sub(1)
}
