//! Exceptions with the messages of the class library, thrown by the runtime.

use crate::exceptions::messages::resource_texts;

use vm::machine::{Machine, Step};
use vm::state::State;

/// The text of a key in the core library's resources; the key itself if there is none.
pub(crate) fn core_text(m: &mut Machine, key: &str) -> String {
    let core = m.universe.corelib();
    let texts = core.map(|core| resource_texts(m, core)).unwrap_or_default();
    texts.get(key).cloned().unwrap_or_else(|| key.to_owned())
}

/// Throws an exception with the message of this key.
pub(crate) fn throw_key(m: &mut Machine, s: &mut State, class: &'static str, key: &str) -> Step {
    let text = core_text(m, key);
    m.throw_strings(s, class, &[&text])
}

pub(crate) fn throw_argument(m: &mut Machine, s: &mut State, parameter: &str, key: &str) -> Step {
    let text = core_text(m, key);
    m.throw_strings(s, "System.ArgumentException", &[&text, parameter])
}

pub(crate) fn throw_out_of_range(m: &mut Machine, s: &mut State, parameter: &str, key: &str) -> Step {
    let text = core_text(m, key);
    m.throw_strings(s, "System.ArgumentOutOfRangeException", &[parameter, &text])
}

pub(crate) fn throw_null(m: &mut Machine, s: &mut State, parameter: &str, key: &str) -> Step {
    let text = core_text(m, key);
    m.throw_strings(s, "System.ArgumentNullException", &[parameter, &text])
}
