//! Method bodies (ECMA-335 II.25.4): tiny and fat headers, the code, the exception clauses.

use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::instruction::Instructions;
use crate::module::Module;
use crate::schema::{MethodDefId, RowId, StandAloneSigId, TableId};
use crate::token::Token;

const TINY: u8 = 0x2;
const FAT: u8 = 0x3;
const FORMAT_MASK: u8 = 0x3;
const MORE_SECTIONS: u16 = 0x8;
const INIT_LOCALS: u16 = 0x10;
const SECTION_EXCEPTIONS: u8 = 0x1;
const SECTION_FAT: u8 = 0x40;
const SECTION_MORE: u8 = 0x80;
/// `CodeTypeMask` of the implementation flags: anything but 0 is not CIL.
const CODE_TYPE_MASK: u16 = 0x3;

#[derive(Clone, Debug)]
pub struct MethodBody<'a> {
    pub max_stack: u16,
    /// Whether local variables start as zero.
    pub init_locals: bool,
    pub local_var_sig: Option<StandAloneSigId>,
    pub code: &'a [u8],
    /// Where in the file the code begins.
    pub code_file_offset: u64,
    pub clauses: Vec<ExceptionClause>,
}

/// A range of code offsets: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeRange {
    pub start: u32,
    pub end: u32,
}

impl CodeRange {
    pub fn contains(self, offset: u32) -> bool {
        (self.start..self.end).contains(&offset)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionClause {
    pub kind: ClauseKind,
    pub try_range: CodeRange,
    pub handler: CodeRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// The caught type.
    Catch(Token),
    /// Where the filter's code begins; it ends where the handler begins.
    Filter(u32),
    Finally,
    Fault,
}

impl<'a> MethodBody<'a> {
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.code, self.code_file_offset)
    }
}

impl Module {
    /// The CIL of a method; `None` if it has none: abstract, native, provided by the runtime, P/Invoke.
    pub fn method_body(&self, id: MethodDefId) -> Result<Option<MethodBody<'_>>> {
        self.row_at(TableId::MethodDef, id.row())?;
        let rva = self.raw_cell(TableId::MethodDef, id.row(), 0);
        let impl_flags = self.raw_cell(TableId::MethodDef, id.row(), 1) as u16;
        if rva == 0 || impl_flags & CODE_TYPE_MASK != 0 {
            return Ok(None);
        }
        let Some((bytes, start)) = self.pe.bytes_at(self.bytes(), rva) else {
            let kind = ErrorKind::BadRva { what: "a method body", rva };
            return Err(Error::new(kind, self.cell_file_offset(TableId::MethodDef, id.row(), 0)));
        };
        self.read_body(Reader::new(bytes, start as u64, "a method body")).map(Some)
    }

    fn read_body<'a>(&'a self, mut reader: Reader<'a>) -> Result<MethodBody<'a>> {
        let head = reader.u8()?;
        if head & FORMAT_MASK == TINY {
            let code_file_offset = reader.file_offset();
            return Ok(MethodBody {
                max_stack: 8,
                init_locals: false,
                local_var_sig: None,
                code: reader.bytes(usize::from(head >> 2))?,
                code_file_offset,
                clauses: Vec::new(),
            });
        }
        if head & FORMAT_MASK != FAT {
            return Err(reader.error(ErrorKind::BadBody("the header is neither tiny nor fat")));
        }
        self.read_fat_body(head, reader)
    }

    fn read_fat_body<'a>(&'a self, head: u8, mut reader: Reader<'a>) -> Result<MethodBody<'a>> {
        let flags = u16::from(head) | u16::from(reader.u8()?) << 8;
        let header_size = usize::from(flags >> 12) * 4;
        let max_stack = reader.u16()?;
        let code_size = reader.u32()? as usize;
        let local_var_sig = self.read_locals_token(&mut reader)?;
        let Some(extra) = header_size.checked_sub(12) else {
            return Err(reader.error(ErrorKind::BadBody("the fat header is too small")));
        };
        reader.skip(extra)?;
        let code_file_offset = reader.file_offset();
        let code = reader.bytes(code_size)?;
        let mut body = MethodBody {
            max_stack,
            init_locals: flags & INIT_LOCALS != 0,
            local_var_sig,
            code,
            code_file_offset,
            clauses: Vec::new(),
        };
        if flags & MORE_SECTIONS != 0 {
            self.read_sections(&mut reader, &mut body)?;
        }
        Ok(body)
    }

    fn read_locals_token(&self, reader: &mut Reader<'_>) -> Result<Option<StandAloneSigId>> {
        let at = reader.file_offset();
        let token = Token::from_raw(reader.u32()?);
        if token.is_null() {
            return Ok(None);
        }
        match StandAloneSigId::from_token(token) {
            Some(id) if self.contains(token) => Ok(Some(id)),
            _ => {
                let rows = self.rows(StandAloneSigId::TABLE);
                Err(Error::new(ErrorKind::NoSuchRow { token, rows }, at))
            }
        }
    }

    /// The sections after the code; only those with exception clauses mean anything. Each takes at least four bytes,
    /// so the chain ends.
    fn read_sections(&self, reader: &mut Reader<'_>, body: &mut MethodBody<'_>) -> Result<()> {
        loop {
            skip_to_multiple_of_four(reader)?;
            let kind = reader.u8()?;
            let fat = kind & SECTION_FAT != 0;
            let [low, middle, high] = [reader.u8()?, reader.u8()?, reader.u8()?].map(u32::from);
            let size = if fat { low | middle << 8 | high << 16 } else { low };
            let payload = (size as usize).saturating_sub(4);
            if kind & 0x3f == SECTION_EXCEPTIONS {
                // Some compilers forget to count the four bytes of the header: clauses decide.
                let count = payload / if fat { 24 } else { 12 };
                for _ in 0..count {
                    body.clauses.push(self.read_clause(reader, fat, body.code.len())?);
                }
            } else {
                reader.skip(payload)?;
            }
            if kind & SECTION_MORE == 0 {
                return Ok(());
            }
        }
    }

    fn read_clause(&self, reader: &mut Reader<'_>, fat: bool, code_len: usize) -> Result<ExceptionClause> {
        let at = reader.file_offset();
        let bad = |what| Error::new(ErrorKind::BadBody(what), at);
        let (flags, try_start, try_len, handler_start, handler_len) = if fat {
            (reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?)
        } else {
            let flags = u32::from(reader.u16()?);
            let (try_start, try_len) = (reader.u16()?.into(), reader.u8()?.into());
            (flags, try_start, try_len, reader.u16()?.into(), reader.u8()?.into())
        };
        let last = reader.u32()?;
        let range = |start: u32, len: u32| match start.checked_add(len) {
            Some(end) if end as usize <= code_len => Ok(CodeRange { start, end }),
            _ => Err(bad("an exception clause reaches beyond the code")),
        };
        let kind = match flags & 0x7 {
            0 => ClauseKind::Catch(self.check_caught_type(last, at)?),
            1 if (last as usize) < code_len => ClauseKind::Filter(last),
            1 => return Err(bad("a filter begins beyond the code")),
            2 => ClauseKind::Finally,
            4 => ClauseKind::Fault,
            _ => return Err(bad("an exception clause of unknown kind")),
        };
        let (try_range, handler) = (range(try_start, try_len)?, range(handler_start, handler_len)?);
        Ok(ExceptionClause { kind, try_range, handler })
    }

    fn check_caught_type(&self, raw: u32, at: u64) -> Result<Token> {
        let token = Token::from_raw(raw);
        match token.table() {
            Some(TableId::TypeDef | TableId::TypeRef | TableId::TypeSpec) if self.contains(token) => {
                Ok(token)
            }
            table => {
                let rows = table.map_or(0, |table| self.rows(table));
                Err(Error::new(ErrorKind::NoSuchRow { token, rows }, at))
            }
        }
    }
}

/// Sections are aligned in the image; sections of the file keep that alignment in the file.
fn skip_to_multiple_of_four(reader: &mut Reader<'_>) -> Result<()> {
    let misaligned = (reader.file_offset() % 4) as usize;
    reader.skip((4 - misaligned) % 4)
}
