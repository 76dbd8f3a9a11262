//! Bytes to metadata: PE images, ECMA-335 tables, signatures, method bodies and portable PDBs.
//!
//! Everything is read when asked for and borrows from the file, which is mapped into memory. Whatever the bytes are,
//! the answer is a value or an [`Error`] with the file offset of the trouble: never a panic, an endless loop or an
//! allocation that the size of the file does not justify.
//!
//! ```no_run
//! # fn main() -> Result<(), cil::Error> {
//! let module = cil::Module::open("Shop.dll".as_ref())?;
//! for id in module.method_defs() {
//!     let method = module.method_def(id)?;
//!     if let Some(body) = module.method_body(id)? {
//!         for instruction in body.instructions() {
//!             println!("{} {}", method.name, instruction?);
//!         }
//!     }
//! }
//! # Ok(())
//! # }
//! ```

pub mod attribute;
mod body;
mod bytes;
mod coded;
mod column;
mod constant;
mod debug_directory;
mod error;
pub mod flags;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod handmade;
mod instruction;
#[cfg(test)]
mod instruction_tests;
mod layout;
pub mod limits;
mod lookup;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod lookup_tests;
mod marshal;
mod metadata;
mod module;
mod names;
pub mod opcode;
pub mod pdb;
mod pe;
mod resource;
mod root;
mod scalar;
mod schema;
mod sig;
mod storage;
mod token;
pub mod walk;

pub use attribute::{Argument, AttributeType, AttributeValue, EnumRef, NamedArgument};
pub use body::{ClauseKind, CodeRange, ExceptionClause, MethodBody};
pub use coded::CodedIndex;
pub use column::{Blob, Guid, List};
pub use constant::ConstantValue;
pub use debug_directory::{CodeView, PdbId};
pub use error::{Error, ErrorKind, NotPe, Result};
pub use instruction::{Instruction, Instructions, Operand, SwitchTargets};
pub use lookup::Found;
pub use marshal::MarshalDescriptor;
pub use metadata::{Metadata, UserString};
pub use module::Module;
pub use opcode::Opcode;
pub use pdb::Pdb;
pub use scalar::{Scalar, ScalarType};
pub use schema::*;
pub use sig::{
    ArraySig, CallingConvention, GenericInstSig, MemberSig, MethodSig, ModifiedSig, PropertySig,
    StandAloneSignature, TypeSig,
};
pub use token::Token;
