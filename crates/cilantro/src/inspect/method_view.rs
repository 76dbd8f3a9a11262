//! One method: signature, locals, CIL with resolved names and source lines, exception clauses.

use std::io::{self, Write};

use report::place;
use serde::Serialize;
use types::{MethodId, Universe};

use super::listing::Listing;
use super::source::Lines;
use super::type_view;

#[derive(Serialize)]
pub struct MethodView {
    id: String,
    token: String,
    attributes: String,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Body>,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct Body {
    il_bytes: usize,
    max_stack: u16,
    init_locals: bool,
    locals: Vec<String>,
    instructions: Vec<Line>,
    clauses: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    offset: u32,
    opcode: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    operand: String,
    /// Where a statement begins here: file and line, with the text of the line when the file is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl MethodView {
    pub fn of(u: &Universe, m: MethodId) -> MethodView {
        let method = u.method(m);
        let mut errors = Vec::new();
        let listing = Listing::of(u, m);
        let signature = match u.signature(m) {
            Ok(sig) => signature(u, m, sig, &listing),
            Err(error) => {
                errors.push(error.to_string());
                format!("? {}(?)", method.name)
            }
        };
        let body = match u.body(m) {
            Ok(body) => body.map(|body| read_body(u, m, &body, &listing, &mut errors)),
            Err(error) => {
                errors.push(error.to_string());
                None
            }
        };
        MethodView {
            id: u.method_id(m),
            token: method.token().map(|token| token.to_string()).unwrap_or_default(),
            attributes: type_view::attributes(method),
            signature,
            body,
            errors,
        }
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}", self.id, self.token)?;
        writeln!(out, "  {} {}", self.attributes, self.signature)?;
        match &self.body {
            Some(body) => body.print(out)?,
            None => writeln!(out, "  no body")?,
        }
        for error in &self.errors {
            writeln!(out, "  error: {error}")?;
        }
        Ok(())
    }
}

impl Body {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  {} bytes of CIL, stack of {}", self.il_bytes, self.max_stack)?;
        let zeroed = if self.init_locals { "" } else { ", not zeroed" };
        if !self.locals.is_empty() {
            writeln!(out, "  locals{zeroed}")?;
        }
        for local in &self.locals {
            writeln!(out, "    {local}")?;
        }
        writeln!(out)?;
        for line in &self.instructions {
            if let Some(source) = &line.source {
                writeln!(out, "  // {source}")?;
            }
            let text = format!("    {}  {:<12} {}", place(line.offset), line.opcode, line.operand);
            writeln!(out, "{}", text.trim_end())?;
        }
        if !self.clauses.is_empty() {
            writeln!(out)?;
        }
        for clause in &self.clauses {
            writeln!(out, "  {clause}")?;
        }
        Ok(())
    }
}

fn signature(u: &Universe, m: MethodId, sig: &types::MethodSig, listing: &Listing<'_>) -> String {
    let names = listing.parameters().iter().skip(usize::from(!u.method(m).is_static()));
    let params: Vec<String> = sig
        .params
        .iter()
        .zip(names)
        .map(|(t, name)| format!("{} {name}", u.type_name_in_method(*t, m)))
        .collect();
    format!("{} {}({})", u.type_name_in_method(sig.ret, m), u.method(m).name, params.join(", "))
}

fn read_body(
    u: &Universe,
    m: MethodId,
    body: &cil::MethodBody<'_>,
    listing: &Listing<'_>,
    errors: &mut Vec<String>,
) -> Body {
    let source = Lines::with_text(u, m);
    let mut instructions = Vec::new();
    for instruction in body.instructions() {
        match instruction {
            Ok(instruction) => instructions.push(Line {
                offset: instruction.offset,
                opcode: instruction.opcode.name(),
                operand: listing.operand(&instruction),
                source: source.at.get(&instruction.offset).cloned(),
            }),
            Err(error) => {
                errors.push(error.to_string());
                break;
            }
        }
    }
    let locals = u.locals(m).unwrap_or_else(|error| {
        errors.push(error.to_string());
        &[]
    });
    let locals = locals.iter().enumerate().map(|(i, local)| {
        let pinned = if local.is_pinned { " pinned" } else { "" };
        let name = listing.local_name(i as u16).unwrap_or_default();
        format!("{i}: {}{pinned} {name}", u.type_name_in_method(local.ty, m)).trim_end().to_owned()
    });
    Body {
        il_bytes: body.code.len(),
        max_stack: body.max_stack,
        init_locals: body.init_locals,
        locals: locals.collect(),
        instructions,
        clauses: body.clauses.iter().map(|clause| listing.clause(clause)).collect(),
    }
}
