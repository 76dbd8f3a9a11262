//! Contents of arrays and strings of symbolic length, or with symbolic indexes.
//!
//! Elements are told apart by an update tree (crate `memory`): a write at a known index is found again in its place, a
//! write at a symbolic index guards what lies below it. What no write covers comes from the *base*: zeros, a table, or
//! the elements of an input array, for which symbols are made when they are first read.
//!
//! A block with cells keeps its header (the length) in its plain bytes; whatever lies beyond them is in the cells.

use std::cell::RefCell;
use std::rc::Rc;

use memory::{Index, Key, UpdateTree};
use rustc_hash::FxHashMap;
use term::{Symbol, Term};
use types::TypeId;

use crate::bytes::{Bits, Bytes};
use crate::heap::BlockId;
use crate::inputs::Input;
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::ranges::Range;
use crate::state::State;
use verdict::Gap;

#[derive(Clone, Debug)]
pub struct Cells {
    /// Offset of the first element in the block.
    pub first: u32,
    /// Bytes of an element.
    pub size: u32,
    pub base: Base,
    pub tree: UpdateTree<Rc<Bytes>>,
}

/// What is there before anything is written.
#[derive(Clone, Debug)]
pub enum Base {
    Zero,
    /// The elements of an array whose contents are known; zeros beyond its end.
    Table(Rc<Bytes>),
    /// The elements of the input array or string that was made for a reference.
    Input(ArrayInput),
    /// Others, but for a range of which more is known.
    Range(Rc<Range>),
}

/// An input array or string. A reference may stand for arrays of several types, each on paths of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayInput {
    pub owner: Symbol,
    pub element: TypeId,
}

/// An element of an input array that was read at a symbolic index. It is none of the elements that had symbols of
/// their own at that time, and none of those read symbolically before.
#[derive(Clone, Debug)]
pub struct SymbolicRead {
    pub index: Term,
    pub input: Input,
    pub known: Rc<[u32]>,
}

/// The elements of input arrays that a path has read at symbolic indexes, in the order of the reads. Reading memory changes
/// nothing of it, so this is noted behind a shared reference.
#[derive(Clone, Debug, Default)]
pub struct Reads(RefCell<Rc<FxHashMap<Symbol, Vec<SymbolicRead>>>>);

impl Reads {
    pub fn of(&self, owner: Symbol) -> Vec<SymbolicRead> {
        self.0.borrow().get(&owner).cloned().unwrap_or_default()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.borrow().values().map(Vec::len).sum()
    }

    fn add(&self, owner: Symbol, read: SymbolicRead) {
        Rc::make_mut(&mut self.0.borrow_mut()).entry(owner).or_default().push(read);
    }
}

impl Cells {
    pub fn new(first: u32, size: u32, base: Base, split: bool) -> Cells {
        let config = if split {
            memory::Config::split(|bytes: &Rc<Bytes>| bytes.concrete().is_some())
        } else {
            memory::Config::plain()
        };
        Cells { first, size: size.max(1), base, tree: UpdateTree::new(1, config) }
    }
}

impl Machine {
    /// Bytes of a block beyond its header.
    pub(crate) fn load_cells(&mut self, s: &State, cells: &Cells, offset: u32, len: u32) -> Step<Bytes> {
        let mut result = Bytes::zeroed(len as usize);
        let mut done = 0;
        while done < len {
            let (index, within) = self.place_of(s, cells, offset + done)?;
            let piece = (cells.size - within).min(len - done);
            let cell = self.cell(s, cells, index)?;
            let copied = cell
                .slice(within as usize, piece as usize, &mut self.terms)
                .and_then(|bytes| result.write_bytes(done as usize, &bytes, &mut self.terms));
            if copied.is_err() {
                return Err(lost(s));
            }
            done += piece;
        }
        Ok(result)
    }

    pub(crate) fn store_cells(
        &mut self,
        s: &mut State,
        block: BlockId,
        offset: u32,
        bytes: &Bytes,
    ) -> Step<()> {
        let Some(cells) = cells_of(s, block) else { return Err(lost(s)) };
        let mut done = 0;
        let len = bytes.len() as u32;
        while done < len {
            let (index, within) = self.place_of(s, &cells, offset + done)?;
            let piece = (cells.size - within).min(len - done);
            let Ok(part) = bytes.slice(done as usize, piece as usize, &mut self.terms) else {
                return Err(lost(s));
            };
            let cell = if piece == cells.size {
                Rc::new(part)
            } else {
                let mut cell = self.cell(s, &cells, index)?;
                if Rc::make_mut(&mut cell).write_bytes(within as usize, &part, &mut self.terms).is_err() {
                    return Err(lost(s));
                }
                cell
            };
            self.set_cell(s, block, Index::Known(index), cell)?;
            done += piece;
        }
        Ok(())
    }

    /// The element at a known index.
    pub fn cell(&mut self, s: &State, cells: &Cells, index: u32) -> Step<Rc<Bytes>> {
        let read = cells.tree.read(&mut self.terms, &Key::known(&[index]));
        let below = match read.rest {
            Some(_) => Some(self.base_cell(s, cells, index)?),
            None => None,
        };
        self.union(s, read.cases, below)
    }

    /// The element at a symbolic index, which is within bounds.
    pub(crate) fn cell_at(&mut self, s: &State, cells: &Cells, index: Term) -> Step<Rc<Bytes>> {
        if let Some(known) = self.terms.as_bv(index) {
            return self.cell(s, cells, known as u32);
        }
        let key = Key::new(&self.terms, [Index::Symbolic(index)]);
        let read = cells.tree.read(&mut self.terms, &key);
        let below = match read.rest {
            Some(_) => Some(self.base_cell_at(s, cells, index)?),
            None => None,
        };
        self.union(s, read.cases, below)
    }

    pub(crate) fn set_cell(
        &mut self,
        s: &mut State,
        block: BlockId,
        index: Index,
        cell: Rc<Bytes>,
    ) -> Step<()> {
        let key = Key::new(&self.terms, [index]);
        match s.heap.get_mut(block).and_then(|block| block.cells.as_mut()) {
            Some(cells) => {
                Rc::make_mut(cells).tree.write(&key, cell);
                Ok(())
            }
            None => Err(lost(s)),
        }
    }

    fn place_of(&self, s: &State, cells: &Cells, offset: u32) -> Step<(u32, u32)> {
        match offset.checked_sub(cells.first) {
            Some(beyond) => Ok((beyond / cells.size, beyond % cells.size)),
            None => Err(unsupported(s, "an access across the header of an array")),
        }
    }

    fn base_cell(&mut self, s: &State, cells: &Cells, index: u32) -> Step<Rc<Bytes>> {
        let size = cells.size as usize;
        match &cells.base {
            Base::Zero => Ok(Rc::new(Bytes::zeroed(size))),
            Base::Table(table) => {
                let cell = table.slice(index as usize * size, size, &mut self.terms);
                Ok(Rc::new(cell.unwrap_or_else(|_| Bytes::zeroed(size))))
            }
            Base::Input(array) => {
                let own = self.element(s, *array, index, size)?;
                let reads = s.path.reads.of(array.owner);
                let number = self.terms.bv(32, u128::from(index));
                let mut result = own;
                for read in reads.iter().rev().filter(|read| !read.known.contains(&index)) {
                    let here = self.terms.eq(read.index, number);
                    let here = self.in_model(here);
                    let cell = self.input_cell(s, &read.input, size)?;
                    result = self.merge(s, here, &cell, &result)?;
                }
                Ok(result)
            }
            Base::Range(range) => {
                let range = Rc::clone(range);
                let index = self.terms.bv(32, u128::from(index));
                self.range_cell(s, &range, index)
            }
        }
    }

    fn base_cell_at(&mut self, s: &State, cells: &Cells, index: Term) -> Step<Rc<Bytes>> {
        let size = cells.size as usize;
        match &cells.base {
            Base::Zero => Ok(Rc::new(Bytes::zeroed(size))),
            Base::Table(table) => {
                let mut result = Rc::new(Bytes::zeroed(size));
                for i in (0..(table.len() / size) as u32).rev() {
                    let number = self.terms.bv(32, u128::from(i));
                    let here = self.terms.eq(index, number);
                    let cell = self.base_cell(s, cells, i)?;
                    result = self.merge(s, here, &cell, &result)?;
                }
                Ok(result)
            }
            Base::Input(array) => self.input_cell_at(s, cells, *array, index),
            Base::Range(range) => {
                let range = Rc::clone(range);
                self.range_cell(s, &range, index)
            }
        }
    }

    fn input_cell_at(&mut self, s: &State, cells: &Cells, array: ArrayInput, index: Term) -> Step<Rc<Bytes>> {
        let owner = array.owner;
        let size = cells.size as usize;
        let read = match s.path.reads.of(owner).iter().find(|read| read.index == index) {
            Some(read) => read.clone(),
            None => {
                let read = self.symbolic_element(array, index).map_err(|gap| give_up(s, gap))?;
                s.path.reads.add(owner, read.clone());
                read
            }
        };
        let mut result = self.input_cell(s, &read.input, size)?;
        let reads = s.path.reads.of(owner);
        for earlier in
            reads.iter().take_while(|earlier| earlier.index != index).collect::<Vec<_>>().into_iter().rev()
        {
            let same = self.terms.eq(earlier.index, index);
            let cell = self.input_cell(s, &earlier.input, size)?;
            result = self.merge(s, same, &cell, &result)?;
        }
        for &known in read.known.iter().rev() {
            let number = self.terms.bv(32, u128::from(known));
            let here = self.terms.eq(index, number);
            if self.terms.as_bool(here) == Some(false) {
                continue;
            }
            let cell = self.base_cell(s, cells, known)?;
            result = self.merge(s, here, &cell, &result)?;
        }
        Ok(result)
    }

    fn input_cell(&mut self, s: &State, input: &Input, size: usize) -> Step<Rc<Bytes>> {
        let mut cell = Bytes::zeroed(size);
        self.place_input(&mut cell, 0, input).map_err(|gap| give_up(s, gap))?;
        Ok(Rc::new(cell))
    }

    fn element(&mut self, s: &State, array: ArrayInput, index: u32, size: usize) -> Step<Rc<Bytes>> {
        let input = self.known_element(array, index).map_err(|gap| give_up(s, gap))?;
        self.input_cell(s, &input, size)
    }

    /// Guarded values as one.
    fn union(
        &mut self,
        s: &State,
        cases: Vec<(Term, Rc<Bytes>)>,
        rest: Option<Rc<Bytes>>,
    ) -> Step<Rc<Bytes>> {
        let mut cases = cases.into_iter().rev();
        let mut result = match rest.or_else(|| cases.next().map(|(_, value)| value)) {
            Some(value) => value,
            None => return Err(lost(s)),
        };
        for (guard, value) in cases {
            result = self.merge(s, guard, &value, &result)?;
        }
        Ok(result)
    }

    /// `a` under the guard, else `b`; both of one size.
    pub(crate) fn merge(&mut self, s: &State, guard: Term, a: &Rc<Bytes>, b: &Rc<Bytes>) -> Step<Rc<Bytes>> {
        match self.terms.as_bool(guard) {
            Some(true) => return Ok(Rc::clone(a)),
            Some(false) => return Ok(Rc::clone(b)),
            None if a == b => return Ok(Rc::clone(a)),
            None => {}
        }
        let mut merged = Bytes::zeroed(a.len());
        for (start, size) in pieces(a, b) {
            let (Ok(x), Ok(y)) = (a.read(start, size, &mut self.terms), b.read(start, size, &mut self.terms))
            else {
                return Err(lost(s));
            };
            let bits = if x == y {
                x
            } else {
                let width = 8 * size as u32;
                let (x, y) = (self.bits_as_term(x, width), self.bits_as_term(y, width));
                Bits::Symbolic(self.terms.ite(guard, x, y))
            };
            if merged.write(start, size, bits, &mut self.terms).is_err() {
                return Err(lost(s));
            }
        }
        Ok(Rc::new(merged))
    }

    pub(crate) fn bits_as_term(&mut self, bits: Bits, width: u32) -> Term {
        match bits {
            Bits::Concrete(value) => self.terms.bv(width, u128::from(value) & (u128::MAX >> (128 - width))),
            Bits::Symbolic(term) => term,
        }
    }
}

pub(crate) fn cells_of(s: &State, block: BlockId) -> Option<Rc<Cells>> {
    s.heap.get(block).and_then(|block| block.cells.clone())
}

/// Pieces of at most eight bytes that no patch of either side straddles.
pub(crate) fn pieces(a: &Bytes, b: &Bytes) -> Vec<(usize, usize)> {
    let mut cuts: Vec<usize> = (0..=a.len()).step_by(8).collect();
    cuts.push(a.len());
    for patch in a.patches().iter().chain(b.patches()) {
        cuts.extend([patch.offset as usize, (patch.offset + patch.size) as usize]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect()
}

pub(crate) fn lost(s: &State) -> Box<crate::stop::Stop> {
    give_up(s, Gap::internal_error("an element outside of its array"))
}
