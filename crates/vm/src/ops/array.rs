//! Vectors (one-dimensional arrays from zero). The length is the first word, elements start at [`ELEMENTS`], as on CoreCLR.

use std::rc::Rc;

use term::Term;
use types::TypeId;

use crate::bytes::{Bits, Bytes, OutOfBounds};
use crate::cells::{Base, Cells, cells_of, lost};
use crate::heap::{BlockId, BlockKind, split_address};
use crate::machine::{Flow, Machine, Step, fork, give_up, peek, pop, push, unsupported};
use crate::shared_memory::Read;
use crate::state::State;
use crate::stop::{Action, Choice, RuntimeException, Stop};
use crate::value::{Repr, Value};
use verdict::Gap;

/// Offset of the first element.
pub const ELEMENTS: u32 = 8;

/// The most elements that the runtime allows.
pub(crate) const MAX_LENGTH: u64 = 0x7fff_ffc7;
/// The most characters that a string can have on CoreCLR.
pub const LONGEST_STRING: u64 = 0x3fff_ffdf;
/// The most elements for which there is memory at once where lengths stay open.
const MOST_AT_ONCE: i64 = 1 << 16;
/// Bytes of a table that is searched at symbolic indexes.
const MAX_TABLE: usize = 4_096;

/// An index or a length.
#[derive(Clone, Copy)]
enum Index {
    Known(u32),
    Symbolic(Term),
}

/// What the runtime says of an array with more elements than it allows.
pub(crate) const TOO_LARGE: &str = "Array dimensions exceeded supported range.";

impl Machine {
    pub fn newarr(&mut self, s: &mut State, element: TypeId) -> Step {
        if let Value::Term(len) = *peek(s, 0)?
            && self.width(len) == 32
        {
            return self.new_symbolic(s, element, len);
        }
        let Some(len) = self.concrete_int(s, 0)? else {
            return Err(unsupported(s, "the length of an array"));
        };
        if len < 0 || len > i64::from(i32::MAX) {
            return self.throw_new(s, RuntimeException::Overflow);
        }
        if self.inputs.keeps_lengths && len > MOST_AT_ONCE && len as u64 <= MAX_LENGTH {
            let len = self.terms.bv(32, len as u128);
            let block = self.open_array(s, element, len)?;
            pop(s)?;
            return push(s, Value::address(block.address()));
        }
        let address = self.allocate_array(s, element, len as u64)?;
        pop(s)?;
        match address {
            Some(address) => push(s, Value::address(address)),
            None if len as u64 > MAX_LENGTH => self.throw_saying(s, RuntimeException::OutOfMemory, TOO_LARGE),
            None => self.throw_new(s, RuntimeException::OutOfMemory),
        }
    }

    /// A zeroed vector of symbolic length.
    fn new_symbolic(&mut self, s: &mut State, element: TypeId, len: Term) -> Step {
        pop(s)?;
        let block = self.open_array(s, element, len)?;
        let zero = self.terms.bv(32, 0);
        let most = self.terms.bv(32, MAX_LENGTH.into());
        let negative = self.terms.slt(len, zero);
        let too_long = self.terms.sgt(len, most);
        let fits = self.terms.ule(len, most);
        Err(fork(vec![
            Choice { guard: negative, action: Action::Throw(RuntimeException::Overflow) },
            Choice { guard: too_long, action: Action::Throw(RuntimeException::OutOfMemory) },
            Choice { guard: fits, action: Action::Continue(Some(Value::address(block.address()))) },
        ]))
    }

    fn open_array(&mut self, s: &mut State, element: TypeId, len: Term) -> Step<BlockId> {
        let made = self.repr_of(element).and_then(|repr| {
            let ty = self.universe.make_sz_array(element)?;
            let cells = Cells::new(ELEMENTS, repr.size(), Base::Zero, self.config.split);
            self.cells_block(s, ty, len, cells)
        });
        made.map_err(|gap| give_up(s, gap))
    }

    /// A zeroed vector; `None` when it is larger than the runtime allows.
    pub fn allocate_array(&mut self, s: &mut State, element: TypeId, len: u64) -> Step<Option<u64>> {
        let size = match self.repr_of(element) {
            Ok(repr) => u64::from(repr.size()),
            Err(gap) => return Err(give_up(s, gap)),
        };
        if len > MAX_LENGTH {
            return Ok(None);
        }
        let bytes = len * size + u64::from(ELEMENTS);
        if !self.make_room(s, bytes)? {
            if s.collects() {
                return Ok(None);
            }
            return Err(give_up(s, Gap::memory_limit()));
        }
        if bytes > u64::from(u32::MAX) {
            return Err(give_up(s, Gap::memory_limit()));
        }
        if s.collector.is_due(s) {
            s.pause_at = s.steps;
        }
        let ty = match self.universe.make_sz_array(element) {
            Ok(ty) => ty,
            Err(error) => return Err(give_up(s, error.into())),
        };
        let mut data = vec![0; bytes as usize];
        data[..4].copy_from_slice(&(len as u32).to_le_bytes());
        let block = s.heap.allocate(BlockKind::Object(ty), Bytes::from_vec(data));
        Ok(Some(block.address()))
    }

    pub fn ldlen(&mut self, s: &mut State) -> Step {
        let Some(array) = self.address(s, 0)? else { return self.null_reference(s) };
        let len = match self.length(s, array)? {
            Index::Known(len) => Value::I64(i64::from(len)),
            Index::Symbolic(len) => Value::Term(self.terms.zext(len, 64)),
        };
        pop(s)?;
        push(s, len)
    }

    pub fn ldelem(&mut self, s: &mut State, _element: TypeId, repr: Repr) -> Step {
        let Some(array) = self.address(s, 1)? else { return self.null_reference(s) };
        let len = self.length(s, array)?;
        let index = self.index(s, 0)?;
        if is_beyond(index, len) {
            return self.throw_new(s, RuntimeException::IndexOutOfRange);
        }
        let value = match index {
            Index::Known(index) => self.load(s, element_address(array, index, repr), repr)?,
            Index::Symbolic(index) => match self.element_at(s, array, index, repr)? {
                Some(value) => value,
                None => return Err(Box::new(Stop::Concretize { term: index, depth: 0 })),
            },
        };
        let value = match index {
            Index::Known(index) => {
                let address = element_address(array, index, repr);
                self.read_by(s, Read::through(address, repr), value)
            }
            Index::Symbolic(_) => self.read_element_by(s, array, repr, value),
        };
        pop(s)?;
        pop(s)?;
        if is_within(index, len) {
            return push(s, value);
        }
        self.in_range_or_throw(index, len, Some(value))
    }

    pub fn ldelema(&mut self, s: &mut State, element: TypeId, readonly: bool) -> Step {
        let Some(array) = self.address(s, 1)? else { return self.null_reference(s) };
        // Who gets a reference may write any such object to it.
        if !readonly
            && !self.universe.is_value_type(element)
            && let types::Type::SzArray(actual) = self.universe.ty(self.object_type(s, array)?)
            && *actual != element
        {
            return self.throw_new(s, RuntimeException::ArrayTypeMismatch);
        }
        if !readonly && !self.universe.is_value_type(element) {
            self.note_exact_class(s, array);
        }
        let len = self.length(s, array)?;
        let repr = self.repr_of(element).map_err(|gap| give_up(s, gap))?;
        let index = self.index(s, 0)?;
        if is_beyond(index, len) {
            return self.throw_new(s, RuntimeException::IndexOutOfRange);
        }
        pop(s)?;
        pop(s)?;
        let address = match index {
            Index::Known(index) => Value::address(element_address(array, index, repr)),
            Index::Symbolic(index) => {
                let t = &mut self.terms;
                let wide = t.zext(index, 64);
                let size = t.bv(64, u128::from(repr.size()));
                let offset = t.mul(wide, size);
                let base = t.bv(64, u128::from(element_address(array, 0, repr)));
                Value::Term(t.add(base, offset))
            }
        };
        if is_within(index, len) {
            return push(s, address);
        }
        self.in_range_or_throw(index, len, Some(address))
    }

    pub fn stelem(&mut self, s: &mut State, _element: TypeId, repr: Repr) -> Step {
        let Some(array) = self.address(s, 2)? else { return self.null_reference(s) };
        let len = self.length(s, array)?;
        let index = self.index(s, 1)?;
        if is_beyond(index, len) {
            return self.throw_new(s, RuntimeException::IndexOutOfRange);
        }
        if repr == Repr::Ref && !self.can_hold(s, array)? {
            if is_within(index, len) {
                return self.throw_new(s, RuntimeException::ArrayTypeMismatch);
            }
            return self.in_range_or(index, len, Action::Throw(RuntimeException::ArrayTypeMismatch));
        }
        // A store out of bounds is never seen, so it does no harm on the exceptional path.
        if let Index::Symbolic(index) = index {
            let value = peek(s, 0)?.clone();
            if !self.set_element_at(s, array, index, repr, &value)? {
                return Err(Box::new(Stop::Concretize { term: index, depth: 1 }));
            }
        }
        let value = pop(s)?;
        pop(s)?;
        pop(s)?;
        self.note_stored(s, array, &value);
        if let Index::Known(index) = index {
            self.store(s, element_address(array, index, repr), repr, value)?;
        }
        match index {
            Index::Known(index) => self.note_write(s, element_address(array, index, repr)),
            Index::Symbolic(_) => self.note_element_write(s, array),
        }
        if is_within(index, len) {
            return Ok(Flow::Next);
        }
        self.in_range_or_throw(index, len, None)
    }

    /// The element at a symbolic index within bounds; `None` if only trying out the indexes helps.
    pub(crate) fn element_at(
        &mut self,
        s: &mut State,
        array: u64,
        index: Term,
        repr: Repr,
    ) -> Step<Option<Value>> {
        let (block, _) = split_address(array);
        if cells_of(s, block).is_none() {
            let len = self.array_len(s, array)?;
            if self.spreads(len, repr) {
                return self.select(s, array, len, index, repr).map(Some);
            }
            if !self.make_cells(s, array, len, repr)? {
                return Ok(None);
            }
        }
        let Some(cells) = cells_of(s, block) else { return Err(lost(s)) };
        let cell = self.cell_at(s, &cells, index)?;
        self.cell_value(s, &cell, repr).map(Some)
    }

    /// Stores at a symbolic index; `false` if only trying out the indexes helps.
    pub(crate) fn set_element_at(
        &mut self,
        s: &mut State,
        array: u64,
        index: Term,
        repr: Repr,
        value: &Value,
    ) -> Step<bool> {
        let (block, _) = split_address(array);
        if cells_of(s, block).is_none() {
            let len = self.array_len(s, array)?;
            if self.spreads(len, repr) && repr != Repr::Ref {
                self.spread(s, array, len, index, repr, value)?;
                return Ok(true);
            }
            if !self.make_cells(s, array, len, repr)? {
                return Ok(false);
            }
        }
        let cell = self.cell_of(s, value, repr)?;
        self.set_cell(s, block, memory::Index::Symbolic(index), cell)?;
        Ok(true)
    }

    /// A value as the bytes of an element.
    pub(crate) fn cell_of(&mut self, s: &State, value: &Value, repr: Repr) -> Step<Rc<Bytes>> {
        if let Value::Struct(bytes) = value {
            return Ok(Rc::clone(bytes));
        }
        let scalar = self.narrow(value.clone(), repr)?;
        let mut cell = Bytes::zeroed(repr.size() as usize);
        let written = match self.bits(&scalar, repr) {
            Some(bits) => cell.write(0, repr.size() as usize, bits, &mut self.terms),
            None => Err(OutOfBounds),
        };
        written.map_err(|OutOfBounds| unsupported(s, "a store at a symbolic index"))?;
        Ok(Rc::new(cell))
    }

    fn cell_value(&mut self, s: &State, cell: &Rc<Bytes>, repr: Repr) -> Step<Value> {
        if let Repr::Struct { .. } = repr {
            return Ok(Value::Struct(Rc::clone(cell)));
        }
        match cell.read(0, repr.size() as usize, &mut self.terms) {
            Ok(bits) => Ok(self.widen(bits, repr)),
            Err(OutOfBounds) => Err(unsupported(s, "a symbolic index into these elements")),
        }
    }

    /// Turns a vector of known length into one with cells; `false` if that would not pay.
    pub(crate) fn make_cells(&mut self, s: &mut State, array: u64, len: u32, repr: Repr) -> Step<bool> {
        let bytes = self.load_bytes(s, array + u64::from(ELEMENTS), len as usize * repr.size() as usize)?;
        let used = bytes.plain().iter().filter(|byte| **byte != 0).count() + bytes.patches().len();
        if used > MAX_TABLE {
            return Ok(false);
        }
        let table = if used == 0 { Base::Zero } else { Base::Table(Rc::new(bytes)) };
        let (block, _) = split_address(array);
        let header = self.load_bytes(s, array, ELEMENTS as usize)?;
        if let Some(block) = s.heap.get_mut(block) {
            block.bytes = header;
            block.cells = Some(Rc::new(Cells::new(ELEMENTS, repr.size(), table, self.config.split)));
        }
        Ok(true)
    }

    /// Whether a read or write at a symbolic index becomes a term over all elements.
    fn spreads(&self, len: u32, repr: Repr) -> bool {
        len <= self.config.max_spread && !matches!(repr, Repr::Struct { .. })
    }

    /// The element at a symbolic index, for an index within bounds.
    fn select(&mut self, s: &State, array: u64, len: u32, index: Term, repr: Repr) -> Step<Value> {
        let width = 8 * repr.size();
        let mut result = self.terms.bv(width, 0);
        for i in (0..len).rev() {
            let value = self.load(s, element_address(array, i, repr), repr)?;
            let Some(element) = self.bits_term(&value, repr) else {
                return Err(unsupported(s, "a symbolic index into these elements"));
            };
            let number = self.terms.bv(32, u128::from(i));
            let here = self.terms.eq(index, number);
            result = if i + 1 == len { element } else { self.terms.ite(here, element, result) };
        }
        Ok(self.widen(Bits::Symbolic(result), repr))
    }

    /// Stores at a symbolic index: every element keeps its value unless the index is its own. An index out of bounds
    /// changes nothing, so this is right on the exceptional path as well.
    fn spread(
        &mut self,
        s: &mut State,
        array: u64,
        len: u32,
        index: Term,
        repr: Repr,
        value: &Value,
    ) -> Step<()> {
        for i in 0..len {
            let address = element_address(array, i, repr);
            let old = self.load(s, address, repr)?;
            let number = self.terms.bv(32, u128::from(i));
            let here = self.terms.eq(index, number);
            let new = self.narrow(value.clone(), repr)?;
            let (Some(old), Some(new)) = (self.bits_term(&old, repr), self.bits_term(&new, repr)) else {
                return Err(unsupported(s, "a store at a symbolic index"));
            };
            let merged = self.terms.ite(here, new, old);
            let merged = self.widen(Bits::Symbolic(merged), repr);
            self.store(s, address, repr, merged)?;
        }
        Ok(())
    }

    /// The bits of an element as a term of its width.
    fn bits_term(&mut self, value: &Value, repr: Repr) -> Option<Term> {
        let width = 8 * repr.size();
        Some(match self.bits(value, repr)? {
            Bits::Concrete(bits) => self.terms.bv(width, u128::from(bits) & (u128::MAX >> (128 - width))),
            Bits::Symbolic(term) => term,
        })
    }

    /// A fork between an index out of range and going on with `value`.
    fn in_range_or_throw(&mut self, index: Index, len: Index, value: Option<Value>) -> Step {
        self.in_range_or(index, len, Action::Continue(value))
    }

    fn in_range_or(&mut self, index: Index, len: Index, action: Action) -> Step {
        let (index, len) = (self.index_term(index), self.index_term(len));
        let beyond = self.terms.uge(index, len);
        let within = self.terms.not(beyond);
        Err(fork(vec![
            Choice { guard: beyond, action: Action::Throw(RuntimeException::IndexOutOfRange) },
            Choice { guard: within, action },
        ]))
    }

    fn index_term(&mut self, index: Index) -> Term {
        match index {
            Index::Known(index) => self.terms.bv(32, u128::from(index)),
            Index::Symbolic(index) => index,
        }
    }

    fn index(&mut self, s: &State, depth: usize) -> Step<Index> {
        Ok(match peek(s, depth)? {
            Value::I32(v) => Index::Known(v.cast_unsigned()),
            Value::I64(v) => Index::Known(u32::try_from(*v).unwrap_or(u32::MAX)),
            Value::Term(term) if self.width(*term) == 32 => Index::Symbolic(*term),
            Value::Term(term) if self.width(*term) == 64 => {
                return Err(Box::new(Stop::Concretize { term: *term, depth }));
            }
            _ => return Err(unsupported(s, "an index that is not an integer")),
        })
    }

    /// The length of a vector, which must be known.
    pub fn array_len(&mut self, s: &State, array: u64) -> Step<u32> {
        match self.length(s, array)? {
            Index::Known(len) => Ok(len),
            Index::Symbolic(_) => Err(unsupported(s, "an array of symbolic length")),
        }
    }

    fn length(&mut self, s: &State, array: u64) -> Step<Index> {
        match self.load(s, array, Repr::I4)? {
            Value::I32(len) => Ok(Index::Known(len.cast_unsigned())),
            Value::Term(len) => Ok(Index::Symbolic(len)),
            _ => Err(unsupported(s, "an array without a length")),
        }
    }

    /// Whether the reference on top of the stack may be stored into this array (array covariance).
    pub(crate) fn can_hold(&mut self, s: &State, array: u64) -> Step<bool> {
        let Some(value) = self.address(s, 0)? else { return Ok(true) };
        let array_type = self.object_type(s, array)?;
        self.note_exact_class(s, array);
        match self.universe.array_element(array_type) {
            Some(element) => self.is_instance(s, value, element),
            None => Err(give_up(s, Gap::invalid_code("an array was expected"))),
        }
    }
}

fn is_within(index: Index, len: Index) -> bool {
    matches!((index, len), (Index::Known(index), Index::Known(len)) if index < len)
}

fn is_beyond(index: Index, len: Index) -> bool {
    matches!((index, len), (Index::Known(index), Index::Known(len)) if index >= len)
}

fn element_address(array: u64, index: u32, repr: Repr) -> u64 {
    let (block, _) = split_address(array);
    block.address() + u64::from(ELEMENTS) + u64::from(index) * u64::from(repr.size())
}
