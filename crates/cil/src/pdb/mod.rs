//! Portable PDBs: where they are found, and what they say about methods.

mod constant;
mod custom;
mod document;
mod import;
mod scope;
mod sequence;

use std::ops::Deref;
use std::path::{Path, PathBuf};

pub use constant::{LocalConstantType, LocalConstantValue};
pub use custom::{AsyncStepping, EmbeddedSource, YieldPoint, kinds};
pub use import::{Import, ImportTarget};
pub use scope::{LocalName, MethodScope};
pub use sequence::{SequencePoint, SourceSpan};

use crate::bytes::Reader;
use crate::column::Guid;
use crate::debug_directory::PdbId;
use crate::error::{Error, ErrorKind, Result};
use crate::lookup::{Found, Search};
use crate::metadata::Metadata;
use crate::module::Module;
use crate::schema::{CustomDebugInformationId, MethodDefId, TableId};
use crate::storage::Storage;
use crate::token::Token;

/// An open portable PDB. The rows of its own tables are read through [`Metadata`], to which it dereferences; method
/// and type rows are those of the assembly.
#[derive(Debug)]
pub struct Pdb {
    metadata: Metadata,
    id: PdbId,
    entry_point: Token,
}

impl Pdb {
    pub fn open(path: &Path) -> Result<Pdb> {
        Pdb::read(Storage::open(path)?)
    }

    pub fn from_vec(bytes: Vec<u8>) -> Result<Pdb> {
        Pdb::read(Storage::Owned(bytes))
    }

    /// The PDB of an assembly: embedded in it, or beside it, or where it was built. `Ok(None)` if there is none (or
    /// only one in the old Windows format); an error if the only one found belongs to another build.
    pub fn find_for(module: &Module, assembly_path: &Path) -> Result<Option<Pdb>> {
        if let Some(pdb) = Pdb::embedded(module)? {
            return Ok(Some(pdb));
        }
        let Some(code_view) = module.code_view()? else { return Ok(None) };
        let mut mismatch = None;
        for candidate in candidates(assembly_path, code_view.path) {
            if !candidate.is_file() {
                continue;
            }
            match Pdb::open(&candidate) {
                Ok(pdb) if pdb.id == code_view.id => return Ok(Some(pdb)),
                Ok(_) => mismatch = Some(Error::new(ErrorKind::PdbMismatch, 0)),
                // Not a portable PDB at all: the old format.
                Err(error) if matches!(error.kind(), ErrorKind::NotPortablePdb) => {}
                Err(error) => mismatch = Some(error),
            }
        }
        mismatch.map_or(Ok(None), Err)
    }

    /// The PDB inside an assembly.
    pub fn embedded(module: &Module) -> Result<Option<Pdb>> {
        let Some(bytes) = module.inflate_embedded_pdb()? else { return Ok(None) };
        let pdb = Pdb::from_vec(bytes)?;
        match module.code_view()? {
            Some(code_view) if code_view.id != pdb.id => Err(Error::new(ErrorKind::PdbMismatch, 0)),
            _ => Ok(Some(pdb)),
        }
    }

    fn read(storage: Storage) -> Result<Pdb> {
        if !storage.starts_with(b"BSJB") {
            let kind = if storage.is_empty() { ErrorKind::Empty } else { ErrorKind::NotPortablePdb };
            return Err(Error::new(kind, 0));
        }
        let range = 0..storage.len();
        let metadata = Metadata::open(storage, range)?;
        let stream = &metadata.root().pdb;
        let mut reader = Reader::new(metadata.stream(stream), stream.file_offset(0), "the #Pdb stream");
        let id = PdbId { guid: Guid(reader.guid()?), stamp: reader.u32()? };
        let entry_point = Token::from_raw(reader.u32()?);
        Ok(Pdb { metadata, id, entry_point })
    }

    pub fn id(&self) -> PdbId {
        self.id
    }

    pub fn entry_point(&self) -> Option<MethodDefId> {
        MethodDefId::from_token(self.entry_point)
    }

    /// The `MoveNext` that carries the code of an async or iterator method.
    pub fn move_next_of(&self, kickoff: MethodDefId) -> Result<Option<MethodDefId>> {
        let found = self.find(Search::MachineOfKickoff, kickoff).next();
        found.map(|id| Ok(self.state_machine_method(id)?.move_next)).transpose()
    }

    /// The async or iterator method as written, whose code `move_next` carries.
    pub fn kickoff_of(&self, move_next: MethodDefId) -> Result<Option<MethodDefId>> {
        let found = self.find(Search::MachineOfMoveNext, move_next).next();
        found.map(|id| Ok(self.state_machine_method(id)?.kickoff)).transpose()
    }

    /// The custom debug information of a method, document, module or other parent.
    pub fn custom_debug_information_of(&self, parent: Token) -> Found<'_, CustomDebugInformationId> {
        self.find(Search::DebugInfoOfParent, parent)
    }

    /// Whether the PDB says anything about this method.
    pub fn has_method(&self, method: MethodDefId) -> bool {
        method.row() != 0 && method.row() <= self.rows(TableId::MethodDebugInformation)
    }
}

impl Deref for Pdb {
    type Target = Metadata;

    fn deref(&self) -> &Metadata {
        &self.metadata
    }
}

/// Beside the assembly under the name the compiler gave it, beside it under the assembly's own name, where it was
/// built.
fn candidates(assembly: &Path, built: &str) -> Vec<PathBuf> {
    // The path may be of either operating system.
    let file_name = built.rsplit(['/', '\\']).next().unwrap_or(built);
    let mut candidates = Vec::new();
    if !file_name.is_empty() {
        candidates.push(assembly.with_file_name(file_name));
    }
    candidates.push(assembly.with_extension("pdb"));
    let built = PathBuf::from(built);
    if built.is_absolute() {
        candidates.push(built);
    }
    candidates.dedup();
    candidates
}
