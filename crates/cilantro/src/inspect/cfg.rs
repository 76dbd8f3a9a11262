//! The control-flow graph of a method: basic blocks and the ways between them, exceptional ones included.

use std::collections::BTreeSet;
use std::io::{self, Write};

use cil::opcode::Flow;
use cil::{ClauseKind, Instruction, Opcode, Operand};
use report::place;
use serde::Serialize;
use types::{MethodId, Universe};

use super::listing::Listing;
use super::source::Lines;

#[derive(Serialize)]
pub struct Graph {
    pub method: String,
    pub token: String,
    pub blocks: Vec<Block>,
}

#[derive(Serialize)]
pub struct Block {
    pub number: usize,
    /// IL offsets: from `start` up to, not including, `end`.
    pub start: u32,
    pub end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `catch System.Exception` and the like, when a handler begins here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
    pub instructions: Vec<String>,
    pub edges: Vec<Edge>,
}

#[derive(Serialize)]
pub struct Edge {
    pub to: usize,
    pub kind: EdgeKind,
}

#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// To the next instruction, or an unconditional jump.
    Next,
    /// The jump of a condition is taken.
    Taken,
    /// The jump of a condition is not taken.
    Else,
    /// Case of a switch.
    Case(usize),
    /// Out of a protected block.
    Leave,
    /// An exception inside this block may go there.
    Exception,
}

impl EdgeKind {
    pub fn describe(&self) -> String {
        match self {
            EdgeKind::Next => String::new(),
            EdgeKind::Taken => "taken".to_owned(),
            EdgeKind::Else => "else".to_owned(),
            EdgeKind::Case(n) => format!("case {n}"),
            EdgeKind::Leave => "leave".to_owned(),
            EdgeKind::Exception => "exception".to_owned(),
        }
    }
}

impl Graph {
    /// `None` for a method without a body.
    pub fn of(u: &Universe, m: MethodId) -> types::Result<Option<Graph>> {
        let Some(body) = u.body(m)? else { return Ok(None) };
        let instructions: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
        let starts = block_starts(&instructions, &body.clauses);
        let listing = Listing::of(u, m);
        let lines = Lines::with_text(u, m);
        let mut blocks: Vec<Block> = Vec::new();
        for (index, instruction) in instructions.iter().enumerate() {
            if starts.contains(&instruction.offset) || blocks.is_empty() {
                blocks.push(new_block(blocks.len(), instruction.offset, &body.clauses, &listing, &lines));
            }
            let Some(block) = blocks.last_mut() else { continue };
            block.instructions.push(listing.line(instruction));
            block.end = instruction.next_offset();
            let ends = instructions.get(index + 1).is_none_or(|next| starts.contains(&next.offset));
            if ends {
                block.edges = edges(instruction, &starts);
            }
        }
        add_exceptional_edges(&mut blocks, &body.clauses, &starts);
        let token = u.method(m).token().map(|token| token.to_string()).unwrap_or_default();
        Ok(Some(Graph { method: u.method_id(m), token, blocks }))
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}", self.method, self.token)?;
        for block in &self.blocks {
            let handler = block.handler.as_ref().map(|handler| format!("  {handler}")).unwrap_or_default();
            writeln!(out, "  block {}{handler}", block.number)?;
            if let Some(source) = &block.source {
                writeln!(out, "    // {source}")?;
            }
            for instruction in &block.instructions {
                writeln!(out, "    {instruction}")?;
            }
            for edge in &block.edges {
                writeln!(
                    out,
                    "{}",
                    format!("    -> block {}  {}", edge.to, edge.kind.describe()).trim_end()
                )?;
            }
        }
        Ok(())
    }
}

/// Offsets where blocks begin: targets, what follows a jump, ranges of exception clauses.
fn block_starts(instructions: &[Instruction<'_>], clauses: &[cil::ExceptionClause]) -> BTreeSet<u32> {
    let mut starts = BTreeSet::from([0]);
    for instruction in instructions {
        match instruction.operand {
            Operand::Target(target) => {
                starts.insert(target);
            }
            Operand::Switch(targets) => starts.extend(targets.iter()),
            _ => {}
        }
        if !goes_on(instruction) || matches!(instruction.operand, Operand::Target(_) | Operand::Switch(_)) {
            starts.insert(instruction.next_offset());
        }
    }
    for clause in clauses {
        starts.extend([
            clause.try_range.start,
            clause.try_range.end,
            clause.handler.start,
            clause.handler.end,
        ]);
        if let ClauseKind::Filter(start) = clause.kind {
            starts.insert(start);
        }
    }
    let known: BTreeSet<u32> = instructions.iter().map(|instruction| instruction.offset).collect();
    starts.retain(|start| known.contains(start));
    starts
}

/// May control reach the next instruction?
fn goes_on(instruction: &Instruction<'_>) -> bool {
    !matches!(instruction.opcode.flow(), Flow::Branch | Flow::Return | Flow::Throw)
}

fn new_block(
    number: usize,
    start: u32,
    clauses: &[cil::ExceptionClause],
    listing: &Listing<'_>,
    lines: &Lines,
) -> Block {
    let handler = clauses.iter().find(|clause| clause.handler.start == start);
    let filter = clauses.iter().find(|clause| clause.kind == ClauseKind::Filter(start));
    let handler = handler.or(filter).map(|clause| listing.clause(clause));
    let source = lines.at.range(..=start).next_back().map(|(_, place)| place.clone());
    Block { number, start, end: start, source, handler, instructions: Vec::new(), edges: Vec::new() }
}

fn edges(last: &Instruction<'_>, starts: &BTreeSet<u32>) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut add = |target: u32, kind: EdgeKind| {
        if starts.contains(&target) {
            edges.push(Edge { to: block_of(starts, target), kind });
        }
    };
    let is_conditional = last.opcode.flow() == Flow::ConditionalBranch;
    match last.operand {
        Operand::Target(target) if is_conditional => {
            add(target, EdgeKind::Taken);
            add(last.next_offset(), EdgeKind::Else);
        }
        Operand::Target(target) => {
            let is_leave = matches!(last.opcode, Opcode::Leave | Opcode::LeaveS);
            add(target, if is_leave { EdgeKind::Leave } else { EdgeKind::Next });
        }
        Operand::Switch(targets) => {
            for (n, target) in targets.iter().enumerate() {
                add(target, EdgeKind::Case(n));
            }
            add(last.next_offset(), EdgeKind::Else);
        }
        _ if goes_on(last) => add(last.next_offset(), EdgeKind::Next),
        _ => {}
    }
    edges
}

/// The number of the block that begins at `start`.
fn block_of(starts: &BTreeSet<u32>, start: u32) -> usize {
    starts.range(..start).count()
}

fn add_exceptional_edges(blocks: &mut [Block], clauses: &[cil::ExceptionClause], starts: &BTreeSet<u32>) {
    for clause in clauses {
        let entry = match clause.kind {
            ClauseKind::Filter(start) => start,
            _ => clause.handler.start,
        };
        if !starts.contains(&entry) {
            continue;
        }
        let to = block_of(starts, entry);
        for block in blocks.iter_mut().filter(|block| clause.try_range.contains(block.start)) {
            block.edges.push(Edge { to, kind: EdgeKind::Exception });
        }
    }
}

/// For the name of a node.
pub fn title(block: &Block) -> String {
    let source = block.source.as_ref().map(|source| format!("  {source}")).unwrap_or_default();
    format!("block {}  {}{source}", block.number, place(block.start))
}
