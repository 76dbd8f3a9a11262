//! Control-flow graphs in the language of Graphviz.

use std::io::{self, Write};

use super::cfg::{EdgeKind, Graph, title};

/// One digraph; each method is a cluster of its own.
pub fn print(graphs: &[Graph], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph cfg {{")?;
    writeln!(out, "  node [shape=box, fontname=\"monospace\", fontsize=10];")?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=9];")?;
    for (index, graph) in graphs.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{index} {{")?;
        writeln!(out, "    label=\"{}\";", escape(&graph.method))?;
        for block in &graph.blocks {
            let mut text = escape(&title(block));
            if let Some(handler) = &block.handler {
                text.push_str(&format!("\\l{}", escape(handler)));
            }
            for instruction in &block.instructions {
                text.push_str(&format!("\\l{}", escape(instruction)));
            }
            writeln!(out, "    m{index}_b{} [label=\"{text}\\l\"];", block.number)?;
        }
        for (block, edge) in graph.blocks.iter().flat_map(|b| b.edges.iter().map(move |edge| (b, edge))) {
            let style = if edge.kind == EdgeKind::Exception { ", style=dashed" } else { "" };
            let label = edge.kind.describe();
            writeln!(
                out,
                "    m{index}_b{} -> m{index}_b{} [label=\"{label}\"{style}];",
                block.number, edge.to
            )?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")?;
    out.flush()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
