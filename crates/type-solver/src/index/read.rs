//! Reads the definitions of assemblies, and follows their references.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use cil::{Module, RowRef, TableId, Token, TypeDefId, TypeSig};
use rustc_hash::{FxHashSet, FxHasher};
use types::{Probing, TypeId, Universe};

use super::simple::Simple;
use super::{Def, Key, Stage};
use crate::Kinds;

/// Nesting of definitions; more is malformed.
const MAX_NESTING: usize = 64;

/// The assemblies reached from the roots, and all their definitions.
pub(super) fn all(probing: &Probing, roots: &[PathBuf]) -> (Vec<PathBuf>, Vec<Def>) {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut names: FxHashSet<String> = FxHashSet::default();
    let mut defs = Vec::new();
    let simple = Simple::new();
    for root in roots {
        if !paths.contains(root) {
            names.insert(root.file_stem().unwrap_or_default().to_string_lossy().to_lowercase());
            paths.push(root.clone());
        }
    }
    let mut next = 0;
    // A core library is known even if nothing refers to it by its own name.
    let mut extra = ["System.Private.CoreLib", "mscorlib"].into_iter();
    loop {
        while let Some(path) = paths.get(next).cloned() {
            let owner = Owner {
                assembly: next as u32,
                is_root: next < roots.len(),
                is_framework: probing.is_framework(&path),
            };
            next += 1;
            let Ok(module) = Module::open(&path) else { continue };
            for id in module.assembly_refs() {
                let Ok(row) = module.assembly_ref(id) else { continue };
                if names.insert(row.name.to_lowercase()) {
                    paths.extend(probing.find(row.name));
                }
            }
            Reader { module: &module, owner, simple: &simple, is_core: is_core(&module) }.read(&mut defs);
        }
        match extra.next() {
            Some(name) if names.insert(name.to_lowercase()) => paths.extend(probing.find(name)),
            Some(_) => {}
            None => return (paths, defs),
        }
    }
}

/// The key of a definition outside of all others.
pub(super) fn top_level(namespace: &str, name: &str) -> Key {
    key(0, namespace, name)
}

/// The key of the definition of a type; `None` for arrays, pointers, variables.
pub(crate) fn key_of(universe: &Universe, t: TypeId) -> Option<Key> {
    let info = universe.def_info(t)?;
    let outer = match info.enclosing {
        Some(outer) => key_of(universe, universe.type_of_def(info.assembly, outer).ok()?)?,
        None => 0,
    };
    Some(key(outer, &info.namespace, &info.name))
}

fn key(outer: Key, namespace: &str, name: &str) -> Key {
    let mut hasher = FxHasher::default();
    (outer, namespace, name).hash(&mut hasher);
    hasher.finish()
}

fn is_core(module: &Module) -> bool {
    module
        .find_type("System", "Object")
        .ok()
        .flatten()
        .is_some_and(|id| module.type_def(id).is_ok_and(|row| row.extends.is_none()))
}

#[derive(Clone, Copy)]
struct Owner {
    assembly: u32,
    is_root: bool,
    is_framework: bool,
}

struct Reader<'a> {
    module: &'a Module,
    owner: Owner,
    simple: &'a Simple,
    is_core: bool,
}

impl Reader<'_> {
    fn read(&self, defs: &mut Vec<Def>) {
        for id in self.module.type_defs() {
            // Rows that cannot be read are no types.
            if let Ok(Some(def)) = self.def(id) {
                defs.push(def);
            }
        }
    }

    fn def(&self, id: TypeDefId) -> cil::Result<Option<Def>> {
        let row = self.module.type_def(id)?;
        if row.name == "<Module>" {
            return Ok(None);
        }
        let Some(facts) = self.surroundings(id)? else { return Ok(None) };
        let base = row.extends.map(|token| self.key_of_token(token)).transpose()?.flatten();
        let Some(kind) = self.kind(row.flags, row.extends, base, facts.key) else { return Ok(None) };
        let mut supers: Vec<Key> = base.into_iter().collect();
        for interface in self.module.interfaces_of(id) {
            supers.extend(self.key_of_token(self.module.interface_impl(interface)?.interface)?);
        }
        let is_constructible = kind == Kinds::VALUES
            || kind == Kinds::DELEGATES
            || kind == Kinds::CLASSES && self.has_public_constructor(&row)?;
        Ok(Some(Def {
            assembly: self.owner.assembly,
            row: id.row(),
            arity: self.module.generic_params(id.token()).len() as u16,
            kind,
            stage: self.stage(&facts),
            is_constructible,
            key: facts.key,
            supers: supers.into(),
        }))
    }

    fn stage(&self, facts: &Surroundings) -> Stage {
        match self.owner {
            Owner { is_framework: true, .. } if facts.is_visible && !facts.is_unspeakable => {
                self.simple.place(facts.key).map_or(Stage::Framework, Stage::Simple)
            }
            Owner { is_framework: true, .. } => Stage::FrameworkInternal,
            _ if facts.is_unspeakable => Stage::Unspeakable,
            Owner { is_root: true, .. } if facts.is_visible => Stage::UnderTest,
            Owner { is_root: true, .. } => Stage::UnderTestInternal,
            _ if facts.is_visible => Stage::Referenced,
            _ => Stage::ReferencedInternal,
        }
    }

    /// `None` for a static class: neither an object nor an argument can be one.
    fn kind(&self, flags: u32, extends: Option<Token>, base: Option<Key>, itself: Key) -> Option<Kinds> {
        let (is_abstract, is_sealed) = (flags & 0x80 != 0, flags & 0x100 != 0);
        if flags & 0x20 != 0 {
            return Some(Kinds::ABSTRACT);
        }
        let is_local = extends.is_some_and(|token| token.table() == Some(TableId::TypeDef));
        let core = base.filter(|_| !is_local || self.is_core);
        let is = |name| core == Some(top_level("System", name));
        if is("Enum") || is("ValueType") && itself != top_level("System", "Enum") {
            return Some(Kinds::VALUES);
        }
        match (is_abstract, is_sealed) {
            (true, true) => None,
            (true, false) => Some(Kinds::ABSTRACT),
            _ if is("MulticastDelegate") => Some(Kinds::DELEGATES),
            _ => Some(Kinds::CLASSES),
        }
    }

    fn has_public_constructor(&self, row: &cil::TypeDef<'_>) -> cil::Result<bool> {
        for id in row.methods {
            let method = self.module.method_def(id)?;
            if method.flags & 0x17 == 0x6 && method.name == ".ctor" {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a definition and those around it say; `None` if the nesting never ends.
    fn surroundings(&self, id: TypeDefId) -> cil::Result<Option<Surroundings>> {
        let mut chain = vec![id];
        while let Some(outer) = chain.last().map(|id| self.module.enclosing_type(*id)).transpose()?.flatten()
        {
            chain.push(outer);
            if chain.len() > MAX_NESTING {
                return Ok(None);
            }
        }
        let mut facts = Surroundings { key: 0, is_visible: true, is_unspeakable: false };
        for (depth, id) in chain.iter().rev().enumerate() {
            let row = self.module.type_def(*id)?;
            facts.key = key(facts.key, row.namespace, row.name);
            facts.is_visible &= row.flags & 7 == if depth == 0 { 1 } else { 2 };
            facts.is_unspeakable |= row.name.contains('<');
        }
        Ok(Some(facts))
    }

    /// The definition behind a TypeDef, TypeRef or TypeSpec, by name.
    fn key_of_token(&self, token: Token) -> cil::Result<Option<Key>> {
        Ok(match token.row_ref() {
            Some(RowRef::TypeDef(id)) => self.surroundings(id)?.map(|facts| facts.key),
            Some(RowRef::TypeRef(id)) => self.key_of_reference(id, 0)?,
            Some(RowRef::TypeSpec(id)) => match self.module.type_spec_sig(id)? {
                TypeSig::GenericInst(inst) if inst.definition.table() != Some(TableId::TypeSpec) => {
                    self.key_of_token(inst.definition)?
                }
                TypeSig::Class(token) | TypeSig::ValueType(token)
                    if token.table() != Some(TableId::TypeSpec) =>
                {
                    self.key_of_token(token)?
                }
                TypeSig::Object => Some(top_level("System", "Object")),
                _ => None,
            },
            _ => None,
        })
    }

    fn key_of_reference(&self, id: cil::TypeRefId, depth: usize) -> cil::Result<Option<Key>> {
        let row = self.module.type_ref(id)?;
        let outer = match row.resolution_scope.and_then(Token::row_ref) {
            Some(RowRef::TypeRef(_)) if depth > MAX_NESTING => return Ok(None),
            Some(RowRef::TypeRef(outer)) => match self.key_of_reference(outer, depth + 1)? {
                Some(outer) => outer,
                None => return Ok(None),
            },
            _ => 0,
        };
        Ok(Some(key(outer, row.namespace, row.name)))
    }
}

struct Surroundings {
    key: Key,
    is_visible: bool,
    is_unspeakable: bool,
}
