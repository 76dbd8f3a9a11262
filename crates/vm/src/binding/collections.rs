//! Arrays, strings and the framework's collections, element by element.

use term::{Symbol, Term};
use types::TypeId;

use super::{Binder, MAX_ELEMENTS, OPEN_ELEMENTS};
use crate::bytes::{Bits, Bytes};
use crate::cells::{ArrayInput, cells_of};
use crate::decode::repr_of;
use crate::heap::{BlockId, split_address};
use crate::inputs::contents::Contents;
use crate::inputs::{Input, input_type};
use crate::ops::ELEMENTS;

impl Binder<'_> {
    /// The elements of an array of the path, of this type and length, are those of a block.
    pub(super) fn elements(
        &mut self,
        owner: Symbol,
        (element, length): (TypeId, Symbol),
        block: BlockId,
        count: Bits,
        first: u32,
    ) -> Option<()> {
        let size = repr_of(&self.m.universe, element).ok()?.size();
        let length = self.m.terms.var(length);
        let length = self.m.terms.zext(length, 32);
        let there = self.m.bits_as_term(count, 32);
        let same = self.m.terms.eq(length, there);
        self.hold(same)?;
        let array = ArrayInput { owner, element };
        let looked_at = self.m.inputs.elements_of(array).map(|(index, _)| index + 1).max().unwrap_or(0);
        let most = match count {
            Bits::Concrete(count) => u32::try_from(count).ok()?,
            Bits::Symbolic(_) => looked_at.max(OPEN_ELEMENTS),
        };
        if most > MAX_ELEMENTS {
            return None;
        }
        let mut found = Vec::new();
        for index in 0..most {
            let input = self.m.known_element(array, index).ok()?;
            let bytes = self.element(block, index, first, size)?;
            let number = self.m.terms.bv(32, u128::from(index));
            let is_within = self.m.terms.ult(number, there);
            self.element_is(&input, &bytes, is_within)?;
            found.push(bytes);
        }
        for read in self.path.state.path.reads.of(owner) {
            if !self.m.depends_on(self.path.state, self.path.footprint, &read.input) {
                continue;
            }
            self.read_at(read.index, &read.input, &found)?;
        }
        Some(())
    }

    /// An element that was read at a symbolic index is the one that lies there.
    fn read_at(&mut self, index: Term, input: &Input, found: &[Bytes]) -> Option<()> {
        if !matches!(input, Input::Scalar { .. } | Input::Computed { .. }) {
            // What a reference is cannot be a case distinction: the path's own value of the index is tried.
            let at = self.m.terms.eval(index, self.path.model).bits();
            let number = self.m.terms.bv(32, at);
            let here = self.m.terms.eq(index, number);
            self.hold(here)?;
            let bytes = found.get(usize::try_from(at).ok()?)?;
            return self.input(input, bytes, 0);
        }
        let end = self.m.terms.bv(32, found.len() as u128);
        let is_within = self.m.terms.ult(index, end);
        self.hold(is_within)?;
        for (number, bytes) in (0..).zip(found) {
            let number = self.m.terms.bv(32, number);
            let here = self.m.terms.eq(index, number);
            let equal = self.equal(input, bytes, 0)?;
            let holds = self.m.terms.implies(here, equal);
            self.hold(holds)?;
        }
        Some(())
    }

    /// Under a guard: beyond the end of an array it does not matter what an element is.
    fn element_is(&mut self, input: &Input, bytes: &Bytes, guard: Term) -> Option<()> {
        match self.m.terms.as_bool(guard) {
            Some(true) => self.input(input, bytes, 0),
            Some(false) => Some(()),
            None if matches!(input, Input::Scalar { .. } | Input::Computed { .. }) => {
                let equal = self.equal(input, bytes, 0)?;
                let holds = self.m.terms.implies(guard, equal);
                self.hold(holds)
            }
            None if self.m.depends_on(self.path.state, self.path.footprint, input) => {
                self.hold(guard)?;
                self.input(input, bytes, 0)
            }
            None => Some(()),
        }
    }

    fn element(&mut self, block: BlockId, index: u32, first: u32, size: u32) -> Option<Bytes> {
        if let Some(cells) = cells_of(self.made.state, block) {
            return Some((*self.m.cell(self.made.state, &cells, index).ok()?).clone());
        }
        let bytes = &self.made.state.heap.get(block)?.bytes;
        bytes.slice((first + index * size) as usize, size as usize, &mut self.m.terms).ok()
    }

    /// A list is the part of its array that is in use.
    pub(super) fn list(&mut self, items: Symbol, array: TypeId, bytes: &Bytes, ty: TypeId) -> Option<()> {
        let Contents::Array { element, length, .. } = *self.m.inputs.contents_of(items, array)?.clone()
        else {
            return None;
        };
        let block = self.array_of(bytes, ty, "_items")?;
        let count = self.field(bytes, ty, "_size", 4)?;
        self.elements(items, (element, length), block, count, ELEMENTS)
    }

    /// Collections that their own methods fill. The private fields are those of the runtime at hand; where they are called
    /// otherwise, there is no binding.
    pub(super) fn filled(&mut self, items: &[Vec<Input>], bytes: &Bytes, ty: TypeId) -> Option<()> {
        let name = self.m.universe.type_name(self.m.universe.definition(ty));
        let (count_field, parts): (&str, &[&str]) = match name.as_str() {
            "System.Collections.Generic.Dictionary`2" => ("_count", &["key", "value"]),
            "System.Collections.Generic.HashSet`1" => ("_count", &["Value"]),
            "System.Collections.Generic.Stack`1" | "System.Collections.Generic.Queue`1" => ("_size", &[]),
            _ => return None,
        };
        let items = if parts.is_empty() { items.to_vec() } else { self.distinct(items) };
        let count = self.known(bytes, ty, count_field)?;
        if count != items.len() as u64 || !parts.is_empty() && self.known(bytes, ty, "_freeCount")? != 0 {
            return None;
        }
        if items.is_empty() {
            return Some(());
        }
        let entries = if parts.is_empty() { "_array" } else { "_entries" };
        let block = self.array_of(bytes, ty, entries)?;
        let array = self.made.state.heap.get(block)?.clone();
        let crate::heap::BlockKind::Object(array_type) = array.kind else { return None };
        let element = self.m.universe.array_element(array_type)?;
        let size = repr_of(&self.m.universe, element).ok()?.size();
        let Bits::Concrete(length) = array.bytes.read(0, 4, &mut self.m.terms).ok()? else { return None };
        let is_queue = name.ends_with(".Queue`1");
        let head = if is_queue { self.known(bytes, ty, "_head")? } else { 0 };
        for (number, item) in (0u64..).zip(&items) {
            let index = (head + number) % length.max(1);
            let place = self.element(block, u32::try_from(index).ok()?, ELEMENTS, size)?;
            match (parts, &item[..]) {
                ([], [value]) => self.input(value, &place, 0)?,
                (parts, values) if parts.len() == values.len() => {
                    for (part, value) in parts.iter().zip(values) {
                        let field = self.m.universe.find_field(element, part).ok()??;
                        let offset = self.m.universe.field_offset(field).ok()? as usize;
                        self.input(value, &place, offset)?;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The items that are there in the end: a later value replaces that of the same key, which the path has decided.
    fn distinct(&mut self, items: &[Vec<Input>]) -> Vec<Vec<Input>> {
        let mut kept: Vec<(Option<Vec<u128>>, Vec<Input>)> = Vec::new();
        for item in items {
            let key = item.first().and_then(|key| self.number(key));
            match kept.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
                Some((_, there)) => {
                    if let ([_, value], [_, place]) = (&item[..], &mut there[..]) {
                        *place = value.clone();
                    }
                }
                None => kept.push((key, item.clone())),
            }
        }
        kept.into_iter().map(|(_, item)| item).collect()
    }

    /// What a number of the path is in its model; `None` if it is none.
    fn number(&mut self, input: &Input) -> Option<Vec<u128>> {
        if !matches!(input, Input::Scalar { .. } | Input::Computed { .. }) {
            return None;
        }
        let size = self.m.universe.size_of(input_type(input)).ok()? as usize;
        let mut bytes = Bytes::zeroed(size);
        self.m.place_input(&mut bytes, 0, input).ok()?;
        let patches = bytes.patches().iter();
        Some(patches.map(|patch| self.m.terms.eval(patch.term, self.path.model).bits()).collect())
    }

    /// The array behind a field.
    fn array_of(&mut self, bytes: &Bytes, ty: TypeId, name: &str) -> Option<BlockId> {
        let address = match self.field(bytes, ty, name, 8)? {
            Bits::Concrete(address) => address,
            Bits::Symbolic(_) => return None,
        };
        (address != 0).then(|| split_address(address).0)
    }

    fn known(&mut self, bytes: &Bytes, ty: TypeId, name: &str) -> Option<u64> {
        match self.field(bytes, ty, name, 4)? {
            Bits::Concrete(value) => Some(value),
            Bits::Symbolic(_) => None,
        }
    }

    fn field(&mut self, bytes: &Bytes, ty: TypeId, name: &str, size: usize) -> Option<Bits> {
        let field = self.m.universe.find_field(ty, name).ok()??;
        let offset = self.m.universe.field_offset(field).ok()? as usize;
        bytes.read(offset, size, &mut self.m.terms).ok()
    }
}
