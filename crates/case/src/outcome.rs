//! What a call comes to, as expected by the engine and as observed on the runtime.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Object, Value};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expectation {
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Only what is listed is asserted.
    #[serde(default, skip_serializing_if = "After::is_empty")]
    pub after: After,
}

/// What the runtime did. The same form as an expectation, so that both can be shown side by side.
pub type Observed = Expectation;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
pub enum Outcome {
    /// `"returns": value`
    Returns(Value),
    /// `"returned": true`: a value of which nothing is said, since it depends on the clock or on chance.
    Returned,
    /// `"void": true`
    Void,
    /// `"throws": {"type": ..}`
    Throws(Thrown),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Thrown {
    /// The exact type, not a base of it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Compared only when the expectation has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Where in the method under test the exception came from; never compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<ThrowPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThrowPlace {
    pub il_offset: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The state after the call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct After {
    /// The receiver: the struct itself, or the reference whose object is in `objects`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub this: Option<Value>,
    /// By-ref arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<ArgumentAfter>,
    /// Static fields that the method changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statics: Vec<StaticAfter>,
    /// Objects as they are after the call. An id of the case's own table is that same object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentAfter {
    pub index: usize,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StaticAfter {
    pub declaring: String,
    pub name: String,
    pub value: Value,
}

impl Expectation {
    pub fn returns(value: Value) -> Expectation {
        Expectation { outcome: Outcome::Returns(value), after: After::default() }
    }

    pub fn void() -> Expectation {
        Expectation { outcome: Outcome::Void, after: After::default() }
    }

    pub fn throws(ty: &str) -> Expectation {
        let thrown = Thrown { ty: ty.to_owned(), message: None, at: None };
        Expectation { outcome: Outcome::Throws(thrown), after: After::default() }
    }
}

impl After {
    pub fn is_empty(&self) -> bool {
        self.this.is_none() && self.arguments.is_empty() && self.statics.is_empty() && self.objects.is_empty()
    }
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    returns: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throws: Option<Thrown>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    void: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    returned: Option<bool>,
}

impl From<Outcome> for Written {
    fn from(outcome: Outcome) -> Written {
        let empty = Written::default();
        match outcome {
            Outcome::Returns(value) => Written { returns: Some(value), ..empty },
            Outcome::Returned => Written { returned: Some(true), ..empty },
            Outcome::Void => Written { void: Some(true), ..empty },
            Outcome::Throws(thrown) => Written { throws: Some(thrown), ..empty },
        }
    }
}

impl TryFrom<Written> for Outcome {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Outcome, &'static str> {
        match (written.returns, written.throws, written.void, written.returned) {
            (Some(value), None, None, None) => Ok(Outcome::Returns(value)),
            (None, Some(thrown), None, None) => Ok(Outcome::Throws(thrown)),
            (None, None, Some(true), None) => Ok(Outcome::Void),
            (None, None, None, Some(true)) => Ok(Outcome::Returned),
            _ => Err("an outcome is one of: returns, returned, throws, void"),
        }
    }
}
