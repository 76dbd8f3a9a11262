//! What is recorded against what the program itself says: `Truth.cs` logs the value of every condition and every block, and
//! each edge and mark whose outcome follows from the log must be recorded exactly then.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cil::opcode::Flow;
use cil::{Instruction, MethodDefId, Module, Opcode, Operand, RowRef};
use common::recording::{Block, Mapping, Start, full_opts, replace};
use common::{BASE, everything, flow, usual};
use instrument::{Edge, Place, Probe};
use testkit::{Debug, Options, Target, Toolchain};

const SEEDS: std::ops::Range<usize> = 0..14;

#[test]
fn optimised() {
    check(&compiled(true), everything, 220);
}

#[test]
fn optimised_with_the_usual_probes() {
    check(&compiled(true), |module| usual(module, cil::Pdb::embedded(module).unwrap().as_ref()), 170);
}

#[test]
fn not_optimised() {
    check(&compiled(false), everything, 220);
}

fn compiled(optimize: bool) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/Truth.cs");
    let options = Options {
        target: Target::Exe,
        allow_unsafe: true,
        optimize,
        debug: Debug::Embedded,
        ..Options::default()
    };
    testkit::compile("Truth", &[source.as_path()], &options).unwrap()
}

/// At least so many places must be told of.
fn check(original: &Path, probes: impl Fn(&Module) -> Vec<Probe>, least: usize) {
    let module = Module::open(original).unwrap();
    let probes = probes(&module);
    let outcomes = outcomes(&module);
    let folder = tempfile::tempdir().unwrap();
    let dll = folder.path().join("Truth.dll");
    let config = "Truth.runtimeconfig.json";
    fs::copy(original.with_file_name(config), folder.path().join(config)).unwrap();
    let (mut told, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for seed in SEEDS {
        fs::copy(original, &dll).unwrap();
        let (expected, _) = run(&dll, seed, probes.len());
        replace(&dll, &module, &probes, BASE);
        let (log, recorded) = run(&dll, seed, probes.len());
        assert_eq!(log, expected);
        let log: BTreeSet<&str> = log.lines().collect();
        for (probe, recorded) in probes.iter().zip(&recorded) {
            let Some(lines) = outcomes.get(&(probe.method, probe.place)) else { continue };
            let truth = lines.iter().any(|line| log.contains(line.as_str()));
            assert_eq!(*recorded, truth, "seed {seed}: {probe:?} for {lines:?}");
            told.insert((probe.method.row(), format!("{:?}", probe.place)));
            if truth {
                seen.insert((probe.method.row(), format!("{:?}", probe.place)));
            }
        }
        if probes.len() == everything(&module).len() {
            flow::check(&module, &probes, &recorded);
        }
    }
    // The log says enough, and the runs together see nearly all of it, so that both answers are tested.
    eprintln!("{} places are told of, {} of them seen", told.len(), seen.len());
    assert!(told.len() >= least, "{}", told.len());
    assert!(seen.len() * 100 > told.len() * 90, "{} of {}", seen.len(), told.len());
}

fn run(dll: &Path, seed: usize, probes: usize) -> (String, Vec<bool>) {
    let block = Block::new(dll.parent().unwrap(), probes);
    let start = Start {
        runtime: &Toolchain::locate().unwrap().dotnet(),
        dll,
        args: &[seed.to_string()],
        stdin: "",
        // Half of the runs are of code that the JIT has optimised.
        variables: &[full_opts()][..seed % 2],
        folder: dll.parent().unwrap(),
        mapping: Mapping::StartupHook,
    };
    let (code, stdout, stderr) = start.run(&block);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    (String::from_utf8(stdout).unwrap(), block.recorded())
}

/// For each place whose truth the log tells: the lines of which at least one must be in it.
type Outcomes = BTreeMap<(MethodDefId, Place), Vec<String>>;

fn outcomes(module: &Module) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for method in module.method_defs() {
        let Some(body) = module.method_body(method).unwrap() else { continue };
        let instructions: Vec<Instruction<'_>> = body.instructions().map(Result::unwrap).collect();
        let mut add = |place: Place, lines: Vec<String>| {
            assert!(outcomes.insert((method, place), lines).is_none());
        };
        for (index, instruction) in instructions.iter().enumerate() {
            if instruction.opcode.flow() == Flow::ConditionalBranch {
                edges_of(module, &instructions, index, &mut |edge, lines| add(Place::Edge(edge), lines));
            }
            if let Some(("Mark", place)) = told(module, &instructions, index) {
                add(Place::Reached(instruction.offset), vec![format!("mark {place}")]);
            }
        }
    }
    outcomes
}

fn edges_of(
    module: &Module,
    instructions: &[Instruction<'_>],
    index: usize,
    add: &mut impl FnMut(Edge, Vec<String>),
) {
    let instruction = &instructions[index];
    let (from, next) = (instruction.offset, instruction.next_offset());
    let jumps_if = matches!(instruction.opcode, Opcode::Brtrue | Opcode::BrtrueS);
    match (instruction.operand, condition(module, instructions, index)) {
        (Operand::Target(target), Some(("Bool", place, 0))) if target != next => {
            add(Edge { from, to: target }, vec![format!("bool {place} {}", i32::from(jumps_if))]);
            add(Edge { from, to: next }, vec![format!("bool {place} {}", i32::from(!jumps_if))]);
        }
        (Operand::Switch(targets), Some(("Int", place, first))) => {
            let mut edges: BTreeMap<u32, Vec<String>> = BTreeMap::new();
            for value in -50..150 {
                let case = usize::try_from(value - first).ok();
                let to = case.and_then(|case| targets.get(case)).unwrap_or(next);
                edges.entry(to).or_default().push(format!("int {place} {value}"));
            }
            for (to, lines) in edges {
                add(Edge { from, to }, lines);
            }
        }
        (Operand::Target(target), _) if target != next => {
            for to in [target, next] {
                if let Some(place) = only_way_to_mark(module, instructions, to) {
                    add(Edge { from, to }, vec![format!("mark {place}")]);
                }
            }
        }
        _ => {}
    }
}

/// The call that the operand of a jump comes from, its place, and what was subtracted from it.
fn condition<'m>(
    module: &'m Module,
    instructions: &[Instruction<'_>],
    index: usize,
) -> Option<(&'m str, i32, i32)> {
    let jump = instructions[index].opcode;
    if !matches!(jump, Opcode::Brtrue | Opcode::BrtrueS | Opcode::Brfalse | Opcode::BrfalseS | Opcode::Switch)
    {
        return None;
    }
    let (mut at, mut first) = (index.checked_sub(1)?, 0);
    if instructions[at].opcode == Opcode::Sub {
        first = constant(&instructions[at - 1])?;
        at -= 2;
    }
    // Code that is not optimised keeps conditions in variables.
    while let [store, load] = &instructions[at.checked_sub(1)?..=at]
        && let (Some(stored), Some(loaded)) = (stored(store), loaded(load))
        && stored == loaded
    {
        at -= 2;
    }
    let (name, place) = told(module, instructions, at)?;
    Some((name, place, first))
}

/// Which method of `Truth` is called here, and for which place.
fn told<'m>(module: &'m Module, instructions: &[Instruction<'_>], index: usize) -> Option<(&'m str, i32)> {
    let (call, before) = (instructions.get(index)?, instructions.get(index.checked_sub(1)?)?);
    let Operand::Token(token) = call.operand else { return None };
    let Some(RowRef::MethodDef(callee)) = token.row_ref() else { return None };
    let owner = module.declaring_type_of_method(callee).unwrap()?;
    let is_truth = call.opcode == Opcode::Call && module.type_def(owner).unwrap().name == "Truth";
    let name = module.method_def(callee).unwrap().name;
    (is_truth && matches!(name, "Bool" | "Int" | "Mark")).then_some((name, constant(before)?))
}

/// The place of the mark that a block begins with, if one jump alone leads there.
fn only_way_to_mark(module: &Module, instructions: &[Instruction<'_>], offset: u32) -> Option<i32> {
    let at = instructions.iter().position(|i| i.offset == offset)?;
    let skipped = instructions[at..].iter().take_while(|i| i.opcode == Opcode::Nop).count();
    let jumps = instructions.iter().filter(|i| match i.operand {
        Operand::Target(target) => target == offset,
        Operand::Switch(targets) => targets.iter().any(|target| target == offset),
        _ => false,
    });
    let before = instructions.get(at.checked_sub(1)?)?;
    let falls = !matches!(before.opcode.flow(), Flow::Branch | Flow::Return | Flow::Throw);
    if jumps.count() + usize::from(falls) != 1 {
        return None;
    }
    match told(module, instructions, at + skipped + 1) {
        Some(("Mark", place)) => Some(place),
        _ => None,
    }
}

fn constant(instruction: &Instruction<'_>) -> Option<i32> {
    match instruction.operand {
        Operand::Int32(value) => Some(value),
        Operand::Int8(value) => Some(value.into()),
        _ => {
            let number = i32::from(instruction.opcode.code()) - i32::from(Opcode::LdcI40.code());
            (-1..=8).contains(&number).then_some(number)
        }
    }
}

fn stored(instruction: &Instruction<'_>) -> Option<u16> {
    match (instruction.opcode, instruction.operand) {
        (Opcode::StlocS | Opcode::Stloc, Operand::Local(local)) => Some(local),
        (opcode, _) => opcode.code().checked_sub(Opcode::Stloc0.code()).filter(|local| *local < 4),
    }
}

fn loaded(instruction: &Instruction<'_>) -> Option<u16> {
    match (instruction.opcode, instruction.operand) {
        (Opcode::LdlocS | Opcode::Ldloc, Operand::Local(local)) => Some(local),
        (opcode, _) => opcode.code().checked_sub(Opcode::Ldloc0.code()).filter(|local| *local < 4),
    }
}
