//! The methods of the runtime that throw on behalf of instructions: hidden from the text of traces, but the origin that
//! `Exception.TargetSite` and `Exception.Source` name.

use types::MethodId;

use crate::code::Op;
use crate::machine::{Machine, Step};
use crate::state::{State, TracePlace};
use crate::stop::Place;

const THROW_HELPERS: &str = "Internal.Runtime.CompilerHelpers.ThrowHelpers";
const CAST_HELPERS: &str = "System.Runtime.CompilerServices.CastHelpers";
const INIT_HELPERS: &str = "System.Runtime.CompilerServices.InitHelpers";

impl Machine {
    /// Begins the trace with the method that throws for the current instruction, if this runtime has one.
    pub(crate) fn record_thrower(&mut self, s: &mut State, exception: u64) -> Step<()> {
        let ty = self.object_type(s, exception)?;
        let op = s.top.code.ops.get(s.top.pc as usize).copied();
        let Some((class, name)) = self.thrower(&self.universe.type_name(ty), op) else { return Ok(()) };
        if let Some(method) = self.core_method(class, name) {
            let place = Place { method, il_offset: 0 };
            self.store_trace(s, exception, vec![TracePlace { place, ends_journey: false }])?;
        }
        Ok(())
    }

    fn thrower(&self, exception: &str, op: Option<Op>) -> Option<(&'static str, &'static str)> {
        let unboxes = match op? {
            Op::Unbox(_) => true,
            Op::UnboxAny(ty, _) => self.universe.is_value_type(ty),
            _ => false,
        };
        Some(match (exception, op?) {
            ("System.TypeInitializationException", _) => (INIT_HELPERS, "InitClassSlow"),
            ("System.IndexOutOfRangeException", Op::LdElem(..) | Op::StElem(..) | Op::LdElemA(..)) => {
                (THROW_HELPERS, "ThrowIndexOutOfRangeException")
            }
            ("System.OverflowException", Op::Arith(_) | Op::Convert(..)) => {
                (THROW_HELPERS, "ThrowOverflowException")
            }
            ("System.ArrayTypeMismatchException", Op::StElem(..)) => {
                (CAST_HELPERS, "ThrowArrayMismatchException")
            }
            ("System.InvalidCastException", _) if unboxes => {
                (CAST_HELPERS, "ThrowInvalidCastExceptionInternal")
            }
            ("System.InvalidCastException", Op::CastClass(_) | Op::UnboxAny(..)) => {
                (CAST_HELPERS, "ChkCastAny_NoCacheLookup")
            }
            ("System.NullReferenceException", _) if unboxes => (CAST_HELPERS, "Unbox"),
            _ => return None,
        })
    }

    fn core_method(&self, class: &str, name: &str) -> Option<MethodId> {
        let class = self.universe.find_type(self.universe.corelib().ok()?, class).ok()??;
        self.universe.methods_named(class, name).ok()?.first().copied()
    }
}
