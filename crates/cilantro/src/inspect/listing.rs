//! Instructions as text, with the names of what their tokens mean.

use std::collections::BTreeMap;

use cil::{ClauseKind, ExceptionClause, Instruction, Operand, Token};
use report::{place, quoted};
use types::{Member, MethodId, MethodKind, Universe};

use super::source;

/// What is needed to print the instructions of one method.
pub struct Listing<'a> {
    universe: &'a Universe,
    method: MethodId,
    locals: BTreeMap<u16, String>,
    parameters: Vec<String>,
}

impl<'a> Listing<'a> {
    pub fn of(universe: &'a Universe, method: MethodId) -> Listing<'a> {
        let locals = source::local_names(universe, method);
        Listing { universe, method, locals, parameters: parameter_names(universe, method) }
    }

    /// Names by argument number: `this` first for instance methods.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    pub fn local_name(&self, index: u16) -> Option<&str> {
        self.locals.get(&index).map(String::as_str)
    }

    /// The operand in words; empty when there is none.
    pub fn operand(&self, instruction: &Instruction<'_>) -> String {
        match instruction.operand {
            Operand::None => self.implied(instruction).unwrap_or_default(),
            Operand::Int8(value) => value.to_string(),
            Operand::Int32(value) => value.to_string(),
            Operand::Int64(value) => value.to_string(),
            Operand::Float32(bits) => format!("{:?}", f32::from_bits(bits)),
            Operand::Float64(bits) => format!("{:?}", f64::from_bits(bits)),
            Operand::Arg(n) => named(n, self.parameters.get(usize::from(n)).map(String::as_str)),
            Operand::Local(n) => named(n, self.local_name(n)),
            Operand::Target(target) => place(target),
            Operand::Switch(targets) => {
                let labels: Vec<String> = targets.iter().map(place).collect();
                format!("({})", labels.join(", "))
            }
            Operand::Token(token) => self.token(token).unwrap_or_else(|error| format!("{token} // {error}")),
        }
    }

    /// The variable that a short form such as `ldarg.0` means without an operand.
    fn implied(&self, instruction: &Instruction<'_>) -> Option<String> {
        let (kind, number) = instruction.opcode.name().split_once('.')?;
        let number: u16 = number.parse().ok()?;
        let name = match kind {
            "ldarg" => self.parameters.get(usize::from(number)).map(String::as_str)?,
            "ldloc" | "stloc" => self.local_name(number)?,
            _ => return None,
        };
        Some(format!("({name})"))
    }

    /// `IL_0004  call  System.Object::.ctor()`.
    pub fn line(&self, instruction: &Instruction<'_>) -> String {
        let operand = self.operand(instruction);
        let line = format!("{}  {:<12} {operand}", place(instruction.offset), instruction.opcode.name());
        line.trim_end().to_owned()
    }

    /// `try IL_0000..IL_0010 catch System.Exception IL_0010..IL_0020`.
    pub fn clause(&self, clause: &ExceptionClause) -> String {
        let range = |range: cil::CodeRange| format!("{}..{}", place(range.start), place(range.end));
        let kind = match clause.kind {
            ClauseKind::Catch(token) => {
                let caught = self.token(token).unwrap_or_else(|error| format!("{token} // {error}"));
                format!("catch {caught}")
            }
            ClauseKind::Filter(start) => format!("filter {}", place(start)),
            ClauseKind::Finally => "finally".to_owned(),
            ClauseKind::Fault => "fault".to_owned(),
        };
        format!("try {} {kind} {}", range(clause.try_range), range(clause.handler))
    }

    fn token(&self, token: Token) -> types::Result<String> {
        let u = self.universe;
        if token.user_string_offset().is_some() {
            return Ok(quoted(&u.user_string(self.method, token)?, '"'));
        }
        if token.table() == Some(cil::TableId::StandAloneSig) {
            let sig = u.resolve_signature(self.method, token)?;
            let params: Vec<String> = sig.params.iter().map(|t| u.type_name(*t)).collect();
            return Ok(format!("{} ({})", u.type_name(sig.ret), params.join(", ")));
        }
        Ok(match u.resolve_member_token(self.method, token)? {
            Member::Type(t) => u.type_name(t),
            Member::Method(m) => u.method_id(m),
            Member::Field(f) => u.field_name(f),
        })
    }
}

fn named(number: u16, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{number} ({name})"),
        None => number.to_string(),
    }
}

fn parameter_names(u: &Universe, m: MethodId) -> Vec<String> {
    let has_this = !u.method(m).is_static();
    let count = u.signature(m).map_or(0, |sig| sig.params.len());
    let mut names: Vec<String> = (0..count).map(|i| format!("arg{i}")).collect();
    if let MethodKind::Def { assembly, def } = u.method(m).kind {
        let module = u.assembly(assembly).module();
        let rows = module.method_def(def).map(|row| row.params.collect::<Vec<_>>()).unwrap_or_default();
        for row in rows.into_iter().filter_map(|id| module.param(id).ok()) {
            let index = usize::from(row.sequence).wrapping_sub(1);
            if let Some(name) = names.get_mut(index).filter(|_| !row.name.is_empty()) {
                *name = row.name.to_owned();
            }
        }
    }
    if has_this {
        names.insert(0, "this".to_owned());
    }
    names
}
