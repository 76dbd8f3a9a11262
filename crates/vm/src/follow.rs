//! A path once more, with the values of a model in the place of its symbols.
//!
//! Exploration puts text off and leaves some of it unknown. With all inputs known the class library's own code makes it,
//! and says how the path really ends.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Evaluator, Model, Node, Symbol, Term};
use types::{MethodId, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::cells::{ArrayInput, Base, Cells};
use crate::heap::{BlockId, BlockKind};
use crate::machine::{Callee, Machine};
use crate::state::State;
use crate::value::Value;
use verdict::Gap;

/// What the machine knows of the inputs while it follows a model, and what it puts aside meanwhile.
pub struct Followed {
    values: Evaluator,
    explored: FxHashMap<MethodId, Callee>,
}

impl Machine {
    /// A state at the start of a path that ended in `end`, in which every symbol but references has its value in the model.
    /// Until [`Machine::stop_following`] inputs are made of these values, and text is made at once.
    pub fn follow(&mut self, start: &State, end: &State, model: &Model) -> State {
        let explored = std::mem::replace(&mut self.code.callees, std::mem::take(&mut self.code.text_callees));
        self.followed = Some(Followed { values: Evaluator::new(model.clone()), explored });
        let mut state = start.clone();
        state.path.reads.clone_from(&end.path.reads);
        let vars = std::mem::take(&mut state.top.vars);
        state.top.vars = vars.into_iter().map(|value| self.with_values(value)).collect();
        let mut symbolic: Vec<BlockId> = Vec::new();
        state.heap.for_each(|id, block| {
            if !block.bytes.patches().is_empty() {
                symbolic.push(id);
            }
        });
        for id in symbolic {
            let Some(block) = state.heap.get_mut(id) else { continue };
            let bytes = std::mem::take(&mut block.bytes);
            let bytes = self.bytes_with_values(bytes);
            if let Some(block) = state.heap.get_mut(id) {
                block.bytes = bytes;
            }
        }
        state
    }

    pub fn stop_following(&mut self) {
        let Some(followed) = self.followed.take() else { return };
        self.code.text_callees = std::mem::replace(&mut self.code.callees, followed.explored);
    }

    /// The term as the followed model has it; references stay open, and without a model everything does.
    pub(crate) fn in_model(&mut self, term: Term) -> Term {
        let is_reference = match self.terms.node(term) {
            Node::Var(symbol) => self.inputs.references.contains_key(symbol),
            _ => false,
        };
        let is_open = is_reference || self.followed.is_some() && self.ambient_source(term).is_some();
        match &mut self.followed {
            Some(followed) if !is_open => {
                let value = followed.values.eval(&self.terms, term);
                self.terms.constant(value)
            }
            _ => term,
        }
    }

    pub(crate) fn with_values(&mut self, value: Value) -> Value {
        if self.followed.is_none() {
            return value;
        }
        match value {
            Value::Term(term) => {
                let term = self.in_model(term);
                if self.width(term) == 0 { self.float_value(term) } else { self.value_of(term) }
            }
            Value::Struct(bytes) => Value::Struct(Rc::new(self.bytes_with_values((*bytes).clone()))),
            known => known,
        }
    }

    /// The string of an input reference with its characters in the model; nobody has asked for the others, which are zero.
    pub(crate) fn known_string(
        &mut self,
        s: &mut State,
        owner: Symbol,
        ty: TypeId,
        length: u32,
    ) -> Result<BlockId, Gap> {
        let lost = |_| Gap::internal_error("a string that does not fit its place");
        let mut bytes = Bytes::zeroed(2 * length as usize + 6);
        bytes.write(0, 4, Bits::Concrete(length.into()), &mut self.terms).map_err(lost)?;
        let array = ArrayInput { owner, element: self.universe.well_known()?.char };
        let cells = Cells::new(4, 2, Base::Input(array), self.config.split);
        let mut asked: Vec<u32> = self.inputs.elements_of(array).map(|(index, _)| *index).collect();
        for read in s.path.reads.of(owner) {
            let index = self.in_model(read.index);
            asked.extend(self.terms.as_bv(index).map(|index| index as u32));
        }
        for index in asked.into_iter().filter(|index| *index < length) {
            let cell = self.cell(s, &cells, index).map_err(|_| no_character())?;
            bytes.write_bytes(4 + 2 * index as usize, &cell, &mut self.terms).map_err(lost)?;
        }
        Ok(s.heap.allocate(BlockKind::Object(ty), bytes))
    }

    fn bytes_with_values(&mut self, mut bytes: Bytes) -> Bytes {
        for patch in bytes.patches().to_vec() {
            let term = self.in_model(patch.term);
            let bits = match self.terms.as_bv(term) {
                Some(value) => Bits::Concrete(value as u64),
                None => Bits::Symbolic(term),
            };
            // The place is the patch's own.
            let _ = bytes.write(patch.offset as usize, patch.size as usize, bits, &mut self.terms);
        }
        bytes
    }
}

fn no_character() -> Gap {
    Gap::internal_error("a character that cannot be read")
}
