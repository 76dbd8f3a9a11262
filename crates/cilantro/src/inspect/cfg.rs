//! The control-flow graph of a method: basic blocks and the ways between them, exceptional ones included, as the engine sees
//! them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use cil::opcode::Flow;
use cil::{ClauseKind, Instruction, Operand};
use report::place;
use serde::Serialize;
use types::{MethodId, Universe};
use vm::flow::{ControlFlow, Way, WayKind};

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
    /// A way that goes back leads here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub loop_head: bool,
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
    /// Out of a protected block, or to the finally handler on the way.
    Leave,
    /// From a finally handler on to where a `leave` was going.
    Resume,
    /// An exception inside this block may go there.
    Exception,
}

impl EdgeKind {
    /// The order in which they are shown.
    fn rank(&self) -> usize {
        match self {
            EdgeKind::Case(n) => *n,
            EdgeKind::Else => usize::MAX,
            _ => 0,
        }
    }

    pub fn describe(&self) -> String {
        match self {
            EdgeKind::Next => String::new(),
            EdgeKind::Taken => "taken".to_owned(),
            EdgeKind::Else => "else".to_owned(),
            EdgeKind::Case(n) => format!("case {n}"),
            EdgeKind::Leave => "leave".to_owned(),
            EdgeKind::Resume => "resume".to_owned(),
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
        for instruction in &instructions {
            if starts.contains(&instruction.offset) || blocks.is_empty() {
                blocks.push(new_block(blocks.len(), instruction.offset, &body.clauses, &listing, &lines));
            }
            let Some(block) = blocks.last_mut() else { continue };
            block.instructions.push(listing.line(instruction));
            block.end = instruction.next_offset();
        }
        // A body that cannot be decoded as a whole has blocks, but nobody knows where they lead.
        if let Ok(code) = vm::decode::decode(u, m) {
            let offsets: Vec<u32> = instructions.iter().map(|instruction| instruction.offset).collect();
            blocks.iter_mut().for_each(|block| connect(block, code.flow(), &offsets, &starts));
        }
        let token = u.method(m).token().map(|token| token.to_string()).unwrap_or_default();
        Ok(Some(Graph { method: u.method_id(m), token, blocks }))
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}", self.method, self.token)?;
        for block in &self.blocks {
            let handler = block.handler.as_ref().map(|handler| format!("  {handler}")).unwrap_or_default();
            let loops = if block.loop_head { "  loop head" } else { "" };
            writeln!(out, "  block {}{handler}{loops}", block.number)?;
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
    let (instructions, edges) = (Vec::new(), Vec::new());
    Block { number, start, end: start, source, handler, loop_head: false, instructions, edges }
}

/// Adds the ways out of a block: those of its last instruction, and the handlers of anything that is thrown in it.
fn connect(block: &mut Block, flow: &ControlFlow, offsets: &[u32], starts: &BTreeSet<u32>) {
    let number = |offset: u32| offsets.partition_point(|known| *known < offset) as u32;
    let (first, end) = (number(block.start), number(block.end));
    block.loop_head = flow.is_loop_head(first);
    let to_block = |way: &Way| offsets.get(way.to as usize).map(|offset| block_of(starts, *offset));
    let last = end.saturating_sub(1);
    for way in flow.successors(last).iter().filter(|way| !way.kind.is_exceptional()) {
        block.edges.extend(to_block(way).map(|to| Edge { to, kind: kind(way.kind) }));
    }
    block.edges.sort_by_key(|edge| edge.kind.rank());
    let thrown = (first..end).flat_map(|op| flow.successors(op)).filter(|way| way.kind.is_exceptional());
    let handlers: BTreeSet<usize> = thrown.filter_map(to_block).collect();
    block.edges.extend(handlers.into_iter().map(|to| Edge { to, kind: EdgeKind::Exception }));
}

fn kind(kind: WayKind) -> EdgeKind {
    match kind {
        WayKind::Next | WayKind::Return => EdgeKind::Next,
        WayKind::Taken => EdgeKind::Taken,
        WayKind::Else => EdgeKind::Else,
        WayKind::Case(number) => EdgeKind::Case(number as usize),
        WayKind::Leave => EdgeKind::Leave,
        WayKind::Resume => EdgeKind::Resume,
        WayKind::Exception => EdgeKind::Exception,
    }
}

/// The number of the block that begins at `start`.
fn block_of(starts: &BTreeSet<u32>, start: u32) -> usize {
    starts.range(..start).count()
}

/// For the name of a node.
pub fn title(block: &Block) -> String {
    let source = block.source.as_ref().map(|source| format!("  {source}")).unwrap_or_default();
    let loops = if block.loop_head { "  loop head" } else { "" };
    format!("block {}  {}{source}{loops}", block.number, place(block.start))
}
