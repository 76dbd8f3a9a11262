//! How far states are from what is still wanted: the order of the targeted strategy, and the states that no longer matter.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use types::{AssemblyId, MethodId, Universe};
use vm::code::Code;
use vm::flow::{Away, CallGraph, Distances};
use vm::{Action, BitSet, Machine};

use crate::explorer::{Node, Pending};

/// What a call costs in operations, for each that is still to be made.
const PER_CALL: u32 = 100;
/// What it costs to come back to a caller.
const PER_RETURN: u32 = 30;
/// Of states from which nobody knows a way.
const LOST: u32 = u32::MAX;

/// The way to what is wanted and not met yet.
pub(crate) struct Guide {
    universe: Rc<Universe>,
    graph: Rc<CallGraph>,
    /// What is wanted and not met, and how many calls methods are away from it.
    missing: BitSet,
    away: Away,
    /// By the address of the code, which is kept with it.
    costs: FxHashMap<usize, (Rc<Code>, Distances)>,
    /// The ways inside of the method under test to what is wanted of its own body, if nothing else is wanted.
    own: Option<(MethodId, Distances)>,
}

impl Guide {
    pub fn new(machine: &Machine, graph: Rc<CallGraph>, missing: BitSet) -> Guide {
        let zone = &machine.recording.zone;
        let targets = missing.iter().filter_map(|goal| zone.goal(goal)).map(|(method, _)| method);
        let away = graph.away_from(targets);
        let universe = Rc::clone(&machine.universe);
        Guide { universe, graph, missing, away, costs: FxHashMap::default(), own: None }
    }

    /// Everything that is wanted lies in the body of the method under test. Whoever executes it has entered the method before,
    /// with inputs that are explored as well: so only the ways inside of it count, whatever is called on them.
    pub fn keep_inside(&mut self, code: &Code) {
        let ops = self.missing.iter().flat_map(|goal| code.ops_of_goal(goal)).collect::<Vec<_>>();
        self.own = Some((code.method, code.flow().distances_to(ops)));
    }

    /// Whether this was made for what is missing now.
    pub fn is_for(&self, missing: &BitSet) -> bool {
        self.missing.is_subset(missing) && missing.is_subset(&self.missing)
    }

    /// Whether a state can still meet something that is wanted. Only if it cannot is it no loss to drop it.
    pub fn can_arrive(&self, node: &Node) -> bool {
        let (Some((method, own)), Some(base)) = (&self.own, node.state.frames().last()) else { return true };
        if base.code.consumed.is_some() {
            // The method has returned; what it returned is looked at.
            return false;
        }
        let jump = next_op(node).filter(|_| node.state.depth == 1);
        base.code.method != *method || own.from(jump.unwrap_or(base.pc)).is_some()
    }

    /// How far a state is from what is wanted.
    pub fn distance(&mut self, node: &Node) -> u32 {
        let mut best = LOST;
        let mut back = 0;
        let mut jump = next_op(node);
        let frames: Vec<(Rc<Code>, u32)> =
            node.state.frames().take(DEEPEST).map(|frame| (Rc::clone(&frame.code), frame.pc)).collect();
        for (code, pc) in frames {
            let at = jump.take().unwrap_or(pc);
            if let Some(cost) = self.cost(&code, at) {
                best = best.min(cost.saturating_add(back));
            }
            back += PER_RETURN;
        }
        best
    }

    fn cost(&mut self, code: &Rc<Code>, op: u32) -> Option<u32> {
        let key = Rc::as_ptr(code) as usize;
        if let Some((_, known)) = self.costs.get(&key) {
            return known.from(op);
        }
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for goal in self.missing.iter() {
            targets.extend(code.ops_of_goal(goal).into_iter().map(|op| (op, 0)));
        }
        for (at, op) in (0..).zip(&code.ops) {
            let calls = self.graph.from_call(&self.universe, &self.away, code, *op);
            targets.extend(calls.map(|calls| (at, PER_CALL.saturating_mul(calls + 1))));
        }
        let costs = code.flow().costs_to(targets);
        let cost = costs.from(op);
        self.costs.insert(key, (Rc::clone(code), costs));
        cost
    }
}

/// Frames that are looked at: who waits further down is far away.
const DEEPEST: usize = 24;

/// Where a waiting node goes if its choice is feasible.
fn next_op(node: &Node) -> Option<u32> {
    match &node.pending {
        Some(Pending::Choice(choice)) => match choice.action {
            Action::Jump { target, .. } => Some(target),
            _ => None,
        },
        _ => None,
    }
}

/// The graphs of assemblies, made when somebody first asks.
#[derive(Default)]
pub(crate) struct Graphs {
    known: FxHashMap<AssemblyId, Rc<CallGraph>>,
}

impl Graphs {
    /// The graph of the assembly of a method.
    pub fn of(&mut self, universe: &Universe, method: MethodId) -> Option<Rc<CallGraph>> {
        let assembly = universe.assembly_of(method).ok()?;
        let graph = self.known.entry(assembly).or_insert_with(|| Rc::new(CallGraph::of(universe, assembly)));
        Some(Rc::clone(graph))
    }
}

/// The goals that are met in the body of one definition.
pub(crate) fn those_in(machine: &Machine, goals: &BitSet, definition: MethodId) -> BitSet {
    let zone = &machine.recording.zone;
    let is_own = |goal: &u32| zone.goal(*goal).is_some_and(|(method, _)| method == definition);
    let mut own = BitSet::default();
    own.extend(goals.iter().filter(is_own));
    own
}
