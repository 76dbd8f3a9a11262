//! The table stream (ECMA-335 II.24.2.6): how many rows each table has, how wide its columns are, where it begins.

use std::sync::OnceLock;

use crate::bytes::Reader;
use crate::column::Column;
use crate::error::{Error, ErrorKind, Result};
use crate::root::Root;
use crate::schema::TableId;

const TABLES: usize = 64;
const MAX_COLUMNS: usize = 9;
/// Tokens have 24 bits for the row.
const MAX_ROWS: u32 = 0x00ff_ffff;
/// The list columns: (table, column).
const LISTS: [(TableId, usize); 7] = [
    (TableId::TypeDef, 4),
    (TableId::TypeDef, 5),
    (TableId::MethodDef, 5),
    (TableId::EventMap, 1),
    (TableId::PropertyMap, 1),
    (TableId::LocalScope, 2),
    (TableId::LocalScope, 3),
];

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Table {
    pub rows: u32,
    /// File offset of the first row.
    pub start: usize,
    pub row_size: usize,
    /// Offset in the row and width (2 or 4) of each column; width 0: there is no such column.
    columns: [(u8, u8); MAX_COLUMNS],
}

pub(crate) struct Tables {
    tables: [Table; TABLES],
    referable: [u32; TABLES],
    sorted: u64,
    ascending: [OnceLock<bool>; LISTS.len()],
}

impl Tables {
    pub fn read(file: &[u8], root: &Root) -> Result<Tables> {
        let stream = file.get(root.tables.range.clone()).unwrap_or_default();
        let mut reader = Reader::new(stream, root.tables.file_offset(0), "the table stream");
        reader.skip(6)?;
        let heap_sizes = reader.u8()?;
        reader.skip(1)?;
        let valid = reader.u64()?;
        let sorted = reader.u64()?;
        let rows = read_row_counts(&mut reader, valid)?;
        if heap_sizes & 0x40 != 0 {
            reader.skip(4)?;
        }
        let mut referable = rows;
        add_referenced_rows(file, root, &mut referable)?;
        let widths = Widths { heap_sizes, wide: root.wide_indexes, rows: &referable };
        let mut tables = [Table::default(); TABLES];
        for &id in TableId::ALL {
            let at = reader.file_offset();
            let table = widths.table(id, rows.get(id as usize).copied().unwrap_or(0), at as usize);
            // 2^24 rows of at most 36 bytes: no overflow in 64 bits; `skip` finds out whether they are there.
            let size = u64::from(table.rows) * table.row_size as u64;
            reader.skip(usize::try_from(size).unwrap_or(usize::MAX))?;
            if let Some(place) = tables.get_mut(id as usize) {
                *place = table;
            }
        }
        Ok(Tables { tables, referable, sorted, ascending: Default::default() })
    }

    #[inline]
    pub fn get(&self, id: TableId) -> &Table {
        const NONE: &Table = &Table { rows: 0, start: 0, row_size: 0, columns: [(0, 0); MAX_COLUMNS] };
        self.tables.get(id as usize).unwrap_or(NONE)
    }

    pub fn referable_rows(&self, id: TableId) -> u32 {
        self.referable.get(id as usize).copied().unwrap_or(0)
    }

    pub fn is_sorted(&self, id: TableId) -> bool {
        self.sorted >> id as u32 & 1 != 0
    }

    /// File offset and width of a cell.
    #[inline]
    pub fn cell_offset(&self, id: TableId, row: u32, column: usize) -> Option<(usize, u8)> {
        let table = self.get(id);
        if row > table.rows {
            return None;
        }
        let &(offset, width) = table.columns.get(column)?;
        let index = row.checked_sub(1)? as usize;
        Some((table.start + index * table.row_size + usize::from(offset), width))
    }

    #[inline]
    pub fn cell(&self, file: &[u8], id: TableId, row: u32, column: usize) -> u32 {
        let Some((offset, width)) = self.cell_offset(id, row, column) else { return 0 };
        let bytes = file.get(offset..).unwrap_or_default();
        match width {
            2 => bytes.first_chunk().map_or(0, |chunk| u32::from(u16::from_le_bytes(*chunk))),
            4 => bytes.first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk)),
            _ => 0,
        }
    }

    pub fn lists_ascend(&self, file: &[u8], id: TableId, column: usize) -> bool {
        let Some(position) = LISTS.iter().position(|&list| list == (id, column)) else { return false };
        let Some(known) = self.ascending.get(position) else { return false };
        *known.get_or_init(|| {
            let starts = (1..=self.get(id).rows).map(|row| self.cell(file, id, row, column));
            starts.is_sorted()
        })
    }
}

fn read_row_counts(reader: &mut Reader<'_>, valid: u64) -> Result<[u32; TABLES]> {
    let mut rows = [0; TABLES];
    for (number, count) in rows.iter_mut().enumerate() {
        if valid >> number & 1 == 0 {
            continue;
        }
        let at = reader.file_offset();
        *count = reader.u32()?;
        if TableId::from_number(number as u8).is_none() && *count > 0 {
            return Err(Error::new(ErrorKind::BadMetadata("a table with an unknown number"), at));
        }
        if *count > MAX_ROWS {
            let kind = ErrorKind::Limit { what: "the number of rows of a table", limit: MAX_ROWS as usize };
            return Err(Error::new(kind, at));
        }
    }
    Ok(rows)
}

/// A portable PDB refers to rows of the assembly's tables; its `#Pdb` stream says how many there are.
fn add_referenced_rows(file: &[u8], root: &Root, rows: &mut [u32; TABLES]) -> Result<()> {
    if root.pdb.len() == 0 {
        return Ok(());
    }
    let stream = file.get(root.pdb.range.clone()).unwrap_or_default();
    let mut reader = Reader::new(stream, root.pdb.file_offset(0), "the #Pdb stream");
    reader.skip(24)?;
    let mask = reader.u64()?;
    let referenced = read_row_counts(&mut reader, mask)?;
    for (count, more) in rows.iter_mut().zip(referenced) {
        *count = (*count).max(more);
    }
    Ok(())
}

/// What decides the widths of index columns.
struct Widths<'a> {
    heap_sizes: u8,
    wide: bool,
    rows: &'a [u32; TABLES],
}

impl Widths<'_> {
    fn table(&self, id: TableId, rows: u32, start: usize) -> Table {
        let mut table = Table { rows, start, ..Table::default() };
        for (place, &column) in table.columns.iter_mut().zip(id.columns()) {
            let width = self.column(column);
            *place = (table.row_size as u8, width);
            table.row_size += usize::from(width);
        }
        table
    }

    fn column(&self, column: Column) -> u8 {
        let wide = match column {
            Column::U16 => return 2,
            Column::U32 => return 4,
            Column::Str => self.heap_sizes & 1 != 0,
            Column::GuidIndex => self.heap_sizes & 2 != 0,
            Column::BlobIndex => self.heap_sizes & 4 != 0,
            Column::Row(table) => self.rows_of(table) > 0xffff,
            Column::RowList(table, pointers) => {
                let listed = if self.rows_of(pointers) > 0 { pointers } else { table };
                self.rows_of(listed) > 0xffff
            }
            Column::Coded(index) => {
                let most = index.tables().iter().flatten().map(|&table| self.rows_of(table)).max();
                most.unwrap_or(0) >= 1 << (16 - index.tag_bits())
            }
        };
        if wide || self.wide { 4 } else { 2 }
    }

    fn rows_of(&self, table: TableId) -> u32 {
        self.rows.get(table as usize).copied().unwrap_or(0)
    }
}
