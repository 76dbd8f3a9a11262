//! Why a copy cannot be made.

use cil::MethodDefId;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Read(#[from] cil::Error),
    #[error("method {}: {error}", .method.token())]
    Body { method: MethodDefId, error: cil::Error },
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
    #[error("parts of the image overlap: the copy has another body for method {}", .method.token())]
    Damaged { method: MethodDefId },
    #[error("method {}: {what} would be too large", .method.token())]
    MethodTooLarge { method: MethodDefId, what: &'static str },
    #[error("{0} would be too large")]
    TooLarge(&'static str),
}

impl Error {
    /// The method whose probes are the trouble: without them there may be a copy.
    pub fn method(&self) -> Option<MethodDefId> {
        match self {
            Error::Body { method, .. }
            | Error::NoBody { method }
            | Error::NoInstruction { method, .. }
            | Error::NoEdge { method, .. }
            | Error::InsideInstruction { method, .. }
            | Error::Damaged { method }
            | Error::MethodTooLarge { method, .. } => Some(*method),
            Error::Read(_) | Error::BadImage { .. } | Error::TooLarge(_) => None,
        }
    }
}
