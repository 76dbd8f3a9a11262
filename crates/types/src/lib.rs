//! A universe of types over many assemblies: resolution and forwarders, interned generic instantiations, subtyping,
//! field layout, virtual slots and interface dispatch. Bytes are read through `cil` only.
//!
//! A [`Universe`] belongs to one thread. It only grows, so it hands out plain references, and every answer (also a
//! failed one) is remembered. Ids are dense numbers; equal types have equal ids.
//!
//! An open definition is its instantiation over its own variables: `List<T>` is `List<!0>`, a generic method `M<T>` is
//! `M<!!0>`. Custom modifiers never make a different type; they count only when signatures are matched.

mod arena;
mod assembly;
mod attributes;
mod constraints;
mod dispatch;
mod error;
mod field;
mod hierarchy;
mod ids;
mod layout;
mod limits;
mod memo;
mod method;
pub mod mock;
mod names;
pub mod parameter;
mod probing;
mod resolve;
mod sig;
mod subtype;
mod token;
mod ty;
mod type_def;
mod universe;
mod vtable;
mod well_known;

pub use assembly::{Assembly, Reference};
pub use dispatch::Constrained;
pub use error::{Error, Result};
pub use field::Field;
pub use ids::{AssemblyId, FieldId, MethodId, TypeId};
pub use layout::{Layout, LayoutKind};
pub use method::{ArrayMethod, Local, Method, MethodKind};
pub use parameter::ParameterOwner;
pub use probing::{Probing, SharedFramework};
pub use sig::{FnSig, MethodSig, Modifier};
pub use token::{Member, PropertySig};
pub use ty::Type;
pub use type_def::{GenericParameter, Primitive, TypeDefInfo, Variance};
pub use universe::Universe;
pub use vtable::{Slot, VTable};
pub use well_known::WellKnown;
