//! Why the runtime refuses to compile a method, or an instruction of it: the exception that it throws.

use types::{Error, MethodId, TypeId, Universe};
use verdict::{Gap, Reason};

/// An exception of the runtime that decoding already knows of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub class: &'static str,
    /// What its constructor gets; nothing for the usual message.
    pub texts: Vec<String>,
}

impl Refusal {
    pub(crate) fn invalid_program() -> Refusal {
        Refusal { class: "System.InvalidProgramException", texts: Vec::new() }
    }

    pub(crate) fn saying(class: &'static str, text: impl Into<String>) -> Refusal {
        Refusal { class, texts: vec![text.into()] }
    }

    /// What the runtime throws where a name does not resolve; none if that depends on what we do not know.
    pub(crate) fn of(error: &Error) -> Option<Refusal> {
        Some(match error {
            Error::MissingAssembly { full_name, .. } => Refusal {
                class: "System.IO.FileNotFoundException",
                texts: vec![
                    format!(
                        "Could not load file or assembly '{full_name}'. The system cannot find the file specified.\n"
                    ),
                    full_name.to_string(),
                ],
            },
            Error::MissingType { name, full_name, .. } => Refusal::saying(
                "System.TypeLoadException",
                format!("Could not load type '{name}' from assembly '{full_name}'."),
            ),
            Error::MissingMethod { said, .. } => {
                Refusal::saying("System.MissingMethodException", format!("Method not found: '{said}'."))
            }
            Error::MissingField { said, .. } => {
                Refusal::saying("System.MissingFieldException", format!("Field not found: '{said}'."))
            }
            Error::BadToken { .. } => Refusal::invalid_program(),
            _ => return None,
        })
    }
}

/// What the runtime throws where an object's class does not say which method an interface's method is.
pub(crate) fn of_dispatch(u: &Universe, class: TypeId, method: MethodId, error: &Error) -> Option<Refusal> {
    let interface = u.type_name_over_variables(u.method(method).owner);
    let class_name = u.type_name_over_variables(class);
    let assembly = u.def_info(class).map(|info| u.assembly_name(info.assembly)).unwrap_or_default();
    let called = format!("Could not call method '{}'", u.accessed_method(method));
    let (class, text) = match error {
        Error::Ambiguous { .. } => (
            "System.Runtime.AmbiguousImplementationException",
            format!(
                "{called} on interface '{interface}' with type '{class_name}' from assembly '{assembly}' because there are multiple incompatible interface methods overriding this method."
            ),
        ),
        Error::NotImplemented { .. } => (
            "System.EntryPointNotFoundException",
            format!(
                "{called} on type '{interface}' with an instance of '{class_name}' from assembly '{assembly}' because there is no implementation for the method."
            ),
        ),
        _ => return None,
    };
    Some(Refusal::saying(class, text))
}

/// Something that cannot be decoded: why the machine cannot go on, and what the runtime does if it would get there.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub gap: Gap,
    pub refusal: Option<Refusal>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { refusal: Refusal::of(&error), gap: error.into() }
    }
}

impl From<Gap> for Failure {
    fn from(gap: Gap) -> Failure {
        let refusal = (gap.reason == Reason::InvalidCode).then(Refusal::invalid_program);
        Failure { gap, refusal }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let gap = Gap::invalid_code(format!("the runtime refuses it with {}", refusal.class));
        Failure { gap, refusal: Some(refusal) }
    }
}
