//! Memory that others may have too: objects that were passed in, and whatever static fields lead to.
//!
//! Exploration takes for granted that nobody else changes it while the method runs, and notes that it does. An exploration
//! in any world ([`crate::inputs::Inputs::any_world`]) takes it for granted no more: a number that somebody may have changed
//! is any number. It shows what does not depend on the assumption.

use std::rc::Rc;

use term::Sort;
use types::{FieldId, MethodId, Primitive};
use verdict::Assumption;

use crate::bytes::Bits;
use crate::heap::{BlockKind, Sharing, split_address};
use crate::machine::{Machine, Step, peek};
use crate::state::State;
use crate::value::{Repr, Value};

/// Any element of an array, as the low half of an address.
const ANY_ELEMENT: u64 = 0xffff_fffe;

impl Machine {
    /// What a reader finds at a place, given what the path has there.
    pub(crate) fn read_by(&mut self, s: &mut State, place: Read, found: Value) -> Value {
        let (block, _) = split_address(place.address);
        let others = match s.heap.sharing(block) {
            Sharing::Own | Sharing::New | Sharing::Fixed | Sharing::Framework => return found,
            _ if place.is_readonly || s.heap.new_blocks != Sharing::Own => return found,
            Sharing::Static => Some(Others::Statics),
            Sharing::Input => self.others_at(s, place.address),
        };
        let Some(others) = others else { return found };
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

    pub(crate) fn note_write(&mut self, s: &mut State, address: u64) {
        let (block, _) = split_address(address);
        s.path.wrote_shared |= matches!(s.heap.sharing(block), Sharing::Input | Sharing::Static);
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
        let matters = self.inputs.any_world || self.inputs.may_overlap;
        if !matters || !self.explores() || self.basis(method).looks_at_nothing {
            return Ok(());
        }
        for depth in 0..count {
            let others = match peek(s, depth)? {
                Value::I64(address) => self.others_behind(s, address.cast_unsigned()),
                // It may be the address of an element.
                Value::Term(term) if self.terms.width(*term) == 64 => Some(Others::Threads),
                Value::Struct(bytes) => {
                    let words = (0..bytes.len()).step_by(8).filter_map(|at| bytes.concrete_range(at, 8));
                    let words = words.filter_map(|word| word.try_into().ok().map(u64::from_le_bytes));
                    words.filter_map(|address| self.others_behind(s, address)).next()
                }
                _ => None,
            };
            let Some(others) = others else { continue };
            s.path.wrote_shared = true;
            if self.inputs.any_world {
                self.assume(others.assumption(), |_| others.sentence().to_owned());
            }
            if self.inputs.may_overlap {
                self.assume(Assumption::UsualInputs, |_| Others::Names.sentence().to_owned());
            }
        }
        Ok(())
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
            Sharing::Input => Some(Others::Threads),
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
