//! Types by name: an index of hashes, built once, that compares the names in the file itself.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use rustc_hash::FxHasher;

use crate::error::Result;
use crate::metadata::Metadata;
use crate::schema::*;

/// Hashes of `(namespace, name)` with the row, sorted; equal names keep the order of the table.
type Hashes = Box<[(u32, u32)]>;

#[derive(Default)]
pub(crate) struct NameIndex {
    top_level: OnceLock<Hashes>,
    exported: OnceLock<Hashes>,
}

const VISIBILITY_MASK: u32 = 0x7;
const NESTED_PUBLIC: u32 = 0x2;

impl Metadata {
    /// The type of this name that is not nested in another; the first if there are several.
    pub fn find_type(&self, namespace: &str, name: &str) -> Result<Option<TypeDefId>> {
        let hashes = self.names.top_level.get_or_init(|| self.hash_type_defs());
        for row in candidates(hashes, hash(namespace, name)) {
            let id = TypeDefId::new(row);
            let row = self.type_def(id)?;
            if row.name == name && row.namespace == namespace {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The type of this name directly inside `enclosing`.
    pub fn find_nested_type(&self, enclosing: TypeDefId, name: &str) -> Result<Option<TypeDefId>> {
        for nested in self.nested_types(enclosing) {
            let nested = nested?;
            if self.type_def(nested)?.name == name {
                return Ok(Some(nested));
            }
        }
        Ok(None)
    }

    /// The exported type or forwarder of this name that is not nested in another.
    pub fn find_exported_type(&self, namespace: &str, name: &str) -> Result<Option<ExportedTypeId>> {
        let hashes = self.names.exported.get_or_init(|| self.hash_exported_types());
        for row in candidates(hashes, hash(namespace, name)) {
            let id = ExportedTypeId::new(row);
            let row = self.exported_type(id)?;
            if row.name == name && row.namespace == namespace {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Types whose names cannot be read cannot be found; the others can.
    fn hash_type_defs(&self) -> Hashes {
        let mut hashes = Vec::new();
        for id in self.type_defs() {
            let cell = |column| self.raw_cell(TableId::TypeDef, id.row(), column);
            if cell(0) & VISIBILITY_MASK < NESTED_PUBLIC
                && let (Ok(name), Ok(namespace)) = (self.string(cell(1)), self.string(cell(2)))
            {
                hashes.push((hash(namespace, name), id.row()));
            }
        }
        hashes.sort_unstable();
        hashes.into()
    }

    fn hash_exported_types(&self) -> Hashes {
        let mut hashes = Vec::new();
        for id in self.exported_types() {
            if let Ok(row) = self.exported_type(id)
                && row.implementation.table() != Some(TableId::ExportedType)
            {
                hashes.push((hash(row.namespace, row.name), id.row()));
            }
        }
        hashes.sort_unstable();
        hashes.into()
    }
}

fn candidates(hashes: &[(u32, u32)], hash: u32) -> impl Iterator<Item = u32> {
    let start = hashes.partition_point(|&(candidate, _)| candidate < hash);
    let rest = hashes.get(start..).unwrap_or_default();
    rest.iter().take_while(move |&&(candidate, _)| candidate == hash).map(|&(_, row)| row)
}

fn hash(namespace: &str, name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    (namespace, name).hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}
