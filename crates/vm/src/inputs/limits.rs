//! What the inputs leave out, noticed where it matters: no proof may rest on it.

use types::TypeId;

use crate::heap::{BlockId, Sharing, split_address};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use verdict::Gap;

impl Machine {
    /// An input reference was compared with an object that is none of the inputs. It is another one, unless the object was
    /// there before the call: behind a static field, or as a literal string.
    pub(crate) fn note_comparison(&mut self, s: &State, other: &Value) {
        let Value::I64(address) = *other else { return };
        let (block, _) = split_address(address.cast_unsigned());
        if block == BlockId(0) || s.path.origins.owner(block).is_some() {
            return;
        }
        let in_framework = self.is_framework(self.universe.method(s.top.code.method).owner);
        let is_literal = !in_framework && s.runtime.literals.values().any(|literal| *literal == block);
        // Whatever an initializer has made somebody may have given out.
        let is_old = matches!(s.heap.sharing(block), Sharing::Static) || s.statics.holds(block);
        if is_literal || is_old {
            let detail = "inputs that are the same object as a static field or a literal has are not tried";
            self.inputs.limit(Gap::bound(detail));
        }
    }

    /// The same for references that are known already: the receiver, and what was looked at before.
    pub(crate) fn note_compared_objects(&mut self, s: &State, a: &Value, b: &Value) {
        let (Value::I64(x), Value::I64(y)) = (a, b) else { return };
        if x == y || !self.explores() || self.followed.is_some() {
            return;
        }
        for (input, other) in [(x, b), (y, a)] {
            let (block, _) = split_address(input.cast_unsigned());
            if block != BlockId(0) && s.path.origins.owner(block).is_some() {
                self.note_comparison(s, other);
            }
        }
    }

    /// Objects of the framework's classes are made in a few ways only.
    pub(crate) fn limit_made(&mut self, ty: TypeId) {
        if !self.is_made_whole(ty) {
            let name = self.universe.type_name(ty);
            self.inputs.limit(Gap::bound(format!("not every object of type {name} is tried")));
        }
    }
}
