//! Input arrays of several dimensions: of a few small shapes, with symbols for their elements.

use term::Symbol;
use types::{Type, TypeId};

use crate::cells::ArrayInput;
use crate::decode::repr_of;
use crate::heap::{BlockId, split_address};
use crate::machine::{Machine, Step, give_up};
use crate::ops::ELEMENTS;
use crate::state::State;
use verdict::Gap;

/// Lengths of the dimensions; those beyond the rank are not used.
pub type Shape = [u8; 3];

/// The greatest length that is tried, by rank.
fn longest(rank: u32) -> Option<u8> {
    match rank {
        1 | 2 => Some(3),
        3 => Some(2),
        _ => None,
    }
}

/// All shapes that are tried, the square ones first.
pub fn shapes(rank: u32) -> Vec<Shape> {
    let Some(longest) = longest(rank) else { return Vec::new() };
    let mut all = vec![[0; 3]];
    for dimension in 0..rank as usize {
        all =
            all.into_iter().flat_map(|shape| (0..=longest).map(move |n| with(shape, dimension, n))).collect();
    }
    let used = rank as usize;
    all.sort_by_key(|shape| {
        let is_square = shape[..used].iter().all(|n| *n == shape[0]);
        (!is_square, *shape)
    });
    all
}

fn with(mut shape: Shape, dimension: usize, length: u8) -> Shape {
    shape[dimension] = length;
    shape
}

/// The indexes of all elements of a shape, in the order of memory, and a number for each that no other shape gives to
/// other indexes.
pub fn indexes(shape: Shape, rank: usize) -> Vec<(Vec<i32>, u32)> {
    let mut all = vec![Vec::new()];
    for &length in shape.iter().take(rank) {
        all = all
            .into_iter()
            .flat_map(|at: Vec<i32>| (0..i32::from(length)).map(move |i| [&at[..], &[i]].concat()))
            .collect();
    }
    let number = |at: &Vec<i32>| at.iter().fold(0, |number, i| number * 16 + i.cast_unsigned());
    all.into_iter().map(|at| (at.clone(), number(&at))).collect()
}

impl Machine {
    /// Gives a reference an array of its own, of this shape.
    pub(crate) fn make_grid(
        &mut self,
        s: &mut State,
        owner: Symbol,
        ty: TypeId,
        shape: Shape,
    ) -> Step<BlockId> {
        self.contents(owner, ty).map_err(|gap| give_up(s, gap))?;
        let Type::Array { elem, rank } = *self.universe.ty(ty) else {
            return Err(give_up(s, Gap::internal_error("no array of several dimensions")));
        };
        let size = repr_of(&self.universe, elem).map_err(|gap| give_up(s, gap))?.size();
        let bounds: Vec<(i32, i32)> =
            shape.iter().take(rank as usize).map(|length| (0, i32::from(*length))).collect();
        let Some(address) = self.allocate_md_array(s, ty, elem, &bounds)? else {
            return Err(give_up(s, Gap::memory_limit()));
        };
        let (block, _) = split_address(address);
        let first = ELEMENTS + 8 * rank;
        for (place, (_, number)) in indexes(shape, rank as usize).into_iter().enumerate() {
            let offset = first + place as u32 * size;
            let written = self
                .known_element(ArrayInput { owner, element: elem }, number)
                .and_then(|input| self.write_input(s, block, offset, &input));
            written.map_err(|gap| give_up(s, gap))?;
        }
        Ok(block)
    }
}
