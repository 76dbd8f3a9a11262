//! Text that is made only when somebody looks at it.
//!
//! Most text made on a path ends in the message of an exception, and following how it is made would split every number
//! into its digits. So in exploration such a call returns a string without contents and is remembered; the first access
//! to the contents runs it.

use std::rc::Rc;

use types::MethodId;

use crate::bytes::Bytes;
use crate::heap::{BlockId, BlockKind, split_address};
use crate::machine::{Flow, Machine, Step, fork, give_up};
use crate::state::{OnReturn, State};
use crate::stop::{Action, Choice, Stop};
use crate::value::Value;
use verdict::Gap;

/// A call that was put off. Its arguments cannot change: numbers, strings, and a copy of the value that `this` points to.
#[derive(Clone, Debug)]
pub struct Deferred {
    method: MethodId,
    arguments: Vec<Value>,
    this: Option<Rc<Bytes>>,
}

impl Deferred {
    /// What the text will be made from.
    pub(crate) fn parts(&self) -> (&[Value], Option<&Rc<Bytes>>) {
        (&self.arguments, self.this.as_ref())
    }
}

impl Machine {
    /// A string that stands for the result of a call.
    pub fn put_off(
        &mut self,
        s: &mut State,
        method: MethodId,
        arguments: Vec<Value>,
        this: Option<Bytes>,
    ) -> Step<u64> {
        let text = self.opaque_string(s)?;
        let (block, _) = split_address(text);
        let deferred = Deferred { method, arguments, this: this.map(Rc::new) };
        Rc::make_mut(&mut s.path.deferred).insert(block, Rc::new(deferred));
        Ok(text)
    }

    /// The stop of an instruction that needs the contents of such a string; `None` if the block is none.
    pub(crate) fn not_made_yet(&self, s: &State, block: BlockId) -> Option<Box<Stop>> {
        let guard = self.terms.true_();
        s.path
            .deferred
            .contains_key(&block)
            .then(|| fork(vec![Choice { guard, action: Action::Force(block) }]))
    }

    /// Runs the call behind a string; the interrupted instruction runs again when it has returned.
    pub fn force(&mut self, s: &mut State, block: BlockId) -> Step<()> {
        let Some(deferred) = Rc::make_mut(&mut s.path.deferred).remove(&block) else {
            return Err(give_up(s, Gap::internal_error("nothing was put off")));
        };
        let code = self.code(deferred.method).map_err(|gap| give_up(s, gap))?;
        let mut arguments = deferred.arguments.clone();
        if let Some(this) = &deferred.this {
            let copy = s.heap.allocate(BlockKind::Runtime, (**this).clone());
            arguments.insert(0, Value::address(copy.address()));
        }
        let frame = self.frame(s, code, arguments, OnReturn::Forced(block))?;
        s.push_frame(frame);
        Ok(())
    }

    /// The call has returned a string: it is the contents of the one that stood for it.
    pub(crate) fn forced(&mut self, s: &mut State, block: BlockId, value: Option<Value>) -> Step {
        let Some(Value::I64(text)) = value else {
            return Err(give_up(s, Gap::unsupported_instruction("text that is not made")));
        };
        let (made, _) = split_address(text.cast_unsigned());
        // What was made may itself have been put off.
        if let Some(deferred) = s.path.deferred.get(&made).cloned() {
            Rc::make_mut(&mut s.path.deferred).insert(block, deferred);
            return Ok(Flow::Reload);
        }
        let contents = s.heap.get(made).map(|made| (made.bytes.clone(), made.cells.clone()));
        if let (Some((bytes, cells)), Some(block)) = (contents, s.heap.get_mut(block)) {
            block.bytes = bytes;
            block.cells = cells;
        }
        Ok(Flow::Reload)
    }
}
