//! Why a copy cannot be made.

use cil::MethodDefId;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Read(#[from] cil::Error),
    #[error("method {} has no CIL to put a probe into", .method.token())]
    NoBody { method: MethodDefId },
    #[error("method {} has no instruction at IL_{offset:04x}", .method.token())]
    NoInstruction { method: MethodDefId, offset: u32 },
    #[error("in method {} no conditional jump leads from IL_{from:04x} to IL_{to:04x}", .method.token())]
    NoEdge { method: MethodDefId, from: u32, to: u32 },
    /// Jumps and exception clauses must begin and end with instructions.
    #[error("method {}: {what} is at IL_{offset:04x}, inside of an instruction", .method.token())]
    InsideInstruction { method: MethodDefId, offset: u32, what: &'static str },
    #[error("bad PE header: {what} (file offset {offset:#x})")]
    BadImage { what: &'static str, offset: u64 },
    #[error("{0} would be too large")]
    TooLarge(&'static str),
}
