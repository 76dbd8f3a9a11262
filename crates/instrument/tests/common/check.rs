//! Whether a copy is its original with probes, found out without knowing how the copy is written: code is compared by what
//! executing it does. From each instruction, whatever way it goes on, the copy must fire the probes of that way, no others,
//! and come to the same instruction as the original.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cil::opcode::{Flow, OperandKind};
use cil::{ClauseKind, Instruction, MethodBody, MethodDefId, Module, Opcode, Operand, TableId};
use instrument::{Edge, Instrumented, Place, Probe};

pub struct Compared {
    pub methods: usize,
    pub instructions: usize,
}

pub fn check(module: &Module, probes: &[Probe], base: u64, copy: &Instrumented) -> Compared {
    let copied = Module::from_vec(copy.image.clone()).unwrap();
    let mut wanted: BTreeMap<MethodDefId, Vec<(usize, Place)>> = BTreeMap::new();
    for (number, probe) in probes.iter().enumerate() {
        wanted.entry(probe.method).or_default().push((number, probe.place));
    }
    only_bodies_and_headers_differ(module, copy, &wanted);
    assert!(!copied.is_ready_to_run());
    let mut compared = Compared { methods: wanted.len(), instructions: 0 };
    for &table in TableId::ALL {
        assert_eq!(copied.rows(table), module.rows(table));
    }
    for (&method, places) in &wanted {
        let old = module.method_body(method).unwrap().unwrap();
        let new = copied.method_body(method).unwrap().unwrap();
        let bodies = Bodies::new(module, method, &old, &new, base..base + probes.len() as u64, copy);
        bodies.compare(places);
        compared.instructions += bodies.old.len();
    }
    compared
}

/// Outside of the headers and the RVAs of methods with probes, the copy begins with the original.
fn only_bodies_and_headers_differ(
    module: &Module,
    copy: &Instrumented,
    wanted: &BTreeMap<MethodDefId, Vec<(usize, Place)>>,
) {
    let (old, new) = (module.bytes(), &copy.image);
    let number = |at: usize| u32::from_le_bytes(old[at..at + 4].try_into().unwrap()) as usize;
    let optional = number(0x3c) + 24;
    let is_wide = old[optional + 1] == 2;
    let cli = number(optional + if is_wide { 112 } else { 96 } + 14 * 8);
    let cli = module.file_offset_of(cli as u32).unwrap();
    let mut may_differ: Vec<(usize, usize)> = vec![(0, number(optional + 60)), (cli, cli + 72)];
    for &method in wanted.keys() {
        let cell = module.body_rva_offset(method).unwrap();
        may_differ.push((cell, cell + 4));
    }
    may_differ.sort_unstable();
    let mut from = 0;
    for (start, end) in may_differ.into_iter().chain([(old.len(), old.len())]) {
        assert!(old[from..start.max(from)] == new[from..start.max(from)], "bytes before {start:#x} differ");
        from = end.max(from);
    }
}

struct Bodies<'a> {
    name: String,
    old: Vec<Instruction<'a>>,
    new: HashMap<u32, Instruction<'a>>,
    old_body: &'a MethodBody<'a>,
    new_body: &'a MethodBody<'a>,
    /// The addresses of probes.
    block: std::ops::Range<u64>,
    /// Offset in the copy → number of the instruction in the original, where one begins.
    starts: HashMap<u32, usize>,
    /// The other way.
    start_of: Vec<u32>,
    is_target: BTreeSet<u32>,
}

impl<'a> Bodies<'a> {
    fn new(
        module: &Module,
        method: MethodDefId,
        old_body: &'a MethodBody<'a>,
        new_body: &'a MethodBody<'a>,
        block: std::ops::Range<u64>,
        copy: &Instrumented,
    ) -> Bodies<'a> {
        let name = format!("{} {}", method.token(), module.method_def(method).unwrap().name);
        let old: Vec<Instruction<'_>> = old_body.instructions().map(Result::unwrap).collect();
        let new = new_body.instructions().map(Result::unwrap).map(|i| (i.offset, i)).collect();
        let index = copy.methods.binary_search_by_key(&method, |(id, _)| *id).unwrap();
        let pieces = copy.methods[index].1.pieces();
        assert_eq!(pieces.len(), old.len(), "{name}");
        let mut is_target = BTreeSet::new();
        for instruction in &old {
            match instruction.operand {
                Operand::Target(target) => is_target.extend([target]),
                Operand::Switch(targets) => is_target.extend(targets.iter()),
                _ => {}
            }
        }
        for clause in &old_body.clauses {
            is_target.extend([clause.try_range, clause.handler].iter().flat_map(|r| [r.start, r.end]));
            is_target.extend(if let ClauseKind::Filter(at) = clause.kind { Some(at) } else { None });
        }
        let mut bodies = Bodies {
            name,
            old,
            new,
            old_body,
            new_body,
            block,
            starts: HashMap::new(),
            start_of: Vec::new(),
            is_target,
        };
        for (number, &(copied, original)) in pieces.iter().enumerate() {
            assert_eq!(original, bodies.old[number].offset);
            // A `ret` of its own for who jumps there.
            let doubled = bodies.is_doubled_return(number, copied);
            bodies.start_of.push(copied + u32::from(doubled));
            bodies.starts.insert(copied + u32::from(doubled), number);
        }
        bodies
    }

    fn compare(&self, places: &[(usize, Place)]) {
        let mut reached: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut edges: BTreeMap<Edge, BTreeSet<usize>> = BTreeMap::new();
        for &(number, place) in places {
            match place {
                Place::Reached(offset) => {
                    let at = self.unit(self.old.binary_search_by_key(&offset, |i| i.offset).unwrap());
                    reached.entry(at).or_default().insert(number);
                }
                Place::Edge(edge) => {
                    edges.entry(edge).or_default().insert(number);
                }
            }
        }
        self.compare_headers();
        for index in 0..self.old.len() {
            self.compare_instruction(index, reached.remove(&index).unwrap_or_default(), &edges);
        }
    }

    fn compare_headers(&self) {
        let (old, new) = (self.old_body, self.new_body);
        assert_eq!(new.max_stack, old.max_stack + 2, "{}", self.name);
        assert_eq!(
            (new.init_locals, new.local_var_sig),
            (old.init_locals, old.local_var_sig),
            "{}",
            self.name
        );
        assert_eq!(new.clauses.len(), old.clauses.len(), "{}", self.name);
        let at = |offset: u32| match self.old.binary_search_by_key(&offset, |i| i.offset) {
            Ok(index) => self.start_of[index],
            Err(_) => new.code.len() as u32,
        };
        for (new, old) in new.clauses.iter().zip(&old.clauses) {
            for (new, old) in [(new.try_range, old.try_range), (new.handler, old.handler)] {
                assert_eq!((new.start, new.end), (at(old.start), at(old.end)), "{}", self.name);
            }
            let kind = match old.kind {
                ClauseKind::Filter(start) => ClauseKind::Filter(at(start)),
                kind => kind,
            };
            assert_eq!(new.kind, kind, "{}", self.name);
        }
    }

    fn compare_instruction(
        &self,
        index: usize,
        reached: BTreeSet<usize>,
        edges: &BTreeMap<Edge, BTreeSet<usize>>,
    ) {
        let old = &self.old[index];
        let place = format!("{} IL_{:04x}", self.name, old.offset);
        let (at, fired) = self.probes_at(self.start_of[index]);
        assert_eq!(fired, reached, "{place}");
        let new = &self.new[&at];
        let edge = |to: u32| edges.get(&Edge { from: old.offset, to }).cloned().unwrap_or_default();
        let goes = |new_to: u32, to: u32, probes: BTreeSet<usize>| {
            assert_eq!(self.follow(new_to), (to, probes), "{place} to IL_{to:04x}");
        };
        let is_conditional = old.opcode.flow() == Flow::ConditionalBranch;
        let expected =
            if old.opcode.operand_kind() == OperandKind::ShortTarget { long(old.opcode) } else { old.opcode };
        assert_eq!(new.opcode, expected, "{place}");
        match (old.operand, new.operand) {
            (Operand::Target(old_to), Operand::Target(new_to)) => {
                goes(new_to, old_to, if is_conditional { edge(old_to) } else { BTreeSet::new() });
            }
            (Operand::Switch(old_to), Operand::Switch(new_to)) => {
                assert_eq!(old_to.len(), new_to.len(), "{place}");
                for (old_to, new_to) in old_to.iter().zip(new_to.iter()) {
                    goes(new_to, old_to, edge(old_to));
                }
            }
            (old, new) => assert_eq!(old, new, "{place}"),
        }
        if self.falls_through(index) {
            let next = old.next_offset();
            let probes = if is_conditional { edge(next) } else { BTreeSet::new() };
            assert_eq!(self.fall(new.next_offset(), index), (next, probes), "{place} falls through");
        }
    }

    /// What happens after the instruction before `at` until the next instruction of the original.
    fn fall(&self, at: u32, index: usize) -> (u32, BTreeSet<usize>) {
        // After a `tail.` call its own `ret` must follow, whichever of the two that is.
        if let Some(start) = self.start_of.get(index + 1)
            && *start == at + 1
            && self.is_doubled_return(index + 1, at)
        {
            return (self.old[index + 1].offset, BTreeSet::new());
        }
        self.follow(at)
    }

    /// Follows probes and plain jumps up to the next instruction of the original.
    fn follow(&self, mut at: u32) -> (u32, BTreeSet<usize>) {
        let mut fired = BTreeSet::new();
        for _ in 0..10 {
            if let Some(&index) = self.starts.get(&at) {
                return (self.old[index].offset, fired);
            }
            if at as usize == self.new_body.code.len() {
                return (self.old_body.code.len() as u32, fired);
            }
            let (after, more) = self.probes_at(at);
            fired.extend(more);
            at = after;
            if let Some(&index) = self.starts.get(&at) {
                return (self.old[index].offset, fired);
            }
            match self.new.get(&at) {
                Some(Instruction { opcode: Opcode::Br, operand: Operand::Target(target), .. }) => {
                    at = *target
                }
                other => panic!("{}: {other:?} at IL_{at:04x} of the copy", self.name),
            }
        }
        panic!("{}: no end at IL_{at:04x} of the copy", self.name)
    }

    /// The probes that begin at an offset of the copy, and what comes after them.
    fn probes_at(&self, mut at: u32) -> (u32, BTreeSet<usize>) {
        let mut fired = BTreeSet::new();
        while let Some(Instruction { opcode: Opcode::LdcI8, operand: Operand::Int64(address), .. }) =
            self.new.get(&at)
            && self.block.contains(&(*address as u64))
        {
            let rest = [(9, Opcode::ConvU), (10, Opcode::LdcI41), (11, Opcode::StindI1)];
            if !rest.iter().all(|(d, opcode)| self.new.get(&(at + d)).is_some_and(|i| i.opcode == *opcode)) {
                break;
            }
            assert!(fired.insert((*address as u64 - self.block.start) as usize), "{}", self.name);
            at += 12;
            // The next instruction of the original may have probes of its own.
            if self.starts.contains_key(&at) {
                break;
            }
        }
        (at, fired)
    }

    fn is_doubled_return(&self, index: usize, at: u32) -> bool {
        let returns = |at: u32| self.new.get(&at).is_some_and(|i| i.opcode == Opcode::Ret);
        let probed = |at: u32| !self.probes_at(at).1.is_empty();
        self.is_tail_return(index) && returns(at) && probed(at + 1)
    }

    fn is_tail_return(&self, index: usize) -> bool {
        let mut before = self.old[..index].iter().rev();
        self.old.get(index).is_some_and(|i| i.opcode == Opcode::Ret)
            && before.next().is_some_and(|i| i.opcode.flow() == Flow::Call)
            && before.take_while(|i| i.opcode.flow() == Flow::Prefix).any(|i| i.opcode == Opcode::Tail)
    }

    /// The first of the instructions that must not be torn apart.
    fn unit(&self, index: usize) -> usize {
        let opcode = |back: usize| index.checked_sub(back).map(|i| self.old[i].opcode);
        use Opcode::*;
        let is_end = matches!(opcode(0), Some(UnboxAny | Brtrue | BrtrueS | Brfalse | BrfalseS));
        let pattern = match (opcode(2), opcode(1), opcode(0)) {
            (_, Some(before), _) if before.flow() == Flow::Prefix => return self.unit(index - 1),
            (_, Some(Box), Some(Isinst)) => true,
            (_, Some(Box), _) | (Some(Box), Some(Isinst), _) => is_end,
            _ => false,
        };
        if pattern && !self.is_target.contains(&self.old[index].offset) {
            self.unit(index - 1)
        } else {
            index
        }
    }

    fn falls_through(&self, index: usize) -> bool {
        let opcode = self.old[index].opcode;
        !matches!(opcode.flow(), Flow::Branch | Flow::Return | Flow::Throw) && opcode != Opcode::Jmp
    }
}

fn long(short: Opcode) -> Opcode {
    let name = short.name().trim_end_matches(".s");
    *Opcode::ALL.iter().find(|opcode| opcode.name() == name).unwrap()
}
