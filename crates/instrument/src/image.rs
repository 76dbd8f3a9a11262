//! A PE file that is changed in place and grows at its end.
//!
//! Compilers leave no room for another section header, so what is added goes to the end of the last section. Nothing that
//! was there moves: RVAs and file offsets of old bytes stay what they are. Bytes after the last section (certificates, or
//! what somebody appended) become part of it.

use cil::Module;

use crate::error::{Error, Result};

pub(crate) mod directory {
    pub const RESOURCES: usize = 2;
    pub const CERTIFICATES: usize = 4;
    pub const DEBUG: usize = 6;
    pub const CLI_HEADER: usize = 14;
    pub const COUNT: usize = 16;
}

const PE32: u16 = 0x10b;
const PE32_PLUS: u16 = 0x20b;
const SECTION_HEADER: usize = 40;
/// Zeros that a section has in memory but not in the file have to be written before something can follow them.
const MOST_ZEROS: u64 = 64 << 20;

const INITIALIZED_DATA: u32 = 0x40;
const UNINITIALIZED_DATA: u32 = 0x80;
const DISCARDABLE: u32 = 0x0200_0000;
const READABLE: u32 = 0x4000_0000;

const STRONG_NAME_SIGNED: u32 = 0x8;

pub(crate) struct Image {
    bytes: Vec<u8>,
    coff: usize,
    optional: usize,
    directories: usize,
    directory_count: usize,
    sections: Vec<Section>,
    cli_header: usize,
}

#[derive(Clone, Copy)]
struct Section {
    header: usize,
    virtual_size: u32,
    virtual_address: u32,
    raw_size: u32,
    raw_offset: u32,
}

impl Image {
    pub fn copy_of(module: &Module) -> Result<Image> {
        let bytes = module.bytes().to_vec();
        let mut image = Image {
            bytes,
            coff: 0,
            optional: 0,
            directories: 0,
            directory_count: 0,
            sections: Vec::new(),
            cli_header: 0,
        };
        image.coff = image.u32(0x3c)? as usize + 4;
        image.optional = image.coff + 20;
        let (count, directories) = match image.u16(image.optional)? {
            PE32 => (92, 96),
            PE32_PLUS => (108, 112),
            _ => {
                return Err(image.bad("the optional header is neither PE32 nor PE32+", image.optional));
            }
        };
        image.directory_count = (image.u32(image.optional + count)? as usize).min(directory::COUNT);
        image.directories = image.optional + directories;
        image.read_sections()?;
        let (rva, _) = image.directory(directory::CLI_HEADER)?;
        image.cli_header =
            module.file_offset_of(rva).ok_or(image.bad("there is no CLI header", image.directories))?;
        Ok(image)
    }

    fn read_sections(&mut self) -> Result<()> {
        let table = self.optional + usize::from(self.u16(self.coff + 16)?);
        for index in 0..usize::from(self.u16(self.coff + 2)?) {
            let header = table + index * SECTION_HEADER;
            self.sections.push(Section {
                header,
                virtual_size: self.u32(header + 8)?,
                virtual_address: self.u32(header + 12)?,
                raw_size: self.u32(header + 16)?,
                raw_offset: self.u32(header + 20)?,
            });
        }
        Ok(())
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What is true of the original's bytes only.
    pub fn drop_signatures_and_symbols(&mut self) -> Result<()> {
        self.set_directory(directory::CERTIFICATES, 0, 0)?;
        self.set_directory(directory::DEBUG, 0, 0)?;
        self.set_u32(self.optional + 64, 0)?;
        let flags = self.cli_flags()?;
        self.set_cli_flags(flags & !STRONG_NAME_SIGNED)
    }

    /// Adds method bodies to the image, and sets the RVAs of the methods: `starts` are pairs of the file offset of an RVA
    /// and the place of its body in `bodies`, which is a multiple of four.
    pub fn append(&mut self, bodies: &[u8], starts: &[(usize, usize)]) -> Result<()> {
        if starts.is_empty() {
            return Ok(());
        }
        let rva = self.grow(bodies)?;
        for (cell, start) in starts {
            // Fits, since the whole image does.
            self.set_u32(*cell, rva + *start as u32)?;
        }
        Ok(())
    }

    /// Puts bytes at the end of the last section; returns their RVA, a multiple of four.
    fn grow(&mut self, added: &[u8]) -> Result<u32> {
        let too_large = || Error::TooLarge("the image");
        let file_alignment = self.alignment(36)?;
        let section_alignment = self.alignment(32)?;
        let mut section = self.last_section(file_alignment)?;
        let (address, raw) = (u64::from(section.virtual_address), u64::from(section.raw_offset));

        let in_file = (self.bytes.len() as u64).saturating_sub(raw);
        let used = in_file.max(section.virtual_size.into());
        if used - in_file > MOST_ZEROS {
            return Err(too_large());
        }
        let start = used.next_multiple_of(4);
        let size = start + added.len() as u64;
        let raw_size = size.next_multiple_of(file_alignment);
        let end = (address + size).next_multiple_of(section_alignment);
        let old_raw_size = section.raw_size;
        section.virtual_size = u32::try_from(size).map_err(|_| too_large())?;
        section.raw_size = u32::try_from(raw_size).map_err(|_| too_large())?;
        let end = u32::try_from(end).map_err(|_| too_large())?;
        u32::try_from(raw + raw_size).map_err(|_| too_large())?;

        self.bytes.resize((raw + start) as usize, 0);
        self.bytes.extend_from_slice(added);
        self.bytes.resize((raw + raw_size) as usize, 0);
        self.write_section(section)?;
        let initialized = self.u32(self.optional + 8)?;
        let more = section.raw_size.wrapping_sub(old_raw_size);
        self.set_u32(self.optional + 8, initialized.wrapping_add(more))?;
        let image_size = self.u32(self.optional + 56)?.max(end);
        self.set_u32(self.optional + 56, image_size)?;
        Ok(section.virtual_address + start as u32)
    }

    /// The section with the highest addresses. Its bytes are made the last ones of the file, if they are not yet.
    fn last_section(&mut self, file_alignment: u64) -> Result<Section> {
        let last = self.sections.iter().copied().max_by_key(|section| section.virtual_address);
        let Some(mut last) = last else { return Err(self.bad("there are no sections", self.coff)) };
        if last.virtual_address % 4 != 0 {
            return Err(self.bad("the last section does not begin at a multiple of four", last.header));
        }
        let end = |section: &Section| {
            u64::from(section.virtual_address) + u64::from(section.virtual_size.max(section.raw_size))
        };
        let is_in_the_way = |section: &&Section| {
            section.header != last.header && end(section) > u64::from(last.virtual_address)
        };
        if let Some(section) = self.sections.iter().find(is_in_the_way) {
            return Err(self.bad("sections overlap", section.header));
        }
        let raw_end = |section: &Section| u64::from(section.raw_offset) + u64::from(section.raw_size);
        let others = self.sections.iter().filter(|section| section.header != last.header);
        let is_last_in_file = others.filter(|s| s.raw_size > 0).all(|s| raw_end(s) <= last.raw_offset.into());
        if !is_last_in_file || last.raw_size == 0 || u64::from(last.raw_offset) % file_alignment != 0 {
            let (from, to) = (last.raw_offset as usize, raw_end(&last) as usize);
            let data = self.bytes.get(from..to).unwrap_or_default().to_vec();
            let place = (self.bytes.len() as u64).next_multiple_of(file_alignment);
            last.raw_offset = u32::try_from(place).map_err(|_| Error::TooLarge("the image"))?;
            self.bytes.resize(place as usize, 0);
            self.bytes.extend_from_slice(&data);
        }
        Ok(last)
    }

    fn write_section(&mut self, section: Section) -> Result<()> {
        self.set_u32(section.header + 8, section.virtual_size)?;
        self.set_u32(section.header + 16, section.raw_size)?;
        self.set_u32(section.header + 20, section.raw_offset)?;
        let flags = self.u32(section.header + 36)? & !(DISCARDABLE | UNINITIALIZED_DATA);
        self.set_u32(section.header + 36, flags | INITIALIZED_DATA | READABLE)
    }

    /// The alignment in this field of the optional header.
    fn alignment(&self, field: usize) -> Result<u64> {
        let alignment = self.u32(self.optional + field)?;
        if !alignment.is_power_of_two() || !(4..=1 << 20).contains(&alignment) {
            return Err(self.bad("an alignment that cannot be", self.optional + field));
        }
        Ok(alignment.into())
    }

    /// RVA and size; zeros if the header has no such directory.
    pub fn directory(&self, index: usize) -> Result<(u32, u32)> {
        if index >= self.directory_count {
            return Ok((0, 0));
        }
        let at = self.directories + index * 8;
        Ok((self.u32(at)?, self.u32(at + 4)?))
    }

    pub fn set_directory(&mut self, index: usize, rva: u32, size: u32) -> Result<()> {
        if index < self.directory_count {
            let at = self.directories + index * 8;
            self.set_u32(at, rva)?;
            self.set_u32(at + 4, size)?;
        }
        Ok(())
    }

    pub fn machine(&self) -> Result<u16> {
        self.u16(self.coff)
    }

    pub fn set_machine(&mut self, machine: u16) -> Result<()> {
        self.set(self.coff, machine.to_le_bytes())
    }

    pub fn set_entry_point(&mut self, rva: u32) -> Result<()> {
        self.set_u32(self.optional + 16, rva)
    }

    pub fn cli_flags(&self) -> Result<u32> {
        self.u32(self.cli_header + 16)
    }

    pub fn set_cli_flags(&mut self, flags: u32) -> Result<()> {
        self.set_u32(self.cli_header + 16, flags)
    }

    /// RVA and size of the header of the machine code.
    pub fn native_header(&self) -> Result<(u32, u32)> {
        Ok((self.u32(self.cli_header + 64)?, self.u32(self.cli_header + 68)?))
    }

    pub fn clear_native_header(&mut self) -> Result<()> {
        self.set(self.cli_header + 64, [0; 8])
    }

    pub fn u32(&self, at: usize) -> Result<u32> {
        self.get(at).map(u32::from_le_bytes)
    }

    pub fn u16(&self, at: usize) -> Result<u16> {
        self.get(at).map(u16::from_le_bytes)
    }

    fn get<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let bytes = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<N>());
        bytes.copied().ok_or_else(|| self.bad("the file ends inside of it", at))
    }

    fn set_u32(&mut self, at: usize, value: u32) -> Result<()> {
        self.set(at, value.to_le_bytes())
    }

    fn set<const N: usize>(&mut self, at: usize, value: [u8; N]) -> Result<()> {
        match self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<N>()) {
            Some(place) => *place = value,
            None => return Err(self.bad("the file ends inside of it", at)),
        }
        Ok(())
    }

    pub fn bad(&self, what: &'static str, at: usize) -> Error {
        Error::BadImage { what, offset: at as u64 }
    }
}
