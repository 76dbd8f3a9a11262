//! What an exception blames: the parameter that it says is wrong. A proof that only arguments are refused must know of each.

use types::TypeId;
use verdict::Gap;
use vm::{PathEnd, Repr, State, Value};

use super::Run;
use crate::outcome::Blamed;

/// The class of exceptions about arguments, and its field with the name of the parameter.
const ARGUMENT: &str = "System.ArgumentException";
const PARAMETER: &str = "_paramName";

impl Run<'_> {
    /// The exception that leaves the method, with the parameter that it blames; or the end of the process. Nothing unless that
    /// is told apart.
    pub(super) fn blamed(&mut self, state: &State, end: &PathEnd) -> Option<Blamed> {
        if !self.tells_blame {
            return None;
        }
        match end {
            PathEnd::Threw { exception, ty, thrown_at } => {
                let parameter = self.parameter(state, *exception, *ty);
                Some((*ty, *thrown_at, parameter))
            }
            PathEnd::Exited(code) => {
                // There is no type of such an end: that of all objects stands for it.
                let object = self.machine.universe.well_known().ok()?.object;
                Some((object, state.base_place(), Some(code.to_string())))
            }
            _ => None,
        }
    }

    fn parameter(&mut self, state: &State, exception: u64, ty: TypeId) -> Option<String> {
        let base = self.machine.core_type(state, ARGUMENT).ok()?;
        if !self.machine.universe.is_assignable(ty, base).ok()? {
            return None;
        }
        let name = self.machine.load_field(state, exception, PARAMETER, Repr::Ref).ok();
        let told = match name {
            Some(Value::I64(0)) => return None,
            Some(Value::I64(address)) => self.machine.string_at(state, address.cast_unsigned()).ok(),
            _ => None,
        };
        if told.is_none() {
            let gap = Gap::bound("which parameter an exception is about depends on the input");
            self.leave_out(gap, Some(state.base_place()));
        }
        told
    }
}
