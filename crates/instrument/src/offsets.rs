//! From the offsets of a copied body back to those of the original.

/// For one method: each instruction of the original begins a piece of the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetMap {
    pieces: Vec<(u32, u32)>,
}

impl OffsetMap {
    pub(crate) fn new(pieces: Vec<(u32, u32)>) -> OffsetMap {
        OffsetMap { pieces }
    }

    /// The instruction of the original that stands at an offset of the copy, or that the probe there belongs to.
    pub fn original(&self, offset: u32) -> u32 {
        let after = self.pieces.partition_point(|(copied, _)| *copied <= offset);
        after.checked_sub(1).and_then(|piece| self.pieces.get(piece)).map_or(0, |(_, original)| *original)
    }

    /// Offset in the copy and in the original of every piece, both ascending.
    pub fn pieces(&self) -> &[(u32, u32)] {
        &self.pieces
    }
}
