//! What code of other assemblies can call: whether it finds methods by reflection.

use rustc_hash::FxHashMap;
use types::{AssemblyId, MethodId, Universe};

/// Types of the core library by which methods are found and called; what is in `System.Reflection` counts as well.
const REFLECTING: &[&str] =
    &["System.Activator", "System.AppDomain", "System.Attribute", "System.RuntimeType", "System.Type"];
/// Types of `System.Reflection` that stand for members which can be called.
const CALLABLE: &[&str] = &["ConstructorInfo", "EventInfo", "MethodBase", "MethodInfo", "PropertyInfo"];

/// What is known of other assemblies.
pub(super) struct Outside<'u> {
    universe: &'u Universe,
    assemblies: FxHashMap<AssemblyId, bool>,
}

impl<'u> Outside<'u> {
    pub fn new(universe: &'u Universe) -> Outside<'u> {
        Outside { universe, assemblies: FxHashMap::default() }
    }

    /// Whether a call of a method of another assembly may find methods by reflection. The core library does so only where
    /// that is what it is asked for.
    pub fn may_reflect(&mut self, definition: MethodId) -> bool {
        let owner = self.universe.definition(self.universe.method(definition).owner);
        let name = self.universe.type_name(owner);
        let is_named_so = name.starts_with("System.Reflection.") || REFLECTING.contains(&name.as_str());
        let by_name = matches!(&*self.universe.method(definition).name, "CreateDelegate" | "DynamicInvoke");
        is_named_so || by_name || self.universe.assembly_of(definition).is_ok_and(|a| self.reflects(a))
    }

    /// Whether an assembly other than the core library, or one that it refers to, uses reflection.
    fn reflects(&mut self, assembly: AssemblyId) -> bool {
        if let Some(known) = self.assemblies.get(&assembly) {
            return *known;
        }
        // Assemblies may refer to each other.
        self.assemblies.insert(assembly, false);
        let loaded = self.universe.assembly(assembly);
        if loaded.is_core() {
            return false;
        }
        let module = loaded.module();
        let names_members = module.type_refs().filter_map(|id| module.type_ref(id).ok()).any(|row| {
            (row.namespace == "System.Reflection" && CALLABLE.contains(&row.name))
                || (row.namespace == "System" && row.name == "Activator")
        });
        let names: Vec<String> = module
            .assembly_refs()
            .filter_map(|id| Some(module.assembly_ref(id).ok()?.name.to_owned()))
            .collect();
        let reflects = names_members
            || names.iter().any(|name| match self.universe.load_by_name(name) {
                Ok(Some(referred)) => self.reflects(referred),
                // Nobody knows what is in it.
                _ => true,
            });
        self.assemblies.insert(assembly, reflects);
        reflects
    }
}
