//! What a class must implement to stand for interfaces and an abstract class, and what a lambda must look like to stand for a
//! delegate.
//!
//! Types are named as in cases; type parameters of a method are written [`variable`] by their number.

use crate::Mode;
use crate::type_facts::{Constructor, TypeKind};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    pub kind: TypeKind,
    /// Those of the type itself first. A delegate has the one method `Invoke`.
    pub members: Vec<ContractMember>,
    /// What a derived class of another assembly may call.
    pub constructors: Vec<Constructor>,
    /// Members with a body that a derived class may override: mocking libraries do so unless they are told otherwise.
    pub has_own_bodies: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractMember {
    pub declared_in: String,
    pub in_interface: bool,
    pub access: Access,
    pub is_static: bool,
    pub shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    Protected,
    /// No other assembly can implement it.
    Hidden,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Method(MethodShape),
    Property(PropertyShape),
    Event { name: String, ty: String },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodShape {
    pub name: String,
    pub generics: Vec<GenericShape>,
    pub parameters: Vec<ShapeParameter>,
    /// Without `&`.
    pub returns: String,
    pub by_ref: ByRef,
}

/// A property, or an indexer when it has parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyShape {
    pub name: String,
    /// Without `&`.
    pub ty: String,
    pub by_ref: ByRef,
    pub parameters: Vec<ShapeParameter>,
    /// The names of the accessors that are to be implemented.
    pub getter: Option<String>,
    pub setter: Option<String>,
    /// The setter can be used in initialisers only.
    pub init: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeParameter {
    pub name: String,
    /// Without `&`.
    pub ty: String,
    pub mode: Mode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByRef {
    #[default]
    No,
    Ref,
    RefReadonly,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenericShape {
    pub name: String,
    pub constraints: Vec<Constraint>,
}

/// In the order in which C# wants them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    Class,
    Struct,
    Unmanaged,
    Type(String),
    New,
    AllowsRefStruct,
}

impl ContractMember {
    pub fn name(&self) -> &str {
        match &self.shape {
            Shape::Method(method) => &method.name,
            Shape::Property(property) => &property.name,
            Shape::Event { name, .. } => name,
        }
    }
}

/// How the type parameter number `n` of a method is named: an identifier that no program has.
pub fn variable(n: usize) -> String {
    format!("__M{n}__")
}

/// The type with other types in the place of type parameters.
pub fn substituted(ty: &str, arguments: &[String]) -> String {
    let numbered = arguments.iter().enumerate();
    numbered.fold(ty.to_owned(), |text, (n, argument)| text.replace(&variable(n), argument))
}
