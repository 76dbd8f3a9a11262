//! Input references: null, the object of another reference, or an object of its own.
//!
//! Which of these a reference is stays open until an instruction looks behind it. Then the path forks: one successor for
//! null, one for each input object of the path that it could be, one for each class that a new object could have. So an
//! address in memory is always a plain number, whatever the aliasing, and everything below this file is concrete.
//!
//! Two symbols decide the fork: the reference itself, which is only ever compared with null, and its *choice*, a number
//! whose zero means "an object of its own, of its first class". A model that leaves both at zero is the simplest input.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Node, Sort, Symbol, Term};
use types::{Type, TypeId};

use crate::heap::{BlockId, BlockKind, Sharing};
use crate::inputs::candidates::MAX_CANDIDATES;
use crate::inputs::collections::MAX_ITEMS;
use crate::inputs::grids::{Shape, shapes};
use crate::inputs::mocks::Asked;
use crate::machine::{Machine, Step, fork, give_up, unsupported};
use crate::state::State;
use crate::stop::{Action, Choice, Stop};
use crate::value::{Repr, Value};
use verdict::{Assumption, Gap};

/// Width of a choice.
const CHOICE_BITS: u32 = 16;

/// What is known of a reference before anything is behind it.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The type it is declared with.
    pub ty: TypeId,
    /// How it is reached from the arguments, such as `arg0.next`.
    pub name: Rc<str>,
    pub choice: Symbol,
    /// No object that code has made holds null here.
    pub never_null: bool,
    /// Unless a subclass elsewhere of this class gives objects away whose constructor has not run: its finalizer can.
    pub unless_unfinished: Option<TypeId>,
}

/// What a path has made of the input references.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    resolved: FxHashMap<Symbol, Option<BlockId>>,
    /// Input objects in the order they were made, each with the reference it was made for.
    objects: Vec<(Symbol, BlockId)>,
    /// How many items the collections were filled with.
    counts: FxHashMap<Symbol, u32>,
    /// The shapes of arrays of several dimensions.
    shapes: FxHashMap<Symbol, Shape>,
    /// What the path has asked of mocks.
    pub asked: Asked,
    /// The classes that open objects can be.
    classes: FxHashMap<BlockId, Rc<[TypeId]>>,
    /// What tests have shown of input objects: a type that their class is, wherever it may be declared.
    bounds: FxHashMap<BlockId, TypeId>,
    /// How objects of the framework were made: for which type, in which of its ways.
    makings: FxHashMap<Symbol, (TypeId, u32)>,
}

/// What a reference turns out to be.
#[derive(Clone, Debug)]
pub enum Resolution {
    Null,
    /// An input object that is there already.
    Same(BlockId),
    /// A new object of exactly this type.
    New(TypeId),
    /// A new object of one of these classes.
    Open(Rc<[TypeId]>),
    /// A new collection that is filled with so many items.
    Filled(TypeId, u32),
    /// A new object that the framework makes, in this of its ways.
    Made(TypeId, u32),
    /// A new array of several dimensions.
    Shaped(TypeId, Shape),
    /// A new object of one of these made-up classes, although real ones would do.
    Mock(Rc<[TypeId]>),
}

/// A term that stands for a reference.
enum Form {
    Symbol(Symbol),
    /// One of two, by a condition.
    Either(Term, Term, Term),
}

impl Origins {
    /// `None`: still open. `Some(None)`: null.
    pub fn resolution(&self, symbol: Symbol) -> Option<Option<BlockId>> {
        self.resolved.get(&symbol).copied()
    }

    /// Input objects in the order they were made, each with the reference it was made for.
    pub fn objects(&self) -> &[(Symbol, BlockId)] {
        &self.objects
    }

    /// The reference for which an input object was made.
    pub fn owner(&self, block: BlockId) -> Option<Symbol> {
        self.objects.iter().find(|(_, b)| *b == block).map(|(symbol, _)| *symbol)
    }

    /// The input objects that a later state of the same path has made beyond those of an earlier one, which may be
    /// forgotten; `None` if more has happened than that.
    pub(crate) fn made_since(&self, earlier: &Origins) -> Option<Vec<(Symbol, BlockId)>> {
        // What classes an object can still have, and what is known of them, is less in the earlier state: it allows more.
        let Origins { resolved, objects, counts, shapes, asked, classes: _, bounds: _, makings } = earlier;
        let keeps = resolved.iter().all(|(symbol, block)| self.resolved.get(symbol) == Some(block))
            && counts.iter().all(|(symbol, count)| self.counts.get(symbol) == Some(count))
            && shapes.iter().all(|(symbol, shape)| self.shapes.get(symbol) == Some(shape))
            && makings.iter().all(|(symbol, making)| self.makings.get(symbol) == Some(making));
        let is_quiet = |asked: &Asked| {
            let Asked { calls, properties, decided, thrown } = asked;
            calls.is_empty() && properties.is_empty() && decided.is_none() && thrown.is_empty()
        };
        let is_prefix = self.objects.get(..objects.len()) == Some(&objects[..]);
        // Mocks count their calls: what one answers depends on how often it was asked.
        if !keeps || !is_prefix || !is_quiet(asked) || !is_quiet(&self.asked) {
            return None;
        }
        Some(self.objects[objects.len()..].to_vec())
    }

    /// The references that a later state of the same path has settled beyond those of an earlier one.
    pub fn settled_since(&self, earlier: &Origins) -> Vec<Symbol> {
        let mut more: Vec<Symbol> =
            self.resolved.keys().copied().filter(|symbol| !earlier.resolved.contains_key(symbol)).collect();
        more.sort_unstable();
        more
    }

    /// How many items the collection has that was made for a reference.
    pub fn count(&self, owner: Symbol) -> u32 {
        self.counts.get(&owner).copied().unwrap_or(0)
    }

    /// The shape of the array of several dimensions that was made for a reference.
    pub fn shape(&self, owner: Symbol) -> Shape {
        self.shapes.get(&owner).copied().unwrap_or_default()
    }

    /// The classes that an open object can be.
    pub fn classes(&self, block: BlockId) -> Option<&Rc<[TypeId]>> {
        self.classes.get(&block)
    }

    /// The type that a test has shown an input object to be.
    pub fn bound(&self, block: BlockId) -> Option<TypeId> {
        self.bounds.get(&block).copied()
    }

    pub(super) fn set_bound(&mut self, block: BlockId, bound: TypeId) {
        self.bounds.insert(block, bound);
    }

    pub(super) fn set_classes(&mut self, block: BlockId, classes: Option<Rc<[TypeId]>>) {
        match classes {
            Some(classes) => self.classes.insert(block, classes),
            None => self.classes.remove(&block),
        };
    }

    /// The open objects in the order they were made, each with the first of its classes.
    pub(super) fn first_classes(&self) -> Vec<(BlockId, TypeId)> {
        let first = |(_, block): &(Symbol, BlockId)| Some((*block, *self.classes.get(block)?.first()?));
        self.objects.iter().filter_map(first).collect()
    }

    pub(crate) fn add_collection(&mut self, symbol: Symbol, block: BlockId, count: u32) {
        self.counts.insert(symbol, count);
        self.add_object(symbol, block);
    }

    /// The type and the way by which the object was made that stands behind a reference.
    pub fn making(&self, owner: Symbol) -> Option<(TypeId, u32)> {
        self.makings.get(&owner).copied()
    }

    pub(super) fn set_making(&mut self, symbol: Symbol, ty: TypeId, way: u32) {
        self.makings.insert(symbol, (ty, way));
    }

    pub(crate) fn resolve(&mut self, symbol: Symbol, block: Option<BlockId>) {
        self.resolved.insert(symbol, block);
    }

    pub(super) fn add_object(&mut self, symbol: Symbol, block: BlockId) {
        self.objects.push((symbol, block));
        self.resolve(symbol, Some(block));
    }
}

impl Machine {
    pub(crate) fn reference_symbol(&mut self, ty: TypeId, name: &str) -> Symbol {
        let symbol = self.terms.symbol(name, Sort::Bv(64));
        let choice = self.terms.symbol(&format!("{name}:choice"), Sort::Bv(CHOICE_BITS));
        let reference =
            Reference { ty, name: name.into(), choice, never_null: false, unless_unfinished: None };
        self.inputs.references.insert(symbol, Rc::new(reference));
        symbol
    }

    /// Says that null is no input here, unless a subclass elsewhere of a class gives unfinished objects away.
    pub(super) fn exclude_null(&mut self, symbol: Symbol, unless_unfinished: Option<TypeId>) {
        if let Some(reference) = self.inputs.references.get_mut(&symbol) {
            let reference = Rc::make_mut(reference);
            reference.never_null = true;
            reference.unless_unfinished = unless_unfinished;
        }
    }

    /// Whether a term is an open reference that is never null.
    pub fn is_never_null(&self, term: Term) -> bool {
        let Node::Var(symbol) = self.terms.node(term) else { return false };
        self.inputs.references.get(symbol).is_some_and(|reference| reference.never_null)
    }

    /// The value with a reference that the path has resolved replaced by what it is.
    pub fn settled(&self, s: &State, value: &Value) -> Option<Value> {
        let Value::Term(term) = value else { return None };
        let Node::Var(symbol) = self.terms.node(*term) else { return None };
        let resolved = s.path.origins.resolution(*symbol)?;
        Some(resolved.map_or(Value::NULL, |block| Value::address(block.address())))
    }

    /// Asks what a symbolic reference is; `None` if the term is none (or is settled already).
    pub(crate) fn unsettled(&mut self, s: &State, term: Term, depth: usize) -> Option<Box<Stop>> {
        match self.reference_form(term)? {
            Form::Symbol(symbol) => match s.path.origins.resolution(symbol) {
                Some(_) => None,
                None => Some(self.resolutions(s, symbol)),
            },
            Form::Either(condition, a, b) => {
                let otherwise = self.terms.not(condition);
                let operand = |m: &Machine, term| Action::Operand { depth, value: m.value_of(term) };
                Some(fork(vec![
                    Choice { guard: condition, action: operand(self, a) },
                    Choice { guard: otherwise, action: operand(self, b) },
                ]))
            }
        }
    }

    /// The same for a reference that lies in memory.
    pub(crate) fn unsettled_in_memory(&mut self, s: &State, term: Term, address: u64) -> Box<Stop> {
        match self.reference_form(term) {
            Some(Form::Symbol(symbol)) => self.resolutions(s, symbol),
            Some(Form::Either(condition, a, b)) => {
                let otherwise = self.terms.not(condition);
                let refine = |m: &Machine, term| Action::Refine { address, value: m.value_of(term) };
                fork(vec![
                    Choice { guard: condition, action: refine(self, a) },
                    Choice { guard: otherwise, action: refine(self, b) },
                ])
            }
            None => unsupported(s, "a reference made from numbers"),
        }
    }

    /// The reference at an address, as the object that it is.
    pub fn settled_in_memory(&mut self, s: &State, address: u64) -> Step<Value> {
        let value = self.load(s, address, Repr::Ref)?;
        let Value::Term(term) = value else { return Ok(value) };
        self.settled(s, &value).ok_or_else(|| self.unsettled_in_memory(s, term, address))
    }

    /// Whether two settled references are the same; `None` if one of them is not settled.
    pub fn is_same_object(&mut self, s: &State, a: &Value, b: &Value) -> Option<bool> {
        self.note_compared_objects(s, a, b);
        match (a, b) {
            (Value::I64(a), Value::I64(b)) => Some(a == b),
            _ => None,
        }
    }

    /// What an input reference can be, for whoever wants that to be settled before something looks behind it; none if it is.
    pub fn settling(&mut self, s: &State, symbol: Symbol) -> Option<Vec<Choice>> {
        if s.path.origins.resolution(symbol).is_some() || !self.inputs.references.contains_key(&symbol) {
            return None;
        }
        match *self.resolutions(s, symbol) {
            Stop::Fork(choices) => Some(choices),
            _ => None,
        }
    }

    fn reference_form(&self, term: Term) -> Option<Form> {
        match *self.terms.node(term) {
            Node::Var(symbol) if self.inputs.references.contains_key(&symbol) => Some(Form::Symbol(symbol)),
            Node::Ite(condition, a, b) => Some(Form::Either(condition, a, b)),
            _ => None,
        }
    }

    /// The fork over everything that a reference can be.
    fn resolutions(&mut self, s: &State, symbol: Symbol) -> Box<Stop> {
        let Some(reference) = self.inputs.references.get(&symbol).cloned() else {
            return give_up(s, Gap::internal_error("a lost reference"));
        };
        let mut options = match self.new_objects(symbol, reference.ty) {
            Ok(options) => options,
            Err(gap) => return give_up(s, gap),
        };
        for &(_, block) in s.path.origins.objects() {
            match self.can_be(s, block, reference.ty) {
                Ok(true) => options.push(Action::Resolve { symbol, to: Resolution::Same(block) }),
                Ok(false) => {}
                Err(gap) => return give_up(s, gap),
            }
        }
        let var = self.terms.var(symbol);
        let zero = self.terms.bv(64, 0);
        let null = self.terms.eq(var, zero);
        let never_null = reference.never_null && !options.is_empty();
        let object = if never_null { self.terms.true_() } else { self.terms.not(null) };
        let choice = self.terms.var(reference.choice);
        let mut choices = Vec::new();
        if let (true, Some(class)) = (never_null, reference.unless_unfinished) {
            self.assume(Assumption::ClosedWorld, |m| {
                let class = m.universe.type_name(class);
                format!("no subclass of {class} elsewhere gives objects away that are not finished")
            });
        }
        if !never_null {
            choices.push(Choice { guard: null, action: Action::Resolve { symbol, to: Resolution::Null } });
        }
        let last = options.len().saturating_sub(1);
        for (number, action) in options.into_iter().enumerate() {
            let constant = self.terms.bv(CHOICE_BITS, number as u128);
            // What no number names is the last one, so that the guards cover every case.
            let chosen = if number == last {
                self.terms.uge(choice, constant)
            } else {
                self.terms.eq(choice, constant)
            };
            choices.push(Choice { guard: self.terms.and(object, chosen), action });
        }
        fork(choices)
    }

    /// The new objects that can stand behind a reference, or why there are none.
    fn new_objects(&mut self, symbol: Symbol, ty: TypeId) -> Result<Vec<Action>, Gap> {
        let refused = |gap| Ok(vec![Action::GiveUp(gap)]);
        if let Some(gap) = self.why_not_made(ty) {
            return refused(gap);
        }
        let candidates = self.candidates(ty)?;
        self.limit_candidates(ty, candidates.len());
        let mut options = Vec::new();
        let mut plain = Vec::new();
        for &ty in candidates.iter().take(MAX_CANDIDATES) {
            if let Type::Array { rank, .. } = *self.universe.ty(ty) {
                let detail = "arrays of several dimensions are tried in small shapes only";
                self.inputs.limit(Gap::bound(detail));
                options.extend(shapes(rank).into_iter().map(|shape| Resolution::Shaped(ty, shape)));
            } else if self.is_filled(ty) {
                let detail = format!("collections of more than {MAX_ITEMS} items are not tried");
                self.inputs.limit(Gap::bound(detail));
                options.extend((0..=MAX_ITEMS).map(|count| Resolution::Filled(ty, count)));
            } else if self.is_made(ty) {
                let ways = self.plans(ty)?.len() as u32;
                self.limit_made(ty);
                options.extend((0..ways).map(|way| Resolution::Made(ty, way)));
            } else if self.is_plain_class(ty) {
                plain.push(ty);
            } else {
                options.push(Resolution::New(ty));
            }
        }
        match plain[..] {
            [] => {}
            [class] => options.insert(0, Resolution::New(class)),
            _ => options.insert(0, Resolution::Open(plain.into())),
        }
        if let Err(gap) = self.add_mock(ty, &mut options) {
            return refused(gap);
        }
        Ok(options.into_iter().map(|to| Action::Resolve { symbol, to }).collect())
    }

    pub(crate) fn can_be(&self, s: &State, block: BlockId, ty: TypeId) -> Result<bool, Gap> {
        match s.heap.get(block).map(|block| block.kind) {
            Some(BlockKind::Object(exact)) => Ok(self.universe.is_assignable(exact, ty)?),
            Some(BlockKind::Open(_)) => Ok(!self.fitting_classes(s, block, ty)?.is_empty()),
            _ => Ok(false),
        }
    }

    /// The classes of an open object that a reference of this type can refer to.
    fn fitting_classes(&self, s: &State, block: BlockId, ty: TypeId) -> Result<Vec<TypeId>, Gap> {
        let mut fitting = Vec::new();
        for &class in s.path.origins.classes(block).into_iter().flat_map(|classes| classes.iter()) {
            if self.universe.is_assignable(class, ty)? {
                fitting.push(class);
            }
        }
        Ok(fitting)
    }

    /// Whether an object of this type is nothing but its fields.
    fn is_plain_class(&self, ty: TypeId) -> bool {
        let universe = &self.universe;
        let is_text = universe.well_known().is_ok_and(|known| known.string == ty);
        universe.array_element(ty).is_none()
            && !is_text
            && !universe.is_value_type(ty)
            && !universe.is_delegate(ty)
            && !self.is_list(ty)
            && !self.is_filled(ty)
            && !self.is_made(ty)
    }

    /// Makes a reference what a choice says it is.
    pub fn resolve(&mut self, s: &mut State, symbol: Symbol, to: Resolution) -> Step<()> {
        match to {
            Resolution::Null => Rc::make_mut(&mut s.path.origins).resolve(symbol, None),
            Resolution::Same(block) => {
                self.narrow_alias(s, symbol, block).map_err(|gap| give_up(s, gap))?;
                Rc::make_mut(&mut s.path.origins).resolve(symbol, Some(block));
            }
            Resolution::Shaped(ty, shape) => {
                let block = self.make_grid(s, symbol, ty, shape)?;
                s.heap.share(block, Sharing::Input);
                let origins = Rc::make_mut(&mut s.path.origins);
                origins.shapes.insert(symbol, shape);
                origins.add_object(symbol, block);
            }
            Resolution::Filled(ty, count) => self.fill(s, symbol, ty, count)?,
            Resolution::Open(classes) | Resolution::Mock(classes) => {
                self.make_open(s, symbol, classes).map_err(|gap| give_up(s, gap))?;
            }
            Resolution::Made(ty, way) => self.make(s, symbol, ty, way)?,
            Resolution::New(ty) => {
                self.materialize(s, symbol, ty).map_err(|gap| give_up(s, gap))?;
            }
        }
        Ok(())
    }

    /// An open object that another reference refers to as well is of a class that fits both.
    fn narrow_alias(&mut self, s: &mut State, symbol: Symbol, block: BlockId) -> Result<(), Gap> {
        let (Some(reference), Some(classes)) = (self.inputs.reference(symbol), s.path.origins.classes(block))
        else {
            return Ok(());
        };
        let (ty, known) = (reference.ty, classes.len());
        let fitting = self.fitting_classes(s, block, ty)?;
        if fitting.len() != known {
            self.narrow_to(s, block, fitting.into())?;
        }
        self.bound_class(s, block, ty);
        Ok(())
    }
}
