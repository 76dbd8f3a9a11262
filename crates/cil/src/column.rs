//! The kinds of table columns, how wide they are, and how a cell becomes a value.

use std::fmt;
use std::marker::PhantomData;

use crate::coded::CodedIndex;
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::Metadata;
use crate::schema::{RowId, TableId};
use crate::token::Token;

/// What a column holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    U16,
    U32,
    Str,
    GuidIndex,
    BlobIndex,
    Row(TableId),
    /// The first row of a run that ends where the next row's run begins; through the second table if that has rows.
    RowList(TableId, TableId),
    Coded(CodedIndex),
}

/// A GUID in the byte order of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(pub [u8; 16]);

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a0, a1, a2, a3, b0, b1, c0, c1, rest @ ..] = self.0;
        let a = u32::from_le_bytes([a0, a1, a2, a3]);
        let (b, c) = (u16::from_le_bytes([b0, b1]), u16::from_le_bytes([c0, c1]));
        write!(f, "{a:08x}-{b:04x}-{c:04x}-")?;
        for (i, byte) in rest.iter().enumerate() {
            if i == 2 {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Bytes of the `#Blob` heap and where in the file they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Blob<'a> {
    pub bytes: &'a [u8],
    pub file_offset: u64,
}

impl fmt::Debug for Blob<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("blob")?;
        f.debug_list().entries(self.bytes).finish()
    }
}

impl Blob<'_> {
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// A run of rows that belong to one owner (the fields of a type, ...). Iterating yields row ids, through the pointer
/// table where edit-and-continue metadata has one.
#[derive(Clone, Copy)]
pub struct List<'a, Id> {
    metadata: &'a Metadata,
    start: u32,
    end: u32,
    pointers: Option<TableId>,
    id: PhantomData<Id>,
}

impl<Id: RowId> List<'_, Id> {
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The id at a position of the list.
    pub fn get(&self, index: usize) -> Option<Id> {
        let row = self.start.checked_add(u32::try_from(index).ok()?)?;
        (row < self.end).then(|| self.resolve(row))
    }

    /// The entries as one range of row numbers; `None` if a pointer table scatters them.
    pub fn row_range(&self) -> Option<std::ops::Range<u32>> {
        self.pointers.is_none().then_some(self.start..self.end)
    }

    fn resolve(&self, row: u32) -> Id {
        match self.pointers {
            None => Id::from_row(row),
            // The entries of pointer tables are checked when the metadata is opened.
            Some(table) => Id::from_row(self.metadata.raw_cell(table, row, 0)),
        }
    }
}

impl<Id: RowId> Iterator for List<'_, Id> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        let id = self.get(0)?;
        self.start += 1;
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl<Id: RowId> ExactSizeIterator for List<'_, Id> {}

impl<Id: RowId> fmt::Debug for List<'_, Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// One cell of a row that is known to exist.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'a> {
    pub metadata: &'a Metadata,
    pub table: TableId,
    pub row: u32,
    pub column: usize,
}

impl<'a> Cell<'a> {
    fn raw(self) -> u32 {
        self.metadata.raw_cell(self.table, self.row, self.column)
    }

    fn kind(self) -> Option<Column> {
        self.table.columns().get(self.column).copied()
    }

    fn error(self, kind: ErrorKind) -> Error {
        Error::new(kind, self.metadata.cell_file_offset(self.table, self.row, self.column))
    }

    /// The token a row index or coded index names, checked to exist.
    fn token(self) -> Result<Option<Token>> {
        let raw = self.raw();
        let (table, row) = match self.kind() {
            Some(Column::Row(table)) => (table, raw),
            Some(Column::Coded(index)) => {
                index.decode(raw).ok_or_else(|| self.error(ErrorKind::BadCodedIndex(raw)))?
            }
            _ => (self.table, 0),
        };
        if row == 0 {
            return Ok(None);
        }
        let rows = self.metadata.referable_rows(table);
        if row > rows {
            return Err(self.error(ErrorKind::NoSuchRow { token: Token::new(table, row), rows }));
        }
        Ok(Some(Token::new(table, row)))
    }

    fn required_token(self) -> Result<Token> {
        self.token()?.ok_or_else(|| self.error(ErrorKind::NullReference))
    }

    fn list<Id: RowId>(self) -> Result<List<'a, Id>> {
        let Some(Column::RowList(target, pointers)) = self.kind() else {
            return Err(self.error(ErrorKind::NullReference));
        };
        let (start, end) = self.metadata.list_bounds(self.table, self.row, self.column)?;
        let indirect = pointers != target && self.metadata.rows(pointers) > 0;
        Ok(List {
            metadata: self.metadata,
            start,
            end,
            pointers: indirect.then_some(pointers),
            id: PhantomData,
        })
    }
}

/// A value that a cell can be read as.
pub(crate) trait FromCell<'a>: Sized {
    fn from_cell(cell: Cell<'a>) -> Result<Self>;
}

impl FromCell<'_> for u16 {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        Ok(cell.raw() as u16)
    }
}

impl FromCell<'_> for u32 {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        Ok(cell.raw())
    }
}

impl<'a> FromCell<'a> for &'a str {
    fn from_cell(cell: Cell<'a>) -> Result<Self> {
        cell.metadata.string(cell.raw())
    }
}

impl<'a> FromCell<'a> for Blob<'a> {
    fn from_cell(cell: Cell<'a>) -> Result<Self> {
        cell.metadata.blob(cell.raw())
    }
}

impl FromCell<'_> for Option<Guid> {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        cell.metadata.guid(cell.raw())
    }
}

impl FromCell<'_> for Token {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        cell.required_token()
    }
}

impl FromCell<'_> for Option<Token> {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        cell.token()
    }
}

impl<Id: RowId> FromCell<'_> for Id {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        cell.required_token().map(|token| Id::from_row(token.row()))
    }
}

impl<Id: RowId> FromCell<'_> for Option<Id> {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        Ok(cell.token()?.map(|token| Id::from_row(token.row())))
    }
}

impl<'a, Id: RowId> FromCell<'a> for List<'a, Id> {
    fn from_cell(cell: Cell<'a>) -> Result<Self> {
        cell.list()
    }
}
