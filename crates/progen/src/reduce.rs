//! Makes a program smaller as long as it still compiles and still shows what it showed: statements and members are left
//! out, expressions become default values or expressions in them.

use std::path::Path;

use anyhow::Result;

use crate::batch::{Flavour, Verdict, assembly, compare_compiled};
use crate::generate::{Program, lines};
use crate::tree::{Kind, Node, Part};

/// Candidates that are compiled and run together.
const AT_ONCE: usize = 60;

/// A smaller program with the same kind of verdict.
pub fn reduce(program: &Program, flavour: Flavour, verdict: &Verdict, folder: &Path) -> Result<Program> {
    reduce_with(program, |candidates| {
        let verdicts = judge_all(candidates, flavour, folder)?;
        Ok(verdicts.iter().map(|v| v.as_ref().is_some_and(|v| alike(v, verdict))).collect())
    })
}

/// The verdicts of candidates that compile.
fn judge_all(candidates: &[Program], flavour: Flavour, folder: &Path) -> Result<Vec<Option<Verdict>>> {
    let mut left: Vec<Program> = candidates.to_vec();
    for (index, program) in left.iter_mut().enumerate() {
        program.version = index + 1;
    }
    let mut verdicts = vec![None; candidates.len()];
    while !left.is_empty() {
        let mut compiled = testkit::compile_each(&[assembly(&left, flavour)], folder)?;
        match compiled.pop() {
            Some(Ok(dll)) => {
                for (program, verdict) in left.iter().zip(compare_compiled(&left, &dll)?) {
                    verdicts[program.version - 1] = Some(verdict);
                }
                break;
            }
            Some(Err(testkit::Error::Compile { diagnostics, .. })) => {
                let broken: Vec<usize> = lines(&left)
                    .iter()
                    .map(|range| error_lines(&diagnostics).any(|line| range.contains(&line)))
                    .enumerate()
                    .filter_map(|(index, hit)| hit.then_some(index))
                    .collect();
                if broken.is_empty() {
                    break;
                }
                let mut index = 0;
                left.retain(|_| {
                    index += 1;
                    !broken.contains(&(index - 1))
                });
            }
            Some(Err(error)) => return Err(error.into()),
            None => break,
        }
    }
    Ok(verdicts)
}

/// The lines of the compiler's errors: `/_/Programs.cs(12,3): error …`.
fn error_lines(diagnostics: &str) -> impl Iterator<Item = usize> {
    diagnostics.lines().filter(|line| line.contains("): error ")).filter_map(|line| {
        let (_, rest) = line.split_once('(')?;
        rest.split(',').next()?.parse().ok()
    })
}

/// Makes a program smaller; `holds` says of each candidate whether it still shows what is looked for.
pub fn reduce_with(
    program: &Program,
    mut holds: impl FnMut(&[Program]) -> Result<Vec<bool>>,
) -> Result<Program> {
    let mut best = program.clone();
    loop {
        let mut edits = edits(&best.tree);
        // The biggest steps first.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.saves));
        let mut next = None;
        for some in edits.chunks(AT_ONCE) {
            let singles: Vec<Program> = some.iter().map(|edit| best.with(&[edit])).collect();
            let good = holds(&singles)?;
            let good: Vec<&Edit> = some.iter().zip(good).filter_map(|(e, good)| good.then_some(e)).collect();
            let Some(first) = good.first() else { continue };
            next = Some(best.with(&[first]));
            // Edits that each hold often hold together.
            let apart = apart(&good);
            let trials: Vec<Program> = [apart.len(), apart.len() / 2, apart.len() / 4]
                .iter()
                .filter(|count| **count > 1)
                .map(|count| best.with(&apart[..*count]))
                .collect();
            if !trials.is_empty()
                && let Some(index) = holds(&trials)?.iter().position(|good| *good)
            {
                next = trials.into_iter().nth(index);
            }
            break;
        }
        match next {
            Some(program) => best = program,
            None => return Ok(best),
        }
    }
}

impl Program {
    /// The program with edits that do not touch each other.
    fn with(&self, edits: &[&Edit]) -> Program {
        let mut sorted = edits.to_vec();
        // From the end, so that the numbers of nodes before stay.
        sorted.sort_by_key(|edit| std::cmp::Reverse(edit.node));
        let mut tree = self.tree.clone();
        for edit in sorted {
            replace(&mut tree, edit.node, &edit.with);
        }
        Program { tree, ..self.clone() }
    }
}

/// A node and what takes its place.
struct Edit {
    node: usize,
    /// Nodes below it, itself included.
    size: usize,
    with: Node,
    saves: usize,
}

/// The edits of separate nodes, the biggest first.
fn apart<'a>(edits: &[&'a Edit]) -> Vec<&'a Edit> {
    let mut chosen: Vec<&Edit> = Vec::new();
    for edit in edits {
        let overlaps = chosen.iter().any(|c| edit.node < c.node + c.size && c.node < edit.node + edit.size);
        if !overlaps {
            chosen.push(edit);
        }
    }
    chosen
}

/// A program that stops must go on stopping for the same reason; a difference may become another difference.
fn alike(a: &Verdict, b: &Verdict) -> bool {
    match (a, b) {
        (Verdict::Stopped(a), Verdict::Stopped(b)) => without_place(a) == without_place(b),
        (Verdict::Differs { .. }, Verdict::Differs { .. }) => true,
        _ => false,
    }
}

fn without_place(gap: &str) -> &str {
    gap.split(" in ").next().unwrap_or(gap)
}

fn edits(tree: &Node) -> Vec<Edit> {
    let mut found = Vec::new();
    for index in 0..tree.size() {
        let Some(node) = nth(tree, index) else { continue };
        let (size, length) = (node.size(), node.render().len());
        for with in replacements(node) {
            let saves = length.saturating_sub(with.render().len());
            if saves > 0 {
                found.push(Edit { node: index, size, with, saves });
            }
        }
    }
    found
}

fn replacements(node: &Node) -> Vec<Node> {
    let empty = Node { kind: node.kind.clone(), parts: Vec::new() };
    match &node.kind {
        Kind::Group if node.parts.len() > 3 => {
            let half = node.parts.len() / 2;
            let part = |parts: &[Part]| Node { kind: Kind::Group, parts: parts.to_vec() };
            vec![part(&node.parts[..half]), part(&node.parts[half..])]
        }
        Kind::Group => Vec::new(),
        Kind::Member => vec![empty],
        Kind::Statement => {
            let mut all = vec![empty];
            all.extend(node.children().filter(|child| child.kind == Kind::Group).cloned());
            all
        }
        Kind::Expression { ty, .. } if ty == "ref" => Vec::new(),
        Kind::Expression { ty, .. } => {
            let mut all = Vec::new();
            if node.children().next().is_some() {
                all.push(Node::constant(ty, &format!("default({ty})")));
                all.push(Node::expression(ty, &format!("F.Id(default({ty}))"), vec![]));
            }
            inner_of_type(node, ty, &mut all);
            all
        }
    }
}

/// Expressions of the same type below a node.
fn inner_of_type(node: &Node, wanted: &str, found: &mut Vec<Node>) {
    for child in node.children() {
        if matches!(&child.kind, Kind::Expression { ty, .. } if ty == wanted) {
            found.push(child.clone());
        } else {
            inner_of_type(child, wanted, found);
        }
    }
}

/// The node with this number, counted from the root in the order of the text.
fn nth(tree: &Node, index: usize) -> Option<&Node> {
    if index == 0 {
        return Some(tree);
    }
    let mut rest = index - 1;
    for child in tree.children() {
        let size = child.size();
        if rest < size {
            return nth(child, rest);
        }
        rest -= size;
    }
    None
}

fn replace(tree: &mut Node, index: usize, with: &Node) {
    if index == 0 {
        *tree = with.clone();
        return;
    }
    let mut rest = index - 1;
    for child in tree.children_mut() {
        let size = child.size();
        if rest < size {
            replace(child, rest, with);
            return;
        }
        rest -= size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let program = Program::generate(3);
        assert!(program.text().contains("Pair<T>"));
        let small = reduce_with(&program, |candidates| {
            Ok(candidates.iter().map(|candidate| candidate.text().contains("Pair<T>")).collect())
        })
        .unwrap();
        assert!(small.tree.size() < 40, "{}", small.text());
        assert!(small.text().contains("Pair<T>"));
    }
}
