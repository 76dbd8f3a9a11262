//! Import scopes: the `using` directives and aliases in force.

use super::Pdb;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{AssemblyRefId, ImportScopeId, TableId};
use crate::sig::SigReader;
use crate::token::Token;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import<'a> {
    pub alias: Option<&'a str>,
    pub target: ImportTarget<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportTarget<'a> {
    Namespace {
        assembly: Option<AssemblyRefId>,
        namespace: &'a str,
    },
    Type(Token),
    XmlNamespace(&'a str),
    Assembly(AssemblyRefId),
    /// An `extern alias` declared in an outer scope.
    AssemblyAlias,
}

impl Pdb {
    pub fn imports(&self, id: ImportScopeId) -> Result<Vec<Import<'_>>> {
        let blob = self.import_scope(id)?.imports;
        let mut reader = SigReader::new(self, blob);
        let mut imports = Vec::new();
        while !reader.bytes.is_at_end() {
            imports.push(self.read_import(&mut reader)?);
        }
        Ok(imports)
    }

    /// Each kind is a fixed sequence of alias, assembly and target.
    fn read_import<'a>(&'a self, reader: &mut SigReader<'a>) -> Result<Import<'a>> {
        let kind = reader.bytes.compressed_u32()?;
        let alias = if matches!(kind, 4..=9) { Some(self.import_text(reader)?) } else { None };
        let assembly = if matches!(kind, 2 | 6 | 8) { Some(self.import_assembly(reader)?) } else { None };
        let target = match (kind, assembly) {
            (1 | 2 | 7 | 8, assembly) => {
                ImportTarget::Namespace { assembly, namespace: self.import_text(reader)? }
            }
            (3 | 9, _) => ImportTarget::Type(reader.token()?),
            (4, _) => ImportTarget::XmlNamespace(self.import_text(reader)?),
            (5, _) => ImportTarget::AssemblyAlias,
            (6, Some(assembly)) => ImportTarget::Assembly(assembly),
            _ => return Err(reader.bytes.error(ErrorKind::BadPdb("an import of unknown kind"))),
        };
        Ok(Import { alias, target })
    }

    fn import_text<'a>(&'a self, reader: &mut SigReader<'a>) -> Result<&'a str> {
        let blob = self.blob(reader.bytes.compressed_u32()?)?;
        std::str::from_utf8(blob.bytes).map_err(|_| Error::new(ErrorKind::BadUtf8, blob.file_offset))
    }

    fn import_assembly(&self, reader: &mut SigReader<'_>) -> Result<AssemblyRefId> {
        let row = reader.bytes.compressed_u32()?;
        let rows = self.referable_rows(TableId::AssemblyRef);
        if row == 0 || row > rows {
            let token = Token::new(TableId::AssemblyRef, row);
            return Err(reader.bytes.error(ErrorKind::NoSuchRow { token, rows }));
        }
        Ok(AssemblyRefId::new(row))
    }
}
