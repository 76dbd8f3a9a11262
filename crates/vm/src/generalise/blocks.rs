//! Memory of two states, compared.

use std::rc::Rc;

use types::{Type, TypeId};

use crate::bytes::Bytes;
use crate::cells::Cells;
use crate::generalise::leaves::{Is, Leaf, sorted_apart};
use crate::generalise::{Holder, Part, Spot, Unlike};
use crate::heap::{Block, BlockId, BlockKind};
use crate::inputs::{Input, input_type};
use crate::machine::Machine;
use crate::ops::ELEMENTS;
use crate::state::State;

/// Arrays of more known elements are not taken apart.
const MOST_ELEMENTS: usize = 4_096;

impl Machine {
    pub(super) fn blocks_differ(
        &mut self,
        earlier: &State,
        later: &State,
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        if !earlier.heap.is_before(&later.heap) {
            return Err(Unlike::for_good("how memory is taken"));
        }
        let mut changed: Vec<BlockId> = Vec::new();
        earlier.heap.for_each(|id, block| {
            let is_shared = later.heap.get(id).is_some_and(|other| std::ptr::eq(block, other));
            if !is_shared {
                changed.push(id);
            }
        });
        for id in changed {
            let (Some(a), Some(b)) = (earlier.heap.get(id), later.heap.get(id)) else {
                return Err(Unlike::for_good("memory that was given back"));
            };
            self.block_differs((earlier, later), id, (a, b), found)?;
        }
        Ok(())
    }

    fn block_differs(
        &mut self,
        states: (&State, &State),
        id: BlockId,
        (a, b): (&Block, &Block),
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        let Block { kind, sharing, bytes, cells } = a;
        if *kind != b.kind {
            return Err(Unlike::for_now("the class of an object"));
        }
        if *sharing != b.sharing {
            return Err(Unlike::for_now("who has an object"));
        }
        match (cells, &b.cells) {
            (None, None) => self.plain_block_differs(states, id, *kind, (bytes, &b.bytes), found),
            (Some(x), Some(y)) => {
                // The header of an array or string is its length, which never changes: a path that has learned what it is
                // writes it there.
                let (BlockKind::Object(ty), true) = (*kind, bytes.len() == b.bytes.len()) else {
                    return Err(Unlike::for_good("memory of unknown parts"));
                };
                let from = 4.min(bytes.len());
                if !self.is_same_bytes(bytes, &b.bytes, from, bytes.len() - from) {
                    return Err(Unlike::for_good("the header of an array"));
                }
                self.cells_differ(id, ty, x, y, found)
            }
            _ => Err(Unlike::for_now("how elements are kept")),
        }
    }

    fn cells_differ(
        &mut self,
        id: BlockId,
        ty: TypeId,
        x: &Rc<Cells>,
        y: &Rc<Cells>,
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        if Rc::ptr_eq(x, y) {
            return Ok(());
        }
        // Whatever was there, and was written: numbers may differ.
        let Cells { first, size, base: _, tree: _ } = &**x;
        if (*first, *size) != (y.first, y.size) {
            return Err(Unlike::for_good("how elements are kept"));
        }
        if self.number_elements(ty).is_none() {
            return Err(Unlike::for_good("the elements of an array of references"));
        }
        found.push(Spot::Cells { block: id });
        Ok(())
    }

    fn plain_block_differs(
        &mut self,
        (earlier, later): (&State, &State),
        id: BlockId,
        kind: BlockKind,
        (a, b): (&Bytes, &Bytes),
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        if a.len() != b.len() {
            return Err(Unlike::for_now("the fields of an object"));
        }
        if self.is_same_bytes(a, b, 0, a.len()) {
            return Ok(());
        }
        let leaves = self.leaves_of_block(earlier, id, kind, a.len());
        let leaves = leaves.ok_or(Unlike::for_good("memory of unknown parts"))?;
        self.bytes_differ(later, (a, b), &leaves, found, |offset, size| Spot::Bytes {
            block: id,
            offset,
            size,
        })
    }

    pub(super) fn leaves_of_block(
        &self,
        s: &State,
        id: BlockId,
        kind: BlockKind,
        len: usize,
    ) -> Option<Vec<Leaf>> {
        match kind {
            BlockKind::Object(ty) | BlockKind::Open(ty) => match *self.universe.ty(ty) {
                Type::SzArray(element) => {
                    let one = self.leaves_of_value(element)?;
                    let stride = crate::decode::repr_of(&self.universe, element).ok()?.size().max(1);
                    let count = len.checked_sub(ELEMENTS as usize)? / stride as usize;
                    if count > MOST_ELEMENTS {
                        return None;
                    }
                    let starts = (0..count as u32).map(|index| ELEMENTS + index * stride);
                    let at = |start: u32| {
                        one.iter().map(move |leaf| Leaf { offset: leaf.offset + start, ..*leaf })
                    };
                    Some(starts.flat_map(at).collect())
                }
                Type::Array { .. } => None,
                _ if self.universe.well_known().ok()?.string == ty => None,
                _ => self.leaves_of_object(ty),
            },
            BlockKind::Frame => {
                let frame = s.frames().find(|frame| frame.block == Some(id))?;
                let mut leaves = Vec::new();
                for var in &frame.code.vars {
                    let Some(at) = var.memory else { continue };
                    let parts = self.leaves_of_value(var.ty)?;
                    leaves.extend(parts.iter().map(|leaf| Leaf { offset: leaf.offset + at, ..*leaf }));
                }
                leaves.sort_unstable_by_key(|leaf| leaf.offset);
                Some(leaves)
            }
            BlockKind::Input => {
                let all = self.inputs.this.iter().chain(&self.inputs.arguments);
                let mut targets = all.rev().filter_map(|input| match input {
                    Input::ByRef { block, target } if *block == id => Some(input_type(target)),
                    _ => None,
                });
                self.leaves_of_value(targets.next()?)
            }
            BlockKind::Statics(ty) => {
                let mut leaves = Vec::new();
                for (field, at) in self.static_places(ty)? {
                    let parts = self.leaves_of_value(self.universe.field_type(field).ok()?)?;
                    leaves.extend(parts.iter().map(|leaf| Leaf { offset: leaf.offset + at, ..*leaf }));
                }
                sorted_apart(leaves)
            }
            BlockKind::Stack
            | BlockKind::ImageData
            | BlockKind::MethodTable(_)
            | BlockKind::Handle
            | BlockKind::Runtime => None,
        }
    }

    /// Notes the numbers among the leaves that differ; everything else must be the same.
    pub(super) fn bytes_differ(
        &mut self,
        later: &State,
        (a, b): (&Bytes, &Bytes),
        leaves: &[Leaf],
        found: &mut Vec<Spot>,
        spot: impl Fn(u32, u32) -> Spot,
    ) -> Result<(), Unlike> {
        if a.len() != b.len() {
            return Err(Unlike::for_good("memory of another size"));
        }
        let mut at = 0;
        for leaf in leaves {
            let end = leaf.offset + leaf.size;
            if leaf.offset < at || end as usize > a.len() {
                return Err(Unlike::for_good("memory of unknown parts"));
            }
            if !self.is_same_bytes(a, b, at as usize, (leaf.offset - at) as usize) {
                return Err(Unlike::for_good("memory between fields"));
            }
            if !self.is_same_bytes(a, b, leaf.offset as usize, leaf.size as usize) {
                let at = leaf.offset as usize;
                let place = spot(leaf.offset, leaf.size);
                match (leaf.of, place) {
                    (Is::Number, _) => found.push(place),
                    (Is::Object(ty), _) if self.are_inputs_in(later, [a, b], at, ty) => found.push(place),
                    (Is::Object(_), Spot::Bytes { block, offset, .. })
                        if self.are_arrays_in(later, [a, b], at) =>
                    {
                        let by = Holder::Bytes { block, offset };
                        found.extend([Part::Elements, Part::Length].map(|part| Spot::Owned { by, part }));
                    }
                    _ => return Err(Unlike::for_now("a reference in memory")),
                }
            }
            at = end;
        }
        match self.is_same_bytes(a, b, at as usize, a.len() - at as usize) {
            true => Ok(()),
            false => Err(Unlike::for_good("memory behind the last field")),
        }
    }
}
