//! What is asked: constraints on a type, and what kind of candidate is wanted.

use types::TypeId;

/// Constraints on a symbolic type. The sequences are conjunctions; an empty query is satisfied by every type of the
/// wanted kinds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Query {
    /// Supertypes: the candidate must be assignable to each.
    pub must_be: Vec<TypeId>,
    /// Subtypes: each must be assignable to the candidate.
    pub must_contain: Vec<TypeId>,
    /// Types that the candidate must not be assignable to.
    pub must_not_be: Vec<TypeId>,
    /// Types that must not be assignable to the candidate.
    pub must_not_contain: Vec<TypeId>,
    /// The one type that the candidate is, if that is known.
    pub exactly: Option<TypeId>,
    /// Types that the candidate is not.
    pub not_exactly: Vec<TypeId>,
    /// Types that come first if they satisfy the rest.
    pub prefer: Vec<TypeId>,
    pub kinds: Kinds,
    pub purpose: Purpose,
    /// Only types with a public constructor without parameters (and value types): `new()`.
    pub with_default_constructor: bool,
    /// Only value types without references in them: `unmanaged`.
    pub unmanaged: bool,
}

/// What the candidate is for; it decides the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Purpose {
    /// An object behind a reference.
    #[default]
    Object,
    /// An argument of a generic type or method: simple types come first.
    Argument,
}

/// A set of kinds of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

impl Kinds {
    pub const NONE: Kinds = Kinds(0);
    /// Classes that can be instantiated, other than arrays and delegates.
    pub const CLASSES: Kinds = Kinds(1);
    pub const ARRAYS: Kinds = Kinds(2);
    /// Value types and enums (boxed, where an object is wanted); `Nullable<T>` and ref structs not included.
    pub const VALUES: Kinds = Kinds(4);
    pub const DELEGATES: Kinds = Kinds(8);
    /// Interfaces and abstract classes.
    pub const ABSTRACT: Kinds = Kinds(16);
    pub const NULLABLES: Kinds = Kinds(32);
    pub const REF_STRUCTS: Kinds = Kinds(64);

    /// What an object can be an instance of.
    pub const OBJECT: Kinds = Kinds(1 | 2 | 4 | 8);
    /// Whatever is an object reference.
    pub const REFERENCES: Kinds = Kinds(1 | 2 | 8 | 16);
    /// What an ordinary type argument can be.
    pub const ARGUMENT: Kinds = Kinds(1 | 2 | 4 | 8 | 16 | 32);

    pub fn contains(self, other: Kinds) -> bool {
        other.0 != 0 && self.0 & other.0 == other.0
    }

    pub fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    #[must_use]
    pub fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    #[must_use]
    pub fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds::OBJECT
    }
}

impl Query {
    /// Objects that a reference of this type can lead to.
    pub fn object(ty: TypeId) -> Query {
        Query { must_be: vec![ty], ..Query::default() }
    }

    /// Nothing but this type.
    pub fn exactly(ty: TypeId) -> Query {
        Query { exactly: Some(ty), ..Query::default() }
    }

    /// Type arguments without any constraint.
    pub fn argument() -> Query {
        Query { kinds: Kinds::ARGUMENT, purpose: Purpose::Argument, ..Query::default() }
    }

    /// Both: what this query and `more` ask for. Kinds are intersected; the purpose stays.
    #[must_use]
    pub fn and(&self, more: &Query) -> Query {
        let both = |a: &[TypeId], b: &[TypeId]| {
            let mut all = a.to_vec();
            all.extend(b.iter().copied().filter(|t| !a.contains(t)));
            all
        };
        let differ = self.exactly.is_some() && more.exactly.is_some() && self.exactly != more.exactly;
        Query {
            exactly: self.exactly.or(more.exactly),
            must_be: both(&self.must_be, &more.must_be),
            must_contain: both(&self.must_contain, &more.must_contain),
            must_not_be: both(&self.must_not_be, &more.must_not_be),
            must_not_contain: both(&self.must_not_contain, &more.must_not_contain),
            not_exactly: both(&self.not_exactly, &more.not_exactly),
            prefer: both(&more.prefer, &self.prefer),
            kinds: if differ { Kinds::NONE } else { self.kinds.and(more.kinds) },
            purpose: self.purpose,
            with_default_constructor: self.with_default_constructor || more.with_default_constructor,
            unmanaged: self.unmanaged || more.unmanaged,
        }
    }
}
