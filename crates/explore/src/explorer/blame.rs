//! What an exception blames: the parameter that it says is wrong. A proof that only arguments are refused must know of each.

use types::TypeId;
use verdict::Gap;
use vm::{Machine, PathEnd, Repr, State, Value};

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
        match (blamed(self.machine, state, end), end) {
            (Ok(blamed), _) => blamed,
            (Err(gap), PathEnd::Threw { ty, thrown_at, .. }) => {
                self.leave_out(gap, Some(state.base_place()));
                Some((*ty, *thrown_at, None))
            }
            (Err(gap), _) => {
                self.leave_out(gap, Some(state.base_place()));
                None
            }
        }
    }
}

/// The exception with which a path ends, and the parameter that it blames; or the end of the process.
pub(crate) fn blamed(machine: &mut Machine, state: &State, end: &PathEnd) -> Result<Option<Blamed>, Gap> {
    match end {
        PathEnd::Threw { exception, ty, thrown_at } => {
            let parameter = parameter(machine, state, *exception, *ty)?;
            Ok(Some((*ty, *thrown_at, parameter)))
        }
        PathEnd::Exited(code) => {
            // There is no type of such an end: that of all objects stands for it.
            let Ok(known) = machine.universe.well_known() else { return Ok(None) };
            Ok(Some((known.object, state.base_place(), Some(code.to_string()))))
        }
        _ => Ok(None),
    }
}

fn parameter(
    machine: &mut Machine,
    state: &State,
    exception: u64,
    ty: TypeId,
) -> Result<Option<String>, Gap> {
    let is_about_argument = machine
        .core_type(state, ARGUMENT)
        .ok()
        .and_then(|base| machine.universe.is_assignable(ty, base).ok())
        .unwrap_or(false);
    if !is_about_argument {
        return Ok(None);
    }
    let told = match machine.load_field(state, exception, PARAMETER, Repr::Ref).ok() {
        Some(Value::I64(0)) => return Ok(None),
        Some(Value::I64(address)) => machine.string_at(state, address.cast_unsigned()).ok(),
        _ => None,
    };
    match told {
        Some(name) => Ok(Some(name)),
        None => Err(Gap::bound("which parameter an exception is about depends on the input")),
    }
}
