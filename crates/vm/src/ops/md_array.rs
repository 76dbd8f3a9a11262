//! Arrays of several dimensions, as on CoreCLR: total length, then the length of each dimension, then the lower bound of
//! each, then the elements, the last dimension running fastest.

use types::{ArrayMethod, Type, TypeId};

use crate::bytes::Bytes;
use crate::heap::BlockKind;
use crate::machine::{Flow, Machine, Step, give_up, pop, push, unsupported};

use crate::ops::{ELEMENTS, TOO_LARGE};
use crate::state::State;
use crate::stop::RuntimeException;
use crate::value::{Repr, Value};
use verdict::Gap;

/// An element found by its indices, or the exception they cause.
type Place = Result<(u64, Repr), RuntimeException>;

impl Machine {
    /// `newobj` of an array: lengths, or a lower bound and a length for each dimension, are on the stack.
    pub fn new_md_array(&mut self, s: &mut State, ty: TypeId, count: usize) -> Step {
        let (element, rank) = self.shape(s, ty)?;
        let mut numbers = Vec::with_capacity(count);
        for depth in (0..count).rev() {
            numbers.push(self.integer(s, depth)?);
        }
        let bounds: Vec<(i32, i32)> = match numbers.len() {
            n if n == rank => numbers.iter().map(|len| (0, *len)).collect(),
            n if n == 2 * rank => numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect(),
            _ => return Err(give_up(s, Gap::invalid_code("an array of another rank"))),
        };
        s.top.stack.truncate(s.top.stack.len().saturating_sub(count));
        if bounds.iter().any(|(_, len)| *len < 0) {
            return self.throw_new(s, RuntimeException::Overflow);
        }
        match self.allocate_md_array(s, ty, element, &bounds)? {
            Some(array) => push(s, Value::address(array)),
            None => self.throw_saying(s, RuntimeException::OutOfMemory, TOO_LARGE),
        }
    }

    /// `bounds` are lower bounds and lengths; `None` when there would be too many elements.
    pub fn allocate_md_array(
        &mut self,
        s: &mut State,
        ty: TypeId,
        element: TypeId,
        bounds: &[(i32, i32)],
    ) -> Step<Option<u64>> {
        let size = self.repr_of(element).map_err(|gap| give_up(s, gap))?.size();
        let lengths = bounds.iter().map(|(_, len)| u64::from(len.cast_unsigned()));
        let total = lengths.fold(1u64, |product, len| product.saturating_mul(len));
        if total > 0x7fff_ffc7 {
            return Ok(None);
        }
        let header = u64::from(ELEMENTS) + 8 * bounds.len() as u64;
        let bytes = header + total * u64::from(size);
        self.check_memory(s, bytes)?;
        if bytes > u64::from(u32::MAX) {
            return Err(give_up(s, Gap::memory_limit()));
        }
        let mut data = Vec::with_capacity(bytes as usize);
        data.extend_from_slice(&total.to_le_bytes());
        data.extend(bounds.iter().flat_map(|(_, len)| len.to_le_bytes()));
        data.extend(bounds.iter().flat_map(|(lower, _)| lower.to_le_bytes()));
        data.resize(bytes as usize, 0);
        Ok(Some(s.heap.allocate(BlockKind::Object(ty), Bytes::from_vec(data)).address()))
    }

    /// `Get`, `Set` and `Address`: the array, its indices and perhaps a value are the `count` topmost operands.
    pub(crate) fn md_array_access(&mut self, s: &mut State, method: ArrayMethod, count: usize) -> Step {
        let Some(array) = self.address(s, count - 1)? else { return self.null_reference(s) };
        let above = usize::from(method == ArrayMethod::Set);
        let (address, repr) = match self.md_element(s, array, count, above)? {
            Ok(place) => place,
            Err(exception) => return self.throw_new(s, exception),
        };
        let left = s.top.stack.len().saturating_sub(count);
        match method {
            ArrayMethod::Get => {
                let value = self.load(s, address, repr)?;
                s.top.stack.truncate(left);
                push(s, value)
            }
            ArrayMethod::Address => {
                s.top.stack.truncate(left);
                push(s, Value::address(address))
            }
            ArrayMethod::Set => {
                if repr == Repr::Ref && !self.can_hold(s, array)? {
                    return self.throw_new(s, RuntimeException::ArrayTypeMismatch);
                }
                let value = pop(s)?;
                s.top.stack.truncate(left);
                self.store(s, address, repr, value)?;
                Ok(Flow::Next)
            }
            ArrayMethod::Constructor { .. } => {
                Err(give_up(s, Gap::invalid_code("a call of an array's constructor")))
            }
        }
    }

    fn md_element(&mut self, s: &State, array: u64, count: usize, above: usize) -> Step<Place> {
        let ty = self.object_type(s, array)?;
        if let Type::SzArray(element) = *self.universe.ty(ty) {
            return self.vector_element(s, array, element, above);
        }
        let (element, rank) = self.shape(s, ty)?;
        if count != rank + 1 + above {
            return Err(give_up(s, Gap::invalid_code("an access with another number of indices")));
        }
        let repr = self.repr_of(element).map_err(|gap| give_up(s, gap))?;
        let mut number = 0u64;
        for dimension in 0..rank {
            let index = self.integer(s, rank - 1 - dimension + above)?;
            let at = array + u64::from(ELEMENTS) + 4 * dimension as u64;
            let len = self.load(s, at, Repr::I4)?;
            let lower = self.load(s, at + 4 * rank as u64, Repr::I4)?;
            let (Value::I32(len), Value::I32(lower)) = (len, lower) else {
                return Err(unsupported(s, "an array of symbolic bounds"));
            };
            let offset = index.wrapping_sub(lower).cast_unsigned();
            if offset >= len.cast_unsigned() {
                return Ok(Err(RuntimeException::IndexOutOfRange));
            }
            number = number * u64::from(len.cast_unsigned()) + u64::from(offset);
        }
        let header = u64::from(ELEMENTS) + 8 * rank as u64;
        Ok(Ok((array + header + number * u64::from(repr.size()), repr)))
    }

    /// An element of a vector, which reflection reaches by the same methods.
    fn vector_element(&mut self, s: &State, array: u64, element: TypeId, above: usize) -> Step<Place> {
        let repr = self.repr_of(element).map_err(|gap| give_up(s, gap))?;
        let index = self.integer(s, above)?.cast_unsigned();
        if index >= self.array_len(s, array)? {
            return Ok(Err(RuntimeException::IndexOutOfRange));
        }
        Ok(Ok((array + u64::from(ELEMENTS) + u64::from(index) * u64::from(repr.size()), repr)))
    }

    fn shape(&self, s: &State, ty: TypeId) -> Step<(TypeId, usize)> {
        match self.universe.ty(ty) {
            Type::Array { elem, rank } => Ok((*elem, *rank as usize)),
            _ => Err(give_up(s, Gap::invalid_code("an array of several dimensions was expected"))),
        }
    }

    fn integer(&mut self, s: &State, depth: usize) -> Step<i32> {
        match self.concrete_int(s, depth)? {
            Some(value) => Ok(value as i32),
            None => Err(unsupported(s, "an index that is no integer")),
        }
    }
}
