//! Memory that others may have too: objects that were passed in, and whatever static fields lead to.
//!
//! Exploration takes for granted that nobody else changes it while the method runs, and notes that it does. An exploration
//! in any world ([`crate::inputs::Inputs::any_world`]) takes it for granted no more: a number that somebody may have changed
//! is any number. It shows what does not depend on the assumption.

use std::rc::Rc;

use term::Sort;
use types::{FieldId, MethodId, Primitive, TypeId};
use verdict::Assumption;

use crate::bytes::{Bits, Bytes};
use crate::code::FieldSite;
use crate::heap::{BlockKind, Sharing, split_address};
use crate::machine::{Machine, Step, peek};
use crate::state::State;
use crate::value::{Repr, Value};

/// Any element of an array, as the low half of an address.
const ANY_ELEMENT: u64 = 0xffff_fffe;
/// Bytes of an address.
const WORD: usize = 8;

impl Machine {
    /// What a reader finds at a place, given what the path has there.
    pub(crate) fn read_by(&mut self, s: &mut State, place: Read, found: Value) -> Value {
        let (block, _) = split_address(place.address);
        let others = match s.heap.sharing(block) {
            Sharing::Own | Sharing::New | Sharing::Fixed | Sharing::Framework => return found,
            _ if place.is_readonly || s.heap.new_blocks != Sharing::Own => return found,
            Sharing::Static => Some(Others::Statics),
            Sharing::Escaped => Some(Others::Threads),
            Sharing::Input => self.others_at(s, place.address),
        };
        match others {
            Some(others) => self.changed_by(s, others, place, found),
            None => found,
        }
    }

    /// The same for a static field that other code may write.
    pub(crate) fn read_static_by(
        &mut self,
        s: &mut State,
        site: FieldSite,
        address: u64,
        found: Value,
    ) -> Value {
        if !self.is_for_all_threads(s, site) || Rc::make_mut(&mut s.path.seen).insert(address) {
            return found;
        }
        let place = Read { address, is_readonly: false, repr: site.repr, field: Some(site.field) };
        self.changed_by(s, Others::Threads, place, found)
    }

    /// The address of a static field is taken: whoever has it reads the field.
    pub(crate) fn note_static_address(&mut self, s: &mut State, site: FieldSite, address: u64) {
        if self.is_for_all_threads(s, site) && !Rc::make_mut(&mut s.path.seen).insert(address) {
            self.assume(Assumption::OneThread, |_| Others::Threads.sentence().to_owned());
        }
    }

    /// Whether other threads may write a static field while the path runs.
    fn is_for_all_threads(&mut self, s: &State, site: FieldSite) -> bool {
        self.explores()
            && site.changeable
            && !site.compilers_cache
            && s.heap.new_blocks == Sharing::Own
            && !self.is_framework(site.owner)
            && !self.universe.field_has_attribute(site.field, "System", "ThreadStaticAttribute")
            && self.may_change(site)
    }

    /// What somebody else may have stored: anything in any world, and an assumption in the usual one.
    fn changed_by(&mut self, s: &State, others: Others, place: Read, found: Value) -> Value {
        if self.inputs.any_world
            && !self.config.accepted.contains(others.assumption())
            && let Some(any) = self.anything(s, place)
        {
            return any;
        }
        self.assume(others.assumption(), |_| others.sentence().to_owned());
        found
    }

    /// The same for an element at a symbolic index: it may be any that was read before.
    pub(crate) fn read_element_by(&mut self, s: &mut State, array: u64, repr: Repr, found: Value) -> Value {
        let (block, _) = split_address(array);
        self.read_by(s, Read::through(block.address() | ANY_ELEMENT, repr), found)
    }

    /// A value is about to be stored where others may find it: so may they find what it refers to.
    pub(crate) fn note_stored(&mut self, s: &mut State, to: u64, value: &Value) {
        if !self.explores() {
            return;
        }
        let (block, _) = split_address(to);
        if matches!(s.heap.sharing(block), Sharing::Input | Sharing::Static | Sharing::Escaped) {
            self.give_away(s, value);
        }
    }

    pub(crate) fn note_stored_static(&mut self, s: &mut State, site: FieldSite, to: u64, value: &Value) {
        if self.is_for_all_threads(s, site) {
            Rc::make_mut(&mut s.path.seen).insert(to);
            self.give_away(s, value);
        }
    }

    /// Everything of the method's own that a value leads to is no longer its own.
    fn give_away(&mut self, s: &mut State, value: &Value) {
        let string = self.universe.well_known().map(|known| known.string).ok();
        let mut waiting = addresses_in(value);
        while let Some(address) = waiting.pop() {
            let (id, _) = split_address(address);
            let Some(block) = s.heap.get(id).filter(|block| block.sharing == Sharing::Own) else { continue };
            let is_text = matches!(block.kind, BlockKind::Object(ty) if Some(ty) == string);
            if is_text || !matches!(block.kind, BlockKind::Object(_)) {
                continue;
            }
            waiting.extend(words(&block.bytes));
            s.heap.share(id, Sharing::Escaped);
        }
    }

    pub(crate) fn note_write(&mut self, s: &mut State, address: u64) {
        let (block, _) = split_address(address);
        s.path.wrote_shared |= !matches!(s.heap.sharing(block), Sharing::Own | Sharing::New);
        match s.heap.sharing(block) {
            Sharing::Input => {
                Rc::make_mut(&mut s.path.seen).insert(address);
                self.note_other_names(s);
            }
            Sharing::Static => {
                Rc::make_mut(&mut s.path.seen).insert(address);
            }
            _ => {}
        }
    }

    pub(crate) fn note_element_write(&mut self, s: &mut State, array: u64) {
        let (block, _) = split_address(array);
        self.note_write(s, block.address() | ANY_ELEMENT);
    }

    /// What passed-in memory holds may be written under another name.
    fn note_other_names(&mut self, s: &mut State) {
        if !self.inputs.may_overlap {
            return;
        }
        if self.inputs.any_world && !self.config.accepted.contains(Assumption::UsualInputs) {
            s.path.overwritten = true;
            return;
        }
        self.assume(Assumption::UsualInputs, |_| Others::Names.sentence().to_owned());
    }

    /// Who may have changed a place of an input object since it was last looked at.
    fn others_at(&mut self, s: &mut State, address: u64) -> Option<Others> {
        if s.path.overwritten {
            return Some(Others::Names);
        }
        if self.assumes(Assumption::OneThread) {
            return None;
        }
        let (block, _) = split_address(address);
        let any = block.address() | ANY_ELEMENT;
        let seen = &s.path.seen;
        let again = seen.contains(&address) || seen.contains(&any);
        if again || address == any && seen.iter().any(|known| split_address(*known).0 == block) {
            return Some(Others::Threads);
        }
        Rc::make_mut(&mut s.path.seen).insert(address);
        None
    }

    /// A model is called, which looks at memory in its own way: in any world as well it sees what the path has there.
    pub(crate) fn note_modelled(&mut self, s: &mut State, method: MethodId, count: usize) -> Step<()> {
        let is_initializing = s.heap.new_blocks != Sharing::Own;
        if !self.explores() || is_initializing || self.basis(method).looks_at_nothing {
            return Ok(());
        }
        let is_asked = self.is_asked_by_program(s);
        let matters = is_asked || self.inputs.any_world || self.inputs.may_overlap;
        if !matters || self.takes_numbers_only(method) {
            return Ok(());
        }
        for depth in 0..count {
            let argument = peek(s, depth)?;
            let found = match argument {
                // It may be the address of an element.
                Value::Term(term) if self.terms.width(*term) == 64 => Some((u64::MAX, Others::Threads)),
                value => {
                    let mut all = addresses_in(value).into_iter();
                    all.find_map(|address| Some((address, self.others_behind(s, address)?)))
                }
            };
            let Some((address, others)) = found else { continue };
            s.path.wrote_shared = true;
            let is_known = address != u64::MAX;
            let is_again = is_asked && is_known && !Rc::make_mut(&mut s.path.seen).insert(address);
            if self.inputs.any_world || is_again {
                self.assume(others.assumption(), |_| others.sentence().to_owned());
            }
            if self.inputs.may_overlap {
                self.assume(Assumption::UsualInputs, |_| Others::Names.sentence().to_owned());
            }
        }
        Ok(())
    }

    fn takes_numbers_only(&self, method: MethodId) -> bool {
        let is_number = |ty: &TypeId| {
            let primitive = self.universe.primitive(*ty);
            primitive.is_some_and(|primitive| !matches!(primitive, Primitive::I | Primitive::U))
        };
        let signature = self.universe.signature(method);
        self.universe.method(method).is_static()
            && signature.is_ok_and(|signature| signature.params.iter().all(is_number))
    }

    /// Who may change what an address leads to. Texts never change.
    fn others_behind(&self, s: &State, address: u64) -> Option<Others> {
        let (id, offset) = split_address(address);
        let block = s.heap.get(id)?;
        if let BlockKind::Object(ty) = block.kind
            && offset == 0
            && self.universe.well_known().is_ok_and(|known| known.string == ty)
        {
            return None;
        }
        match block.sharing {
            Sharing::Own | Sharing::New | Sharing::Fixed | Sharing::Framework => None,
            Sharing::Static => Some(Others::Statics),
            Sharing::Input | Sharing::Escaped => Some(Others::Threads),
        }
    }

    /// Whatever fits a place; none where it is not known what fits.
    fn anything(&mut self, s: &State, place: Read) -> Option<Value> {
        if place.repr != Repr::Ref {
            return self.any_number(place);
        }
        // An object of the method's own may have got out, and come back.
        if s.path.wrote_shared {
            return None;
        }
        let ty = self.universe.field_type(place.field?).ok()?;
        let symbol = self.reference_symbol(ty, "what others have stored");
        Some(Value::Term(self.terms.var(symbol)))
    }

    /// Any number that fits a place; none for what is not a number, or may be an address.
    fn any_number(&mut self, place: Read) -> Option<Value> {
        let is_number = match place.repr {
            Repr::Ref | Repr::Struct { .. } => false,
            Repr::I8 => place.field.is_some_and(|field| self.is_long(field)),
            _ => true,
        };
        if !is_number {
            return None;
        }
        let symbol = self.terms.symbol("what others have stored", Sort::Bv(8 * place.repr.size()));
        let any = self.terms.var(symbol);
        Some(self.widen(Bits::Symbolic(any), place.repr))
    }

    fn is_long(&self, field: FieldId) -> bool {
        let ty = self.universe.field_type(field).ok();
        ty.is_some_and(|ty| matches!(self.universe.primitive(ty), Some(Primitive::I8 | Primitive::U8)))
    }
}

/// What may be addresses in a value.
fn addresses_in(value: &Value) -> Vec<u64> {
    match value {
        Value::I64(address) => vec![address.cast_unsigned()],
        Value::Struct(bytes) => words(bytes),
        _ => Vec::new(),
    }
}

/// The known numbers of the size of an address.
fn words(bytes: &Bytes) -> Vec<u64> {
    let known = (0..bytes.len()).step_by(WORD).filter_map(|at| bytes.concrete_range(at, WORD));
    known.filter_map(|word| word.try_into().ok().map(u64::from_le_bytes)).collect()
}

/// A place in memory that is read.
#[derive(Clone, Copy)]
pub(crate) struct Read {
    pub address: u64,
    pub is_readonly: bool,
    pub repr: Repr,
    /// The field that it is read as.
    pub field: Option<FieldId>,
}

impl Read {
    /// Through an address.
    pub fn through(address: u64, repr: Repr) -> Read {
        Read { address, is_readonly: false, repr, field: None }
    }
}

/// Who may have changed what is read.
#[derive(Clone, Copy)]
enum Others {
    /// Whoever reaches a static field.
    Statics,
    Threads,
    /// The method itself, through an argument that overlaps with another.
    Names,
}

impl Others {
    fn assumption(self) -> Assumption {
        match self {
            Others::Statics => Assumption::UnchangedStatics,
            Others::Threads => Assumption::OneThread,
            Others::Names => Assumption::UsualInputs,
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Others::Statics => "what static fields lead to is as their initializers leave it",
            Others::Threads => "no other thread changes what the method reads more than once",
            Others::Names => "by-ref arguments and spans do not overlap with what else is passed",
        }
    }
}
