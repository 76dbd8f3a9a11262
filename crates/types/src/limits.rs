//! Every bound of this crate. They are far above what real programs need; they exist so that malformed metadata and
//! infinitely expanding generics end in an error.

/// Nesting of a constructed type (`List<List<…>>`, `T[][]`…).
pub(crate) const TYPE_DEPTH: u32 = 80;
/// Number of nodes of a constructed type when written out.
pub(crate) const TYPE_SIZE: u32 = 4_000;
/// Questions about types that are under way inside each other.
pub(crate) const RECURSION: u32 = 200;
/// Length of a chain of base classes.
pub(crate) const BASE_DEPTH: usize = 500;
/// Interfaces of one type, inherited ones included.
pub(crate) const INTERFACES: usize = 5_000;
/// Hops through type forwarders.
pub(crate) const FORWARDER_HOPS: usize = 32;
/// Nesting of type definitions.
pub(crate) const NESTED_DEPTH: usize = 64;
/// Nested questions of subtyping (variance inside variance…).
pub(crate) const SUBTYPE_DEPTH: usize = 64;
/// Elements of an inline array, size of a value type.
pub(crate) const VALUE_SIZE: u64 = 1 << 30;
