//! Which static fields a path looks at or changes, and what each held when the path came to it.
//!
//! A test sets up what its path read and puts back what it found, so that no test sees another one. What the compiler
//! keeps for itself and what the framework has is no state of the program.

use std::rc::Rc;

use types::{FieldId, TypeId};

use crate::code::FieldSite;
use crate::heap::{Heap, Sharing};
use crate::machine::{Machine, Step};
use crate::state::State;
use crate::value::Value;

/// A static field that other code may change, or that the path changes.
#[derive(Clone, Debug)]
pub struct TouchedStatic {
    pub field: FieldId,
    pub owner: TypeId,
    /// Where it is.
    pub address: u64,
    /// What it held at first, and the memory of that moment.
    pub first: Value,
    pub memory: Heap,
    /// The path looked at what it held at first.
    pub read: bool,
    pub written: bool,
    /// The path took its address, through which it may have been written.
    pub exposed: bool,
    /// Nothing can be put into it: it is readonly, but its elements are not.
    pub readonly: bool,
}

/// What an instruction does to a static field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
    Expose,
}

impl Machine {
    /// Takes note of a static field, before it is changed.
    pub(crate) fn touch_static(
        &mut self,
        s: &mut State,
        site: FieldSite,
        address: u64,
        touch: Touch,
    ) -> Step<()> {
        // What an initializer does, it does once, whoever comes first.
        let initializing = matches!(s.heap.new_blocks, Sharing::Static | Sharing::Framework);
        if !self.explores() || initializing || site.compilers_cache {
            return Ok(());
        }
        if let Some(known) = s.statics.touched_mut().changed_by(site.field, touch) {
            known.written |= touch == Touch::Write;
            known.exposed |= touch == Touch::Expose;
            return Ok(());
        }
        if s.statics.touched_mut().contains(site.field)
            || self.is_framework(site.owner)
            || !self.may_change(site)
        {
            return Ok(());
        }
        let first = self.load(s, address, site.repr)?;
        let touched = TouchedStatic {
            field: site.field,
            owner: site.owner,
            address,
            first,
            memory: s.heap.clone(),
            read: touch != Touch::Write,
            written: touch == Touch::Write,
            exposed: touch == Touch::Expose,
            readonly: !site.changeable,
        };
        s.statics.touched_mut().add(touched);
        Ok(())
    }
}

/// The touched fields of a path, in the order of their first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct TouchedStatics(Rc<Vec<TouchedStatic>>);

impl TouchedStatics {
    pub fn all(&self) -> &[TouchedStatic] {
        &self.0
    }

    pub fn contains(&self, field: FieldId) -> bool {
        self.0.iter().any(|touched| touched.field == field)
    }

    pub fn add(&mut self, touched: TouchedStatic) {
        Rc::make_mut(&mut self.0).push(touched);
    }

    /// The entry of a field, if the touch is news to it.
    pub fn changed_by(&mut self, field: FieldId, touch: Touch) -> Option<&mut TouchedStatic> {
        let is_news = |touched: &TouchedStatic| match touch {
            Touch::Read => false,
            Touch::Write => !touched.written,
            Touch::Expose => !touched.exposed,
        };
        let at = self.0.iter().position(|touched| touched.field == field && is_news(touched))?;
        Rc::make_mut(&mut self.0).get_mut(at)
    }
}
