//! Where the bytes of a file live: mapped into memory, or owned.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

pub(crate) enum Storage {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Storage {
    pub fn open(path: &Path) -> Result<Storage> {
        let io_error = |error: std::io::Error| Error::new(ErrorKind::Io(error.to_string()), 0);
        let file = File::open(path).map_err(io_error)?;
        let metadata = file.metadata().map_err(io_error)?;
        if !metadata.is_file() {
            return Err(Error::new(ErrorKind::Io("it is not a regular file".into()), 0));
        }
        if metadata.len() == 0 {
            return Ok(Storage::Owned(Vec::new()));
        }
        map(&file).map(Storage::Mapped).map_err(io_error)
    }
}

/// The one unsafe call of this crate. A map is unsound if another process shortens or rewrites the file while it is
/// being read; assemblies and PDBs are build products that are replaced, not edited in place, and every mature reader
/// of them (the runtime included) maps them under the same assumption.
#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    unsafe { memmap2::Mmap::map(file) }
}

impl Deref for Storage {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Storage::Mapped(map) => map,
            Storage::Owned(bytes) => bytes,
        }
    }
}
