//! What the inputs leave out, noticed where it matters: no proof may rest on it.

use types::{MethodId, TypeId};

use crate::heap::{BlockId, split_address};
use crate::machine::Machine;
use crate::state::State;
use crate::stop::Reason;
use crate::value::Value;

impl Machine {
    /// An input reference was compared with an object that is none of the inputs. It is another one, unless the object was
    /// there before the call: behind a static field, or as a literal string.
    pub(crate) fn note_comparison(&mut self, s: &State, other: &Value) {
        let Value::I64(address) = *other else { return };
        let (block, _) = split_address(address.cast_unsigned());
        if block == BlockId(0) || s.origins.owner(block).is_some() {
            return;
        }
        let in_framework = self.is_framework(self.universe.method(s.top.code.method).owner);
        let is_literal = !in_framework && s.literals.values().any(|literal| *literal == block);
        if is_literal || s.statics.holds(block) {
            let detail = "inputs that are the same object as a static field or a literal has are not tried";
            self.inputs.limit(Reason::Bound(detail.into()));
        }
    }

    /// A method was called on the receiver of the method under test. Another one would be if the receiver were of a
    /// class that extends it.
    pub(crate) fn note_dispatch(&mut self, s: &State, this: u64, method: MethodId, target: MethodId) {
        if !self.is_receiver(s, this) {
            return;
        }
        let others = std::mem::take(&mut self.inputs.other_receivers);
        let differs =
            |ty: &TypeId| self.universe.resolve_virtual(*ty, method).is_ok_and(|other| other != target);
        if others.iter().any(differs) {
            self.limit_receivers();
        }
        self.inputs.other_receivers = others;
    }

    /// The type of the receiver was tested.
    pub(crate) fn note_type_test(&mut self, s: &State, this: u64, ty: TypeId, outcome: bool) {
        if !self.is_receiver(s, this) {
            return;
        }
        let others = std::mem::take(&mut self.inputs.other_receivers);
        if others.iter().any(|other| self.universe.is_assignable(*other, ty).is_ok_and(|is| is != outcome)) {
            self.limit_receivers();
        }
        self.inputs.other_receivers = others;
    }

    fn is_receiver(&self, s: &State, this: u64) -> bool {
        let (block, _) = split_address(this);
        !self.inputs.other_receivers.is_empty()
            && s.origins.objects().first().is_some_and(|(_, receiver)| *receiver == block)
    }

    fn limit_receivers(&mut self) {
        let detail = "only receivers of the class itself are tried, not those of classes that extend it";
        self.inputs.limit(Reason::Bound(detail.into()));
    }
}
