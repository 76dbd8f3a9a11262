//! The methods of an assembly that can be explored: those with code that a person wrote.

use cil::{MethodDefId, Module, Token, TypeDefId};
use types::{AssemblyId, Universe};

use std::sync::Arc;

use crate::subject::access;
use crate::subject::exclusion::Mark;
use crate::subject::goals;
use crate::subject::sources::Sources;
use crate::subject::target::{Body, Goals, Target};

/// Every explorable method of the assembly, in the order of tokens. Broken metadata of one method costs only that
/// method its details.
pub fn targets(universe: &Universe, assembly: AssemblyId) -> Vec<Target> {
    let loaded = universe.assembly(assembly);
    let sources = Sources::of(loaded.module(), loaded.path());
    loaded.module().method_defs().filter_map(|id| target(universe, assembly, id, &sources)).collect()
}

fn target(universe: &Universe, assembly: AssemblyId, id: MethodDefId, sources: &Sources) -> Option<Target> {
    let module = universe.assembly(assembly).module();
    let row = module.method_def(id).ok()?;
    let owner = module.declaring_type_of_method(id).ok()??;
    if row.rva == 0 || is_made_by_compiler(module, id, row.name, owner) {
        return None;
    }
    described(universe, assembly, id, sources)
}

/// A method with a body, whoever wrote it.
pub(crate) fn described(
    universe: &Universe,
    assembly: AssemblyId,
    id: MethodDefId,
    sources: &Sources,
) -> Option<Target> {
    let module = universe.assembly(assembly).module();
    let row = module.method_def(id).ok()?;
    let owner = module.declaring_type_of_method(id).ok()??;
    let type_name = type_name(module, owner)?;
    let own_access = access::of_member(module, id, owner);
    let mut bodies = vec![body(module, id)?];
    let method = universe.method_of_token(assembly, id);
    if let Ok(method) = &method {
        let parts = explore::parts_of(universe, *method).into_iter();
        let defs = parts.filter_map(|part| MethodDefId::from_token(universe.method(part.method).token()?));
        bodies.extend(defs.filter_map(|def| body(module, def)));
    }
    // What an iterator or an async method is written as is in the body that the compiler made of it.
    let places = bodies.iter().filter_map(|body| MethodDefId::from_token(Token::from_raw(body.token)));
    let source = places.filter_map(|def| sources.line(def, 0)).next();
    let method_id = method.map(|m| universe.method_id(m));
    Some(Target {
        token: id.token().raw(),
        id: method_id.unwrap_or_else(|_| format!("{type_name}::{}(?)", row.name)),
        namespace: namespace(module, owner)?,
        type_name,
        name: row.name.to_owned(),
        source,
        access: access::of_type(module, owner)?.min(own_access),
        own_access,
        mark: Mark::of(module, id, owner),
        inner: Arc::default(),
        bodies,
    })
}

/// The goals of a body; a damaged one has none.
fn body(module: &Module, id: MethodDefId) -> Option<Body> {
    let goals = match module.method_body(id) {
        Ok(Some(body)) => goals::of(module, &body),
        Ok(None) => return None,
        Err(_) => Goals::default(),
    };
    Some(Body { token: id.token().raw(), goals })
}

/// Lambdas, state machines, record plumbing. Accessors of automatic properties count as written: they are public
/// surface with a contract of their own.
fn is_made_by_compiler(module: &Module, id: MethodDefId, name: &str, owner: TypeDefId) -> bool {
    let accessor = name.starts_with("get_") || name.starts_with("set_");
    name.starts_with('<')
        || (!accessor && is_marked(module, id.token()))
        || outwards(module, owner).any(|ty| {
            is_marked(module, ty.token()) || module.type_def(ty).is_ok_and(|row| row.name.starts_with('<'))
        })
}

fn is_marked(module: &Module, parent: Token) -> bool {
    let found =
        module.find_attribute(parent, "System.Runtime.CompilerServices", "CompilerGeneratedAttribute");
    found.is_ok_and(|attribute| attribute.is_some())
}

fn type_name(module: &Module, ty: TypeDefId) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for ty in outwards(module, ty) {
        let row = module.type_def(ty).ok()?;
        let dot = if row.namespace.is_empty() { "" } else { "." };
        parts.push(format!("{}{dot}{}", row.namespace, row.name));
    }
    parts.reverse();
    Some(parts.join("+"))
}

fn namespace(module: &Module, ty: TypeDefId) -> Option<String> {
    let outermost = outwards(module, ty).last()?;
    Some(module.type_def(outermost).ok()?.namespace.to_owned())
}

/// The type, the type around it, and so on. Damaged metadata may nest in a circle.
pub(super) fn outwards(module: &Module, ty: TypeDefId) -> impl Iterator<Item = TypeDefId> + '_ {
    const DEEPEST: usize = 64;
    std::iter::successors(Some(ty), |inner| module.enclosing_type(*inner).ok().flatten()).take(DEEPEST)
}
