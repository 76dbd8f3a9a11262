//! What the writer of tests must know about the types of a case: what is public and how objects can be made.

use std::collections::BTreeMap;

use crate::contract::Contract;
use crate::{MethodRef, Value};

/// Answers about types and methods. `None` means unknown: then reflection is used, and no name is shortened.
pub trait TypeFacts {
    /// By definition: `Ns.Outer+Inner`1`, without arguments.
    fn type_info(&self, definition: &str) -> Option<TypeInfo>;

    fn method_info(&self, method: &MethodRef) -> Option<MethodInfo>;

    /// The simple name of the assembly that defines the type, for reaching types that are not public.
    fn assembly_of(&self, definition: &str) -> Option<String>;

    fn is_namespace(&self, name: &str) -> bool;

    /// What a class over these types must implement; the first is an interface, an abstract class or a delegate, the others are
    /// interfaces. All are instantiated.
    fn contract(&self, ty: &str, interfaces: &[String]) -> Option<Contract> {
        let _ = (ty, interfaces);
        None
    }

    /// Whether the name of the method means another one, or others too, where the object is seen as this type, which derives
    /// from the method's.
    fn hides(&self, definition: &str, method: &MethodRef) -> bool {
        let _ = (definition, method);
        false
    }

    /// Whether the constructor returns when it gets these arguments, and does not throw.
    fn accepts(&self, definition: &str, constructor: &Constructor, arguments: &[Value]) -> bool {
        let _ = (definition, constructor, arguments);
        true
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeInfo {
    /// It and every type around it are public.
    pub public: bool,
    pub kind: TypeKind,
    /// Public constructors, none of an abstract class. The implicit one of a struct is not listed.
    pub constructors: Vec<Constructor>,
    /// Constructors of an abstract class that a derived class may call.
    pub base_constructors: Vec<Constructor>,
    /// Readonly fields that no constructor leaves null.
    pub never_null: Vec<FieldKey>,
    /// Public fields and properties, own and inherited, that stand for exactly one field.
    pub members: Vec<Member>,
    /// Members of an enum, in the order of declaration.
    pub enum_members: Vec<(String, i128)>,
    /// The enum has `[Flags]`.
    pub flags: bool,
    /// `Equals` is overridden by hand (records are not meant): equality may mean something else.
    pub custom_equality: bool,
    /// What the compiler says about its use, such as `CS0618`.
    pub diagnostics: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TypeKind {
    #[default]
    Class,
    /// A static class has no instances.
    StaticClass,
    Struct,
    Enum,
    Interface,
    Delegate,
}

/// A field by name and declaring type (instantiated as in the case, or the open definition).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldKey {
    pub declaring: String,
    pub name: String,
}

/// A constructor. Unless it is `opaque`, it was seen to store each parameter in a field, unchanged and on every path that
/// returns, and to do nothing else but set the constants. Whether it returns for given arguments is for
/// [`TypeFacts::accepts`] to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constructor {
    pub parameters: Vec<ConstructorParameter>,
    /// Fields that it sets to something else than their default.
    pub constants: Vec<(FieldKey, Value)>,
    /// What it does is not fully known: whether it makes a wanted object must be tried.
    pub opaque: bool,
    /// It has `[SetsRequiredMembers]`.
    pub sets_required: bool,
    /// What the compiler says about its use.
    pub diagnostics: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstructorParameter {
    pub name: String,
    pub ty: String,
    /// The field that it is stored in. None only if the constructor is opaque.
    pub field: Option<FieldKey>,
}

/// A public field, or a public property over one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub field: FieldKey,
    /// Over the variables of the declaring type (`!0`).
    pub ty: String,
    pub readable: bool,
    pub writable: Writable,
    /// It must be in the initialiser.
    pub required: bool,
    pub is_static: bool,
    /// What the compiler says about its use.
    pub diagnostics: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writable {
    No,
    /// Only in an object initialiser.
    Init,
    Always,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodInfo {
    /// The method and its type are public.
    pub public: bool,
    pub kind: MethodKind,
    /// There is another method of the same name that could be called with as many arguments: these must have the exact types.
    pub overloaded: bool,
    /// What the compiler says about its use.
    pub diagnostics: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MethodKind {
    #[default]
    Ordinary,
    Getter {
        property: String,
        indexer: bool,
    },
    Setter {
        property: String,
        indexer: bool,
        init: bool,
    },
    /// `op_Addition` and the like, with the special name flag.
    Operator,
    /// Adding or removing a handler.
    EventAccessor,
}

/// TypeFacts told by hand, for tests and for callers that know little.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    pub assembly: String,
    pub types: BTreeMap<String, TypeInfo>,
    /// By method id.
    pub methods: BTreeMap<String, MethodInfo>,
    pub namespaces: Vec<String>,
}

impl TypeFacts for InMemory {
    fn type_info(&self, definition: &str) -> Option<TypeInfo> {
        self.types.get(definition).cloned()
    }

    fn method_info(&self, method: &MethodRef) -> Option<MethodInfo> {
        self.methods.get(&method.id).cloned()
    }

    fn assembly_of(&self, definition: &str) -> Option<String> {
        self.types.contains_key(definition).then(|| self.assembly.clone())
    }

    fn is_namespace(&self, name: &str) -> bool {
        self.namespaces.iter().any(|namespace| namespace == name)
    }
}
