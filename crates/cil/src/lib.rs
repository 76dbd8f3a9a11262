//! Bytes to metadata: PE images, ECMA-335 tables, signatures, method bodies and portable PDBs.
//!
//! Everything is read when asked for and borrows from the file, which is mapped into memory. Whatever the bytes are,
//! the answer is a value or an [`Error`] with the file offset of the trouble: never a panic, an endless loop or an
//! allocation that the size of the file does not justify.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let source = "public static class Sum { public static int Of(int a, int b) => a + b; }";
//! let dll = testkit::compile("Sum", &[("Sum.cs", source)], &testkit::Options::default())?;
//! let module = cil::Module::open(&dll)?;
//! let id = module.method_defs().find(|id| module.method_def(*id).is_ok_and(|m| m.name == "Of"));
//! let body = module.method_body(id.ok_or("no method")?)?.ok_or("no body")?;
//! let code: Vec<String> = body.instructions().map(|i| Ok(i?.to_string())).collect::<Result<_, cil::Error>>()?;
//! assert_eq!(code, ["IL_0000: ldarg.0", "IL_0001: ldarg.1", "IL_0002: add", "IL_0003: ret"]);
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
