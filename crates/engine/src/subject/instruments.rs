//! What is measured of an assembly while its tests run: which edges the runtime took and which instructions it reached.
//!
//! A probe stands on every edge that counts, and wherever execution can begin or go on after something that may throw: what
//! lies between two of them is executed as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cil::opcode::Flow;
use cil::{ClauseKind, Instruction, MethodBody, MethodDefId, Module, Opcode, Operand};
use instrument::Probe;
use replay::Hits;
use serde::{Deserialize, Serialize};

use crate::subject::goals;
use crate::subject::target::{Edge, Goals};

/// The probes of an assembly, method by method.
#[derive(Clone, Debug, Default)]
pub struct Instruments {
    pub probes: Vec<Probe>,
    /// By token.
    methods: BTreeMap<u32, MethodProbes>,
}

#[derive(Clone, Debug)]
struct MethodProbes {
    /// The numbers of its probes.
    numbers: Range<usize>,
    /// Offsets of its instructions.
    instructions: Vec<u32>,
}

/// What the runtime went through, by the tokens of methods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    pub methods: BTreeMap<u32, Taken>,
}

/// What was taken of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Offsets at which execution began: of the method or of a handler.
    pub starts: Vec<u32>,
    pub branches: Vec<Edge>,
    /// Offsets of executed instructions, if that was measured.
    pub instructions: Option<Vec<u32>>,
}

impl Measured {
    /// Adds what another test went through.
    pub fn add(&mut self, other: &Measured) {
        for (token, more) in &other.methods {
            self.methods.entry(*token).or_default().add(more);
        }
    }
}

impl Taken {
    fn add(&mut self, other: &Taken) {
        self.starts.extend(&other.starts);
        self.branches.extend(&other.branches);
        if let Some(more) = &other.instructions {
            self.instructions.get_or_insert_default().extend(more);
        }
    }

    /// Offsets of the instructions that were executed; if that was not measured, those between decisions.
    pub fn executed(&self, goals: &Goals) -> BTreeSet<u32> {
        if let Some(measured) = &self.instructions {
            return measured.iter().copied().collect();
        }
        let starts = self.starts.iter().copied().chain(self.branches.iter().map(|edge| edge.to));
        starts.flat_map(|start| goals.run_from(start)).collect()
    }
}

impl Instruments {
    /// All that can be measured of an assembly; nothing if it cannot be rewritten.
    pub fn of(module: &Module) -> Instruments {
        let mut wanted = Instruments::on_all(module);
        // The address does not matter for whether it can be done.
        while let Err(error) = instrument::instrument(module, &wanted.probes, 0) {
            if !error.method().is_some_and(|method| wanted.without(method)) {
                return Instruments::default();
            }
        }
        wanted
    }

    fn on_all(module: &Module) -> Instruments {
        let mut all = Instruments::default();
        for method in module.method_defs() {
            // What cannot be decoded cannot be measured either, and does not run.
            let Ok(Some(body)) = module.method_body(method) else { continue };
            let Some(instructions) = body.instructions().collect::<cil::Result<Vec<_>>>().ok() else {
                continue;
            };
            let first = all.probes.len();
            let edges = goals::of(module, &body).branches.into_iter();
            let edge = |edge: Edge| instrument::Edge { from: edge.from, to: edge.to };
            all.probes.extend(edges.map(|e| Probe::edge(method, edge(e))));
            all.probes.extend(starts(&body, &instructions).map(|offset| Probe::reached(method, offset)));
            let numbers = first..all.probes.len();
            let instructions = instructions.iter().map(|instruction| instruction.offset).collect();
            all.methods.insert(method.token().raw(), MethodProbes { numbers, instructions });
        }
        all
    }

    /// Leaves out a method; whether it was there.
    fn without(&mut self, method: MethodDefId) -> bool {
        let Some(removed) = self.methods.remove(&method.token().raw()) else { return false };
        let gone = removed.numbers.len();
        self.probes.drain(removed.numbers.clone());
        for known in self.methods.values_mut().filter(|known| known.numbers.start >= removed.numbers.end) {
            known.numbers = known.numbers.start - gone..known.numbers.end - gone;
        }
        true
    }

    /// The methods that were hit, and what was taken of each.
    pub fn measured(&self, hits: &Hits) -> Measured {
        let mut measured = Measured::default();
        let mut rest = hits.0.as_slice();
        while let Some(first) = rest.first() {
            let Some(probe) = self.probes.get(*first as usize) else { break };
            let token = probe.method.token().raw();
            let Some(method) = self.methods.get(&token) else { break };
            let own = rest.partition_point(|number| (*number as usize) < method.numbers.end);
            let (here, others) = rest.split_at(own);
            measured.methods.insert(token, self.taken(method, here));
            rest = others;
        }
        measured
    }

    fn taken(&self, method: &MethodProbes, hits: &[u32]) -> Taken {
        let mut taken = Taken::default();
        let mut reached = Vec::new();
        for probe in hits.iter().filter_map(|number| self.probes.get(*number as usize)) {
            match probe.place {
                instrument::Place::Reached(offset) => reached.push(offset),
                instrument::Place::Edge(edge) => taken.branches.push(Edge { from: edge.from, to: edge.to }),
            }
        }
        let probes = self.probes.get(method.numbers.clone()).unwrap_or_default();
        let starts: Vec<u32> = probes.iter().filter_map(reached_offset).collect();
        let start_of =
            |offset: &u32| starts.get(starts.partition_point(|start| start <= offset).wrapping_sub(1));
        let is_hit = |start: &u32| reached.binary_search(start).is_ok();
        let executed = method.instructions.iter().filter(|offset| start_of(offset).is_some_and(is_hit));
        taken.instructions = Some(executed.copied().collect());
        taken
    }
}

fn reached_offset(probe: &Probe) -> Option<u32> {
    match probe.place {
        instrument::Place::Reached(offset) => Some(offset),
        instrument::Place::Edge(_) => None,
    }
}

/// Where execution can begin, or go on after an instruction that may throw or go elsewhere; in order.
fn starts(body: &MethodBody<'_>, instructions: &[Instruction<'_>]) -> impl Iterator<Item = u32> {
    let mut starts: Vec<u32> = instructions.first().map(|first| first.offset).into_iter().collect();
    for clause in &body.clauses {
        starts.extend([clause.try_range.start, clause.handler.start]);
        if let ClauseKind::Filter(start) = clause.kind {
            starts.push(start);
        }
    }
    let mut is_after_prefix = false;
    for pair in instructions.windows(2) {
        let [instruction, next] = pair else { continue };
        match instruction.operand {
            Operand::Target(target) => starts.push(target),
            Operand::Switch(targets) => starts.extend(targets.iter()),
            _ => {}
        }
        let is_prefix = instruction.opcode.flow() == Flow::Prefix;
        if !is_prefix && (is_after_prefix || may_leave(instruction.opcode)) {
            starts.push(next.offset);
        }
        is_after_prefix = is_prefix;
    }
    starts.sort_unstable();
    starts.dedup();
    // A target inside of an instruction is no place for a probe.
    let known: Vec<u32> = instructions.iter().map(|instruction| instruction.offset).collect();
    starts.into_iter().filter(move |start| known.binary_search(start).is_ok())
}

/// Whether what follows need not be executed after this.
fn may_leave(opcode: Opcode) -> bool {
    if opcode.flow() != Flow::Next {
        return true;
    }
    let name = opcode.name();
    let is_plain =
        ["ldarg", "ldloc", "stloc", "starg", "ldc.", "ldnull", "dup", "pop", "nop", "ceq", "cgt", "clt"];
    let is_arithmetic = ["add", "sub", "mul", "and", "or", "xor", "shl", "shr", "shr.un", "neg", "not"];
    let is_conversion = name.starts_with("conv.") && !name.contains("ovf");
    !(is_conversion || is_arithmetic.contains(&name) || is_plain.iter().any(|plain| name.starts_with(plain)))
}
