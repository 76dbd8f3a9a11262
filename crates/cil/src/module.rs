//! One assembly file: its PE image and its metadata.

use std::ops::Deref;
use std::path::Path;

use crate::error::Result;
use crate::metadata::Metadata;
use crate::pe::Pe;
use crate::schema::{Assembly, AssemblyId, MethodDefId, ModuleDef, ModuleDefId, TableId};
use crate::storage::Storage;
use crate::token::Token;

/// Owns the bytes of the file; everything read from it borrows from here. The metadata accessors (`type_def`,
/// `user_string`, ...) are those of [`Metadata`], to which a module dereferences.
#[derive(Debug)]
pub struct Module {
    metadata: Metadata,
    pub(crate) pe: Pe,
}

impl Module {
    /// Maps the file into memory and reads its headers.
    pub fn open(path: &Path) -> Result<Module> {
        Module::read(Storage::open(path)?)
    }

    pub fn from_vec(bytes: Vec<u8>) -> Result<Module> {
        Module::read(Storage::Owned(bytes))
    }

    fn read(storage: Storage) -> Result<Module> {
        let pe = Pe::read(&storage)?;
        let range = pe.range(&storage, pe.metadata, "the metadata")?;
        Ok(Module { metadata: Metadata::open(storage, range)?, pe })
    }

    /// The row of the Assembly table; `None` for a module that is only a part of an assembly.
    pub fn assembly(&self) -> Result<Option<Assembly<'_>>> {
        if self.rows(TableId::Assembly) == 0 {
            return Ok(None);
        }
        self.assembly_row(AssemblyId::new(1)).map(Some)
    }

    /// The row of the Module table: name and version id.
    pub fn module(&self) -> Result<ModuleDef<'_>> {
        self.module_def(ModuleDefId::new(1))
    }

    /// The method (or file) where a program starts; `None` for a library.
    pub fn entry_point(&self) -> Option<Token> {
        const NATIVE_ENTRY_POINT: u32 = 0x10;
        let token = Token::from_raw(self.pe.entry_point);
        (self.pe.cli_flags & NATIVE_ENTRY_POINT == 0 && self.contains(token)).then_some(token)
    }

    /// Where in the file an RVA of the image lies; `None` if the file has no bytes for it.
    pub fn file_offset_of(&self, rva: u32) -> Option<usize> {
        self.pe.bytes_at(self.bytes(), rva).map(|(_, offset)| offset)
    }

    /// Where in the file the RVA of a method's body is said, as four bytes: who writes another number there gives the
    /// method another body.
    pub fn body_rva_offset(&self, id: MethodDefId) -> Result<usize> {
        self.row_at(TableId::MethodDef, id.row())?;
        Ok(self.cell_file_offset(TableId::MethodDef, id.row(), 0) as usize)
    }

    /// Whether the image also carries machine code (ReadyToRun).
    pub fn is_ready_to_run(&self) -> bool {
        self.pe.has_native_code
    }
}

impl Deref for Module {
    type Target = Metadata;

    fn deref(&self) -> &Metadata {
        &self.metadata
    }
}
