//! The heap of a test case: a table of objects that refer to each other by id.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FieldValue, Mock, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ObjectId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Object {
    pub id: ObjectId,
    #[serde(flatten)]
    pub kind: ObjectKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ObjectKind {
    Object(Instance),
    Array(Array),
    String(Text),
    Boxed { value: Value },
    Collection(Collection),
    Mock(Mock),
}

/// An object of a class. Before the call the fields that are not listed are free: the outcome does not depend on them,
/// and whatever the easiest construction leaves there will do. After the call they are not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instance {
    #[serde(rename = "type")]
    pub ty: String,
    /// How to make it; without it the object is made without any constructor and the fields are written (reflection).
    /// An object of the framework (`System.Version`, `System.Uri`) may have nothing but this.
    #[serde(rename = "new", default, skip_serializing_if = "Option::is_none")]
    pub construction: Option<Construction>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldValue>,
}

/// A constructor or a static member, named by its parameter types, its arguments, and what is assigned after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Construction {
    /// The static method or property that gives the object; without it, a constructor of the object's class does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factory: Option<Factory>,
    #[serde(default)]
    pub parameters: Vec<String>,
    #[serde(default)]
    pub arguments: Vec<Value>,
    /// Public members that are assigned after it, in this order. All other listed fields must come out of the constructor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigned: Vec<Assigned>,
    /// Public methods that are called on the object after that, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
}

impl Construction {
    /// What must be there before the object is.
    pub fn needed(&self) -> impl Iterator<Item = &Value> {
        let receiver = self.factory.iter().filter_map(|factory| factory.receiver.as_ref());
        let called = self.calls.iter().flat_map(|call| &call.arguments);
        receiver.chain(&self.arguments).chain(called)
    }
}

/// A public instance method by the names of its parameters' types, and its arguments. Accessors have their own names:
/// `set_Name`, `set_Item`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// The class that declares it.
    #[serde(rename = "type")]
    pub ty: String,
    pub method: String,
    #[serde(default)]
    pub parameters: Vec<String>,
    #[serde(default)]
    pub arguments: Vec<Value>,
    /// From here on the object is what the call returns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gives: bool,
}

/// A static method, or a property by the name of its getter. `System.Type::GetType` with a name stands for `typeof`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Factory {
    /// The class that declares it.
    #[serde(rename = "type")]
    pub ty: String,
    pub method: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generic_arguments: Vec<String>,
    /// The object whose method it is; without it, the method is static.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<Value>,
    /// The type that it is declared to return, where that is not the class of the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
}

/// A public field or settable property and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assigned {
    pub member: String,
    pub value: Value,
}

/// A collection of the framework by what is in it, in the order in which it is enumerated: `List`1`, `Dictionary`2`,
/// `HashSet`1`, `Queue`1`, `Stack`1`, `LinkedList`1`, `SortedSet`1`, `SortedList`2`, `SortedDictionary`2`. Made by its
/// constructor without parameters and by adding the items; a stack enumerates what was pushed last first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Collection {
    #[serde(rename = "type")]
    pub ty: String,
    #[serde(default)]
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Dictionaries only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Value>,
    pub value: Value,
}

/// An array of any rank. Elements that are not listed have the default value of the element type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Array {
    /// The array type, such as `System.Int32[]` or `System.Int32[,]`.
    #[serde(rename = "type")]
    pub ty: String,
    pub lengths: Vec<u32>,
    /// Empty means zero in every dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lower_bounds: Vec<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Element {
    /// One index per dimension.
    pub at: Vec<i32>,
    pub value: Value,
}

/// A string: `text` when it is well-formed, else its UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "WrittenText", into = "WrittenText")]
pub struct Text(pub Vec<u16>);

impl Object {
    pub fn string(id: ObjectId, units: &[u16]) -> Object {
        Object { id, kind: ObjectKind::String(Text(units.to_vec())) }
    }

    pub fn instance(id: ObjectId, ty: &str, fields: Vec<FieldValue>) -> Object {
        let instance = Instance { ty: ty.to_owned(), construction: None, fields };
        Object { id, kind: ObjectKind::Object(instance) }
    }
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct WrittenText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    utf16: Option<Vec<u16>>,
}

impl From<Text> for WrittenText {
    fn from(Text(units): Text) -> WrittenText {
        match String::from_utf16(&units) {
            Ok(text) => WrittenText { text: Some(text), utf16: None },
            Err(_) => WrittenText { text: None, utf16: Some(units) },
        }
    }
}

impl TryFrom<WrittenText> for Text {
    type Error = &'static str;

    fn try_from(written: WrittenText) -> Result<Text, &'static str> {
        match (written.text, written.utf16) {
            (Some(text), None) => Ok(Text(text.encode_utf16().collect())),
            (None, Some(units)) => Ok(Text(units)),
            _ => Err("a string has either `text` or `utf16`"),
        }
    }
}
