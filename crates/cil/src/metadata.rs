//! The metadata of one file: its bytes, heaps and tables. Rows are decoded when asked for and borrow from the bytes.
//!
//! The typed accessors (`type_def`, `method_defs`, ...) come from the list in `schema`.

use std::ops::Range;

use crate::bytes::Reader;
use crate::column::{Blob, Cell, Column, Guid};
use crate::error::{Error, ErrorKind, Result};
use crate::layout::Tables;
use crate::limits;
use crate::lookup::Lookups;
use crate::names::NameIndex;
use crate::root::{Root, Stream};
use crate::schema::TableId;
use crate::storage::Storage;
use crate::token::Token;

pub struct Metadata {
    storage: Storage,
    root: Root,
    tables: Tables,
    pub(crate) lookups: Lookups,
    pub(crate) names: NameIndex,
}

impl Metadata {
    /// Reads the metadata root that lies in `range` of the file.
    pub(crate) fn open(storage: Storage, range: Range<usize>) -> Result<Metadata> {
        let root = Root::read(&storage, range)?;
        let tables = Tables::read(&storage, &root)?;
        let metadata =
            Metadata { storage, root, tables, lookups: Lookups::default(), names: NameIndex::default() };
        metadata.check_pointer_tables()?;
        Ok(metadata)
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        &self.storage
    }

    /// The version string of the metadata root, such as `v4.0.30319`.
    pub fn version(&self) -> &str {
        let bytes = self.storage.get(self.root.version.clone()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// How many rows a table has.
    pub fn rows(&self, table: TableId) -> u32 {
        self.tables.get(table).rows
    }

    /// Whether a token names an existing row (or, for a string token, an offset inside the `#US` heap).
    pub fn contains(&self, token: Token) -> bool {
        match (token.table(), token.user_string_offset()) {
            (Some(table), _) => !token.is_null() && token.row() <= self.referable_rows(table),
            (None, Some(offset)) => (offset as usize) < self.root.user_strings.len(),
            (None, None) => false,
        }
    }

    /// Rows that references may name: for a PDB, the tables of the assembly it describes count as well.
    pub(crate) fn referable_rows(&self, table: TableId) -> u32 {
        self.tables.referable_rows(table)
    }

    pub(crate) fn is_flagged_sorted(&self, table: TableId) -> bool {
        self.tables.is_sorted(table)
    }

    pub(crate) fn root(&self) -> &Root {
        &self.root
    }

    /// A string of the `#Strings` heap.
    pub fn string(&self, offset: u32) -> Result<&str> {
        if offset == 0 {
            return Ok("");
        }
        let heap = &self.root.strings;
        let error = |kind| Error::new(kind, heap.file_offset(offset as usize));
        let bytes = self.stream(heap).get(offset as usize..).unwrap_or_default();
        if bytes.is_empty() {
            return Err(error(ErrorKind::OutOfStream { what: "a string" }));
        }
        let window = bytes.get(..limits::MAX_STRING_BYTES).unwrap_or(bytes);
        let Some(length) = window.iter().position(|&byte| byte == 0) else {
            return Err(error(if window.len() < bytes.len() {
                ErrorKind::Limit { what: "the length of a name", limit: limits::MAX_STRING_BYTES }
            } else {
                ErrorKind::OutOfStream { what: "a string" }
            }));
        };
        let name = window.get(..length).unwrap_or_default();
        std::str::from_utf8(name).map_err(|_| error(ErrorKind::BadUtf8))
    }

    /// A blob of the `#Blob` heap.
    pub fn blob(&self, offset: u32) -> Result<Blob<'_>> {
        let heap = &self.root.blobs;
        if offset == 0 {
            return Ok(Blob { bytes: &[], file_offset: heap.file_offset(0) });
        }
        let (bytes, file_offset) = self.counted(heap, offset, "a blob")?;
        Ok(Blob { bytes, file_offset })
    }

    /// A GUID of the `#GUID` heap; indexes count from 1, 0 is none.
    pub fn guid(&self, index: u32) -> Result<Option<Guid>> {
        let Some(position) = index.checked_sub(1) else { return Ok(None) };
        let heap = &self.root.guids;
        let start = position as usize * 16;
        match self.stream(heap).get(start..).and_then(|rest| rest.first_chunk::<16>()) {
            Some(guid) => Ok(Some(Guid(*guid))),
            None => Err(Error::new(ErrorKind::OutOfStream { what: "a GUID" }, heap.file_offset(start))),
        }
    }

    /// The string that an `ldstr` operand names: UTF-16 code units, which need not be valid text.
    pub fn user_string(&self, token: Token) -> Result<UserString<'_>> {
        let heap = &self.root.user_strings;
        let offset = token.user_string_offset().ok_or_else(|| {
            Error::new(
                ErrorKind::BadMetadata("the operand of ldstr is not a string token"),
                heap.file_offset(0),
            )
        })?;
        let (bytes, _) = self.counted(heap, offset, "a user string")?;
        Ok(UserString { bytes })
    }

    /// Bytes of a heap that begin with their compressed length.
    fn counted(&self, heap: &Stream, offset: u32, what: &'static str) -> Result<(&[u8], u64)> {
        let rest = self.stream(heap).get(offset as usize..).unwrap_or_default();
        let mut reader = Reader::new(rest, heap.file_offset(offset as usize), what);
        let length = reader.compressed_u32()? as usize;
        let file_offset = reader.file_offset();
        Ok((reader.bytes(length)?, file_offset))
    }

    pub(crate) fn stream(&self, stream: &Stream) -> &[u8] {
        self.storage.get(stream.range.clone()).unwrap_or_default()
    }

    pub(crate) fn row_at(&self, table: TableId, row: u32) -> Result<RowAt<'_>> {
        let rows = self.rows(table);
        if row == 0 || row > rows {
            let kind = ErrorKind::NoSuchRow { token: Token::new(table, row), rows };
            return Err(Error::new(kind, self.tables.get(table).start as u64));
        }
        Ok(RowAt { metadata: self, table, row })
    }

    /// The number in a cell; 0 if there is no such row or column.
    #[inline]
    pub(crate) fn raw_cell(&self, table: TableId, row: u32, column: usize) -> u32 {
        self.tables.cell(&self.storage, table, row, column)
    }

    pub(crate) fn cell_file_offset(&self, table: TableId, row: u32, column: usize) -> u64 {
        self.tables.cell_offset(table, row, column).map_or(0, |(offset, _)| offset as u64)
    }

    /// First and past-the-end row of the list in a `RowList` cell.
    pub(crate) fn list_bounds(&self, table: TableId, row: u32, column: usize) -> Result<(u32, u32)> {
        let error =
            |what| Error::new(ErrorKind::BadMetadata(what), self.cell_file_offset(table, row, column));
        let Some(&Column::RowList(target, pointers)) = table.columns().get(column) else {
            return Err(error("not a list column"));
        };
        if !self.lists_ascend(table, column) {
            return Err(error("the lists of a table are not in ascending order"));
        }
        let listed = if self.rows(pointers) > 0 { pointers } else { target };
        let past_end = self.rows(listed) + 1;
        let start = self.raw_cell(table, row, column);
        let end = if row < self.rows(table) { self.raw_cell(table, row + 1, column) } else { past_end };
        if start == 0 || start > past_end || end > past_end || end < start {
            return Err(error("a list of rows lies outside its table"));
        }
        Ok((start, end))
    }

    /// Whether the starts in a list column never go back. Otherwise the runs would overlap, and their total length
    /// would not be bounded by the size of the file.
    fn lists_ascend(&self, table: TableId, column: usize) -> bool {
        self.tables.lists_ascend(&self.storage, table, column)
    }

    fn check_pointer_tables(&self) -> Result<()> {
        for (pointers, target) in [
            (TableId::FieldPtr, TableId::Field),
            (TableId::MethodPtr, TableId::MethodDef),
            (TableId::ParamPtr, TableId::Param),
            (TableId::EventPtr, TableId::Event),
            (TableId::PropertyPtr, TableId::Property),
        ] {
            for row in 1..=self.rows(pointers) {
                let to = self.raw_cell(pointers, row, 0);
                if to == 0 || to > self.rows(target) {
                    let kind =
                        ErrorKind::NoSuchRow { token: Token::new(target, to), rows: self.rows(target) };
                    return Err(Error::new(kind, self.cell_file_offset(pointers, row, 0)));
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Metadata {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Metadata({}, {} bytes)", self.version(), self.bytes().len())
    }
}

/// A row that exists.
#[derive(Clone, Copy)]
pub(crate) struct RowAt<'a> {
    metadata: &'a Metadata,
    table: TableId,
    row: u32,
}

impl<'a> RowAt<'a> {
    #[inline]
    pub fn cell(self, column: usize) -> Cell<'a> {
        Cell { metadata: self.metadata, table: self.table, row: self.row, column }
    }
}

/// UTF-16 code units as they lie in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserString<'a> {
    bytes: &'a [u8],
}

impl<'a> UserString<'a> {
    /// The code units. The odd last byte (a hint about the characters) is not part of the string.
    pub fn units(self) -> impl ExactSizeIterator<Item = u16> + Clone + use<'a> {
        let (units, _) = self.bytes.as_chunks::<2>();
        units.iter().map(|unit| u16::from_le_bytes(*unit))
    }

    pub fn to_vec(self) -> Vec<u16> {
        self.units().collect()
    }

    /// As text, unpaired surrogates replaced.
    pub fn to_string_lossy(self) -> String {
        char::decode_utf16(self.units()).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}
