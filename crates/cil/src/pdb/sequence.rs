//! Sequence points: which source range each piece of code comes from.

use super::Pdb;
use crate::bytes::Reader;
use crate::error::{ErrorKind, Result};
use crate::limits::MAX_LINE;
use crate::schema::{DocumentId, MethodDebugInformationId, MethodDefId, StandAloneSigId, TableId};
use crate::token::Token;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequencePoint {
    pub il_offset: u32,
    pub document: DocumentId,
    /// `None` for a hidden point: code that no source line stands for.
    pub span: Option<SourceSpan>,
}

/// Lines and columns count from 1; the end column is past the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceSpan {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Pdb {
    /// The sequence points of a method in the order of their code offsets; empty if it has none.
    pub fn sequence_points(&self, method: MethodDefId) -> Result<Vec<SequencePoint>> {
        let mut points = Vec::new();
        let Some(mut decoder) = self.decoder(method)? else { return Ok(points) };
        while !decoder.reader.is_at_end() {
            points.extend(decoder.record()?);
        }
        Ok(points)
    }

    /// The last point that is not after a code offset and not hidden.
    pub fn source_of(&self, method: MethodDefId, il_offset: u32) -> Result<Option<SequencePoint>> {
        let points = self.sequence_points(method)?;
        Ok(points.into_iter().rfind(|point| point.il_offset <= il_offset && point.span.is_some()))
    }

    /// The signature of the local variables, as the PDB remembers it.
    pub fn local_signature(&self, method: MethodDefId) -> Result<Option<StandAloneSigId>> {
        Ok(self.decoder(method)?.and_then(|decoder| decoder.local_signature))
    }

    fn decoder(&self, method: MethodDefId) -> Result<Option<Decoder<'_>>> {
        if !self.has_method(method) {
            return Ok(None);
        }
        let row = self.method_debug_information(MethodDebugInformationId::new(method.row()))?;
        if row.sequence_points.is_empty() {
            return Ok(None);
        }
        let blob = row.sequence_points;
        let mut reader = Reader::new(blob.bytes, blob.file_offset, "sequence points");
        let local_signature = reader.compressed_u32()?;
        let mut decoder = Decoder {
            documents: self.rows(TableId::Document),
            local_signature: (local_signature != 0).then(|| StandAloneSigId::new(local_signature)),
            reader,
            document: row.document,
            il_offset: None,
            start: None,
        };
        if decoder.document.is_none() {
            decoder.document = Some(decoder.read_document()?);
        }
        Ok(Some(decoder))
    }
}

struct Decoder<'a> {
    reader: Reader<'a>,
    documents: u32,
    local_signature: Option<StandAloneSigId>,
    document: Option<DocumentId>,
    il_offset: Option<u32>,
    /// Start line and column of the last point that was not hidden.
    start: Option<(u32, u32)>,
}

impl Decoder<'_> {
    /// One record: a point, or a change of document.
    fn record(&mut self) -> Result<Option<SequencePoint>> {
        let delta = self.reader.compressed_u32()?;
        let il_offset = match self.il_offset {
            Some(_) if delta == 0 => {
                self.document = Some(self.read_document()?);
                return Ok(None);
            }
            Some(last) => last.checked_add(delta),
            None => Some(delta),
        };
        let il_offset = il_offset.ok_or_else(|| self.bad("a code offset is too large"))?;
        self.il_offset = Some(il_offset);
        let document = self.document.ok_or_else(|| self.bad("a sequence point without a document"))?;
        Ok(Some(SequencePoint { il_offset, document, span: self.span()? }))
    }

    fn span(&mut self) -> Result<Option<SourceSpan>> {
        let lines = self.reader.compressed_u32()?;
        let columns = match lines {
            0 => self.reader.compressed_u32()? as i32,
            _ => self.reader.compressed_i32()?,
        };
        if lines == 0 && columns == 0 {
            return Ok(None);
        }
        let (start_line, start_column) = match self.start {
            None => (self.reader.compressed_u32()?, self.reader.compressed_u32()?),
            Some((line, column)) => {
                let line = line.checked_add_signed(self.reader.compressed_i32()?);
                let column = column.checked_add_signed(self.reader.compressed_i32()?);
                line.zip(column).ok_or_else(|| self.bad("a line or column below zero"))?
            }
        };
        self.start = Some((start_line, start_column));
        let end_line = start_line.checked_add(lines).filter(|&line| line <= MAX_LINE);
        let end_column = start_column.checked_add_signed(columns).filter(|&column| column <= MAX_LINE);
        let (end_line, end_column) =
            end_line.zip(end_column).ok_or_else(|| self.bad("a line or column is out of range"))?;
        Ok(Some(SourceSpan { start_line, start_column, end_line, end_column }))
    }

    fn read_document(&mut self) -> Result<DocumentId> {
        let row = self.reader.compressed_u32()?;
        if row == 0 || row > self.documents {
            let token = Token::new(TableId::Document, row);
            return Err(self.reader.error(ErrorKind::NoSuchRow { token, rows: self.documents }));
        }
        Ok(DocumentId::new(row))
    }

    fn bad(&self, what: &'static str) -> crate::Error {
        self.reader.error(ErrorKind::BadPdb(what))
    }
}
