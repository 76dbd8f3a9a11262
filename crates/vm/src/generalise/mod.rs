//! Comparing two states at the head of a loop, and forgetting what differs.
//!
//! A proof about a loop takes a state that has arrived at its head and puts symbols that stand for anything into the places
//! that the loop changes. It holds for every round only if nothing else changes: so [`Machine::differences`] looks at *every*
//! part of a state. Structures are taken apart by naming all of their fields, so that a new field does not compile until
//! somebody has said here what it means.
//!
//! Numbers may differ; each place is a [`Spot`]. So may references to input objects ([`Hole::Object`]) and to arrays of which
//! nobody else knows ([`Spot::Owned`]), but no others. A variable that is written before it is read again ([`Liveness`]) may hold whatever it likes.

mod blocks;
mod calls;
mod frames;
mod leaves;
mod liveness;
mod owned;
mod references;
mod rest;
mod spots;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::heap::BlockId;
use crate::machine::Machine;
use crate::state::State;

pub use liveness::Liveness;
pub use references::Hole;

/// A place of a state that a loop may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// A variable of the top frame.
    Var { index: u32 },
    /// A part of a variable of the top frame that is a value of several fields.
    VarBytes { index: u32, offset: u32, size: u32 },
    /// An operand of the top frame, counted from the bottom.
    Operand { index: u32 },
    /// A number in a block of memory.
    Bytes { block: BlockId, offset: u32, size: u32 },
    /// All elements of an array.
    Cells { block: BlockId },
    /// A place of memory that others may have, and that has been looked at.
    Seen { address: u64 },
    /// Something was written to memory that others may have.
    WroteShared,
    /// An argument that may overlap with others was written to.
    Overwritten,
    /// A part of the array that only this place refers to.
    Owned { by: Holder, part: Part },
}

/// A place that holds a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// A variable of the top frame.
    Var { index: u32 },
    /// A place in a block of memory.
    Bytes { block: BlockId, offset: u32 },
}

/// A part of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Elements,
    Length,
}

/// Two states are not alike, whatever numbers they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    pub what: &'static str,
    /// It may be gone after another round: something was looked at or initialized for the first time.
    pub settles: bool,
}

impl Unlike {
    fn for_good(what: &'static str) -> Unlike {
        Unlike { what, settles: false }
    }

    fn for_now(what: &'static str) -> Unlike {
        Unlike { what, settles: true }
    }
}

/// Which variables matter at the operations of all code that was asked for.
#[derive(Default)]
pub struct LivenessCache(FxHashMap<*const Code, (Rc<Code>, Rc<Liveness>)>);

impl LivenessCache {
    pub fn of(&mut self, code: &Rc<Code>) -> Rc<Liveness> {
        let made = || (Rc::clone(code), Rc::new(Liveness::of(code)));
        Rc::clone(&self.0.entry(Rc::as_ptr(code)).or_insert_with(made).1)
    }
}

impl Machine {
    /// The places in which `later`, which came from `earlier` and is at the same operation, differs from it. The numbers
    /// there may be replaced by any; everything else is alike, or an error says what is not.
    pub fn differences(
        &mut self,
        earlier: &State,
        later: &State,
        alive: &mut LivenessCache,
    ) -> Result<Vec<Spot>, Unlike> {
        let mut found = Vec::new();
        self.frames_differ(earlier, later, alive, &mut found)?;
        self.rest_differs(earlier, later, &mut found)?;
        self.blocks_differ(earlier, later, &mut found)?;
        self.are_owned(earlier, later, alive, &found)?;
        Ok(found)
    }
}
