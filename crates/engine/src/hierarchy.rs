//! Exception types by their names: which one a user means, and what is below it.

use types::{AssemblyId, TypeId, Universe};

use crate::error::Error;
use crate::subject::nearest::nearest;

/// Knows the classes of the assemblies in reach.
pub struct Hierarchy {
    universe: Universe,
    assembly: AssemblyId,
}

impl Hierarchy {
    pub fn new(universe: Universe, assembly: AssemblyId) -> Hierarchy {
        Hierarchy { universe, assembly }
    }

    /// The metadata of the assembly under test.
    pub fn module(&self) -> &cil::Module {
        self.universe.assembly(self.assembly).module()
    }

    /// Whether a class, by its exact name, is the wanted one or below it. A class that is not found is only itself.
    pub fn is_a(&self, exact: &str, wanted: &str) -> bool {
        if is_named(exact, wanted) {
            return true;
        }
        let Some(found) = find(&self.universe, self.assembly, exact) else { return false };
        bases(&self.universe, found).iter().any(|name| is_named(name, wanted))
    }
}

/// An error with the nearest names if no exception is called so.
pub fn check_exception(
    universe: &Universe,
    assembly: AssemblyId,
    name: &str,
    file: &str,
) -> Result<(), Error> {
    let known = exceptions(universe, assembly);
    if known.iter().any(|exception| is_named(exception, name)) {
        return Ok(());
    }
    let nearest = nearest(name, known.iter().map(String::as_str));
    Err(Error::NotFound { what: "exception", name: name.to_owned(), assembly: file.to_owned(), nearest })
}

/// The full name or the last part of it.
fn is_named(full: &str, wanted: &str) -> bool {
    full == wanted || full.rsplit(['.', '+']).next() == Some(wanted)
}

/// The names of a class and of everything above it.
fn bases(universe: &Universe, ty: TypeId) -> Vec<String> {
    let above = std::iter::successors(Some(ty), |ty| universe.base(*ty).ok().flatten());
    above.map(|ty| universe.type_name(universe.definition(ty))).collect()
}

/// Names of classes that are called as exceptions are, in the assembly and in those it refers to.
fn exceptions(universe: &Universe, assembly: AssemblyId) -> Vec<String> {
    let mut names = Vec::new();
    for assembly in around(universe, assembly) {
        let module = universe.assembly(assembly).module();
        for row in module.type_defs().filter_map(|id| module.type_def(id).ok()) {
            if row.name.ends_with("Exception") {
                let dot = if row.namespace.is_empty() { "" } else { "." };
                names.push(format!("{}{dot}{}", row.namespace, row.name));
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

fn find(universe: &Universe, assembly: AssemblyId, name: &str) -> Option<TypeId> {
    around(universe, assembly)
        .into_iter()
        .find_map(|assembly| universe.find_type(assembly, name).ok().flatten())
}

/// The assembly, the core library, and what the assembly refers to.
fn around(universe: &Universe, assembly: AssemblyId) -> Vec<AssemblyId> {
    let module = universe.assembly(assembly).module();
    let names = module.assembly_refs().filter_map(|id| Some(module.assembly_ref(id).ok()?.name.to_owned()));
    let referred = names.filter_map(|name| universe.load_by_name(&name).ok().flatten());
    let mut all: Vec<AssemblyId> =
        std::iter::once(assembly).chain(universe.corelib().ok()).chain(referred).collect();
    let mut seen = Vec::new();
    all.retain(|assembly| {
        !seen.contains(assembly) && {
            seen.push(*assembly);
            true
        }
    });
    all
}
