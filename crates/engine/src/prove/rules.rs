//! Which exceptions count against a method, and which are what its arguments deserve.

use case::Case;
use cil::{MethodDefId, Opcode, Token};

use crate::hierarchy::Hierarchy;
use crate::session::backend::BugSite;
use crate::worker::PROCESS_ENDED;

/// What must not leave a method.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Argument checks count as well.
    pub strict: bool,
    /// Exceptions that may leave it, by name, with what is below them.
    pub allow: Vec<String>,
    /// Only these kinds count; all if it is empty.
    pub only: Vec<Kind>,
}

/// A kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A null reference is used.
    Null,
    /// An index is out of range.
    Index,
    /// A number is divided by zero.
    Divide,
    /// A checked operation overflows.
    Overflow,
    /// A cast fails.
    Cast,
    /// An argument is refused.
    Argument,
    /// An assertion or contract fails, or code runs that should be unreachable.
    Assert,
}

impl Kind {
    pub const ALL: [Kind; 7] =
        [Kind::Null, Kind::Index, Kind::Divide, Kind::Overflow, Kind::Cast, Kind::Argument, Kind::Assert];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Index => "index",
            Kind::Divide => "divide",
            Kind::Overflow => "overflow",
            Kind::Cast => "cast",
            Kind::Argument => "argument",
            Kind::Assert => "assert",
        }
    }

    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The exceptions of the kind.
    fn exceptions(self) -> &'static [&'static str] {
        match self {
            Kind::Null => &["System.NullReferenceException"],
            Kind::Index => &["System.IndexOutOfRangeException"],
            Kind::Divide => &["System.DivideByZeroException"],
            Kind::Overflow => &["System.OverflowException"],
            Kind::Cast => &["System.InvalidCastException"],
            Kind::Argument => &[ARGUMENT],
            Kind::Assert => &[
                PROCESS_ENDED,
                "System.Diagnostics.UnreachableException",
                "System.Diagnostics.Contracts.ContractException",
            ],
        }
    }
}

const ARGUMENT: &str = "System.ArgumentException";

impl Rules {
    /// Whether an exception that leaves a method counts. `message` is the runtime's, if it has thrown it.
    pub(super) fn counts(
        &self,
        site: &BugSite,
        message: Option<&str>,
        case: &Case,
        token: u32,
        known: &Hierarchy,
    ) -> bool {
        let is = |wanted: &str| known.is_a(&site.exception, wanted);
        if !self.only.is_empty() && !self.only.iter().any(|kind| kind.exceptions().iter().any(|e| is(e))) {
            return false;
        }
        if self.allow.iter().any(|allowed| is(allowed)) {
            return false;
        }
        self.strict || !is(ARGUMENT) || !is_argument_check(site, message, case, token, known)
    }
}

/// Whether an exception about an argument is about one of the method's own: it throws it itself, or the exception names a
/// parameter of it.
fn is_argument_check(
    site: &BugSite,
    message: Option<&str>,
    case: &Case,
    token: u32,
    known: &Hierarchy,
) -> bool {
    if site.at.is_some_and(|at| throws_at(known, token, at)) {
        return true;
    }
    let Some(name) = message.and_then(parameter) else { return false };
    // `order.Lines[2]` is about `order`.
    let own = name.split(['.', '[']).next().unwrap_or(name);
    case.method.parameters.iter().any(|parameter| parameter.name == own)
}

/// Whether the instruction at an offset of a method throws what the code before it made.
fn throws_at(known: &Hierarchy, token: u32, offset: u32) -> bool {
    let Some(def) = MethodDefId::from_token(Token::from_raw(token)) else { return false };
    let Ok(Some(body)) = known.module().method_body(def) else { return false };
    let mut instructions = body.instructions().map_while(Result::ok);
    instructions.any(|instruction| instruction.offset == offset && instruction.opcode == Opcode::Throw)
}

/// The parameter that the message of an exception names, as the runtime writes it.
fn parameter(message: &str) -> Option<&str> {
    let (_, rest) = message.rsplit_once("(Parameter '")?;
    rest.split_once("')").map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_in_messages() {
        assert_eq!(parameter("Value cannot be null. (Parameter 'items')"), Some("items"));
        assert_eq!(parameter("Too small. (Parameter 'n')\nActual value was 0."), Some("n"));
        assert_eq!(parameter("Too small."), None);
    }

    #[test]
    fn kinds_have_names() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
        }
        assert_eq!(Kind::named("hope"), None);
    }
}
