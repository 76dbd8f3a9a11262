//! Who can call whom in the assembly under test, and how many calls it is to some methods.
//!
//! It over-approximates: a virtual call reaches every method of the assembly with its name and number of parameters, or with
//! a name of its own choice; a delegate every method whose address is taken; code of another assembly all of these,
//! constructors, and, if it uses reflection, everything.

use std::collections::VecDeque;

use cil::{Opcode, Operand};
use rustc_hash::FxHashMap;
use types::{AssemblyId, Member, MethodId, TypeId, Universe};

use super::outside::Outside;
use crate::code::{Code, Op};

/// The call graph of an assembly, by definitions.
#[derive(Debug)]
pub struct CallGraph {
    assembly: AssemblyId,
    nodes: FxHashMap<MethodId, u32>,
    methods: Vec<MethodId>,
    /// Nodes that stand for all methods that a virtual call can reach, by name and number of parameters.
    slots: FxHashMap<(Box<str>, usize), u32>,
    /// From a node to those that it can call.
    calls: Vec<Vec<u32>>,
    /// Nodes that stand for several methods.
    delegates: u32,
    outside: u32,
    anything: u32,
}

/// How many calls it is from methods to the nearest of some.
#[derive(Debug)]
pub struct Away {
    by_node: Vec<Option<u32>>,
}

impl CallGraph {
    /// Of an assembly.
    pub fn of(universe: &Universe, assembly: AssemblyId) -> CallGraph {
        let module = universe.assembly(assembly).module();
        let methods: Vec<MethodId> =
            module.method_defs().filter_map(|def| universe.method_of_token(assembly, def).ok()).collect();
        let nodes = methods.iter().copied().zip(0..).collect();
        let first = methods.len() as u32;
        let mut graph = CallGraph {
            assembly,
            nodes,
            slots: FxHashMap::default(),
            calls: vec![Vec::new(); methods.len() + 3],
            delegates: first,
            outside: first + 1,
            anything: first + 2,
            methods,
        };
        graph.fill(universe);
        graph
    }

    fn fill(&mut self, universe: &Universe) {
        let mut outside = Outside::new(universe);
        let mut taken = Vec::new();
        for (node, method) in (0..).zip(self.methods.clone()) {
            let mut scan = Scan { universe, graph: self, outside: &mut outside, taken: &mut taken, node };
            scan.body(method);
        }
        taken.sort_unstable();
        taken.dedup();
        let virtuals = self.virtuals(universe);
        let has_slot = |node: &u32| virtuals.iter().any(|(known, ..)| known == node);
        let is_made = |node: u32| {
            let info = universe.method(self.methods[node as usize]);
            info.is_constructor() || info.is_static_constructor()
        };
        let count = self.methods.len() as u32;
        let escaping: Vec<u32> = (0..count)
            .filter(|node| has_slot(node) || is_made(*node) || taken.binary_search(node).is_ok())
            .collect();
        self.set(self.delegates, taken);
        self.set(self.outside, escaping);
        self.set(self.anything, (0..count).collect());
        let slots: Vec<(Box<str>, usize, u32)> =
            self.slots.iter().map(|((name, arity), node)| (name.clone(), *arity, *node)).collect();
        for (name, arity, slot) in slots {
            let fits = |(_, own, parameters, is_free): &&(u32, Box<str>, usize, bool)| {
                *parameters == arity && (*is_free || *own == name)
            };
            let fitting = virtuals.iter().filter(fits).map(|(node, ..)| *node).collect();
            self.set(slot, fitting);
        }
    }

    fn set(&mut self, node: u32, calls: Vec<u32>) {
        if let Some(known) = self.calls.get_mut(node as usize) {
            *known = calls;
        }
    }

    /// The virtual methods of the assembly: their names, numbers of parameters, and whether they implement something under
    /// whatever name.
    fn virtuals(&self, universe: &Universe) -> Vec<(u32, Box<str>, usize, bool)> {
        let module = universe.assembly(self.assembly).module();
        let free: Vec<cil::Token> =
            module.all_method_impls().filter_map(|id| Some(module.method_impl(id).ok()?.body)).collect();
        let mut virtuals = Vec::new();
        for (node, method) in (0..).zip(&self.methods) {
            let info = universe.method(*method);
            let is_free = info.token().is_some_and(|token| free.contains(&token));
            if info.is_virtual() || is_free {
                let arity = universe.signature(*method).map_or(usize::MAX, |sig| sig.params.len());
                virtuals.push((node, info.name.as_ref().into(), arity, is_free));
            }
        }
        virtuals
    }

    /// The node that stands for what a call of a method can reach.
    fn slot(&mut self, name: &str, arity: usize) -> u32 {
        let next = self.calls.len() as u32;
        let slot = *self.slots.entry((name.into(), arity)).or_insert(next);
        if slot == next {
            self.calls.push(Vec::new());
        }
        slot
    }

    /// How many calls it is from each method to the nearest of these definitions.
    pub fn away_from(&self, targets: impl IntoIterator<Item = MethodId>) -> Away {
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); self.calls.len()];
        for (caller, calls) in (0..).zip(&self.calls) {
            calls.iter().for_each(|callee| callers[*callee as usize].push(caller));
        }
        let mut by_node = vec![None; self.calls.len()];
        let mut open = VecDeque::new();
        for target in targets {
            if let Some(node) = self.nodes.get(&target) {
                by_node[*node as usize] = Some(0);
                open.push_back((*node, 0));
            }
        }
        while let Some((node, distance)) = open.pop_front() {
            for caller in &callers[node as usize] {
                if by_node[*caller as usize].is_none() {
                    by_node[*caller as usize] = Some(distance + 1);
                    open.push_back((*caller, distance + 1));
                }
            }
        }
        Away { by_node }
    }

    /// How many calls it is from a definition.
    pub fn from_method(&self, away: &Away, definition: MethodId) -> Option<u32> {
        away.by_node.get(*self.nodes.get(&definition)? as usize).copied().flatten()
    }

    /// How many calls it is from inside of what an operation calls.
    pub fn from_call(&self, universe: &Universe, away: &Away, code: &Code, op: Op) -> Option<u32> {
        let at = |node: u32| away.by_node.get(node as usize).copied().flatten();
        let site = match op {
            Op::Call(site) | Op::CallVirt(site) | Op::TailCall(site) | Op::TailCallVirt(site) => site,
            Op::NewObj(site) | Op::Jmp(site) => site,
            Op::CallI(_) | Op::TailCallI(_) => return at(self.delegates),
            _ => return None,
        };
        let method = code.calls.get(site as usize)?.method;
        let info = universe.method(method);
        let definition = universe.method_definition(method).ok();
        let own = definition.and_then(|definition| self.nodes.get(&definition).copied());
        let direct = own.and_then(at);
        let others = if universe.is_delegate(info.owner) {
            at(self.delegates)
        } else if info.is_virtual() {
            let arity = universe.signature(method).map_or(usize::MAX, |sig| sig.params.len());
            let slot = self.slots.get(&(info.name.as_ref().into(), arity)).and_then(|slot| at(*slot));
            slot.min_some(own.is_none().then(|| at(self.outside)).flatten())
        } else if own.is_none() {
            at(self.outside).min_some(at(self.anything).map(|calls| calls + FAR))
        } else {
            None
        };
        direct.min_some(others)
    }
}

/// What reflection could call is further away than what is called.
const FAR: u32 = 8;

trait MinSome {
    /// The smaller one of those that are there.
    fn min_some(self, other: Self) -> Self;
}

impl MinSome for Option<u32> {
    fn min_some(self, other: Option<u32>) -> Option<u32> {
        match (self, other) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// One body on its way into the graph.
struct Scan<'a, 'u> {
    universe: &'u Universe,
    graph: &'a mut CallGraph,
    outside: &'a mut Outside<'u>,
    /// Nodes of methods whose address is taken.
    taken: &'a mut Vec<u32>,
    node: u32,
}

impl Scan<'_, '_> {
    fn body(&mut self, method: MethodId) {
        // What has no body here is somebody else's code.
        let Ok(Some(body)) = self.universe.body(method) else { return self.add(self.graph.outside) };
        let owner = self.universe.method(method).owner;
        self.initializer(owner);
        for instruction in body.instructions() {
            let Ok(instruction) = instruction else { return self.add(self.graph.anything) };
            match (instruction.opcode, instruction.operand) {
                (Opcode::Calli, _) => self.add(self.graph.delegates),
                (opcode, Operand::Token(token)) => match self.universe.resolve_member_token(method, token) {
                    Ok(Member::Method(callee)) => self.call(opcode, callee),
                    Ok(Member::Field(field)) => self.initializer(self.universe.field(field).owner),
                    Ok(Member::Type(_)) => {}
                    // Text is no member.
                    Err(_) if opcode == Opcode::Ldstr => {}
                    Err(_) => self.add(self.graph.anything),
                },
                _ => {}
            }
        }
    }

    fn call(&mut self, opcode: Opcode, callee: MethodId) {
        let info = self.universe.method(callee);
        let arity = self.universe.signature(callee).map_or(usize::MAX, |sig| sig.params.len());
        if info.is_virtual() {
            let slot = self.graph.slot(&info.name, arity);
            self.add(slot);
        }
        self.initializer(info.owner);
        if self.universe.is_delegate(info.owner) {
            self.add(self.graph.delegates);
        }
        let definition = self.universe.method_definition(callee).unwrap_or(callee);
        match self.graph.nodes.get(&definition).copied() {
            Some(node) => {
                self.add(node);
                if matches!(opcode, Opcode::Ldftn | Opcode::Ldvirtftn | Opcode::Ldtoken) {
                    self.taken.push(node);
                }
            }
            None if self.outside.may_reflect(definition) => self.add(self.graph.anything),
            None => self.add(self.graph.outside),
        }
    }

    /// Whoever comes to a type for the first time runs its static constructor.
    fn initializer(&mut self, owner: TypeId) {
        let definition = self.universe.definition(owner);
        let constructor = self.universe.static_constructor(definition).ok().flatten();
        let definition = constructor.and_then(|method| self.universe.method_definition(method).ok());
        if let Some(node) = definition.and_then(|definition| self.graph.nodes.get(&definition).copied()) {
            self.add(node);
        }
    }

    fn add(&mut self, callee: u32) {
        if let Some(calls) = self.graph.calls.get_mut(self.node as usize)
            && !calls.contains(&callee)
        {
            calls.push(callee);
        }
    }
}
