//! Objects of made-up classes: what an interface, an abstract class or a delegate answers during the call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Case, Construction, FieldValue, ObjectKind, Observed, Value};

/// An object of a class that exists in this case only. The n-th call of a method gives the n-th result, and a default
/// value after the last one; properties keep what is set; adding and removing event handlers does nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mock {
    /// An interface, an abstract class or a delegate.
    #[serde(rename = "type")]
    pub ty: String,
    /// Further interfaces that it implements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<String>,
    /// The constructor of the abstract class; without it the object is made without any.
    #[serde(rename = "new", default, skip_serializing_if = "Option::is_none")]
    pub construction: Option<Construction>,
    /// Fields of the abstract class. Those that are not listed are free.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<MockedProperty>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<MockedCall>,
}

/// A property without parameters and its first value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MockedProperty {
    /// The interface or class that declares it, instantiated.
    pub declared_in: String,
    pub name: String,
    pub value: Value,
}

/// A method and what it gives call by call. The one method of a delegate is called `Invoke`; the accessors of an
/// indexer are methods as well, and so are those of a property once one of them has thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MockedCall {
    /// The interface, class or delegate that declares it, instantiated.
    pub declared_in: String,
    pub method: String,
    /// The types of its parameters with type arguments filled in, by-ref ones with `&`.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// Calls with other type arguments count apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generic_arguments: Vec<String>,
    #[serde(default)]
    pub results: Vec<MockedResult>,
}

/// What one call gives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MockedResult {
    /// None: the default value, or nothing to return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    /// The type of the exception that it throws instead, made by its public constructor without parameters, or by the one
    /// that takes a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throws: Option<String>,
    /// The message that the constructor of the exception takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Value>,
    /// What `ref` and `out` parameters are set to. Others: `out` ones get their default, `ref` ones stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigns: Vec<Assigns>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assigns {
    /// Its index.
    pub parameter: u32,
    pub value: Value,
}

impl Case {
    /// Each mock with exactly as many results as calls were observed: what nobody asks for need not be written, and what
    /// was asked for without being listed is the default value.
    pub fn keep_observed_calls(&mut self, observed: &Observed) {
        for object in &mut self.objects {
            let seen = observed.after.objects.iter().find(|seen| seen.id == object.id);
            if let (ObjectKind::Mock(mock), Some(ObjectKind::Mock(seen))) =
                (&mut object.kind, seen.map(|s| &s.kind))
            {
                mock.keep_calls(&seen.calls);
            }
        }
    }
}

impl Mock {
    fn keep_calls(&mut self, made: &[MockedCall]) {
        for call in &mut self.calls {
            let count = made.iter().find(|made| made.is_of(call)).map_or(0, |made| made.results.len());
            call.results.resize(count, MockedResult::default());
        }
        self.calls.retain(|call| !call.results.is_empty());
        for call in made {
            if !self.calls.iter().any(|known| known.is_of(call)) {
                self.calls.push(call.clone());
            }
        }
    }

    /// Everything that its members give.
    pub fn answers(&self) -> impl Iterator<Item = &Value> {
        let properties = self.properties.iter().map(|property| &property.value);
        properties.chain(self.calls.iter().flat_map(MockedCall::values))
    }
}

impl MockedCall {
    /// The same method with the same type arguments.
    pub fn is_of(&self, other: &MockedCall) -> bool {
        self.method == other.method
            && self.declared_in == other.declared_in
            && self.parameters == other.parameters
            && self.generic_arguments == other.generic_arguments
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.results.iter().flat_map(MockedResult::values)
    }
}

impl MockedResult {
    /// The type and the message of what it throws.
    pub fn exception(&self) -> Option<(&str, Option<&Value>)> {
        self.throws.as_deref().map(|ty| (ty, self.message.as_ref()))
    }

    /// What it returns, then what it assigns, then what its exception says.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let assigned = self.assigns.iter().map(|assigns| &assigns.value);
        self.returns.iter().chain(assigned).chain(&self.message)
    }
}
