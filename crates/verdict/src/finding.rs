//! What an exception that leaves a method is worth.

/// The closed list, what matters most first.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The runtime raises it in the code under test, for inputs that the signature allows: null, index, cast, division,
    /// overflow, a missing key, a failed assertion.
    Crash,
    /// The input is one that the declarations rule out: null for what is annotated as never null, an enum value without
    /// a name, an object that was disposed of.
    Misuse,
    /// By design: the code throws it itself, or a check of the framework's arguments does.
    Refused,
}

impl FindingKind {
    pub const ALL: [FindingKind; 3] = [FindingKind::Crash, FindingKind::Misuse, FindingKind::Refused];

    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Crash => "crash",
            FindingKind::Misuse => "misuse",
            FindingKind::Refused => "refused",
        }
    }
}
