//! The metadata root and its stream headers (ECMA-335 II.24.2.1 and II.24.2.2).

use std::ops::Range;

use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

const SIGNATURE: u32 = 0x424a_5342;

/// A stream as a range of the file; empty if the file has none of that name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stream {
    pub range: Range<usize>,
}

impl Stream {
    pub fn len(&self) -> usize {
        self.range.len()
    }

    pub fn file_offset(&self, offset: usize) -> u64 {
        self.range.start as u64 + offset as u64
    }
}

#[derive(Debug, Default)]
pub(crate) struct Root {
    pub version: Range<usize>,
    pub strings: Stream,
    pub user_strings: Stream,
    pub guids: Stream,
    pub blobs: Stream,
    pub tables: Stream,
    /// Present in portable PDBs only.
    pub pdb: Stream,
    /// A `#JTD` stream says that every index is four bytes wide (deltas of edit and continue).
    pub wide_indexes: bool,
}

impl Root {
    /// `range` is where the metadata lies, checked to be inside the file.
    pub fn read(file: &[u8], range: Range<usize>) -> Result<Root> {
        let start = range.start;
        let error = |kind, offset: usize| Error::new(kind, (start + offset) as u64);
        let bytes = file.get(range).unwrap_or_default();
        let mut reader = Reader::new(bytes, start as u64, "the metadata root");
        if reader.u32()? != SIGNATURE {
            return Err(error(ErrorKind::BadMetadata("the metadata root does not begin with `BSJB`"), 0));
        }
        reader.skip(8)?;
        let version_length = reader.u32()?;
        if version_length > limits::MAX_VERSION_BYTES {
            let kind = ErrorKind::Limit {
                what: "the length of the metadata version",
                limit: limits::MAX_VERSION_BYTES as usize,
            };
            return Err(error(kind, 12));
        }
        let version_start = start + reader.position();
        let version = reader.bytes(version_length as usize)?;
        let trimmed = version.iter().position(|&byte| byte == 0).unwrap_or(version.len());
        reader.align4();
        reader.skip(2)?;
        let count = usize::from(reader.u16()?);
        if count > limits::MAX_STREAMS {
            let kind = ErrorKind::Limit { what: "the number of streams", limit: limits::MAX_STREAMS };
            return Err(reader.error(kind));
        }
        let mut root = Root { version: version_start..version_start + trimmed, ..Root::default() };
        for _ in 0..count {
            root.read_stream(&mut reader, bytes.len(), start)?;
        }
        if root.tables.len() == 0 {
            return Err(error(ErrorKind::BadMetadata("there is no table stream (`#~` or `#-`)"), 0));
        }
        Ok(root)
    }

    fn read_stream(&mut self, reader: &mut Reader<'_>, metadata_len: usize, start: usize) -> Result<()> {
        let at = reader.file_offset();
        let (offset, size) = (reader.u32()? as usize, reader.u32()? as usize);
        let mut name = [0u8; 32];
        let mut length = 0;
        loop {
            match (reader.u8()?, name.get_mut(length)) {
                (0, _) => break,
                (byte, Some(place)) => *place = byte,
                (_, None) => {
                    return Err(reader.error(ErrorKind::BadMetadata("the name of a stream is too long")));
                }
            }
            length += 1;
        }
        reader.align4();
        match offset.checked_add(size) {
            Some(end) if end <= metadata_len => {}
            _ => return Err(Error::new(ErrorKind::OutOfStream { what: "a metadata stream" }, at)),
        }
        let stream = Stream { range: start + offset..start + offset + size };
        match name.get(..length).unwrap_or_default() {
            b"#~" | b"#-" => self.tables = stream,
            b"#Strings" => self.strings = stream,
            b"#US" => self.user_strings = stream,
            b"#GUID" => self.guids = stream,
            b"#Blob" => self.blobs = stream,
            b"#Pdb" => self.pdb = stream,
            b"#JTD" => self.wide_indexes = true,
            // Unknown streams (obfuscators add some) mean nothing to us.
            _ => {}
        }
        Ok(())
    }
}
