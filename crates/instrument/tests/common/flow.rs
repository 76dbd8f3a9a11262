//! What must be true of any recording, whatever the program: nothing is reached but by a way that was taken.

use std::collections::{BTreeMap, BTreeSet};

use cil::opcode::Flow;
use cil::{ClauseKind, Instruction, MethodDefId, Module, Opcode, Operand};
use instrument::{Edge, Place, Probe};

/// How many instructions were reached and edges taken.
pub fn check(module: &Module, probes: &[Probe], recorded: &[bool]) -> (usize, usize) {
    let mut methods: BTreeMap<MethodDefId, Recording> = BTreeMap::new();
    for (probe, _) in probes.iter().zip(recorded).filter(|(_, recorded)| **recorded) {
        let recording = methods.entry(probe.method).or_default();
        match probe.place {
            Place::Reached(offset) => recording.reached.insert(offset),
            Place::Edge(edge) => recording.taken.insert(edge),
        };
    }
    for (method, recording) in &methods {
        recording.check(module, *method);
    }
    let count = |size: fn(&Recording) -> usize| methods.values().map(size).sum();
    (count(|recording| recording.reached.len()), count(|recording| recording.taken.len()))
}

#[derive(Default)]
struct Recording {
    reached: BTreeSet<u32>,
    taken: BTreeSet<Edge>,
}

impl Recording {
    fn check(&self, module: &Module, method: MethodDefId) {
        let name = format!("{} {}", method.token(), module.method_def(method).unwrap().name);
        let body = module.method_body(method).unwrap().unwrap();
        let instructions: Vec<Instruction<'_>> = body.instructions().map(Result::unwrap).collect();
        // Where control comes from nowhere.
        let mut reachable: BTreeSet<u32> = [0].into();
        for clause in &body.clauses {
            reachable.insert(clause.handler.start);
            reachable.extend(if let ClauseKind::Filter(start) = clause.kind { Some(start) } else { None });
        }
        for instruction in instructions.iter().filter(|i| self.reached.contains(&i.offset)) {
            let (from, next) = (instruction.offset, instruction.next_offset());
            match (instruction.opcode.flow(), instruction.operand) {
                (Flow::ConditionalBranch, _) => {
                    let taken = self.taken.iter().filter(|edge| edge.from == from);
                    let before = reachable.len();
                    reachable.extend(taken.clone().map(|edge| edge.to));
                    assert!(before > 0 && taken.count() > 0, "{name} IL_{from:04x} goes nowhere");
                }
                (Flow::Branch, Operand::Target(target)) => reachable.extend([target]),
                (Flow::Branch | Flow::Return | Flow::Throw, _) => {}
                _ if instruction.opcode == Opcode::Jmp => {}
                _ => reachable.extend([next]),
            }
        }
        for edge in &self.taken {
            assert!(self.reached.contains(&edge.from), "{name} {edge:?}: its jump was not reached");
            assert!(self.reached.contains(&edge.to), "{name} {edge:?}: its target was not reached");
        }
        for offset in &self.reached {
            assert!(reachable.contains(offset), "{name} IL_{offset:04x} is reached from nowhere");
        }
    }
}
