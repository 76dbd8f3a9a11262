//! The language-neutral test case: what is called with what, and what must be seen afterwards.
//!
//! [`type_facts`] is what is known of the types in a case, and [`construct`] offers ways to make its objects with public
//! members; both are what replay needs, and neither needs a machine or a solver.
//!
//! The JSON form is versioned (`cilantro/case@1`): fields may be added, never renamed. Everything that is a
//! reference lives in the table of objects and is named by its id, so cyclic graphs need no special form.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let case = r#"{ "schema": "cilantro/case@1", "assembly": "Sum.dll", "cases": [ {
//!     "name": "Of_TwoAndForty_ReturnsFortyTwo",
//!     "method": { "id": "Sum::Of(System.Int32,System.Int32)", "type": "Sum", "name": "Of", "token": "0x06000001", "static": true,
//!         "parameters": [ {"name": "a", "type": "System.Int32"}, {"name": "b", "type": "System.Int32"} ], "returns": "System.Int32" },
//!     "arguments": [ {"type": "System.Int32", "value": "2"}, {"type": "System.Int32", "value": "40"} ],
//!     "expect": { "returns": {"type": "System.Int32", "value": "42"} } } ] }"#;
//! let file = case::CaseFile::from_json(case)?;
//! assert_eq!(file.cases[0].arguments, [case::Value::int32(2), case::Value::int32(40)]);
//! // The same cases give the same bytes.
//! assert_eq!(case::CaseFile::from_json(&file.to_json()?)?, file);
//! # Ok(())
//! # }
//! ```

pub mod collections;
pub mod construct;
pub mod contract;
mod file;
mod fold;
pub mod graph;
mod mock;
mod numbers;
mod object;
mod outcome;
pub mod path;
pub mod type_facts;
pub mod type_name;
mod value;

pub use file::{CaseFile, CaseFileError, SCHEMA};
pub use fold::fold_collections;
pub use mock::{Assigns, Mock, MockedCall, MockedProperty, MockedResult};
pub use object::{
    Array, Assigned, Call, Collection, Construction, Element, Factory, Instance, Item, Object, ObjectId,
    ObjectKind, Text,
};
pub use outcome::{After, ArgumentAfter, Expectation, Observed, Outcome, StaticAfter, ThrowPlace, Thrown};
pub use value::{FieldValue, Primitive, Span, Value};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One call of one method with everything that goes in and everything that must come out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// The name of the test: a valid C# identifier, unique among the cases of its class.
    pub name: String,
    pub method: MethodRef,
    /// The heap before the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
    /// The receiver: a struct or a reference. None for static methods and for constructors, which make theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub this: Option<Value>,
    /// One value per parameter; for by-ref parameters the value of the variable that is passed.
    #[serde(default)]
    pub arguments: Vec<Value>,
    /// What is done with what the method returns; what comes of it is the outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consume: Option<Consume>,
    pub expect: Expectation,
    #[serde(default)]
    pub construction: Reach,
    /// Rules visible in the classes that the input breaks, in words. Only reflection makes such an input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
    /// Static fields that are set before the call, and those that the call changes; all are put back after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statics: Vec<StaticBefore>,
    /// Static fields that the outcome may depend on, that other code may change and that no value can be written for.
    /// Replay finds them as their initialisers leave them; in a suite another test may have run before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub static_state: Vec<String>,
    /// What the process is given before anything of the case is made, and gets back after the call.
    #[serde(default, skip_serializing_if = "Outside::is_empty")]
    pub outside: Outside,
    /// The same path with inputs that sequences of calls make, for when this case needs reflection. No part of the stored
    /// form: one of the two is.
    #[serde(skip)]
    pub sequenced: Option<Box<Sequenced>>,
}

/// A case and the calls that are likely to make its objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequenced {
    pub case: Case,
    pub ways: BTreeMap<ObjectId, Construction>,
    /// Objects that only the calls need.
    pub objects: Vec<Object>,
}

/// A static field around a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StaticBefore {
    pub declaring: String,
    pub name: String,
    /// What it is set to before the call; without one it stays as it is, and is only put back afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// It holds an array: not the field is put back, but the elements of the array that was in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elements: bool,
}

/// Inputs of a call that no parameter passes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outside {
    /// Environment variables that are set; null removes one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<Variable>,
    /// The text of standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub console: Option<Value>,
}

impl Outside {
    pub fn is_empty(&self) -> bool {
        self.environment.is_empty() && self.console.is_none()
    }

    fn values(&self) -> impl Iterator<Item = &Value> {
        self.environment.iter().map(|variable| &variable.value).chain(&self.console)
    }
}

/// An environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    pub name: String,
    pub value: Value,
}

/// How a result is used that is not the end of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consume {
    /// A task is awaited.
    Await,
    /// The items of a sequence go to a list.
    Enumerate {
        /// One that goes on is left after so many.
        at_most: u32,
    },
    /// The same for an asynchronous sequence, whose items are awaited one by one.
    EnumerateAsync { at_most: u32 },
    /// The same for an enumerator, which is moved to its end.
    Advance { at_most: u32 },
}

/// The method under test. Type names are in reflection style: `Ns.Outer+Inner`1[System.Int32]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MethodRef {
    /// `Namespace.Type::Method(Full.Param.Types)`, for people and for reports.
    pub id: String,
    /// The declaring type, instantiated.
    #[serde(rename = "type")]
    pub ty: String,
    pub name: String,
    #[serde(with = "numbers::token")]
    #[schemars(with = "String")]
    pub token: u32,
    #[serde(rename = "static")]
    pub is_static: bool,
    /// Arguments of a generic method.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generic_arguments: Vec<String>,
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    /// `System.Void` when nothing is returned.
    pub returns: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameter {
    pub name: String,
    /// For by-ref modes: the type of the variable, without `&`.
    #[serde(rename = "type")]
    pub ty: String,
    #[serde(default)]
    pub mode: Mode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Value,
    Ref,
    Out,
    In,
}

/// Whether the case can be written with public members alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    #[default]
    Public,
    Reflection,
}

impl Case {
    /// What the test hands to the method or puts in its way: the receiver, the arguments, static fields.
    pub fn roots(&self) -> impl Iterator<Item = &Value> {
        let statics = self.statics.iter().filter_map(|field| field.value.as_ref());
        self.this.iter().chain(&self.arguments).chain(statics).chain(self.outside.values())
    }

    /// Whether other tests, if they ran at the same time, could see what it does to static fields or to the process.
    pub fn changes_statics(&self) -> bool {
        !self.statics.is_empty() || !self.outside.is_empty() || !self.expect.after.statics.is_empty()
    }

    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.iter().find(|object| object.id == id)
    }
}

impl Case {
    /// The objects of the input that are made without a constructor. Those that a constructor makes on the way do not
    /// count.
    pub fn made_by_reflection(&self) -> Vec<ObjectId> {
        let used = graph::Graph::of(self).reachable();
        let bare = self.objects.iter().filter(|object| match &object.kind {
            ObjectKind::Object(instance) => instance.construction.is_none() && used.contains(&object.id),
            ObjectKind::Mock(mock) => {
                mock.construction.is_none() && !mock.fields.is_empty() && used.contains(&object.id)
            }
            _ => false,
        });
        bare.map(|object| object.id).collect()
    }
}

impl MethodRef {
    pub fn is_constructor(&self) -> bool {
        self.name == ".ctor"
    }

    /// A static constructor: the call makes the runtime run it.
    pub fn is_initializer(&self) -> bool {
        self.name == ".cctor"
    }
}

impl Mode {
    pub fn is_by_ref(self) -> bool {
        self != Mode::Value
    }
}
