//! Exceptions with the messages of the class library, thrown by the runtime.

use types::TypeId;

use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::{OnReturn, State};
use crate::value::Value;

impl Machine {
    /// The text of a key in the core library's resources; the key itself if there is none.
    pub(crate) fn core_text(&mut self, key: &str) -> String {
        let core = self.universe.corelib();
        let texts = core.map(|core| self.resource_texts(core)).unwrap_or_default();
        texts.get(key).cloned().unwrap_or_else(|| key.to_owned())
    }

    /// Throws an exception made by the constructor that takes these strings.
    pub(crate) fn throw_strings(&mut self, s: &mut State, class: &'static str, texts: &[&str]) -> Step {
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

    /// Throws an exception with the message of this key.
    pub(crate) fn throw_key(&mut self, s: &mut State, class: &'static str, key: &str) -> Step {
        let text = self.core_text(key);
        self.throw_strings(s, class, &[&text])
    }

    pub(crate) fn throw_argument(&mut self, s: &mut State, parameter: &str, key: &str) -> Step {
        let text = self.core_text(key);
        self.throw_strings(s, "System.ArgumentException", &[&text, parameter])
    }

    pub(crate) fn throw_out_of_range(&mut self, s: &mut State, parameter: &str, key: &str) -> Step {
        let text = self.core_text(key);
        self.throw_strings(s, "System.ArgumentOutOfRangeException", &[parameter, &text])
    }

    pub(crate) fn throw_null(&mut self, s: &mut State, parameter: &str, key: &str) -> Step {
        let text = self.core_text(key);
        self.throw_strings(s, "System.ArgumentNullException", &[parameter, &text])
    }
}
