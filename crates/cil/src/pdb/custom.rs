//! Custom debug information: the kinds that are known, decoded.

use std::borrow::Cow;

use super::Pdb;
use crate::body::CodeRange;
use crate::bytes::Reader;
use crate::column::{Blob, Guid};
use crate::debug_directory::inflate;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{DocumentId, MethodDefId, TableId};
use crate::token::Token;

/// The GUIDs that tell custom debug information apart.
pub mod kinds {
    use crate::column::Guid;

    /// 54fd2ac5-e925-401a-9c2a-f94f171072f8
    pub const ASYNC_STEPPING: Guid =
        Guid(*b"\xc5\x2a\xfd\x54\x25\xe9\x1a\x40\x9c\x2a\xf9\x4f\x17\x10\x72\xf8");
    /// 6da9a61e-f8c7-4874-be62-68bc5630df71
    pub const HOISTED_LOCAL_SCOPES: Guid =
        Guid(*b"\x1e\xa6\xa9\x6d\xc7\xf8\x74\x48\xbe\x62\x68\xbc\x56\x30\xdf\x71");
    /// cc110556-a091-4d38-9fec-25ab9a351a6a
    pub const SOURCE_LINK: Guid = Guid(*b"\x56\x05\x11\xcc\x91\xa0\x38\x4d\x9f\xec\x25\xab\x9a\x35\x1a\x6a");
    /// 0e8a571b-6926-466e-b4ad-8ab04611f5fe
    pub const EMBEDDED_SOURCE: Guid =
        Guid(*b"\x1b\x57\x8a\x0e\x26\x69\x6e\x46\xb4\xad\x8a\xb0\x46\x11\xf5\xfe");
}

/// Where an async method gives up control and where it takes it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsyncStepping {
    /// The handler the compiler put around the whole body; `None` if there is none.
    pub catch_handler: Option<u32>,
    pub yields: Vec<YieldPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YieldPoint {
    pub yield_offset: u32,
    pub resume_offset: u32,
    pub resume_method: MethodDefId,
}

/// The text of a source file inside the PDB; borrowed unless it was compressed.
pub type EmbeddedSource<'a> = Cow<'a, [u8]>;

impl Pdb {
    /// For a `MoveNext` of an async method.
    pub fn async_stepping(&self, move_next: MethodDefId) -> Result<Option<AsyncStepping>> {
        let Some(blob) = self.custom_debug_value(move_next.token(), kinds::ASYNC_STEPPING)? else {
            return Ok(None);
        };
        let mut reader = Reader::new(blob.bytes, blob.file_offset, "async stepping information");
        let catch_handler = reader.u32()?.checked_sub(1);
        let mut yields = Vec::new();
        while !reader.is_at_end() {
            let (yield_offset, resume_offset) = (reader.u32()?, reader.u32()?);
            let resume_method = MethodDefId::new(reader.compressed_u32()?);
            yields.push(YieldPoint { yield_offset, resume_offset, resume_method });
        }
        Ok(Some(AsyncStepping { catch_handler, yields }))
    }

    /// For a `MoveNext`: where each local variable that became a field is in scope, by its slot number.
    pub fn hoisted_local_scopes(&self, move_next: MethodDefId) -> Result<Vec<CodeRange>> {
        let Some(blob) = self.custom_debug_value(move_next.token(), kinds::HOISTED_LOCAL_SCOPES)? else {
            return Ok(Vec::new());
        };
        let mut reader = Reader::new(blob.bytes, blob.file_offset, "hoisted local scopes");
        let mut scopes = Vec::new();
        while !reader.is_at_end() {
            let (start, length) = (reader.u32()?, reader.u32()?);
            scopes.push(CodeRange { start, end: start.saturating_add(length) });
        }
        Ok(scopes)
    }

    /// The Source Link file (JSON) of the module.
    pub fn source_link(&self) -> Result<Option<&[u8]>> {
        let module = Token::new(TableId::ModuleDef, 1);
        Ok(self.custom_debug_value(module, kinds::SOURCE_LINK)?.map(|blob| blob.bytes))
    }

    /// The text of a document, if the compiler put it into the PDB.
    pub fn embedded_source(&self, document: DocumentId) -> Result<Option<EmbeddedSource<'_>>> {
        let Some(blob) = self.custom_debug_value(document.token(), kinds::EMBEDDED_SOURCE)? else {
            return Ok(None);
        };
        let mut reader = Reader::new(blob.bytes, blob.file_offset, "an embedded source file");
        let size = reader.u32()? as usize;
        if size == 0 {
            return Ok(Some(Cow::Borrowed(reader.rest())));
        }
        let error =
            Error::new(ErrorKind::BadPdb("an embedded source file cannot be inflated"), blob.file_offset);
        inflate(reader.rest(), size).map(|text| Some(Cow::Owned(text))).ok_or(error)
    }

    /// The first custom debug information of one kind.
    pub fn custom_debug_value(&self, parent: Token, kind: Guid) -> Result<Option<Blob<'_>>> {
        for id in self.custom_debug_information_of(parent) {
            let row = self.custom_debug_information(id)?;
            if row.kind == Some(kind) {
                return Ok(Some(row.value));
            }
        }
        Ok(None)
    }
}
