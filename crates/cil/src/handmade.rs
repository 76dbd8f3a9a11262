//! Metadata made by hand, for tests of forms that no compiler at hand writes.

use crate::column::{Blob, Column};
use crate::error::Result;
use crate::metadata::Metadata;
use crate::schema::TableId;
use crate::storage::Storage;

/// The parts of a small metadata root: every index is two bytes wide.
#[derive(Default)]
pub struct Handmade {
    pub tables: Vec<(TableId, Vec<Vec<u32>>)>,
    pub strings: Vec<u8>,
    pub blobs: Vec<u8>,
    pub sorted: u64,
    /// `#-` instead of `#~`.
    pub uncompressed: bool,
}

impl Handmade {
    pub fn open(self) -> Result<Metadata> {
        let bytes = self.bytes();
        let len = bytes.len();
        Metadata::open(Storage::Owned(bytes), 0..len)
    }

    fn table_stream(&self) -> Vec<u8> {
        let valid = self.tables.iter().fold(0u64, |mask, (table, _)| mask | 1 << *table as u32);
        let mut stream = vec![0, 0, 0, 0, 2, 0, 0, 1];
        stream.extend(valid.to_le_bytes());
        stream.extend(self.sorted.to_le_bytes());
        for (_, rows) in &self.tables {
            stream.extend((rows.len() as u32).to_le_bytes());
        }
        for (table, rows) in &self.tables {
            for row in rows {
                for (column, value) in table.columns().iter().zip(row) {
                    match column {
                        Column::U32 => stream.extend(value.to_le_bytes()),
                        _ => stream.extend((*value as u16).to_le_bytes()),
                    }
                }
            }
        }
        stream
    }

    fn bytes(&self) -> Vec<u8> {
        let tables_name: &[u8] = if self.uncompressed { b"#-\0\0" } else { b"#~\0\0" };
        let tables = self.table_stream();
        let streams: [(&[u8], &[u8]); 3] =
            [(tables_name, &tables), (b"#Strings\0\0\0\0", &self.strings), (b"#Blob\0\0\0", &self.blobs)];
        let mut bytes = b"BSJB\x01\0\x01\0\0\0\0\0\x04\0\0\0v4\0\0\0\0\x03\0".to_vec();
        let headers: usize = streams.iter().map(|(name, _)| 8 + name.len()).sum();
        let mut offset = bytes.len() + headers;
        for (name, data) in streams {
            bytes.extend((offset as u32).to_le_bytes());
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(name);
            offset += data.len();
        }
        for (_, data) in streams {
            bytes.extend(data);
        }
        bytes
    }
}

/// Ten types, to which signatures may refer.
pub fn with_types() -> Metadata {
    let types = (0..10).map(|_| vec![0, 0, 0, 0, 1, 1]).collect();
    Handmade { tables: vec![(TableId::TypeDef, types)], ..Handmade::default() }.open().unwrap()
}

pub fn blob(bytes: &[u8]) -> Blob<'_> {
    Blob { bytes, file_offset: 0x100 }
}
