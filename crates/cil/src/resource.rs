//! Manifest resources (ECMA-335 II.24.2.8): the bytes of those embedded in the file.

use crate::bytes::Reader;
use crate::error::Result;
use crate::module::Module;
use crate::schema::ManifestResourceId;

impl Module {
    /// The bytes of an embedded resource; `None` if the resource lives in another file or assembly.
    pub fn resource_data(&self, id: ManifestResourceId) -> Result<Option<&[u8]>> {
        let row = self.manifest_resource(id)?;
        if row.implementation.is_some() {
            return Ok(None);
        }
        let range = self.pe.range(self.bytes(), self.pe.resources, "the resources")?;
        let start = range.start as u64;
        let resources = self.bytes().get(range).unwrap_or_default();
        let mut reader = Reader::new(resources, start, "a resource");
        reader.skip(row.offset as usize)?;
        let length = reader.u32()? as usize;
        reader.bytes(length).map(Some)
    }
}
