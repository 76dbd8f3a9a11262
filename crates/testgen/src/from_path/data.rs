//! Memory as plain bytes, with the model's values in place of symbolic ones.

use vm::Reason;
use vm::bytes::Bytes;
use vm::cells::Base;
use vm::inputs::Input;

use super::{MAX_ELEMENTS, Writer};

impl Writer<'_> {
    /// All bytes of a block with the model's values in place of symbolic ones.
    pub(super) fn block_data(&self, block: &vm::heap::Block) -> Result<Vec<u8>, Reason> {
        let mut data = self.concrete(&block.bytes);
        let Some(cells) = &block.cells else { return Ok(data) };
        let length = data.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if length > MAX_ELEMENTS {
            return Err(Reason::Bound("the result has too many elements".into()));
        }
        let (first, size) = (cells.first as usize, cells.size as usize);
        data.resize(first + length as usize * size, 0);
        let mut put = |index: u32, cell: &[u8]| {
            let start = first + index as usize * size;
            if let Some(place) = data.get_mut(start..start + size) {
                place.copy_from_slice(&cell[..size]);
            }
        };
        match &cells.base {
            Base::Zero => {}
            Base::Table(table) => {
                let table = self.concrete(table);
                table.chunks_exact(size).enumerate().for_each(|(index, cell)| put(index as u32, cell));
            }
            Base::Input(owner) => {
                for (&index, input) in self.machine.inputs.elements_of(*owner) {
                    put(index, &self.input_bytes(input, size)?);
                }
                // The first of them that read an element gave it its value.
                for read in self.state.origins.reads(*owner).iter().rev() {
                    let index = self.terms.eval(read.index, &self.model).bits() as u32;
                    if !read.known.contains(&index) {
                        put(index, &self.input_bytes(&read.input, size)?);
                    }
                }
            }
        }
        for write in cells.tree.iter() {
            if let [index] = write.key.indexes() {
                let index = match index {
                    memory::Index::Known(index) => *index,
                    memory::Index::Symbolic(term) => self.terms.eval(*term, &self.model).bits() as u32,
                };
                put(index, &self.concrete(&write.value));
            }
        }
        Ok(data)
    }

    /// An input as the bytes of its location.
    fn input_bytes(&self, input: &Input, size: usize) -> Result<Vec<u8>, Reason> {
        let mut bytes = vec![0; size];
        self.put_input(input, &mut bytes)?;
        Ok(bytes)
    }

    fn put_input(&self, input: &Input, place: &mut [u8]) -> Result<(), Reason> {
        match input {
            Input::Scalar { symbol, .. } | Input::Reference { symbol, .. } => {
                let bits = self.model.get(*symbol).map_or(0, |constant| constant.bits()).to_le_bytes();
                let len = place.len().min(bits.len());
                place[..len].copy_from_slice(&bits[..len]);
            }
            Input::Struct { fields, .. } => {
                for (field, part) in fields {
                    let start = self.universe.field_offset(*field)? as usize;
                    let size = self.universe.size_of(vm::inputs::input_type(part))? as usize;
                    if let Some(place) = place.get_mut(start..start + size) {
                        self.put_input(part, place)?;
                    }
                }
            }
            Input::Computed { fields, .. } => {
                for (field, term) in fields {
                    let bits = self.terms.eval(*term, &self.model).bits().to_le_bytes();
                    let start = self.universe.field_offset(*field)? as usize;
                    let size = self.universe.size_of(self.universe.field_type(*field)?)? as usize;
                    if let Some(place) = place.get_mut(start..start + size) {
                        place.copy_from_slice(&bits[..size]);
                    }
                }
            }
            Input::ByRef { .. } | Input::New { .. } | Input::Span { .. } => {
                return Err(Reason::InternalError("an element that is no value".into()));
            }
        }
        Ok(())
    }

    /// The bytes with the model's values in place of symbolic ones.
    pub(super) fn concrete(&self, bytes: &Bytes) -> Vec<u8> {
        let mut data = bytes.plain().to_vec();
        for patch in bytes.patches() {
            let value = self.terms.eval(patch.term, &self.model).bits().to_le_bytes();
            let (start, size) = (patch.offset as usize, patch.size as usize);
            data[start..start + size].copy_from_slice(&value[..size]);
        }
        data
    }
}
