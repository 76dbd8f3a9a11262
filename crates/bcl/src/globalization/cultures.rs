//! Which cultures a machine has: attached to it before it runs.

use std::fmt;
use std::sync::Arc;

use culture::{Error, Globalization};
use verdict::Gap;
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::state::State;

/// The runtime that answers, and the culture in which programs start. The default is invariant mode.
#[derive(Clone, Default)]
pub struct Cultures {
    answers: Option<Arc<Globalization>>,
    /// Names of the culture and of that of the user interface; that of the invariant one is empty.
    culture: String,
    ui_culture: String,
    /// The locales that were opened for sorting: a handle is the place in this list, counted from one.
    pub(super) sorted: Vec<String>,
    /// Tables of the locales whose texts were compared as terms.
    pub(super) orders: super::ascii::Orders,
}

impl Cultures {
    /// Cultures as this runtime has them; programs start in the invariant one.
    pub fn of(answers: Arc<Globalization>) -> Cultures {
        Cultures { answers: Some(answers), ..Cultures::default() }
    }

    /// In which culture programs start, and in which their user interface.
    pub fn starting_in(self, culture: &str, ui_culture: &str) -> Cultures {
        Cultures { culture: culture.to_owned(), ui_culture: ui_culture.to_owned(), ..self }
    }

    /// The machine has these cultures from now on.
    pub fn attach(self, machine: &mut Machine) {
        *machine.attached.get_mut() = self;
    }

    pub(super) fn culture(&self) -> &str {
        &self.culture
    }

    /// The name of the culture of the user interface, if it is another.
    pub(super) fn other_ui_culture(&self) -> Option<&str> {
        (self.ui_culture != self.culture).then_some(&self.ui_culture)
    }

    /// Programs see the invariant culture only, and ordinal comparison in its place.
    pub(crate) fn is_invariant(&self) -> bool {
        self.answers.is_none()
    }
}

impl fmt::Debug for Cultures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_invariant() { "invariant mode" } else { "cultures of a runtime" };
        write!(f, "{kind}, {:?}", self.culture)
    }
}

/// The runtime's answer. Without one the path ends, and says why.
pub(super) fn ask<T>(
    m: &Machine,
    s: &State,
    call: &Call,
    question: impl FnOnce(&Globalization) -> Result<T, Error>,
) -> Step<T> {
    let answers = m.attached.get::<Cultures>().answers.clone();
    let failed = |why: String| {
        let name = m.universe.method_id(call.method);
        give_up(s, Gap::native_call(format!("{name}: {why}")))
    };
    match answers {
        Some(answers) => question(&answers).map_err(|error| failed(error.to_string())),
        None => Err(failed("there are no cultures in invariant mode".to_owned())),
    }
}
