//! `inspect`: what is in an assembly, as the type universe sees it.
//!
//! Each view is plain data first, printed as text or as JSON: the assembly with its references and types, one type with
//! layout, slots and interfaces, one method with its CIL, and the control-flow graph of a method (also for Graphviz).

mod cfg;
mod dot;
mod find;
mod listing;
mod method_view;
mod overview;
pub mod path_view;
mod source;
mod table;
mod type_view;

use std::io::Write;

use serde::Serialize;
use types::{AssemblyId, MethodId, Universe};

use crate::args::InspectFormat;
use engine::{Error, Selection};

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Control-flow graphs instead of listings.
    pub cfg: bool,
    pub format: InspectFormat,
}

/// Everything that was asked for.
#[derive(Serialize)]
struct Answer {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    assembly: Option<overview::Overview>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    types: Vec<type_view::TypeView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    methods: Vec<method_view::MethodView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    graphs: Vec<cfg::Graph>,
}

/// Prints what the selection names: nothing or namespaces: the assembly; types; methods; with `cfg` their graphs.
pub fn show(
    universe: &Universe,
    assembly: AssemblyId,
    selection: &Selection,
    options: Options,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let answer = answer(universe, assembly, selection, options)?;
    let printed = match options.format {
        InspectFormat::Text => print_text(&answer, out),
        InspectFormat::Json => print_json(&answer, out),
        InspectFormat::Dot => dot::print(&answer.graphs, out),
    };
    match printed {
        // Whoever reads may stop reading, as `head` does.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::Other(format!("the output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

fn answer(
    universe: &Universe,
    assembly: AssemblyId,
    selection: &Selection,
    options: Options,
) -> Result<Answer, Error> {
    let mut answer = Answer {
        schema: "cilantro/inspect@1",
        assembly: None,
        types: vec![],
        methods: vec![],
        graphs: vec![],
    };
    let graphs = options.cfg || options.format == InspectFormat::Dot;
    if graphs || !selection.methods.is_empty() {
        let methods = find::methods(universe, assembly, selection)?;
        match graphs {
            true => answer.graphs = graphs_of(universe, &methods)?,
            false => {
                answer.methods = methods.iter().map(|m| method_view::MethodView::of(universe, *m)).collect()
            }
        }
    } else if !selection.types.is_empty() {
        let found = find::types(universe, assembly, selection)?;
        answer.types = found.into_iter().map(|t| type_view::TypeView::of(universe, t)).collect();
    } else {
        let found = find::types(universe, assembly, selection)?;
        answer.assembly = Some(overview::Overview::of(universe, assembly, &found));
    }
    Ok(answer)
}

fn graphs_of(universe: &Universe, methods: &[MethodId]) -> Result<Vec<cfg::Graph>, Error> {
    let graphs: Vec<_> = methods.iter().filter_map(|m| cfg::Graph::of(universe, *m).transpose()).collect();
    if graphs.is_empty() {
        return Err(Error::Other("no selected method has a body".to_owned()));
    }
    graphs.into_iter().collect::<types::Result<_>>().map_err(|error| Error::Other(error.to_string()))
}

fn print_text(answer: &Answer, out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(overview) = &answer.assembly {
        overview.print(out)?;
    }
    let mut separator = "";
    for view in &answer.types {
        out.write_all(separator.as_bytes())?;
        view.print(out)?;
        separator = "\n";
    }
    for view in &answer.methods {
        out.write_all(separator.as_bytes())?;
        view.print(out)?;
        separator = "\n";
    }
    for graph in &answer.graphs {
        out.write_all(separator.as_bytes())?;
        graph.print(out)?;
        separator = "\n";
    }
    out.flush()
}

fn print_json(answer: &Answer, out: &mut dyn Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, answer)?;
    writeln!(out)?;
    out.flush()
}
