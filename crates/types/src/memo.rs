//! An answer computed at most once; asking for it while it is being computed is a cycle.

use std::cell::{Cell, OnceCell};

use crate::{Error, Result};

pub(crate) struct Memo<T> {
    answer: OnceCell<Result<T>>,
    busy: Cell<bool>,
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo { answer: OnceCell::new(), busy: Cell::new(false) }
    }
}

impl<T> Memo<T> {
    pub fn get(&self, cycle: impl FnOnce() -> Error, compute: impl FnOnce() -> Result<T>) -> Result<&T> {
        if self.answer.get().is_none() {
            if self.busy.replace(true) {
                return Err(cycle());
            }
            let answer = compute();
            self.busy.set(false);
            let _ = self.answer.set(answer);
        }
        match self.answer.get() {
            Some(answer) => answer.as_ref().map_err(Clone::clone),
            None => Err(cycle()),
        }
    }
}
