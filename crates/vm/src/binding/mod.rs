//! Binding: an object that one path has made in the place of an input object of another.
//!
//! Calls were run on symbolic arguments and have left an object in memory; a path of the method under test began with an
//! object of which it knows symbols. Both are walked together: a number of the input is the term that the calls have left,
//! a reference is the object that is there, with the same nulls, aliases and classes. What comes out are equations: if they
//! hold together with the conditions of both paths, then these calls make an input of that path.

mod collections;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Model, Node, Symbol, Term};
use types::FieldId;

use crate::bytes::{Bits, Bytes};
use crate::cells::pieces;
use crate::heap::{BlockId, BlockKind, split_address};
use crate::inputs::contents::Contents;
use crate::inputs::footprint::Footprint;
use crate::inputs::{Input, input_type};
use crate::machine::Machine;
use crate::ops::ELEMENTS;
use crate::state::State;

/// Elements of an array or string that are compared.
const MAX_ELEMENTS: u32 = 64;
/// The same where the length is not known.
const OPEN_ELEMENTS: u32 = 8;

/// What must hold for an object to be an input.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    pub constraints: Vec<Term>,
    /// Inputs of the calls that are inputs of the path as well: the reference of the call, and that of the path.
    pub passed: Vec<(Symbol, Symbol)>,
    /// Input objects of the path that the calls have made, by their references.
    pub made: Vec<Symbol>,
    /// Symbols of the path that matter to the calls.
    pub needed: Vec<Term>,
}

/// One side of a binding: a state, what of its inputs matters, and values with which its condition holds.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub state: &'a State,
    pub footprint: &'a Footprint,
    pub model: &'a Model,
}

/// How often it is looked whether new equations want more of what is passed.
const ROUNDS: usize = 3;

impl Machine {
    /// The equations that make the object at an address of one state the input object of another, or `None` if it cannot be.
    pub fn bind(
        &mut self,
        path: Side<'_>,
        made: Side<'_>,
        reference: Symbol,
        address: u64,
    ) -> Option<Binding> {
        let mut binder = Binder {
            m: self,
            path,
            made,
            places: FxHashMap::default(),
            owners: FxHashMap::default(),
            equated: FxHashSet::default(),
            binding: Binding::default(),
        };
        binder.object(reference, address)?;
        for _ in 0..ROUNDS {
            if !binder.pass_on()? {
                break;
            }
        }
        Some(binder.binding)
    }
}

struct Binder<'a> {
    m: &'a mut Machine,
    path: Side<'a>,
    made: Side<'a>,
    /// Input objects of the path and the addresses of what stands for them, both ways.
    places: FxHashMap<Symbol, u64>,
    owners: FxHashMap<u64, Symbol>,
    /// Fields of arguments that are fields of the path's objects.
    equated: FxHashSet<(Symbol, FieldId)>,
    binding: Binding,
}

/// A reference as the calls have left it.
enum Left {
    At(u64),
    /// An argument that nothing has looked behind.
    Open(Symbol),
}

impl Binder<'_> {
    fn object(&mut self, p: Symbol, address: u64) -> Option<()> {
        match (self.places.get(&p), self.owners.get(&address)) {
            (None, None) => {}
            (Some(place), Some(owner)) => return (*place == address && *owner == p).then_some(()),
            _ => return None,
        }
        self.places.insert(p, address);
        self.owners.insert(address, p);
        let (block, offset) = split_address(address);
        if offset != 0 || self.made.state.path.deferred.contains_key(&block) {
            return None;
        }
        let there = self.made.state.heap.get(block)?.clone();
        let own = self.path.state.path.origins.resolution(p)??;
        let exact = self.path.state.heap.get(own)?.kind;
        let (BlockKind::Object(exact), BlockKind::Object(class)) = (exact, there.kind) else { return None };
        if exact != class || self.path.state.path.origins.making(p).is_some() {
            return None;
        }
        let contents = self.m.inputs.contents_of(p, exact)?.clone();
        match self.made.state.path.origins.owner(block) {
            Some(q) => self.pass(q, p)?,
            None => self.binding.made.push(p),
        }
        match &*contents {
            Contents::Fields { ty, fields } => {
                if self.m.universe.is_mock(*ty) {
                    return None;
                }
                for (field, input) in fields {
                    if self.m.depends_on(self.path.state, self.path.footprint, input) {
                        let offset = self.m.universe.field_offset(*field).ok()? as usize;
                        self.input(input, &there.bytes, offset)?;
                    }
                }
                Some(())
            }
            Contents::Boxed { value, .. } => self.input(value, &there.bytes, 0),
            Contents::Array { ty, element, length } => {
                let is_text = self.m.universe.well_known().ok()?.string == *ty;
                let first = if is_text { 4 } else { ELEMENTS };
                let count = there.bytes.read(0, 4, &mut self.m.terms).ok()?;
                self.elements(p, (*element, *length), block, count, first)
            }
            Contents::List { items, array, .. } => self.list(*items, *array, &there.bytes, exact),
            Contents::Filled { items, .. } => {
                let count = self.path.state.path.origins.count(p) as usize;
                let items: Vec<Vec<Input>> = items.iter().take(count).cloned().collect();
                self.filled(&items, &there.bytes, exact)
            }
            Contents::Grid { .. } | Contents::Delegate { .. } | Contents::Made { .. } => None,
        }
    }

    /// An argument of the calls is an input object of the path.
    fn pass(&mut self, q: Symbol, p: Symbol) -> Option<()> {
        match self.binding.passed.iter().find(|(known, _)| *known == q) {
            Some((_, other)) => (*other == p).then_some(()),
            None => {
                self.binding.passed.push((q, p));
                Some(())
            }
        }
    }

    /// What the calls want of their arguments must be so in the objects of the path that are passed; whether that was news.
    fn pass_on(&mut self) -> Option<bool> {
        let mut matters = self.made.footprint.clone();
        matters.extend(self.m, &self.binding.constraints);
        let before = self.equated.len();
        for (q, p) in self.binding.passed.clone() {
            let Some(Some(own)) = self.path.state.path.origins.resolution(p) else { continue };
            let Some(BlockKind::Object(exact)) = self.path.state.heap.get(own).map(|block| block.kind) else {
                continue;
            };
            let Some(contents) = self.m.inputs.contents_of(p, exact).cloned() else { continue };
            if let Contents::Fields { fields, .. } = &*contents {
                self.same_input(q, fields, &matters)?;
            }
        }
        Some(self.equated.len() > before)
    }

    fn same_input(&mut self, q: Symbol, fields: &[(FieldId, Input)], matters: &Footprint) -> Option<()> {
        for (field, input) in fields {
            let Some(theirs) = self.m.inputs.fields.get(&(q, *field)).cloned() else { continue };
            if !self.m.depends_on(self.made.state, matters, &theirs) || !self.equated.insert((q, *field)) {
                continue;
            }
            let size = self.m.universe.size_of(input_type(&theirs)).ok()? as usize;
            let mut bytes = Bytes::zeroed(size);
            self.m.place_input(&mut bytes, 0, &theirs).ok()?;
            self.input(input, &bytes, 0)?;
            let mut own = Bytes::zeroed(size);
            self.m.place_input(&mut own, 0, input).ok()?;
            self.binding.needed.extend(own.patches().iter().map(|patch| patch.term));
        }
        Some(())
    }

    /// An input of the path is what lies at a place.
    fn input(&mut self, input: &Input, bytes: &Bytes, offset: usize) -> Option<()> {
        match input {
            Input::Scalar { .. } | Input::Computed { .. } => {
                let equal = self.equal(input, bytes, offset)?;
                self.hold(equal)
            }
            Input::Struct { fields, .. } => {
                for (field, part) in fields {
                    let within = self.m.universe.field_offset(*field).ok()? as usize;
                    self.input(part, bytes, offset + within)?;
                }
                Some(())
            }
            Input::Reference { symbol, .. } => {
                let bits = bytes.read(offset, 8, &mut self.m.terms).ok()?;
                self.reference(*symbol, bits)
            }
            Input::Span { .. } | Input::ByRef { .. } | Input::New { .. } => None,
        }
    }

    /// That a number of the path is what lies at a place.
    fn equal(&mut self, input: &Input, bytes: &Bytes, offset: usize) -> Option<Term> {
        let size = self.m.universe.size_of(input_type(input)).ok()? as usize;
        let mut own = Bytes::zeroed(size);
        self.m.place_input(&mut own, 0, input).ok()?;
        let there = bytes.slice(offset, size, &mut self.m.terms).ok()?;
        let mut all = self.m.terms.true_();
        for (start, len) in pieces(&own, &there) {
            let own = own.read(start, len, &mut self.m.terms).ok()?;
            let there = there.read(start, len, &mut self.m.terms).ok()?;
            let width = 8 * len as u32;
            let (own, there) = (self.m.bits_as_term(own, width), self.m.bits_as_term(there, width));
            let equal = self.m.terms.eq(own, there);
            all = self.m.terms.and(all, equal);
        }
        Some(all)
    }

    fn reference(&mut self, p: Symbol, bits: Bits) -> Option<()> {
        let left = self.left(bits)?;
        match (self.path.state.path.origins.resolution(p), left) {
            (None, Left::At(0)) => self.null(p, true),
            (None, Left::At(address)) => {
                // An argument that the calls have looked into, and the path has not.
                if let Some(q) = self.made.state.path.origins.owner(split_address(address).0) {
                    self.pass(q, p)?;
                }
                self.null(p, false)
            }
            (None, Left::Open(q)) => {
                self.fits(self.m.inputs.reference(p)?.ty, q)?;
                self.pass(q, p)?;
                let (own, theirs) = (self.is_null(p), self.is_null(q));
                let same = self.m.terms.xor(own, theirs);
                let same = self.m.terms.not(same);
                self.hold(same)
            }
            (Some(None), Left::At(address)) => (address == 0).then_some(()),
            (Some(None), Left::Open(q)) => self.null(q, true),
            (Some(Some(_)), Left::At(0)) => None,
            (Some(Some(block)), Left::At(address)) => {
                let owner = self.path.state.path.origins.owner(block)?;
                self.object(owner, address)
            }
            (Some(Some(block)), Left::Open(q)) => {
                let BlockKind::Object(exact) = self.path.state.heap.get(block)?.kind else { return None };
                self.fits(exact, q)?;
                let owner = self.path.state.path.origins.owner(block)?;
                self.pass(q, owner)?;
                self.null(q, false)
            }
        }
    }

    fn left(&self, bits: Bits) -> Option<Left> {
        let term = match bits {
            Bits::Concrete(address) => return Some(Left::At(address)),
            Bits::Symbolic(term) => term,
        };
        let Node::Var(q) = *self.m.terms.node(term) else { return None };
        self.m.inputs.reference(q)?;
        Some(match self.made.state.path.origins.resolution(q) {
            Some(block) => Left::At(block.map_or(0, BlockId::address)),
            None => Left::Open(q),
        })
    }

    /// An argument can be an object of this type.
    fn fits(&self, ty: types::TypeId, q: Symbol) -> Option<()> {
        let declared = self.m.inputs.reference(q)?.ty;
        self.m.universe.is_assignable(ty, declared).ok()?.then_some(())
    }

    fn is_null(&mut self, symbol: Symbol) -> Term {
        let var = self.m.terms.var(symbol);
        let zero = self.m.terms.bv(64, 0);
        self.m.terms.eq(var, zero)
    }

    fn null(&mut self, symbol: Symbol, wanted: bool) -> Option<()> {
        let is_null = self.is_null(symbol);
        let holds = if wanted { is_null } else { self.m.terms.not(is_null) };
        if wanted && self.m.inputs.reference(symbol)?.never_null {
            return None;
        }
        self.hold(holds)
    }

    /// Adds an equation; `None` if it cannot hold.
    fn hold(&mut self, term: Term) -> Option<()> {
        match self.m.terms.as_bool(term) {
            Some(true) => Some(()),
            Some(false) => None,
            None => {
                self.binding.constraints.push(term);
                Some(())
            }
        }
    }
}
