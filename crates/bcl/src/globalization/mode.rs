//! Whether there are cultures at all, and in which one a program starts.

use culture::Globalization;

use super::INTEROP;
use super::cultures::{Cultures, ask};
use super::texts::int;
use crate::table::{Entry, all, enter, failed, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const CULTURE: &str = "System.Globalization.CultureInfo";

pub(crate) const TABLE: &[Entry] = &[
    all("System.Globalization.GlobalizationMode", "GetGlobalizationInvariantMode", is_invariant),
    // Whichever ICU an application brings with it, the runtime that is asked has loaded the same.
    all("System.Globalization.GlobalizationMode", "TryGetAppLocalIcuSwitchValue", no_own_icu),
    native(INTEROP, "LoadICU", |_, _, _| int(1)),
    native(INTEROP, "GetICUVersion", |m, s, call| int(ask(m, s, call, Globalization::icu_version)?)),
    enter(CULTURE, "GetUserDefaultUICulture", ui_culture),
];

/// Where the name of an ICU would go is set to null.
fn no_own_icu(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.number(m, s, 0)?;
    m.store(s, place, Repr::Ref, Value::NULL)?;
    Ok(Some(Value::bool(false)))
}

fn is_invariant(m: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(m.attached.get::<Cultures>().is_invariant())))
}

/// The class library takes the culture for that of the user interface as well; a person may have two.
fn ui_culture(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let other = m.attached.get::<Cultures>().other_ui_culture().map(str::to_owned);
    let Some(name) = other else { return m.enter_body(s, call, after) };
    let (class, string) = (m.core_type(s, CULTURE)?, m.core_type(s, "System.String")?);
    let found = m.universe.find_method(class, "GetCultureByName", &[string]);
    let Some(by_name) = found.map_err(|error| failed(s, error))? else {
        return Err(unsupported(s, "a culture of the user interface on this runtime"));
    };
    let name = m.string(s, &name)?;
    s.top.stack.push(Value::address(name));
    m.invoke(s, by_name, 1, after)
}
