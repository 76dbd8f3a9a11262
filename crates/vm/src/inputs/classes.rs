//! Which class an input object has, decided as late as possible.
//!
//! An object behind a reference may be of many classes. It is made *open*: it has the fields of the class that all of
//! them share, and the list of the classes it can still be. A virtual call forks over the methods that it can reach, a
//! type test over its two outcomes; each successor keeps the classes that behave so. What wants to know the very class
//! forks over all that are left. A path that ends with an open object takes the first class, the most natural one.
//!
//! Fields of a base class come first in a layout, so an object that turns out to be more derived keeps what it has.

use std::rc::Rc;

use term::{Sort, Symbol};
use types::{MethodId, TypeId};

use crate::bytes::Bytes;
use crate::heap::{BlockId, BlockKind, Sharing, split_address};
use crate::inputs::contents::Contents;
use crate::machine::{Machine, Step, fork, give_up};
use crate::state::State;
use crate::stop::{Action, Choice, Stop};
use verdict::Gap;

/// What the class of an object was asked for. Each question about a reference has one symbol on all paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Is it one of these?
    Is(TypeId),
    /// Which method does a call of this one reach?
    Reaches(MethodId),
    /// Which class is it?
    Class,
}

/// Width of the symbol that answers a question.
const ANSWER_BITS: u32 = 16;

impl Machine {
    /// The method that a virtual call on an object reaches.
    pub fn dispatched(&mut self, s: &State, this: u64, method: MethodId) -> Step<MethodId> {
        let universe = Rc::clone(&self.universe);
        let target =
            |class: TypeId| universe.resolve_virtual(class, method).map_err(|error| give_up(s, error.into()));
        let target = match s.open_classes(this) {
            Some((block, classes)) => {
                self.ask_class(s, block, &classes, Question::Reaches(method), target, |_| None)?
            }
            None => target(self.object_type(s, this)?)?,
        };
        self.note_dispatch(s, this, method, target);
        Ok(target)
    }

    /// Whether an object is an instance of a type.
    pub fn is_instance(&mut self, s: &State, object: u64, ty: TypeId) -> Step<bool> {
        let universe = Rc::clone(&self.universe);
        let is = |class: TypeId| universe.is_assignable(class, ty).map_err(|error| give_up(s, error.into()));
        let is = match s.open_classes(object) {
            Some((block, classes)) => {
                self.ask_class(s, block, &classes, Question::Is(ty), is, |is| is.then_some(ty))?
            }
            None => is(self.object_type(s, object)?)?,
        };
        self.note_type_test(s, object, ty, is);
        Ok(is)
    }

    /// The fork over all classes that an open object can be.
    pub(crate) fn ask_exact_class(&mut self, s: &State, block: BlockId) -> Box<Stop> {
        let Some(classes) = s.path.origins.classes(block).cloned() else {
            return give_up(s, Gap::internal_error("an open object without classes"));
        };
        match self.ask_class(s, block, &classes, Question::Class, Ok, |_| None) {
            Err(stop) => stop,
            Ok(class) => {
                let guard = self.terms.true_();
                let action = Action::Narrow { block, classes: Rc::new([class]), bound: None };
                fork(vec![Choice { guard, action }])
            }
        }
    }

    /// The answer, if all classes give the same one; otherwise a fork over the answers. An answer may tell what classes
    /// that nobody knows here are as well.
    fn ask_class<T: PartialEq>(
        &mut self,
        s: &State,
        block: BlockId,
        classes: &[TypeId],
        question: Question,
        answer: impl Fn(TypeId) -> Step<T>,
        bound: impl Fn(&T) -> Option<TypeId>,
    ) -> Step<T> {
        let mut groups: Vec<(T, Vec<TypeId>)> = Vec::new();
        for &class in classes {
            let answer = answer(class)?;
            match groups.iter_mut().find(|(known, _)| *known == answer) {
                Some((_, group)) => group.push(class),
                None => groups.push((answer, vec![class])),
            }
        }
        if groups.len() == 1 {
            return groups.pop().map(|(answer, _)| answer).ok_or_else(|| lost(s));
        }
        let Some(owner) = s.path.origins.owner(block) else { return Err(lost(s)) };
        let symbol = self.answer_symbol(owner, question);
        let answer = self.terms.var(symbol);
        let last = groups.len().saturating_sub(1);
        let mut choices = Vec::new();
        for (number, (told, group)) in groups.into_iter().enumerate() {
            let constant = self.terms.bv(ANSWER_BITS, number as u128);
            // What no number names is the last one, so that the guards cover every case.
            let guard = if number == last {
                self.terms.uge(answer, constant)
            } else {
                self.terms.eq(answer, constant)
            };
            let action = Action::Narrow { block, classes: group.into(), bound: bound(&told) };
            choices.push(Choice { guard, action });
        }
        Err(fork(choices))
    }

    fn answer_symbol(&mut self, owner: Symbol, question: Question) -> Symbol {
        if let Some(symbol) = self.inputs.questions.get(&(owner, question)) {
            return *symbol;
        }
        let name = self.inputs.reference(owner).map_or("object", |reference| &reference.name);
        let asked = match question {
            Question::Is(ty) => format!("{name}:is {}", self.universe.type_name(ty)),
            Question::Reaches(method) => format!("{name}:reaches {}", self.universe.method_id(method)),
            Question::Class => format!("{name}:class"),
        };
        let symbol = self.terms.symbol(&asked, Sort::Bv(ANSWER_BITS));
        self.inputs.questions.insert((owner, question), symbol);
        symbol
    }

    /// Gives a reference an object of its own that may be of any of these classes, the most natural one first.
    pub(crate) fn make_open(
        &mut self,
        s: &mut State,
        symbol: Symbol,
        classes: Rc<[TypeId]>,
    ) -> Result<BlockId, Gap> {
        if let [class] = *classes {
            return self.materialize(s, symbol, class);
        }
        let object = self.universe.well_known()?.object;
        let block = s.heap.allocate(BlockKind::Open(object), Bytes::zeroed(1));
        s.heap.share(block, Sharing::Input);
        let origins = Rc::make_mut(&mut s.path.origins);
        origins.add_object(symbol, block);
        origins.set_classes(block, Some(Rc::clone(&classes)));
        self.narrow_to(s, block, classes)?;
        Ok(block)
    }

    /// Leaves an open object only some of its classes.
    pub(crate) fn narrow_to(
        &mut self,
        s: &mut State,
        block: BlockId,
        classes: Rc<[TypeId]>,
    ) -> Result<(), Gap> {
        if let [class] = *classes {
            self.grow(s, block, class, BlockKind::Object(class))?;
            Rc::make_mut(&mut s.path.origins).set_classes(block, None);
            return Ok(());
        }
        let shared = self.shared_base(&classes)?;
        self.grow(s, block, shared, BlockKind::Open(shared))?;
        Rc::make_mut(&mut s.path.origins).set_classes(block, Some(classes));
        Ok(())
    }

    /// An input object has passed a test: whatever its class is, it is one of these.
    pub(crate) fn bound_class(&self, s: &mut State, block: BlockId, bound: TypeId) {
        let tells_more = match self.class_bound(s, block) {
            Some(known) => self.universe.is_assignable(bound, known).unwrap_or(false),
            None => true,
        };
        if tells_more {
            Rc::make_mut(&mut s.path.origins).set_bound(block, bound);
        }
    }

    /// What an input object is known to be, whoever wrote its class: what a test has shown, or else the type that its
    /// reference is declared with.
    pub(crate) fn class_bound(&self, s: &State, block: BlockId) -> Option<TypeId> {
        let origins = &s.path.origins;
        let declared = || Some(self.inputs.reference(origins.owner(block)?)?.ty);
        origins.bound(block).or_else(declared)
    }

    /// Gives every open object its first class.
    pub fn close_classes(&mut self, s: &mut State) -> Result<(), Gap> {
        for (block, class) in s.path.origins.first_classes() {
            self.narrow_to(s, block, Rc::new([class]))?;
        }
        Ok(())
    }

    /// Adds the fields that a class has beyond those that the object has already.
    fn grow(&mut self, s: &mut State, block: BlockId, class: TypeId, kind: BlockKind) -> Result<(), Gap> {
        let Some(owner) = s.path.origins.owner(block) else {
            return Err(Gap::internal_error("an open object without an owner"));
        };
        let universe = Rc::clone(&self.universe);
        let Some(BlockKind::Open(before)) = s.heap.get(block).map(|block| block.kind) else {
            return Err(Gap::internal_error("a class for an object that has one"));
        };
        let contents = self.contents(owner, class)?;
        let Contents::Fields { fields, .. } = &*contents else {
            return Err(Gap::internal_error("an open object that is no plain one"));
        };
        let size = universe.layout(class)?.size.max(1) as usize;
        s.heap.grow(block, kind, size);
        let there = &universe.layout(before)?.fields;
        for (field, input) in fields {
            if before == class || there.iter().any(|(known, _)| known == field) {
                continue;
            }
            self.write_input(s, block, universe.field_offset(*field)?, input)?;
        }
        Ok(())
    }

    /// The most derived class that all of these extend.
    fn shared_base(&self, classes: &[TypeId]) -> Result<TypeId, Gap> {
        let universe = &self.universe;
        let object = universe.well_known()?.object;
        let Some((&first, others)) = classes.split_first() else { return Ok(object) };
        let mut candidate = Some(first);
        while let Some(class) = candidate {
            let mut shared = true;
            for &other in others {
                shared &= self.extends(other, class)?;
            }
            if shared {
                return Ok(class);
            }
            candidate = universe.base(class)?;
        }
        Ok(object)
    }

    fn extends(&self, class: TypeId, base: TypeId) -> Result<bool, Gap> {
        let mut current = Some(class);
        while let Some(class) = current {
            if class == base {
                return Ok(true);
            }
            current = self.universe.base(class)?;
        }
        Ok(false)
    }
}

impl State {
    /// The classes that the object at an address can be, if that is open.
    pub(crate) fn open_classes(&self, address: u64) -> Option<(BlockId, Rc<[TypeId]>)> {
        let (block, _) = split_address(address);
        match self.heap.get(block)?.kind {
            BlockKind::Open(_) => Some((block, Rc::clone(self.path.origins.classes(block)?))),
            _ => None,
        }
    }
}

fn lost(s: &State) -> Box<Stop> {
    give_up(s, Gap::internal_error("an open object without classes"))
}
