//! Source documents: their names are stored in pieces, to share folders.

use super::Pdb;
use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_STRING_BYTES;
use crate::schema::DocumentId;

impl Pdb {
    /// The path of a source file as the compiler saw it.
    pub fn document_name(&self, id: DocumentId) -> Result<String> {
        let blob = self.document_row(id)?.name;
        let mut reader = Reader::new(blob.bytes, blob.file_offset, "the name of a document");
        let mut name = String::new();
        let separator = match reader.u8() {
            Ok(0) | Err(_) => None,
            Ok(byte) => Some(char::from(byte)),
        };
        let mut is_first = true;
        while !reader.is_at_end() {
            if let (false, Some(separator)) = (is_first, separator) {
                name.push(separator);
            }
            is_first = false;
            let part = self.blob(reader.compressed_u32()?)?;
            // Parts may be shared, so that the whole can be much longer than the file.
            if name.len() + part.bytes.len() > MAX_STRING_BYTES {
                let kind = ErrorKind::Limit { what: "the name of a document", limit: MAX_STRING_BYTES };
                return Err(Error::new(kind, part.file_offset));
            }
            let text = std::str::from_utf8(part.bytes);
            name.push_str(text.map_err(|_| Error::new(ErrorKind::BadUtf8, part.file_offset))?);
        }
        Ok(name)
    }
}
