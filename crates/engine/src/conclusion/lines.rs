//! What the tests cover, line by line: what the runtime went through, and the lines that symbols know it by.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cil::{MethodDefId, Module, Pdb, Token};
use explore::places::source_line;
use report::Summary;
use report::formats::{CodeCoverage, Jump, MethodLines, Proof};

use crate::session::record::Finished;
use crate::subject::instruments::{Measured, Taken};
use crate::subject::target::{Body, Edge, Target};

/// The lines of all methods that were explored or are counted with them; nothing without symbols.
pub(crate) fn lines(finished: &Finished, covered: &Measured, path: &Path, summary: &Summary) -> CodeCoverage {
    let assembly = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let pdb = Module::open(path).ok().and_then(|module| Pdb::find_for(&module, path).ok().flatten());
    let mut coverage = CodeCoverage { assembly, ..CodeCoverage::default() };
    let Some(pdb) = pdb else { return coverage };
    let mut targets: Vec<&Target> = finished.records.iter().map(|record| &record.target).collect();
    targets.extend(&finished.hidden);
    targets.sort_by_key(|target| target.token);
    let mut counted = BTreeSet::new();
    let proofs = proofs(finished, summary);
    for target in targets {
        let mut files: BTreeMap<String, MethodLines> = BTreeMap::new();
        for body in target.bodies.iter().filter(|body| counted.insert(body.token)) {
            add_body(target, body, covered, &proofs, &pdb, &mut files);
        }
        coverage.methods.extend(files.into_values());
    }
    coverage
}

fn add_body(
    target: &Target,
    body: &Body,
    covered: &Measured,
    proofs: &BTreeMap<(u32, Edge), Proof>,
    pdb: &Pdb,
    files: &mut BTreeMap<String, MethodLines>,
) {
    let Some(def) = MethodDefId::from_token(Token::from_raw(body.token)) else { return };
    let points = pdb.sequence_points(def).unwrap_or_default();
    let places: Vec<(u32, String, u32)> = points
        .iter()
        .filter_map(|point| source_line(pdb, point).map(|line| (point.il_offset, line.path, line.line)))
        .collect();
    let none = Taken::default();
    let taken = covered.methods.get(&body.token).unwrap_or(&none);
    let executed = times(match &taken.instructions {
        Some(measured) => measured.clone(),
        None => taken.executed(&body.goals).into_iter().collect(),
    });
    let mut line_of = |path: &String, line: u32, change: &dyn Fn(&mut report::formats::LineHits)| {
        let lines = files.entry(path.clone()).or_insert_with(|| MethodLines {
            id: target.id.clone(),
            file: path.clone(),
            lines: BTreeMap::new(),
        });
        change(lines.lines.entry(line).or_default());
    };
    for (offset, path, line) in &places {
        let tests = executed.get(offset).copied().unwrap_or(0);
        line_of(path, *line, &|hits| hits.tests = hits.tests.max(tests));
    }
    let edges = times(taken.branches.clone());
    let mut jumps: BTreeMap<u32, Jump> = BTreeMap::new();
    for edge in &body.goals.branches {
        let tests = edges.get(edge).copied().unwrap_or(0);
        let jump = jumps.entry(edge.from).or_default();
        jump.ways.push(tests);
        let proof = proofs.get(&(body.token, *edge)).copied().filter(|_| tests == 0);
        jump.proofs.push(proof.unwrap_or_default());
    }
    for (from, jump) in jumps {
        let before = places.partition_point(|(offset, ..)| *offset <= from);
        let Some((_, path, line)) = before.checked_sub(1).and_then(|at| places.get(at)) else { continue };
        line_of(path, *line, &|hits| hits.jumps.push(jump.clone()));
    }
}

/// The branches that no input takes, of methods whose proofs the summary counts.
fn proofs(finished: &Finished, summary: &Summary) -> BTreeMap<(u32, Edge), Proof> {
    let mut proofs = BTreeMap::new();
    for (record, method) in finished.records.iter().zip(&summary.methods) {
        let Some(attempt) = record.best() else { continue };
        let (coverage, found) = (&method.coverage, &attempt.exploration);
        let certain = if found.assumptions.is_empty() {
            &found.proven_unreachable
        } else {
            &found.certainly_unreachable
        };
        if coverage.proven_assuming_branches > 0 {
            proofs.extend(found.proven_unreachable.iter().map(|at| (*at, Proof::UnreachableAssuming)));
        }
        if coverage.proven_unreachable_branches > 0 {
            proofs.extend(certain.iter().map(|at| (*at, Proof::Unreachable)));
        }
    }
    proofs
}

/// How many tests have each: every test has it once.
fn times<T: Ord>(all: Vec<T>) -> BTreeMap<T, u64> {
    let mut times = BTreeMap::new();
    for one in all {
        *times.entry(one).or_default() += 1;
    }
    times
}
