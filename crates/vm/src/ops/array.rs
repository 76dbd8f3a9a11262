//! Vectors (one-dimensional arrays from zero). The length is the first word, elements start at [`ELEMENTS`], as on CoreCLR.

use term::Term;
use types::TypeId;

use crate::bytes::{Bits, Bytes};
use crate::decode::repr_of;
use crate::heap::{BlockKind, split_address};
use crate::machine::{Flow, Machine, Step, fork, give_up, peek, pop, push, unsupported};
use crate::state::State;
use crate::stop::{Action, Choice, Reason, RuntimeException, Stop};
use crate::value::{Repr, Value};

/// Offset of the first element.
pub(crate) const ELEMENTS: u32 = 8;

/// Elements of an array at most.
const MAX_LENGTH: u64 = 0x7fff_ffc7;

/// An index operand.
enum Index {
    Known(u32),
    Symbolic(Term),
}

/// What the runtime says of an array with more elements than it allows.
pub(crate) const TOO_LARGE: &str = "Array dimensions exceeded supported range.";

impl Machine {
    pub(crate) fn newarr(&mut self, s: &mut State, element: TypeId) -> Step {
        let Some(len) = self.concrete_int(s, 0)? else {
            return Err(unsupported(s, "the length of an array"));
        };
        if len < 0 || len > i64::from(i32::MAX) {
            return self.throw_new(s, RuntimeException::Overflow);
        }
        let address = self.allocate_array(s, element, len as u64)?;
        pop(s)?;
        match address {
            Some(address) => push(s, Value::address(address)),
            None if len as u64 > MAX_LENGTH => self.throw_saying(s, RuntimeException::OutOfMemory, TOO_LARGE),
            None => self.throw_new(s, RuntimeException::OutOfMemory),
        }
    }

    /// A zeroed vector; `None` when it is larger than the runtime allows.
    pub(crate) fn allocate_array(&mut self, s: &mut State, element: TypeId, len: u64) -> Step<Option<u64>> {
        let size = match repr_of(&self.universe, element) {
            Ok(repr) => u64::from(repr.size()),
            Err(reason) => return Err(give_up(s, reason)),
        };
        if len > MAX_LENGTH {
            return Ok(None);
        }
        let bytes = len * size + u64::from(ELEMENTS);
        if !self.make_room(s, bytes)? {
            if s.collects() {
                return Ok(None);
            }
            return Err(give_up(s, Reason::MemoryLimit));
        }
        if bytes > u64::from(u32::MAX) {
            return Err(give_up(s, Reason::MemoryLimit));
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

    pub(crate) fn ldlen(&mut self, s: &mut State) -> Step {
        let Some(array) = self.address(s, 0)? else { return self.null_reference(s) };
        let len = self.array_len(s, array)?;
        pop(s)?;
        push(s, Value::I64(i64::from(len)))
    }

    pub(crate) fn ldelem(&mut self, s: &mut State, _element: TypeId, repr: Repr) -> Step {
        let Some(array) = self.address(s, 1)? else { return self.null_reference(s) };
        let len = self.array_len(s, array)?;
        match self.index(s, 0)? {
            Index::Known(index) if index < len => {
                let value = self.load(s, element_address(array, index, repr), repr)?;
                pop(s)?;
                pop(s)?;
                push(s, value)
            }
            Index::Known(_) => self.throw_new(s, RuntimeException::IndexOutOfRange),
            Index::Symbolic(index) => {
                if !self.spreads(len, repr) {
                    return Err(Box::new(Stop::Concretize { term: index, depth: 0 }));
                }
                let value = self.select(s, array, len, index, repr)?;
                pop(s)?;
                pop(s)?;
                self.in_range_or_throw(index, len, value)
            }
        }
    }

    pub(crate) fn ldelema(&mut self, s: &mut State, element: TypeId, readonly: bool) -> Step {
        let Some(array) = self.address(s, 1)? else { return self.null_reference(s) };
        // Who gets a reference may write any such object to it.
        if !readonly
            && !self.universe.is_value_type(element)
            && let types::Type::SzArray(actual) = self.universe.ty(self.object_type(s, array)?)
            && *actual != element
        {
            return self.throw_new(s, RuntimeException::ArrayTypeMismatch);
        }
        let len = self.array_len(s, array)?;
        let repr = repr_of(&self.universe, element).map_err(|reason| give_up(s, reason))?;
        match self.index(s, 0)? {
            Index::Known(index) if index < len => {
                pop(s)?;
                pop(s)?;
                push(s, Value::address(element_address(array, index, repr)))
            }
            Index::Known(_) => self.throw_new(s, RuntimeException::IndexOutOfRange),
            Index::Symbolic(index) => {
                pop(s)?;
                pop(s)?;
                let t = &mut self.terms;
                let wide = t.zext(index, 64);
                let size = t.bv(64, u128::from(repr.size()));
                let offset = t.mul(wide, size);
                let base = t.bv(64, u128::from(element_address(array, 0, repr)));
                let address = t.add(base, offset);
                self.in_range_or_throw(index, len, Value::Term(address))
            }
        }
    }

    pub(crate) fn stelem(&mut self, s: &mut State, _element: TypeId, repr: Repr) -> Step {
        let Some(array) = self.address(s, 2)? else { return self.null_reference(s) };
        let len = self.array_len(s, array)?;
        let index = self.index(s, 1)?;
        let beyond = matches!(index, Index::Known(index) if index >= len);
        if repr == Repr::Ref && !beyond && !self.can_hold(s, array)? {
            return self.throw_new(s, RuntimeException::ArrayTypeMismatch);
        }
        match index {
            Index::Known(index) if index < len => {
                let value = pop(s)?;
                pop(s)?;
                pop(s)?;
                self.store(s, element_address(array, index, repr), repr, value)?;
                Ok(Flow::Next)
            }
            Index::Known(_) => self.throw_new(s, RuntimeException::IndexOutOfRange),
            Index::Symbolic(index) => {
                if !self.spreads(len, repr) || repr == Repr::Ref {
                    return Err(Box::new(Stop::Concretize { term: index, depth: 1 }));
                }
                let value = pop(s)?;
                pop(s)?;
                pop(s)?;
                self.spread(s, array, len, index, repr, &value)?;
                self.in_range_or_throw_void(index, len)
            }
        }
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

    fn in_range_or_throw(&mut self, index: Term, len: u32, value: Value) -> Step {
        let bound = self.terms.bv(32, u128::from(len));
        let beyond = self.terms.uge(index, bound);
        self.unless(beyond, RuntimeException::IndexOutOfRange, Some(value))
    }

    fn in_range_or_throw_void(&mut self, index: Term, len: u32) -> Step {
        let bound = self.terms.bv(32, u128::from(len));
        let beyond = self.terms.uge(index, bound);
        let within = self.terms.not(beyond);
        Err(fork(vec![
            Choice { guard: beyond, action: Action::Throw(RuntimeException::IndexOutOfRange) },
            Choice { guard: within, action: Action::Continue(None) },
        ]))
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

    pub(crate) fn array_len(&mut self, s: &State, array: u64) -> Step<u32> {
        match self.load(s, array, Repr::I4)? {
            Value::I32(len) => Ok(len.cast_unsigned()),
            _ => Err(unsupported(s, "an array of symbolic length")),
        }
    }

    /// Whether the reference on top of the stack may be stored into this array (array covariance).
    pub(crate) fn can_hold(&mut self, s: &State, array: u64) -> Step<bool> {
        let Some(value) = self.address(s, 0)? else { return Ok(true) };
        let array_type = self.object_type(s, array)?;
        let value_type = self.object_type(s, value)?;
        match self.universe.array_element(array_type) {
            Some(element) => match self.universe.is_assignable(value_type, element) {
                Ok(fits) => Ok(fits),
                Err(error) => Err(give_up(s, error.into())),
            },
            None => Err(give_up(s, Reason::BadImage("an array was expected".into()))),
        }
    }
}

fn element_address(array: u64, index: u32, repr: Repr) -> u64 {
    let (block, _) = split_address(array);
    block.address() + u64::from(ELEMENTS) + u64::from(index) * u64::from(repr.size())
}
