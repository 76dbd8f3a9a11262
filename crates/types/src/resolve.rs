//! From references to definitions: assemblies, types (through forwarders and facades), members.

use cil::{RowRef, Token, TypeDefId, TypeRefId};

use crate::identity::reference_name;
use crate::sig::{Generics, MethodSig, SigReader};
use crate::{AssemblyId, Error, MethodId, Result, TypeId, Universe, limits};

/// A type definition somewhere in the universe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DefRef {
    pub assembly: AssemblyId,
    pub def: TypeDefId,
}

/// What a MemberRef names, independent of generic arguments: how many steps up from the class it speaks of, and which
/// member of that ancestor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundMember {
    pub steps_up: usize,
    pub member: MemberRow,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum MemberRow {
    Method(cil::MethodDefId),
    Field(cil::FieldId),
}

impl Universe {
    /// The type behind a TypeDef, TypeRef or TypeSpec. A generic definition comes back open.
    pub(crate) fn type_of_token(
        &self,
        a: AssemblyId,
        token: Token,
        generics: Generics<'_>,
    ) -> Result<TypeId> {
        let assembly = self.assembly(a);
        match token.row_ref() {
            Some(RowRef::TypeDef(def)) => self.open_type(DefRef { assembly: a, def }),
            Some(RowRef::TypeRef(id)) => self.open_type(self.resolve_type_ref(a, id)?),
            Some(RowRef::TypeSpec(id)) => {
                let depth = self.spec_depth.get();
                if depth > 16 {
                    return Err(Error::Cycle { what: format!("type specification {token}").into() });
                }
                let sig = assembly.module().type_spec_sig(id).map_err(|e| assembly.bad(e))?;
                self.spec_depth.set(depth + 1);
                let ty = SigReader::new(self, a, generics).ty(&sig);
                self.spec_depth.set(depth);
                ty
            }
            _ => Err(assembly.bad_token(token, "a type")),
        }
    }

    pub(crate) fn resolve_type_ref(&self, a: AssemblyId, id: TypeRefId) -> Result<DefRef> {
        let assembly = self.assembly(a);
        let index = (id.row() as usize).wrapping_sub(1);
        let memo = assembly
            .type_refs
            .get(index)
            .ok_or_else(|| assembly.bad_token(id.token(), "a type reference"))?;
        let cycle = || Error::Cycle { what: format!("type reference {}", id.token()).into() };
        memo.get(cycle, || self.look_up_type_ref(a, id, 0)).copied()
    }

    fn look_up_type_ref(&self, a: AssemblyId, id: TypeRefId, depth: usize) -> Result<DefRef> {
        let assembly = self.assembly(a);
        let row = assembly.module().type_ref(id).map_err(|e| assembly.bad(e))?;
        let (namespace, name) = (row.namespace, row.name);
        let scope = row.resolution_scope.and_then(Token::row_ref);
        let missing = |place: &str| Error::MissingType {
            name: dotted(namespace, name).into(),
            assembly: place.into(),
            full_name: self.assembly_name(a).into(),
        };
        let found = match scope {
            Some(RowRef::AssemblyRef(reference)) => {
                return self.find_in_reference(a, reference, namespace, name);
            }
            Some(RowRef::TypeRef(outer)) => {
                if depth > limits::NESTED_DEPTH {
                    return Err(Error::Cycle { what: format!("type reference {}", id.token()).into() });
                }
                let outer = self.look_up_type_ref(a, outer, depth + 1)?;
                let info = self.type_def_info(outer.assembly, outer.def)?;
                let place = self.def_name(&info);
                return self.find_nested(outer, namespace, name)?.ok_or_else(|| missing(&place));
            }
            Some(RowRef::ModuleRef(module)) => {
                let module = assembly.module().module_ref(module).map_err(|e| assembly.bad(e))?;
                let part = self.part(a, module.name)?;
                self.find_def(part, namespace, name)?
            }
            Some(RowRef::ModuleDef(_)) | None => self.find_def(a, namespace, name)?,
            _ => return Err(assembly.bad_token(id.token(), "a type reference with a scope")),
        };
        found.ok_or_else(|| missing(assembly.name()))
    }

    fn find_in_reference(
        &self,
        a: AssemblyId,
        reference: cil::AssemblyRefId,
        namespace: &str,
        name: &str,
    ) -> Result<DefRef> {
        let assembly = self.assembly(a);
        let row = assembly.module().assembly_ref(reference).map_err(|e| assembly.bad(e))?;
        let target = self.referenced(a, &row)?;
        self.find_def(target, namespace, name)?.ok_or_else(|| Error::MissingType {
            name: dotted(namespace, name).into(),
            assembly: self.assembly(target).name().into(),
            full_name: self.assembly_name(target).into(),
        })
    }

    /// The assembly a reference by name means; a missing facade of the core library is no obstacle.
    fn referenced(&self, by: AssemblyId, reference: &cil::AssemblyRef<'_>) -> Result<AssemblyId> {
        let name = reference.name;
        if let Some(found) = self.load_by_name(name)? {
            return Ok(found);
        }
        if matches!(name, "mscorlib" | "System.Runtime" | "netstandard" | "System.Private.CoreLib")
            && let Ok(core) = self.corelib()
        {
            return Ok(core);
        }
        Err(Error::MissingAssembly {
            name: name.into(),
            by: self.assembly(by).name().into(),
            full_name: reference_name(reference).into(),
        })
    }

    /// A top-level definition by name, following forwarders.
    pub(crate) fn find_def(&self, a: AssemblyId, namespace: &str, name: &str) -> Result<Option<DefRef>> {
        let mut current = a;
        for _ in 0..limits::FORWARDER_HOPS {
            let assembly = self.assembly(current);
            let module = assembly.module();
            if let Some(def) = assembly.top_level(namespace, name).map_err(|e| assembly.bad(e))? {
                return Ok(Some(DefRef { assembly: current, def }));
            }
            let Some(id) = module.find_exported_type(namespace, name).map_err(|e| assembly.bad(e))? else {
                return Ok(None);
            };
            let row = module.exported_type(id).map_err(|e| assembly.bad(e))?;
            current = match row.implementation.row_ref() {
                Some(RowRef::AssemblyRef(target)) => {
                    let target = module.assembly_ref(target).map_err(|e| assembly.bad(e))?;
                    self.referenced(current, &target)?
                }
                Some(RowRef::File(file)) => {
                    let file = module.file(file).map_err(|e| assembly.bad(e))?;
                    self.part(current, file.name)?
                }
                _ => return Ok(None),
            };
        }
        Err(Error::Cycle { what: format!("the forwarding of {}", dotted(namespace, name)).into() })
    }

    pub(crate) fn find_nested(&self, outer: DefRef, namespace: &str, name: &str) -> Result<Option<DefRef>> {
        let assembly = self.assembly(outer.assembly);
        for def in assembly.module().nested_types(outer.def) {
            let def = def.map_err(|e| assembly.bad(e))?;
            let row = assembly.module().type_def(def).map_err(|e| assembly.bad(e))?;
            if row.name == name && row.namespace == namespace {
                return Ok(Some(DefRef { assembly: outer.assembly, def }));
            }
        }
        Ok(None)
    }

    /// Another file of a multi-file assembly.
    pub(crate) fn part(&self, a: AssemblyId, file: &str) -> Result<AssemblyId> {
        let assembly = self.assembly(a);
        let missing = || Error::MissingAssembly {
            name: file.into(),
            by: assembly.name().into(),
            full_name: file.into(),
        };
        if file.contains(['/', '\\', '\0', ':']) {
            return Err(missing());
        }
        let path = assembly.path().with_file_name(file);
        if path.is_file() { self.load_module(&path) } else { Err(missing()) }
    }

    /// Finds the method of `owner` or of its ancestors that has this name and signature (over `owner`'s own variables).
    pub(crate) fn find_by_signature(
        &self,
        owner: TypeId,
        name: &str,
        wanted: &MethodSig,
    ) -> Result<Option<(usize, MethodId)>> {
        let mut current = Some(self.definition(owner));
        let mut steps_up = 0;
        while let Some(t) = current {
            for &m in self.methods(t)? {
                if self.method(m).name.as_ref() == name && same_signature(self.signature(m)?, wanted) {
                    return Ok(Some((steps_up, m)));
                }
            }
            current = self.base(t)?;
            steps_up += 1;
            if steps_up > limits::BASE_DEPTH {
                break;
            }
        }
        Ok(None)
    }
}

/// Equal as ECMA-335 I.8.6.1 has it: types, modifiers, convention; a call site's extra arguments do not count.
pub(crate) fn same_signature(declared: &MethodSig, wanted: &MethodSig) -> bool {
    let fixed = wanted.sentinel.map_or(wanted.params.len(), |n| n as usize);
    declared.has_this == wanted.has_this
        && declared.convention == wanted.convention
        && declared.generic_arity == wanted.generic_arity
        && declared.ret == wanted.ret
        && Some(&*declared.params) == wanted.params.get(..fixed)
        && declared.modifiers == wanted.modifiers
}

pub(crate) fn dotted(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}
