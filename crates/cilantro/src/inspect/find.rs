//! From `--type`, `--method` and `--namespace` to the types and methods of the assembly, with or without code.

use cil::{MethodDefId, TypeDefId};
use types::{AssemblyId, MethodId, TypeId, Universe};

use engine::parts::{Access, Target, select};
use engine::{Error, Selection};

/// The selected types; all without a selection.
pub fn types(universe: &Universe, a: AssemblyId, selection: &Selection) -> Result<Vec<TypeId>, Error> {
    let selection = Selection { methods: Vec::new(), ..selection.clone() };
    let targets = universe.type_defs(a).flatten().filter_map(|t| type_target(universe, t)).collect();
    let selected = select(targets, &selection, universe.assembly(a).file())?;
    let ids = selected.iter().map(|target| TypeDefId::new(target.token & 0x00ff_ffff));
    Ok(ids.filter_map(|id| universe.type_of_def(a, id).ok()).collect())
}

/// The selected methods.
pub fn methods(universe: &Universe, a: AssemblyId, selection: &Selection) -> Result<Vec<MethodId>, Error> {
    let ids = universe.assembly(a).module().method_defs();
    let targets = ids.filter_map(|id| method_target(universe, a, id)).collect();
    let selected = select(targets, selection, universe.assembly(a).file())?;
    let ids = selected.iter().map(|target| MethodDefId::new(target.token & 0x00ff_ffff));
    Ok(ids.filter_map(|id| universe.method_of_token(a, id).ok()).collect())
}

fn type_target(universe: &Universe, t: TypeId) -> Option<Target> {
    let info = universe.def_info(t)?;
    // The pseudo type that holds global functions is of interest only when there are any.
    if &*info.name == "<Module>" && info.methods.is_empty() && info.fields.is_empty() {
        return None;
    }
    Some(target(universe, t, info.id.token().raw(), universe.type_name(t), String::new()))
}

fn method_target(universe: &Universe, a: AssemblyId, id: MethodDefId) -> Option<Target> {
    let m = universe.method_of_token(a, id).ok()?;
    let method = universe.method(m);
    Some(target(universe, method.owner, id.token().raw(), universe.method_id(m), method.name.to_string()))
}

fn target(universe: &Universe, owner: TypeId, token: u32, id: String, name: String) -> Target {
    Target {
        token,
        id,
        namespace: universe.namespace(owner),
        type_name: universe.type_name(owner),
        name,
        source: None,
        access: Access::Public,
        own_access: Access::Public,
        mark: None,
        inner: Default::default(),
        bodies: Vec::new(),
    }
}
