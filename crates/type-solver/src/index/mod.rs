//! All type definitions of all assemblies that those under test refer to, with their direct supertypes by name.
//!
//! Nothing is resolved and nothing is loaded into a universe: a name stands for every definition that is called so, in
//! whatever assembly. That makes answers too large at worst, never too small, and each candidate is checked later on.
//! An index is plain data: several threads, each with a universe of its own, can share it.

mod cache;
mod read;
mod simple;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHashSet};
use types::{Probing, TypeId, Universe};

use crate::Kinds;
pub(crate) use read::key_of;

/// A full name, hashed. Names that collide only make answers larger.
pub(crate) type Key = u64;

/// What an index knows of a definition.
#[derive(Debug, Clone)]
pub(crate) struct Def {
    pub assembly: u32,
    pub row: u32,
    /// Generic parameters, those of enclosing types included.
    pub arity: u16,
    pub kind: Kinds,
    pub stage: Stage,
    pub is_constructible: bool,
    pub key: Key,
    pub supers: Box<[Key]>,
}

impl Def {
    /// What its instances may turn out to be: attributes are not read here.
    pub fn possible_kinds(&self) -> Kinds {
        match self.kind {
            Kinds::VALUES => Kinds::VALUES.or(Kinds::NULLABLES).or(Kinds::REF_STRUCTS),
            kind => kind,
        }
    }
}

/// Where a definition stands in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Of the assemblies under test: visible to all, then internal.
    UnderTest,
    UnderTestInternal,
    /// Of other assemblies that are not the framework's.
    Referenced,
    /// Well-known types of the framework, in an order of their own.
    Simple(u16),
    Framework,
    ReferencedInternal,
    /// Made by a compiler: no source code can name it.
    Unspeakable,
    FrameworkInternal,
}

impl Stage {
    /// The stage as a number, all simple types together.
    pub fn group(self) -> u8 {
        match self {
            Stage::UnderTest => 0,
            Stage::UnderTestInternal => 1,
            Stage::Referenced => 2,
            Stage::Simple(_) => 3,
            Stage::Framework => 4,
            Stage::ReferencedInternal => 5,
            Stage::Unspeakable => 6,
            Stage::FrameworkInternal => 7,
        }
    }
}

/// The definitions that tests and the code under test can know of.
pub struct Index {
    assemblies: Vec<PathBuf>,
    /// In the order of preference.
    defs: Vec<Def>,
    /// The positions of all of them.
    all: Arc<[u32]>,
    /// Name → positions of the definitions that are called so.
    named: FxHashMap<Key, Vec<u32>>,
    /// Name → positions of the definitions that list it as base or interface.
    derived: FxHashMap<Key, Vec<u32>>,
    /// Name → positions of everything below it, itself included; sorted. Made when first asked for.
    below: Mutex<FxHashMap<Key, Arc<[u32]>>>,
}

impl Index {
    /// Reads the assemblies under test and everything they refer to, directly or not. What cannot be read is left out:
    /// no type of it could be loaded either.
    pub fn build(probing: &Probing, roots: &[PathBuf]) -> Index {
        let (assemblies, mut defs) = read::all(probing, roots);
        defs.sort_by_key(|def| {
            let is_value = def.kind == Kinds::VALUES;
            (def.stage, !def.is_constructible, def.arity, is_value, def.assembly, def.row)
        });
        let mut named: FxHashMap<Key, Vec<u32>> = FxHashMap::default();
        let mut derived: FxHashMap<Key, Vec<u32>> = FxHashMap::default();
        for (position, def) in defs.iter().enumerate() {
            named.entry(def.key).or_default().push(position as u32);
            for key in &def.supers {
                derived.entry(*key).or_default().push(position as u32);
            }
        }
        let all = (0..defs.len() as u32).collect();
        Index { assemblies, defs, all, named, derived, below: Mutex::default() }
    }

    /// Definitions in the index.
    pub fn len(&self) -> usize {
        self.defs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.defs.is_empty()
    }

    /// Assemblies that were read.
    pub fn assemblies(&self) -> usize {
        self.assemblies.len()
    }

    pub(crate) fn path(&self, assembly: u32) -> Option<&Path> {
        self.assemblies.get(assembly as usize).map(PathBuf::as_path)
    }

    pub(crate) fn def(&self, position: u32) -> Option<&Def> {
        self.defs.get(position as usize)
    }

    /// The position of the first definition of a stage or a later one.
    pub(crate) fn first_of(&self, stage: Stage) -> u32 {
        self.defs.partition_point(|def| def.stage < stage) as u32
    }

    /// Definitions that are called like the definition of a type.
    pub(crate) fn same_name(&self, universe: &Universe, t: TypeId) -> &[u32] {
        key_of(universe, t).and_then(|key| self.named.get(&key)).map_or(&[], |found| found)
    }

    /// Definitions that can have instances below all of these types; all definitions if there are none.
    pub(crate) fn below_all(&self, universe: &Universe, types: &[TypeId]) -> Arc<[u32]> {
        let sets: Vec<Arc<[u32]>> = types.iter().map(|t| self.below(universe, *t)).collect();
        let Some((smallest, others)) = smallest_first(sets) else { return Arc::clone(&self.all) };
        if others.iter().all(|set| set.len() == self.all.len()) {
            return smallest;
        }
        smallest
            .iter()
            .copied()
            .filter(|position| others.iter().all(|set| set.binary_search(position).is_ok()))
            .collect()
    }

    fn below(&self, universe: &Universe, t: TypeId) -> Arc<[u32]> {
        let Some(key) = key_of(universe, t) else { return Arc::default() };
        let remembered = |index: &Index| match index.below.lock() {
            Ok(below) => below.get(&key).cloned(),
            Err(_) => None,
        };
        if let Some(known) = remembered(self) {
            return known;
        }
        let is_object = universe.well_known().is_ok_and(|known| known.object == t);
        let found: Arc<[u32]> = match is_object {
            // Interfaces are below it as well, though they list no base.
            true => Arc::clone(&self.all),
            false => self.descend(key),
        };
        if let Ok(mut below) = self.below.lock() {
            below.insert(key, Arc::clone(&found));
        }
        found
    }

    fn descend(&self, key: Key) -> Arc<[u32]> {
        let mut found: Vec<u32> = Vec::new();
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let mut open = vec![key];
        while let Some(key) = open.pop() {
            if !seen.insert(key) {
                continue;
            }
            found.extend(self.named.get(&key).into_iter().flatten());
            let below = self.derived.get(&key).into_iter().flatten();
            open.extend(below.filter_map(|position| self.def(*position)).map(|def| def.key));
        }
        found.sort_unstable();
        found.into()
    }
}

type Sets = Vec<Arc<[u32]>>;

fn smallest_first(mut sets: Sets) -> Option<(Arc<[u32]>, Sets)> {
    let smallest = (0..sets.len()).min_by_key(|i| sets.get(*i).map_or(0, |set| set.len()))?;
    let first = sets.swap_remove(smallest);
    Some((first, sets))
}
