//! Memory through addresses: loads, stores, block operations, variables whose address is taken.

use crate::bytes::{Bits, Bytes, OutOfBounds};
use crate::cells::cells_of;
use crate::code::Code;
use crate::heap::{BlockKind, split_address};
use crate::machine::{Flow, Machine, Step, fork, give_up, peek, pop, push, unsupported};
use crate::shared_memory::Read;
use crate::state::State;
use crate::stop::{Action, Choice, RuntimeException, Stop};
use crate::value::{Repr, Value};
use std::rc::Rc;
use verdict::{Assumption, Gap};

impl Machine {
    pub fn ldind(&mut self, s: &mut State, repr: Repr) -> Step {
        if let Value::Term(pointer) = *peek(s, 0)?
            && let Some(value) = self.load_element(s, pointer, repr)?
        {
            pop(s)?;
            return push(s, value);
        }
        let Some(address) = self.address(s, 0)? else { return self.null_reference(s) };
        let value = self.load(s, address, repr)?;
        let value = self.read_by(s, Read::through(address, repr), value);
        self.note_pointer(s, address);
        pop(s)?;
        push(s, value)
    }

    pub fn stind(&mut self, s: &mut State, repr: Repr) -> Step {
        if let Value::Term(pointer) = *peek(s, 1)? {
            let value = peek(s, 0)?.clone();
            if self.store_element(s, pointer, repr, &value)? {
                pop(s)?;
                pop(s)?;
                return Ok(Flow::Next);
            }
        }
        let Some(address) = self.address(s, 1)? else { return self.null_reference(s) };
        let value = pop(s)?;
        pop(s)?;
        self.note_stored(s, address, &value);
        self.store(s, address, repr, value)?;
        self.note_write(s, address);
        self.note_pointer(s, address);
        Ok(Flow::Next)
    }

    pub fn cpobj(&mut self, s: &mut State, repr: Repr) -> Step {
        let Some(to) = self.address(s, 1)? else { return self.null_reference(s) };
        let Some(from) = self.address(s, 0)? else { return self.null_reference(s) };
        let value = self.load(s, from, repr)?;
        let value = self.read_by(s, Read::through(from, repr), value);
        pop(s)?;
        pop(s)?;
        self.note_stored(s, to, &value);
        self.store(s, to, repr, value)?;
        self.note_write(s, to);
        Ok(Flow::Next)
    }

    pub fn initobj(&mut self, s: &mut State, repr: Repr) -> Step {
        let Some(address) = self.address(s, 0)? else { return self.null_reference(s) };
        pop(s)?;
        self.store(s, address, repr, repr.zero())?;
        self.note_write(s, address);
        Ok(Flow::Next)
    }

    pub fn localloc(&mut self, s: &mut State) -> Step {
        let Some(size) = self.concrete_int(s, 0)? else { return Err(unsupported(s, "localloc")) };
        pop(s)?;
        if size == 0 {
            return push(s, Value::NULL);
        }
        if !(0..=16 << 20).contains(&size) {
            return Err(give_up(s, Gap::bound("localloc of more than 16 MiB")));
        }
        if !s.top.code.clears_memory && !self.basis(s.top.code.method).is_framework {
            self.assume(Assumption::MemoryLayout, |_| "memory of the stack is clear".to_owned());
        }
        let block = s.heap.allocate(BlockKind::Stack, Bytes::zeroed(size as usize));
        s.top.stack_blocks.push(block);
        push(s, Value::address(block.address()))
    }

    pub fn cpblk(&mut self, s: &mut State) -> Step {
        let Some(size) = self.concrete_int(s, 0)? else { return Err(unsupported(s, "cpblk")) };
        let to = self.address(s, 2)?;
        let from = self.address(s, 1)?;
        if size != 0 {
            let (Some(to), Some(from)) = (to, from) else { return self.null_reference(s) };
            let bytes = self.load_bytes(s, from, size as u32 as usize)?;
            self.store_bytes(s, to, &bytes)?;
        }
        s.top.stack.truncate(s.top.stack.len().saturating_sub(3));
        Ok(Flow::Next)
    }

    pub fn initblk(&mut self, s: &mut State) -> Step {
        let Some(size) = self.concrete_int(s, 0)? else { return Err(unsupported(s, "initblk")) };
        let Some(byte) = self.concrete_int(s, 1)? else { return Err(unsupported(s, "initblk")) };
        let to = self.address(s, 2)?;
        if size != 0 {
            let Some(to) = to else { return self.null_reference(s) };
            self.fill_bytes(s, to, size as u32 as u64, byte as u8)?;
        }
        s.top.stack.truncate(s.top.stack.len().saturating_sub(3));
        Ok(Flow::Next)
    }

    pub(crate) fn var_address(&mut self, s: &State, code: &Code, index: u32) -> Step<u64> {
        let offset = code.vars.get(index as usize).and_then(|var| var.memory);
        match (s.top.block, offset) {
            (Some(block), Some(offset)) => Ok(block.address() + u64::from(offset)),
            _ => Err(give_up(s, Gap::internal_error("a variable without an address"))),
        }
    }

    pub(crate) fn load_var(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let address = self.var_address(s, code, index)?;
        let value = self.load(s, address, code.vars[index as usize].repr)?;
        push(s, value)
    }

    pub(crate) fn store_var(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let address = self.var_address(s, code, index)?;
        let value = pop(s)?;
        self.store(s, address, code.vars[index as usize].repr, value)?;
        Ok(Flow::Next)
    }

    /// The address `depth` places below the top; `None` is null (or so near to it that the runtime treats it as null).
    /// Nothing is popped, so the instruction can be run again after a fork.
    pub fn address(&mut self, s: &State, depth: usize) -> Step<Option<u64>> {
        match peek(s, depth)? {
            Value::I64(v) => Ok(Some(v.cast_unsigned()).filter(|address| *address > 0xffff)),
            Value::I32(v) => Ok(Some(v.cast_unsigned().into()).filter(|address: &u64| *address > 0xffff)),
            Value::Term(term) => self.symbolic_address(s, *term, depth),
            _ => Err(give_up(s, Gap::invalid_code("an address was expected on the stack"))),
        }
    }

    /// What an input reference is has been settled by the path, or is asked now; other addresses are enumerated.
    fn symbolic_address(&mut self, s: &State, term: term::Term, depth: usize) -> Step<Option<u64>> {
        if let Some(Value::I64(address)) = self.settled(s, &Value::Term(term)) {
            return Ok(Some(address.cast_unsigned()).filter(|address| *address != 0));
        }
        match self.unsettled(s, term, depth) {
            Some(stop) => Err(stop),
            None => Err(Box::new(Stop::Concretize { term, depth })),
        }
    }

    /// An integer operand that must be concrete; `None` if it is not an integer.
    pub(crate) fn concrete_int(&mut self, s: &State, depth: usize) -> Step<Option<i64>> {
        match peek(s, depth)? {
            Value::I32(v) => Ok(Some(i64::from(*v))),
            Value::I64(v) => Ok(Some(*v)),
            Value::Term(term) if self.width(*term) > 0 => {
                Err(Box::new(Stop::Concretize { term: *term, depth }))
            }
            _ => Ok(None),
        }
    }

    pub fn load(&mut self, s: &State, address: u64, repr: Repr) -> Step<Value> {
        if let Repr::Struct { size } = repr {
            return Ok(Value::Struct(Rc::new(self.load_bytes(s, address, size as usize)?)));
        }
        let (block, offset) = split_address(address);
        let size = repr.size() as usize;
        let bits = match s.heap.get(block) {
            Some(block) => block.bytes.read(offset as usize, size, &mut self.terms),
            None => Err(OutOfBounds),
        };
        match bits {
            Ok(bits) => Ok(self.widen(bits, repr)),
            Err(OutOfBounds) => self.load_beyond(s, address, repr),
        }
    }

    /// A scalar beyond the plain bytes of a block: in its cells, or nowhere.
    fn load_beyond(&mut self, s: &State, address: u64, repr: Repr) -> Step<Value> {
        let (block, offset) = split_address(address);
        let Some(cells) = cells_of(s, block) else {
            let is_padding = self.is_padding(s, address, repr.size() as usize);
            return if is_padding { Ok(repr.zero()) } else { Err(bad_access(self, s, address)) };
        };
        let bytes = self.load_cells(s, &cells, offset, repr.size())?;
        match bytes.read(0, repr.size() as usize, &mut self.terms) {
            Ok(bits) => Ok(self.widen(bits, repr)),
            Err(OutOfBounds) => Err(bad_access(self, s, address)),
        }
    }

    /// Objects are as long as a multiple of eight bytes, and zeros fill them up. The class library's own parsing reads one
    /// of these after the text it compares with.
    fn is_padding(&self, s: &State, address: u64, size: usize) -> bool {
        let (block, offset) = split_address(address);
        self.mode().interprets_text()
            && s.heap.get(block).is_some_and(|block| {
                let end = block.bytes.len();
                matches!(block.kind, BlockKind::Object(_))
                    && offset as usize >= end
                    && offset as usize + size <= end.next_multiple_of(8)
            })
    }

    pub fn store(&mut self, s: &mut State, address: u64, repr: Repr, value: Value) -> Step<()> {
        if let Value::Struct(bytes) = &value {
            return self.store_bytes(s, address, bytes);
        }
        let value = self.narrow(value, repr)?;
        let Some(bits) = self.bits(&value, repr) else {
            return Err(give_up(s, Gap::invalid_code("a value does not fit the location it is stored to")));
        };
        let (block, offset) = split_address(address);
        let terms = &mut self.terms;
        let size = repr.size() as usize;
        let (stored, has_cells) = match s.heap.get_mut(block) {
            Some(block) if block.kind != BlockKind::ImageData => {
                (block.bytes.write(offset as usize, size, bits, terms), block.cells.is_some())
            }
            _ => (Err(OutOfBounds), false),
        };
        match stored {
            Ok(()) => Ok(()),
            Err(OutOfBounds) if has_cells => {
                let mut bytes = Bytes::zeroed(size);
                let written = bytes.write(0, size, bits, &mut self.terms);
                written.map_err(|OutOfBounds| bad_access(self, s, address))?;
                self.store_cells(s, block, offset, &bytes)
            }
            Err(OutOfBounds) => Err(bad_access(self, s, address)),
        }
    }

    pub fn load_bytes(&mut self, s: &State, address: u64, len: usize) -> Step<Bytes> {
        let (block, offset) = split_address(address);
        let bytes = match s.heap.get(block) {
            Some(block) => block.bytes.slice(offset as usize, len, &mut self.terms),
            None => Err(OutOfBounds),
        };
        match (bytes, cells_of(s, block)) {
            (Ok(bytes), _) => Ok(bytes),
            (Err(OutOfBounds), Some(cells)) => self.load_cells(s, &cells, offset, len as u32),
            (Err(OutOfBounds), None) => Err(bad_access(self, s, address)),
        }
    }

    pub fn store_bytes(&mut self, s: &mut State, address: u64, bytes: &Bytes) -> Step<()> {
        let (block, offset) = split_address(address);
        let terms = &mut self.terms;
        let (stored, has_cells) = match s.heap.get_mut(block) {
            Some(block) => (block.bytes.write_bytes(offset as usize, bytes, terms), block.cells.is_some()),
            None => (Err(OutOfBounds), false),
        };
        match stored {
            Ok(()) => Ok(()),
            Err(OutOfBounds) if has_cells => self.store_cells(s, block, offset, bytes),
            Err(OutOfBounds) => Err(bad_access(self, s, address)),
        }
    }

    pub fn fill_bytes(&mut self, s: &mut State, address: u64, len: u64, byte: u8) -> Step<()> {
        if len == 0 {
            return Ok(());
        }
        let (block, offset) = split_address(address);
        if cells_of(s, block).is_some() {
            return self.store_cells(s, block, offset, &Bytes::from_vec(vec![byte; len as usize]));
        }
        let terms = &mut self.terms;
        let filled = s
            .heap
            .get_mut(block)
            .ok_or(OutOfBounds)
            .and_then(|b| b.bytes.fill(offset as usize, len as usize, byte, terms));
        filled.map_err(|OutOfBounds| bad_access(self, s, address))
    }

    /// What a location's bits become on the evaluation stack.
    pub fn widen(&mut self, bits: Bits, repr: Repr) -> Value {
        match bits {
            Bits::Concrete(v) => match repr {
                Repr::I1 => Value::I32(i32::from(v as i8)),
                Repr::U1 => Value::I32(i32::from(v as u8)),
                Repr::I2 => Value::I32(i32::from(v as i16)),
                Repr::U2 => Value::I32(i32::from(v as u16)),
                Repr::I4 => Value::I32(v as i32),
                Repr::R4 => Value::F32(f32::from_bits(v as u32)),
                Repr::R8 => Value::F64(f64::from_bits(v)),
                Repr::I8 | Repr::Ref | Repr::Struct { .. } => Value::I64(v.cast_signed()),
            },
            Bits::Symbolic(term) => match repr {
                Repr::I1 | Repr::I2 => self.value_of_widened(term, true),
                Repr::U1 | Repr::U2 => self.value_of_widened(term, false),
                Repr::R4 | Repr::R8 => {
                    let float = self.terms.bits_to_fp(term);
                    self.float_value(float)
                }
                _ => self.value_of(term),
            },
        }
    }

    fn value_of_widened(&mut self, term: term::Term, signed: bool) -> Value {
        let wide = if signed { self.terms.sext(term, 32) } else { self.terms.zext(term, 32) };
        self.value_of(wide)
    }

    /// The bits of a scalar as a location of this representation holds them.
    pub fn bits(&mut self, value: &Value, repr: Repr) -> Option<Bits> {
        Some(match value {
            Value::I32(v) => Bits::Concrete(u64::from(v.cast_unsigned())),
            Value::I64(v) => Bits::Concrete(v.cast_unsigned()),
            Value::F32(v) => Bits::Concrete(u64::from(v.to_bits())),
            Value::F64(v) => Bits::Concrete(v.to_bits()),
            Value::Term(term) => {
                let bits = 8 * repr.size();
                match self.width(*term) {
                    0 => Bits::Symbolic(self.terms.fp_to_bits(*term)),
                    width if width == bits => Bits::Symbolic(*term),
                    width if width > bits => Bits::Symbolic(self.terms.extract(*term, bits - 1, 0)),
                    _ => Bits::Symbolic(self.terms.sext(*term, bits)),
                }
            }
            Value::Struct(_) => return None,
        })
    }

    /// The first of two scalars where `a` and `b` have the same bits, the second elsewhere; none if one is no scalar.
    pub fn if_same_bits(&mut self, a: &Value, b: &Value, either: [&Value; 2], repr: Repr) -> Option<Value> {
        let width = 8 * repr.size();
        let [then, otherwise] = either;
        let terms = [a, b, then, otherwise].map(|value| {
            let bits = self.bits(value, repr)?;
            Some(self.bits_as_term(bits, width))
        });
        let [Some(a), Some(b), Some(then), Some(otherwise)] = terms else { return None };
        let same = self.terms.eq(a, b);
        let chosen = self.terms.ite(same, then, otherwise);
        Some(self.widen(Bits::Symbolic(chosen), repr))
    }

    pub fn null_reference(&mut self, s: &mut State) -> Step {
        self.throw_new(s, RuntimeException::NullReference)
    }

    /// The type of the object an address points to.
    pub fn object_type(&self, s: &State, address: u64) -> Step<types::TypeId> {
        let (block, _) = split_address(address);
        match s.heap.get(block).map(|block| block.kind) {
            Some(BlockKind::Object(ty)) => Ok(ty),
            Some(BlockKind::Open(_)) => {
                Err(fork(vec![Choice { guard: self.terms.true_(), action: Action::AskClass(block) }]))
            }
            _ => Err(bad_access(self, s, address)),
        }
    }
}

fn bad_access(m: &Machine, s: &State, address: u64) -> Box<Stop> {
    let (block, offset) = split_address(address);
    if let Some(stop) = m.not_made_yet(s, block) {
        return stop;
    }
    let detail = match s.heap.get(block).map(|b| (b.kind, b.bytes.is_empty())) {
        Some((BlockKind::Object(_), true)) => "the contents of text made from symbolic values".to_owned(),
        Some((BlockKind::ImageData, _)) => "a write to constant data".to_owned(),
        Some(_) => format!("an access at offset {offset} outside of its memory"),
        None => "an access through a dangling or made-up pointer".to_owned(),
    };
    unsupported(s, &detail)
}
