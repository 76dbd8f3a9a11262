//! A universe of types over many assemblies: resolution and forwarders, interned generic instantiations, subtyping,
//! field layout, virtual slots and interface dispatch. Bytes are read through `cil` only.
//!
//! A [`Universe`] belongs to one thread. It only grows, so it hands out plain references, and every answer (also a
//! failed one) is remembered. Ids are dense numbers; equal types have equal ids.
//!
//! An open definition is its instantiation over its own variables: `List<T>` is `List<!0>`, a generic method `M<T>` is
//! `M<!!0>`. Custom modifiers never make a different type; they count only when signatures are matched.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use types::{Probing, Universe};
//!
//! let framework = testkit::Toolchain::locate()?;
//! let universe = Universe::new(Probing::framework_folder(framework.framework_dir())?);
//! let core = universe.corelib()?;
//! let definition = |name: &str| universe.find_type(core, name).ok().flatten().ok_or("it is not there");
//! let int = universe.well_known()?.int32;
//! let list = universe.make_instance(definition("System.Collections.Generic.List`1")?, &[int])?;
//! let sequence = universe.make_instance(definition("System.Collections.Generic.IEnumerable`1")?, &[int])?;
//! assert_eq!(universe.type_name(list), "System.Collections.Generic.List`1[System.Int32]");
//! assert!(universe.is_assignable(list, sequence)? && !universe.is_assignable(sequence, list)?);
//! # Ok(())
//! # }
//! ```

mod access;
mod arena;
mod assembly;
mod attributes;
mod constraints;
mod dispatch;
mod error;
mod field;
mod hierarchy;
mod identity;
mod ids;
mod layout;
mod limits;
mod loading;
mod memo;
mod messages;
mod method;
pub mod mock;
mod names;
mod nullability;
mod openness;
pub mod parameter;
mod probing;
mod refused;
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
pub use nullability::Nullability;
pub use parameter::ParameterOwner;
pub use probing::{Probing, SharedFramework};
pub use sig::{FnSig, MethodSig, Modifier};
pub use token::{Member, PropertySig};
pub use ty::Type;
pub use type_def::{GenericParameter, Primitive, TypeDefInfo, Variance};
pub use universe::Universe;
pub use vtable::{Slot, VTable};
pub use well_known::WellKnown;
