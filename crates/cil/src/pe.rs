//! The PE headers (ECMA-335 II.25), as far as they lead to the metadata: sections, data directories, the CLI header.
//!
//! The Machine field is ignored on purpose: ReadyToRun images for Linux and macOS carry an OS-specific value there,
//! and the metadata is the same for all of them.

use std::ops::Range;

use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, NotPe, Result};
use crate::limits;

const PE32: u16 = 0x10b;
const PE32_PLUS: u16 = 0x20b;
const DEBUG_DIRECTORY: usize = 6;
const CLI_DIRECTORY: usize = 14;

#[derive(Clone, Copy, Debug)]
struct Section {
    virtual_address: u32,
    virtual_size: u32,
    raw_offset: u32,
    raw_size: u32,
}

/// A place in the loaded image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directory {
    pub rva: u32,
    pub size: u32,
    /// Where in the file this is said.
    pub said_at: u64,
}

#[derive(Debug)]
pub(crate) struct Pe {
    sections: Vec<Section>,
    pub metadata: Directory,
    pub resources: Directory,
    pub debug: Directory,
    pub entry_point: u32,
    pub cli_flags: u32,
    pub has_native_code: bool,
}

impl Pe {
    pub fn read(file: &[u8]) -> Result<Pe> {
        check_magic(file)?;
        let header = Reader::at(file, 0x3c, "the DOS header").u32()? as usize;
        let mut reader = Reader::at(file, header, "the PE header");
        if reader.u32()? != 0x0000_4550 {
            return Err(Error::new(ErrorKind::BadPe("there is no `PE` signature"), header as u64));
        }
        reader.skip(2)?;
        let section_count = usize::from(reader.u16()?);
        reader.skip(12)?;
        let optional_size = usize::from(reader.u16()?);
        reader.skip(2)?;
        let optional_start = reader.position();
        let directories = read_directories(&mut reader)?;
        let mut sections = Reader::at(file, optional_start + optional_size, "the section table");
        let sections = read_sections(&mut sections, section_count, file.len())?;
        let directory = |index: usize| directories.get(index).copied().unwrap_or_default();
        let cli = directory(CLI_DIRECTORY);
        if cli.rva == 0 {
            return Err(Error::new(ErrorKind::NoCliMetadata, optional_start as u64));
        }
        let mut pe = Pe {
            sections,
            metadata: Directory::default(),
            resources: Directory::default(),
            debug: directory(DEBUG_DIRECTORY),
            entry_point: 0,
            cli_flags: 0,
            has_native_code: false,
        };
        pe.read_cli_header(file, cli)?;
        Ok(pe)
    }

    fn read_cli_header(&mut self, file: &[u8], cli: Directory) -> Result<()> {
        let start = self.start(cli, "the CLI header")?;
        let mut reader = Reader::at(file, start, "the CLI header");
        reader.skip(8)?;
        self.metadata = read_directory(&mut reader)?;
        self.cli_flags = reader.u32()?;
        self.entry_point = reader.u32()?;
        self.resources = read_directory(&mut reader)?;
        reader.skip(8 * 4)?;
        self.has_native_code = read_directory(&mut reader)?.rva != 0;
        Ok(())
    }

    /// Where in the file a directory lies, checked to be inside it.
    pub fn range(&self, file: &[u8], directory: Directory, what: &'static str) -> Result<Range<usize>> {
        let start = self.start(directory, what)?;
        match start.checked_add(directory.size as usize) {
            Some(end) if end <= file.len() => Ok(start..end),
            _ => Err(Error::new(ErrorKind::Truncated { what }, file.len() as u64)),
        }
    }

    fn start(&self, directory: Directory, what: &'static str) -> Result<usize> {
        let Directory { rva, said_at, .. } = directory;
        match self.locate(rva) {
            Some((offset, _)) => Ok(offset),
            None => Err(Error::new(ErrorKind::BadRva { what, rva }, said_at)),
        }
    }

    /// The bytes from an RVA to the end of its section, and their file offset. Bytes that the section has only in
    /// memory (zeros after its data) are not there.
    pub fn bytes_at<'a>(&self, file: &'a [u8], rva: u32) -> Option<(&'a [u8], usize)> {
        let (start, len) = self.locate(rva)?;
        Some((file.get(start..start + len)?, start))
    }

    /// File offset of an RVA and how many bytes of its section follow it in the file.
    fn locate(&self, rva: u32) -> Option<(usize, usize)> {
        self.sections.iter().find_map(|section| {
            let delta = rva.checked_sub(section.virtual_address)?;
            let in_memory = section.virtual_size.max(section.raw_size);
            let on_disk = section.raw_size.checked_sub(delta)?;
            (delta < in_memory).then_some((section.raw_offset as usize + delta as usize, on_disk as usize))
        })
    }
}

/// Tells files apart that were never assemblies, so that the message can say what they are.
fn check_magic(file: &[u8]) -> Result<()> {
    let not_pe = |what| Err(Error::new(ErrorKind::NotPe(what), 0));
    match file {
        [] => Err(Error::new(ErrorKind::Empty, 0)),
        [b'M', b'Z', ..] => Ok(()),
        [b'B', b'S', b'J', b'B', ..] => not_pe(NotPe::PortablePdb),
        [0x7f, b'E', b'L', b'F', ..] => not_pe(NotPe::Elf),
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => not_pe(NotPe::MachO),
        [b'P', b'K', 3, 4, ..] => not_pe(NotPe::Zip),
        _ if looks_like_text(file) => not_pe(NotPe::Text),
        _ => not_pe(NotPe::Unknown),
    }
}

fn looks_like_text(file: &[u8]) -> bool {
    let start = file.get(..512).unwrap_or(file);
    start.iter().all(|&byte| byte >= b' ' && byte != 0x7f || matches!(byte, b'\n' | b'\r' | b'\t'))
}

/// The data directories of the optional header, which the reader is at.
fn read_directories(reader: &mut Reader<'_>) -> Result<[Directory; 16]> {
    let at = reader.file_offset();
    let before_count = match reader.u16()? {
        PE32 => 90,
        PE32_PLUS => 106,
        _ => return Err(Error::new(ErrorKind::BadPe("the optional header is neither PE32 nor PE32+"), at)),
    };
    reader.skip(before_count)?;
    let count = reader.u32()? as usize;
    let mut directories = [Directory::default(); 16];
    for directory in directories.iter_mut().take(count) {
        *directory = read_directory(reader)?;
    }
    Ok(directories)
}

fn read_directory(reader: &mut Reader<'_>) -> Result<Directory> {
    let said_at = reader.file_offset();
    Ok(Directory { rva: reader.u32()?, size: reader.u32()?, said_at })
}

fn read_sections(reader: &mut Reader<'_>, count: usize, file_len: usize) -> Result<Vec<Section>> {
    if count > limits::MAX_SECTIONS {
        let kind = ErrorKind::Limit { what: "the number of sections", limit: limits::MAX_SECTIONS };
        return Err(reader.error(kind));
    }
    let mut sections = Vec::new();
    for _ in 0..count {
        reader.skip(8)?;
        let (virtual_size, virtual_address) = (reader.u32()?, reader.u32()?);
        let (raw_size, raw_offset) = (reader.u32()?, reader.u32()?);
        reader.skip(16)?;
        if raw_size > 0 && u64::from(raw_offset) + u64::from(raw_size) > file_len as u64 {
            return Err(Error::new(ErrorKind::Truncated { what: "a section" }, file_len as u64));
        }
        sections.push(Section { virtual_address, virtual_size, raw_offset, raw_size });
    }
    Ok(sections)
}
