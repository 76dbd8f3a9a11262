//! Objects of made-up classes: what an interface, an abstract class or a delegate answers during the call.

use serde::{Deserialize, Serialize};

use super::{Construction, FieldValue, Value};

/// An object of a class that exists in this case only. The n-th call of a method gives the n-th result, and a default
/// value after the last one; properties keep what is set; adding and removing event handlers does nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MockedProperty {
    /// The interface or class that declares it, instantiated.
    pub declared_in: String,
    pub name: String,
    pub value: Value,
}

/// A method and what it gives call by call. The one method of a delegate is called `Invoke`; the accessors of an
/// indexer are methods as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MockedResult {
    /// None: the default value, or nothing to return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    /// What `ref` and `out` parameters are set to. Others: `out` ones get their default, `ref` ones stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigns: Vec<Assigns>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assigns {
    /// Its index.
    pub parameter: u32,
    pub value: Value,
}

impl Mock {
    /// Everything that its members give.
    pub fn answers(&self) -> impl Iterator<Item = &Value> {
        let properties = self.properties.iter().map(|property| &property.value);
        properties.chain(self.calls.iter().flat_map(MockedCall::values))
    }
}

impl MockedCall {
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.results.iter().flat_map(|result| {
            result.returns.iter().chain(result.assigns.iter().map(|assigns| &assigns.value))
        })
    }
}
