//! The bodies with probes, one after another as they will lie in the image.

use std::ops::Range;

use cil::{MethodDefId, Module};

use crate::code::Code;
use crate::error::{Error, Result};
use crate::offsets::OffsetMap;
use crate::placement::Placement;
use crate::probe::Probe;
use crate::{emit, rewritten};

pub(crate) struct Bodies<'a> {
    module: &'a Module,
    probes: &'a [Probe],
    base: u64,
    pub bytes: Vec<u8>,
    /// For each body, the file offset of its method's RVA and where it begins, a multiple of four.
    pub cells: Vec<(usize, usize)>,
    pub methods: Vec<(MethodDefId, OffsetMap)>,
    /// Where the code of each body lies.
    codes: Vec<(MethodDefId, Range<usize>)>,
}

impl<'a> Bodies<'a> {
    pub fn new(module: &'a Module, probes: &'a [Probe], base: u64) -> Bodies<'a> {
        let bytes = Vec::new();
        Bodies { module, probes, base, bytes, cells: Vec::new(), methods: Vec::new(), codes: Vec::new() }
    }

    /// Adds the body of a method; `group` has the numbers of its probes.
    pub fn add(&mut self, group: &[(MethodDefId, usize)]) -> Result<()> {
        let Some(&(method, _)) = group.first() else { return Ok(()) };
        let body = self.module.method_body(method).map_err(|error| Error::Body { method, error })?;
        let Some(body) = body else { return Err(Error::NoBody { method }) };
        let code = Code::decode(method, &body)?;
        let placement = Placement::of(&code, group.iter().map(|(_, number)| *number), self.probes)?;
        let emitted = emit::emit(&code, &placement, self.base)?;

        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.cells.push((self.module.body_rva_offset(method)?, self.bytes.len()));
        let code = rewritten::write(&mut self.bytes, method, &body, &emitted)?;
        self.codes.push((method, code));
        self.methods.push((method, emitted.offsets));
        Ok(())
    }

    /// In a damaged image parts may lie upon each other, and one change undo another: the copy is read again to be sure.
    pub fn check(&self, image: Vec<u8>) -> Result<Vec<u8>> {
        let copy = Module::from_vec(image)?;
        for (method, code) in &self.codes {
            let read = copy.method_body(*method)?.map(|body| body.code);
            if read != self.bytes.get(code.clone()) {
                return Err(Error::Damaged { method: *method });
            }
        }
        Ok(copy.bytes().to_vec())
    }
}
