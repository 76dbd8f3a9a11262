//! What can be wrong with a file, as sentences a user can read, each with the file offset where it was noticed.

use std::fmt;

use crate::token::Token;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// One pointer wide, so that `Result` of a small value stays small on the hot paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Located>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Located {
    kind: ErrorKind,
    offset: u64,
}

/// The closed list of things that can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    #[error("cannot read the file: {0}")]
    Io(String),
    #[error("the file is empty")]
    Empty,
    #[error("not a PE file: {0}")]
    NotPe(NotPe),
    #[error("a native program or library without .NET (CLI) metadata")]
    NoCliMetadata,
    #[error("truncated: the file ends inside {what}")]
    Truncated { what: &'static str },
    #[error("bad PE header: {0}")]
    BadPe(&'static str),
    #[error("bad metadata: {0}")]
    BadMetadata(&'static str),
    #[error("bad metadata: {what} reaches beyond the end of its stream")]
    OutOfStream { what: &'static str },
    #[error("bad metadata: RVA {rva:#x} of {what} lies in no section of the file")]
    BadRva { what: &'static str, rva: u32 },
    #[error("bad metadata: {token} does not exist (the table has {rows} rows)")]
    NoSuchRow { token: Token, rows: u32 },
    #[error("bad metadata: a required reference is null")]
    NullReference,
    #[error("bad metadata: {0:#x} is not a valid coded index here")]
    BadCodedIndex(u32),
    #[error("bad metadata: the name is not valid UTF-8")]
    BadUtf8,
    #[error("bad signature: {0}")]
    BadSignature(&'static str),
    #[error("bad signature: unknown element type {0:#04x}")]
    BadElementType(u8),
    #[error("bad method body: {0}")]
    BadBody(&'static str),
    #[error("bad CIL: {0:#04x} is not an opcode")]
    BadOpcode(u16),
    #[error("bad CIL: the code ends inside an instruction")]
    CodeEnds,
    #[error("bad CIL: a branch leaves the method body")]
    BadBranch,
    #[error("bad constant: {0}")]
    BadConstant(&'static str),
    #[error("bad custom attribute: {0}")]
    BadAttribute(&'static str),
    #[error("the underlying type of the enum `{0}` is not known")]
    UnknownEnum(String),
    #[error("not a portable PDB")]
    NotPortablePdb,
    #[error("bad portable PDB: {0}")]
    BadPdb(&'static str),
    #[error("the PDB belongs to another build of the assembly")]
    PdbMismatch,
    #[error("{what} exceeds the limit of {limit}")]
    Limit { what: &'static str, limit: usize },
}

/// What a file that is not a PE file looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPe {
    #[error("this is a text file")]
    Text,
    #[error("this is a native ELF program or library")]
    Elf,
    #[error("this is a native Mach-O program or library")]
    MachO,
    #[error("this is a portable PDB")]
    PortablePdb,
    #[error("this is a ZIP archive (a NuGet package?)")]
    Zip,
    #[error("it does not begin with `MZ`")]
    Unknown,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, offset: u64) -> Self {
        Error(Box::new(Located { kind, offset }))
    }

    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Where in the file the trouble was noticed (in the inflated PDB, for an embedded one).
    pub fn offset(&self) -> u64 {
        self.0.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            whole_file @ (ErrorKind::Io(_)
            | ErrorKind::Empty
            | ErrorKind::NotPe(_)
            | ErrorKind::NoCliMetadata
            | ErrorKind::NotPortablePdb
            | ErrorKind::PdbMismatch) => write!(f, "{whole_file}"),
            kind => write!(f, "{kind} (file offset {:#x})", self.0.offset),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        None
    }
}
