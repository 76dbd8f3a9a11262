//! The PE debug directory: which PDB belongs to the image, and the PDB itself if it is embedded.

use crate::bytes::Reader;
use crate::column::Guid;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::module::Module;

const CODE_VIEW: u32 = 2;
const EMBEDDED_PORTABLE_PDB: u32 = 17;
const RSDS: u32 = 0x5344_5352;
const MPDB: u32 = 0x4244_504d;
const ENTRY_SIZE: usize = 28;

/// The PDB that was written together with the assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeView<'a> {
    pub id: PdbId,
    /// The path of the PDB on the machine that built it.
    pub path: &'a str,
}

/// What ties a portable PDB to its assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdbId {
    pub guid: Guid,
    pub stamp: u32,
}

struct Entry<'a> {
    kind: u32,
    stamp: u32,
    data: Reader<'a>,
}

impl Module {
    pub fn code_view(&self) -> Result<Option<CodeView<'_>>> {
        let Some(entry) = self.debug_entry(CODE_VIEW)? else { return Ok(None) };
        let mut data = entry.data;
        if data.u32()? != RSDS {
            return Ok(None);
        }
        let id = PdbId { guid: Guid(data.guid()?), stamp: entry.stamp };
        data.skip(4)?;
        let path = data.rest();
        let length = path.iter().position(|&byte| byte == 0).unwrap_or(path.len());
        let path = std::str::from_utf8(path.get(..length).unwrap_or_default());
        path.map(|path| Some(CodeView { id, path })).map_err(|_| data.error(ErrorKind::BadUtf8))
    }

    /// The portable PDB inside the image, inflated; `None` if there is none.
    pub(crate) fn inflate_embedded_pdb(&self) -> Result<Option<Vec<u8>>> {
        let Some(Entry { mut data, .. }) = self.debug_entry(EMBEDDED_PORTABLE_PDB)? else { return Ok(None) };
        let at = data.file_offset();
        let error = |what| Error::new(ErrorKind::BadPdb(what), at);
        if data.u32()? != MPDB {
            return Err(error("the embedded PDB does not begin with `MPDB`"));
        }
        let size = data.u32()? as usize;
        inflate(data.rest(), size).map(Some).ok_or_else(|| error("the embedded PDB cannot be inflated"))
    }

    fn debug_entry(&self, kind: u32) -> Result<Option<Entry<'_>>> {
        if self.pe.debug.rva == 0 {
            return Ok(None);
        }
        let range = self.pe.range(self.bytes(), self.pe.debug, "the debug directory")?;
        let count = (range.len() / ENTRY_SIZE).min(limits::MAX_DEBUG_ENTRIES);
        let mut reader = Reader::at(self.bytes(), range.start, "the debug directory");
        for _ in 0..count {
            let entry = self.read_debug_entry(&mut reader)?;
            if let Some(entry) = entry
                && entry.kind == kind
            {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// `None` for entries without data in the file.
    fn read_debug_entry<'a>(&'a self, reader: &mut Reader<'a>) -> Result<Option<Entry<'a>>> {
        reader.skip(4)?;
        let stamp = reader.u32()?;
        reader.skip(4)?;
        let (kind, size) = (reader.u32()?, reader.u32()? as usize);
        reader.skip(4)?;
        let pointer = reader.u32()? as usize;
        let data = pointer.checked_add(size).and_then(|end| self.bytes().get(pointer..end));
        Ok(data.map(|data| Entry {
            kind,
            stamp,
            data: Reader::new(data, pointer as u64, "a debug directory entry"),
        }))
    }
}

/// `size` is what the file claims; the result is never larger, nor larger than the data can justify.
pub(crate) fn inflate(deflated: &[u8], size: usize) -> Option<Vec<u8>> {
    let justified = deflated.len().saturating_mul(limits::MAX_INFLATE_RATIO);
    if size > limits::MAX_EMBEDDED_PDB_BYTES.min(justified) {
        return None;
    }
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(deflated, size).ok()?;
    (bytes.len() == size).then_some(bytes)
}
