//! Exceptions with texts of their own, thrown by the runtime.

use types::TypeId;

use crate::code::Code;
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::{OnReturn, State};
use crate::value::Value;
use verdict::Gap;

impl Machine {
    /// Throws what the runtime throws in the place of an instruction.
    pub fn refuse(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let Some(refusal) = code.refusals.get(index as usize) else {
            return Err(give_up(s, Gap::internal_error("a lost refusal")));
        };
        let texts: Vec<&str> = refusal.texts.iter().map(String::as_str).collect();
        self.throw_strings(s, refusal.class, &texts)
    }

    /// Throws an exception made by the constructor that takes these strings.
    pub fn throw_strings(&mut self, s: &mut State, class: &'static str, texts: &[&str]) -> Step {
        let ty = self.core_type(s, class)?;
        let string = self.universe.well_known().map_err(|error| give_up(s, error.into()))?.string;
        let params: Vec<TypeId> = vec![string; texts.len()];
        let constructor = self.universe.find_method(ty, ".ctor", &params);
        let Some(constructor) = constructor.map_err(|error| give_up(s, error.into()))? else {
            return Err(unsupported(s, &format!("{class} with {} texts", texts.len())));
        };
        let object = self.allocate_instance(s, ty)?;
        let mut arguments = vec![Value::address(object)];
        for text in texts {
            arguments.push(Value::address(self.string(s, text)?));
        }
        s.top.stack.clear();
        let count = arguments.len();
        s.top.stack.extend(arguments);
        self.invoke(s, constructor, count, OnReturn::Throw(object))
    }
}
