//! Memory as plain bytes, with the model's values in place of symbolic ones.

use term::Term;
use verdict::Gap;
use vm::bytes::Bytes;
use vm::cells::{Base, Cells};
use vm::inputs::Input;
use vm::ranges::{Range, With};

use crate::from_path::{MAX_ELEMENTS, Writer};

/// Bytes, and the ranges of them that depend on what is outside of the program.
#[derive(Clone, Default)]
pub(super) struct Data {
    pub bytes: Vec<u8>,
    outside: Vec<(usize, usize)>,
}

impl Data {
    pub fn slice(&self, start: usize, size: usize) -> Option<Data> {
        let end = start.checked_add(size)?;
        let bytes = self.bytes.get(start..end)?.to_vec();
        let cut = |&(from, to): &(usize, usize)| (from.max(start), to.min(end));
        let outside = self.outside.iter().map(cut).filter(|(from, to)| from < to);
        Some(Data { bytes, outside: outside.map(|(from, to)| (from - start, to - start)).collect() })
    }

    pub fn is_outside(&self) -> bool {
        !self.outside.is_empty()
    }

    /// The number at the start.
    pub fn length(&self) -> u32 {
        self.bytes.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn put(&mut self, start: usize, value: &Data) {
        let end = start + value.bytes.len();
        let Some(place) = self.bytes.get_mut(start..end) else { return };
        place.copy_from_slice(&value.bytes);
        let old = std::mem::take(&mut self.outside);
        for (from, to) in old {
            self.outside
                .extend([(from, to.min(start)), (from.max(end), to)].into_iter().filter(|(f, t)| f < t));
        }
        self.outside.extend(value.outside.iter().map(|(from, to)| (start + from, start + to)));
    }
}

impl Writer<'_> {
    /// All bytes of a block with the model's values in place of symbolic ones.
    pub(super) fn block_data(&self, block: &vm::heap::Block) -> Result<Data, Gap> {
        let mut data = self.concrete(&block.bytes);
        let Some(cells) = &block.cells else { return Ok(data) };
        let length = data.length();
        if length > MAX_ELEMENTS {
            return Err(Gap::bound("the result has too many elements"));
        }
        let first = cells.first as usize;
        data.bytes.resize(first + length as usize * cells.size as usize, 0);
        let elements = self.elements(cells, length)?;
        data.put(first, &elements);
        Ok(data)
    }

    /// So many elements.
    fn elements(&self, cells: &Cells, length: u32) -> Result<Data, Gap> {
        let size = cells.size as usize;
        let mut data = Data { bytes: vec![0; length as usize * size], outside: Vec::new() };
        let mut anywhere = false;
        let mut put = |index: u32, cell: &Data| data.put(index as usize * size, cell);
        match &cells.base {
            Base::Zero => {}
            Base::Table(table) => {
                let table = self.concrete(table);
                for index in 0..table.bytes.len() / size.max(1) {
                    table.slice(index * size, size).iter().for_each(|cell| put(index as u32, cell));
                }
            }
            Base::Input(array) => {
                for (&index, input) in self.machine.inputs.elements_of(*array) {
                    put(index, &self.input_bytes(input, size)?);
                }
                // The first of them that read an element gave it its value.
                for read in self.state.path.reads.of(array.owner).iter().rev() {
                    let index = self.known(read.index);
                    if !read.known.contains(&index) {
                        put(index, &self.input_bytes(&read.input, size)?);
                    }
                }
            }
            Base::Range(range) => data = self.elements_with_range(range, size, length)?,
        }
        for write in cells.tree.iter() {
            if let [index] = write.key.indexes() {
                let index = match index {
                    memory::Index::Known(index) => *index,
                    memory::Index::Symbolic(term) => {
                        anywhere |= self.machine.ambient_source(*term).is_some();
                        self.known(*term)
                    }
                };
                data.put(index as usize * size, &self.concrete(&write.value));
            }
        }
        if anywhere {
            data.outside = vec![(0, data.bytes.len())];
        }
        Ok(data)
    }

    /// So many elements of which a range was written at once.
    fn elements_with_range(&self, range: &Range, size: usize, length: u32) -> Result<Data, Gap> {
        let mut data = self.elements(&range.below, length)?;
        let (to, count) = (self.known(range.to), self.known(range.count).min(length));
        match &range.with {
            With::Value(value) => {
                let value = self.concrete(value);
                (0..count).for_each(|more| data.put(to.saturating_add(more) as usize * size, &value));
            }
            With::Copy { from, shift } => {
                let start = to.wrapping_add(self.known(*shift));
                let end = start.checked_add(count).filter(|end| *end <= MAX_ELEMENTS);
                let end = end.ok_or_else(|| Gap::bound("the result has too many elements"))?;
                let source = self.elements(from, end)?;
                if let Some(part) = source.slice(start as usize * size, count as usize * size) {
                    data.put(to as usize * size, &part);
                }
            }
        }
        Ok(data)
    }

    fn known(&self, term: Term) -> u32 {
        self.terms.eval(term, &self.model).bits() as u32
    }

    /// An input as the bytes of its location.
    pub(super) fn input_bytes(&self, input: &Input, size: usize) -> Result<Data, Gap> {
        let mut bytes = vec![0; size];
        self.put_input(input, &mut bytes)?;
        Ok(Data { bytes, outside: Vec::new() })
    }

    fn put_input(&self, input: &Input, place: &mut [u8]) -> Result<(), Gap> {
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
                return Err(Gap::internal_error("an element that is no value"));
            }
        }
        Ok(())
    }

    /// The bytes with the model's values in place of symbolic ones.
    pub(super) fn concrete(&self, bytes: &Bytes) -> Data {
        let mut data = Data { bytes: bytes.plain().to_vec(), outside: Vec::new() };
        for patch in bytes.patches() {
            let value = self.terms.eval(patch.term, &self.model).bits().to_le_bytes();
            let (start, size) = (patch.offset as usize, patch.size as usize);
            data.bytes[start..start + size].copy_from_slice(&value[..size]);
            if self.machine.ambient_source(patch.term).is_some() {
                data.outside.push((start, start + size));
            }
        }
        data
    }
}
