//! Bodies that the compiler made of parts of a method: the state machine of an iterator or async method, lambdas, local
//! functions, the finally blocks of iterators. They are code that a person wrote, under the method it was written in.

use cil::{Opcode, Operand, RowRef, Token};
use types::{AssemblyId, Member, MethodId, MethodKind, TypeId, Universe};

/// A body that belongs to a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its definition.
    pub method: MethodId,
    /// It is a local function that is only called: it runs while the method does and at no other time.
    pub runs_inside: bool,
}

/// The bodies that belong to a method, in the order in which they are met; without the method itself.
pub fn parts_of(universe: &Universe, method: MethodId) -> Vec<Part> {
    let Ok(definition) = universe.method_definition(method) else { return Vec::new() };
    let MethodKind::Def { assembly, .. } = universe.method(definition).kind else { return Vec::new() };
    let mut parts: Vec<Part> = Vec::new();
    let mut next = 0;
    let mut open = Part { method: definition, runs_inside: true };
    loop {
        for (made, is_called) in made_parts(universe, assembly, open.method) {
            let runs_inside = is_called && open.runs_inside;
            match parts.iter_mut().find(|part| part.method == made) {
                Some(known) => known.runs_inside &= runs_inside,
                None if made != definition => parts.push(Part { method: made, runs_inside }),
                None => {}
            }
        }
        let Some(part) = parts.get(next) else { return settled(parts) };
        open = *part;
        next += 1;
    }
}

/// What is called by something that runs later runs later itself, whatever the order in which they were met.
fn settled(parts: Vec<Part>) -> Vec<Part> {
    let all_inside = parts.iter().all(|part| part.runs_inside);
    let inside = |part: Part| Part { runs_inside: all_inside, ..part };
    parts.into_iter().map(inside).collect()
}

/// Whether the compiler made the method: it or a type around it has a name that no programmer can write.
pub fn is_made(universe: &Universe, method: MethodId) -> bool {
    let info = universe.method(method);
    info.name.starts_with('<') || is_made_type(universe, info.owner)
}

fn is_made_type(universe: &Universe, ty: TypeId) -> bool {
    let name = universe.type_name(universe.definition(ty));
    let name = name.split('[').next().unwrap_or(&name);
    name.split(['+', '/']).skip(1).any(|part| part.starts_with('<'))
}

/// The bodies that one body names, and whether it does no more than call them.
fn made_parts(universe: &Universe, assembly: AssemblyId, method: MethodId) -> Vec<(MethodId, bool)> {
    let Ok(Some(body)) = universe.body(method) else { return Vec::new() };
    let later = |part: Option<MethodId>| part.map(|part| (part, false));
    let mut found = Vec::new();
    for instruction in body.instructions().map_while(Result::ok) {
        let Operand::Token(token) = instruction.operand else { continue };
        if !may_be_made(universe, assembly, token) {
            continue;
        }
        match universe.resolve_member_token(method, token) {
            Ok(Member::Method(callee)) => {
                let is_called = instruction.opcode == Opcode::Call;
                found.extend(own(universe, assembly, callee).map(|part| (part, is_called)));
                found.extend(later(state_machine(universe, assembly, universe.method(callee).owner)));
            }
            Ok(Member::Field(field)) => {
                found.extend(later(state_machine(universe, assembly, universe.field(field).owner)));
            }
            Ok(Member::Type(ty)) => found.extend(later(state_machine(universe, assembly, ty))),
            Err(_) => {}
        }
    }
    found
}

/// A lambda or local function of this assembly, as its definition; other made methods (constructors of closures, plumbing of
/// iterators) are nobody's code.
fn own(universe: &Universe, assembly: AssemblyId, method: MethodId) -> Option<MethodId> {
    let definition = universe.method_definition(method).ok()?;
    let info = universe.method(definition);
    let is_here = matches!(info.kind, MethodKind::Def { assembly: a, .. } if a == assembly);
    let is_body = info.name.starts_with('<') && (info.name.contains(">b__") || info.name.contains(">g__"));
    (is_here && (is_body || info.name.starts_with("<>m__Finally"))).then_some(definition)
}

/// `MoveNext` of an iterator or async method's own class.
fn state_machine(universe: &Universe, assembly: AssemblyId, ty: TypeId) -> Option<MethodId> {
    let definition = universe.definition(ty);
    let info = universe.def_info(definition)?;
    if info.assembly != assembly || !info.name.starts_with('<') {
        return None;
    }
    let method = universe.methods_named(definition, "MoveNext").ok()?.first().copied()?;
    universe.method_definition(method).ok()
}

/// A cheap look at names before anything is resolved: most tokens name what a person wrote.
fn may_be_made(universe: &Universe, assembly: AssemblyId, token: Token) -> bool {
    let module = universe.assembly(assembly).module();
    let is_made = |name: &str| name.starts_with('<');
    let is_made_type = |ty: cil::TypeDefId| module.type_def(ty).is_ok_and(|row| is_made(row.name));
    match token.row_ref() {
        Some(RowRef::MethodDef(id)) => {
            module.method_def(id).is_ok_and(|row| is_made(row.name))
                || module.declaring_type_of_method(id).is_ok_and(|ty| ty.is_some_and(is_made_type))
        }
        Some(RowRef::Field(id)) => {
            module.declaring_type_of_field(id).is_ok_and(|ty| ty.is_some_and(is_made_type))
        }
        Some(RowRef::TypeDef(id)) => is_made_type(id),
        // Of a generic type or method: the name behind is known only when it is resolved.
        Some(RowRef::MemberRef(_) | RowRef::MethodSpec(_) | RowRef::TypeSpec(_)) => true,
        _ => false,
    }
}
