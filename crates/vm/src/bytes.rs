//! Byte-accurate memory contents: plain bytes, with symbolic patches laid over them.
//!
//! A patch covers `size` bytes with a bit-vector term of `8 * size` bits, little-endian like the bytes. Contents without
//! patches are read and written without touching the term store. Reads that straddle patches are put together from
//! slices (`concat`/`extract`), which the term constructors undo where a slice and a patch meet again.

use term::{Term, Terms};

/// The contents of a block of memory or of a value type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    data: Vec<u8>,
    /// Sorted by offset, never overlapping.
    patches: Vec<Patch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    pub offset: u32,
    pub size: u32,
    pub term: Term,
}

impl Patch {
    fn end(&self) -> u32 {
        self.offset + self.size
    }
}

/// A scalar of at most eight bytes read from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    Concrete(u64),
    Symbolic(Term),
}

/// The access does not fit into the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds;

impl Bytes {
    pub fn zeroed(len: usize) -> Bytes {
        Bytes { data: vec![0; len], patches: Vec::new() }
    }

    pub fn from_vec(data: Vec<u8>) -> Bytes {
        Bytes { data, patches: Vec::new() }
    }

    /// Adds zeros up to a length.
    pub(crate) fn extend_to(&mut self, len: usize) {
        if self.data.len() < len {
            self.data.resize(len, 0);
        }
    }

    pub fn len(&self) -> usize {
        self.data.len()
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// The bytes below the patches.
    pub fn plain(&self) -> &[u8] {
        &self.data
    }

    /// The bytes, if none of them is symbolic.
    pub fn concrete(&self) -> Option<&[u8]> {
        self.patches.is_empty().then_some(&self.data[..])
    }

    /// The concrete bytes of a range that no patch touches.
    pub(crate) fn concrete_range(&self, offset: usize, len: usize) -> Option<&[u8]> {
        let end = offset.checked_add(len)?;
        let slice = self.data.get(offset..end)?;
        (self.patches.is_empty() || self.overlapping(offset as u32, len as u32).is_empty()).then_some(slice)
    }

    pub fn read(&self, offset: usize, size: usize, terms: &mut Terms) -> Result<Bits, OutOfBounds> {
        let slice = self.slice_of(offset, size)?;
        if self.patches.is_empty() {
            return Ok(Bits::Concrete(little_endian(slice)));
        }
        Ok(self.read_patched(offset as u32, size as u32, terms))
    }

    pub fn write(
        &mut self,
        offset: usize,
        size: usize,
        bits: Bits,
        terms: &mut Terms,
    ) -> Result<(), OutOfBounds> {
        self.slice_of(offset, size)?;
        if !self.patches.is_empty() {
            self.cut(offset as u32, size as u32, terms);
        }
        match bits {
            Bits::Concrete(value) => {
                self.data[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
            Bits::Symbolic(term) => self.insert(offset as u32, size as u32, term, terms),
        }
        Ok(())
    }

    /// Sets a byte of contents without patches.
    pub(crate) fn set_plain(&mut self, offset: usize, value: u8) {
        if self.patches.is_empty()
            && let Some(byte) = self.data.get_mut(offset)
        {
            *byte = value;
        }
    }

    /// Writes a number of one, two, four or eight bytes if nothing here is symbolic.
    #[inline]
    pub(crate) fn write_plain(&mut self, offset: usize, size: usize, value: u64) -> Option<()> {
        if !self.patches.is_empty() {
            return None;
        }
        // A length that the compiler knows needs no loop.
        match size {
            1 => *self.data.get_mut(offset)? = value as u8,
            2 => self.put_bytes(offset, (value as u16).to_le_bytes())?,
            4 => self.put_bytes(offset, (value as u32).to_le_bytes())?,
            8 => self.put_bytes(offset, value.to_le_bytes())?,
            _ => return None,
        }
        Some(())
    }

    #[inline]
    fn put_bytes<const LEN: usize>(&mut self, offset: usize, bytes: [u8; LEN]) -> Option<()> {
        self.data.get_mut(offset..offset.checked_add(LEN)?)?.copy_from_slice(&bytes);
        Some(())
    }

    /// The same for several bytes.
    pub(crate) fn write_plain_slice(&mut self, offset: usize, value: &[u8]) -> Option<()> {
        if !self.patches.is_empty() {
            return None;
        }
        self.data.get_mut(offset..offset.checked_add(value.len())?)?.copy_from_slice(value);
        Some(())
    }

    /// A copy of a range, patches clipped to it.
    pub fn slice(&self, offset: usize, len: usize, terms: &mut Terms) -> Result<Bytes, OutOfBounds> {
        let data = self.slice_of(offset, len)?.to_vec();
        let (start, end) = (offset as u32, (offset + len) as u32);
        let mut patches = Vec::new();
        for patch in self.overlapping(start, len as u32) {
            let clipped = clip(*patch, start, end, terms);
            patches.push(Patch { offset: clipped.offset - start, ..clipped });
        }
        Ok(Bytes { data, patches })
    }

    /// Writes all of `source` at `offset`.
    pub(crate) fn write_bytes(
        &mut self,
        offset: usize,
        source: &Bytes,
        terms: &mut Terms,
    ) -> Result<(), OutOfBounds> {
        self.slice_of(offset, source.len())?;
        if !self.patches.is_empty() {
            self.cut(offset as u32, source.len() as u32, terms);
        }
        self.data[offset..offset + source.len()].copy_from_slice(&source.data);
        let shift = offset as u32;
        match &source.patches[..] {
            [] => {}
            [patch] => self.insert(patch.offset + shift, patch.size, patch.term, terms),
            // The range is free of patches, and these are in order: all at once, since there may be as many as characters.
            all => {
                let at = self.patches.partition_point(|p| p.offset < shift);
                let mut symbolic = Vec::with_capacity(all.len());
                for patch in all {
                    let moved = Patch { offset: patch.offset + shift, ..*patch };
                    match terms.as_bv(moved.term) {
                        Some(value) => self.put(moved.offset, moved.size, value),
                        None => symbolic.push(moved),
                    }
                }
                self.patches.splice(at..at, symbolic);
            }
        }
        Ok(())
    }

    pub fn fill(
        &mut self,
        offset: usize,
        len: usize,
        byte: u8,
        terms: &mut Terms,
    ) -> Result<(), OutOfBounds> {
        self.slice_of(offset, len)?;
        if !self.patches.is_empty() {
            self.cut(offset as u32, len as u32, terms);
        }
        self.data[offset..offset + len].fill(byte);
        Ok(())
    }

    fn slice_of(&self, offset: usize, len: usize) -> Result<&[u8], OutOfBounds> {
        let end = offset.checked_add(len).ok_or(OutOfBounds)?;
        self.data.get(offset..end).ok_or(OutOfBounds)
    }

    fn overlapping(&self, offset: u32, size: u32) -> &[Patch] {
        if size == 0 {
            return &[];
        }
        let first = self.patches.partition_point(|p| p.end() <= offset);
        let last = self.patches.partition_point(|p| p.offset < offset.saturating_add(size));
        self.patches.get(first..last).unwrap_or(&[])
    }

    fn read_patched(&self, offset: u32, size: u32, terms: &mut Terms) -> Bits {
        let touched = self.overlapping(offset, size);
        let bytes = &self.data[offset as usize..(offset + size) as usize];
        match touched {
            [] => return Bits::Concrete(little_endian(bytes)),
            [patch] if patch.offset == offset && patch.size == size => return Bits::Symbolic(patch.term),
            _ => {}
        }
        let mut result: Option<Term> = None;
        let mut at = offset;
        let end = offset + size;
        let mut push = |terms: &mut Terms, piece: Term| {
            result = Some(match result {
                None => piece,
                Some(low) => terms.concat(piece, low),
            });
        };
        for patch in touched {
            if patch.offset > at {
                let gap = &self.data[at as usize..patch.offset as usize];
                let piece = terms.bv(8 * gap.len() as u32, u128::from(little_endian(gap)));
                push(terms, piece);
            }
            let clipped = clip(*patch, offset, end, terms);
            push(terms, clipped.term);
            at = clipped.end();
        }
        if at < end {
            let gap = &self.data[at as usize..end as usize];
            let piece = terms.bv(8 * gap.len() as u32, u128::from(little_endian(gap)));
            push(terms, piece);
        }
        match result.map(|term| (term, terms.as_bv(term))) {
            Some((_, Some(value))) => Bits::Concrete(value as u64),
            Some((term, None)) => Bits::Symbolic(term),
            None => Bits::Concrete(little_endian(bytes)),
        }
    }

    /// Removes what patches say about a range; the parts of them outside it stay.
    fn cut(&mut self, offset: u32, size: u32, terms: &mut Terms) {
        let end = offset + size;
        let first = self.patches.partition_point(|p| p.end() <= offset);
        let last = self.patches.partition_point(|p| p.offset < end);
        if size == 0 || first >= last {
            return;
        }
        let mut rest = Vec::new();
        for patch in &self.patches[first..last] {
            if patch.offset < offset {
                rest.push(clip(*patch, patch.offset, offset, terms));
            }
            if patch.end() > end {
                rest.push(clip(*patch, end, patch.end(), terms));
            }
        }
        self.patches.splice(first..last, rest);
    }

    fn put(&mut self, offset: u32, size: u32, value: u128) {
        let bytes = value.to_le_bytes();
        self.data[offset as usize..(offset + size) as usize].copy_from_slice(&bytes[..size as usize]);
    }

    /// The range must hold no patch.
    fn insert(&mut self, offset: u32, size: u32, term: Term, terms: &Terms) {
        if let Some(value) = terms.as_bv(term) {
            return self.put(offset, size, value);
        }
        let at = self.patches.partition_point(|p| p.offset < offset);
        self.patches.insert(at, Patch { offset, size, term });
    }
}

fn clip(patch: Patch, start: u32, end: u32, terms: &mut Terms) -> Patch {
    let from = patch.offset.max(start);
    let to = patch.end().min(end);
    if from == patch.offset && to == patch.end() {
        return patch;
    }
    let low = 8 * (from - patch.offset);
    let high = 8 * (to - patch.offset) - 1;
    Patch { offset: from, size: to - from, term: terms.extract(patch.term, high, low) }
}

fn little_endian(bytes: &[u8]) -> u64 {
    let mut buffer = [0; 8];
    let len = bytes.len().min(8);
    buffer[..len].copy_from_slice(&bytes[..len]);
    u64::from_le_bytes(buffer)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use term::{Const, Model, Sort};

    use super::*;

    #[derive(Clone, Debug)]
    enum Write {
        Concrete { offset: usize, size: usize, value: u64 },
        Symbolic { offset: usize, size: usize, value: u64 },
        Copy { from: usize, len: usize, to: usize },
    }

    fn write() -> impl Strategy<Value = Write> {
        let size = prop_oneof![Just(1usize), Just(2), Just(4), Just(8)];
        prop_oneof![
            (0usize..24, size.clone(), any::<u64>()).prop_map(|(offset, size, value)| Write::Concrete {
                offset,
                size,
                value
            }),
            (0usize..24, size, any::<u64>()).prop_map(|(offset, size, value)| Write::Symbolic {
                offset,
                size,
                value
            }),
            (0usize..24, 0usize..8, 0usize..24).prop_map(|(from, len, to)| Write::Copy { from, len, to }),
        ]
    }

    proptest! {
        /// Whatever is written, symbolically or not, reads back as in a plain buffer once the symbols have values.
        #[test]
        fn agrees_with_a_plain_buffer(writes in prop::collection::vec(write(), 1..12), at in 0usize..24, size in 1usize..=8) {
            let mut terms = Terms::new();
            let mut model = Model::default();
            let mut bytes = Bytes::zeroed(32);
            let mut plain = [0u8; 32];
            for write in writes {
                match write {
                    Write::Concrete { offset, size, value } => {
                        bytes.write(offset, size, Bits::Concrete(value), &mut terms).unwrap();
                        plain[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
                    }
                    Write::Symbolic { offset, size, value } => {
                        let width = 8 * size as u32;
                        let symbol = terms.symbol("x", Sort::Bv(width));
                        let masked = if size == 8 { value } else { value & ((1 << width) - 1) };
                        model.set(symbol, Const::Bv { width, value: u128::from(masked) });
                        let term = terms.var(symbol);
                        bytes.write(offset, size, Bits::Symbolic(term), &mut terms).unwrap();
                        plain[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
                    }
                    Write::Copy { from, len, to } => {
                        let copy = bytes.slice(from, len, &mut terms).unwrap();
                        bytes.write_bytes(to, &copy, &mut terms).unwrap();
                        plain.copy_within(from..from + len, to);
                    }
                }
            }
            let expected = little_endian(&plain[at..at + size]);
            let read = match bytes.read(at, size, &mut terms).unwrap() {
                Bits::Concrete(value) => value,
                Bits::Symbolic(term) => match terms.eval(term, &model) {
                    Const::Bv { value, .. } => value as u64,
                    other => panic!("{other:?}"),
                },
            };
            prop_assert_eq!(read, expected);
        }
    }

    #[test]
    fn an_access_past_the_end_is_refused() {
        let mut terms = Terms::new();
        let mut bytes = Bytes::zeroed(4);
        assert_eq!(bytes.read(1, 4, &mut terms), Err(OutOfBounds));
        assert_eq!(bytes.read(usize::MAX, 4, &mut terms), Err(OutOfBounds));
        assert_eq!(bytes.write(4, 1, Bits::Concrete(0), &mut terms), Err(OutOfBounds));
    }
}
