//! Everything that can go wrong between a file and a type, each a sentence for the user.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use verdict::Gap;

pub type Result<T> = std::result::Result<T, Error>;

/// Cheap to clone, so that a failed question can be remembered like an answered one.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    #[error("{}: cannot be read: {why}", path.display())]
    Unreadable { path: PathBuf, why: Arc<str> },
    #[error("{}: {why}", path.display())]
    Configuration { path: PathBuf, why: Arc<str> },
    #[error("{}: no .NET runtime there: expected a dotnet executable, a dotnet root or a folder of framework assemblies", path.display())]
    NoRuntime { path: PathBuf },
    #[error("framework {name} {version} (or a compatible one) is not installed under {}", root.display())]
    MissingFramework { name: Arc<str>, version: Arc<str>, root: PathBuf },
    #[error("{file}: {error}")]
    BadImage { file: Arc<str>, error: cil::Error },
    #[error("{file}: {what}")]
    BadMetadata { file: Arc<str>, what: Arc<str> },
    #[error("{file}: not an assembly (a module without a manifest)")]
    NotAnAssembly { file: Arc<str> },
    #[error("assembly {name}, referenced by {by}, was not found")]
    MissingAssembly {
        name: Arc<str>,
        by: Arc<str>,
        /// The whole name that the reference has.
        full_name: Arc<str>,
    },
    #[error("no core library (System.Private.CoreLib or mscorlib) was found")]
    NoCoreLibrary,
    #[error("type {name} was not found in {assembly}")]
    MissingType {
        name: Arc<str>,
        assembly: Arc<str>,
        /// The whole name of that assembly.
        full_name: Arc<str>,
    },
    #[error("{ty} has no {member}")]
    MissingMember { ty: Arc<str>, member: Arc<str> },
    #[error("{ty} has no {member}")]
    MissingMethod {
        ty: Arc<str>,
        member: Arc<str>,
        /// As the runtime's message writes it.
        said: Arc<str>,
    },
    #[error("{ty} has no {member}")]
    MissingField { ty: Arc<str>, member: Arc<str>, said: Arc<str> },
    #[error("type {ty} cannot be loaded: {why}")]
    TypeLoad { ty: Arc<str>, why: Arc<str> },
    #[error("{what} depends on itself")]
    Cycle { what: Arc<str> },
    #[error("{what} expands without end")]
    Expansion { what: Arc<str> },
    #[error("{file}: token 0x{token:08x} is not {expected}")]
    BadToken { file: Arc<str>, token: u32, expected: &'static str },
    #[error("{ty} does not implement {method}")]
    NotImplemented { ty: Arc<str>, method: Arc<str> },
    #[error("{ty} has no most specific implementation of {method}: both {first} and {second} provide one")]
    Ambiguous { ty: Arc<str>, method: Arc<str>, first: Arc<str>, second: Arc<str> },
}

impl Error {
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Error {
        Error::Unreadable { path: path.to_owned(), why: error.to_string().into() }
    }

    pub(crate) fn configuration(path: &Path, why: impl ToString) -> Error {
        Error::Configuration { path: path.to_owned(), why: why.to_string().into() }
    }
}

impl From<Error> for Gap {
    fn from(error: Error) -> Gap {
        let detail = error.to_string();
        match error {
            Error::Unreadable { .. }
            | Error::Configuration { .. }
            | Error::NoRuntime { .. }
            | Error::MissingFramework { .. }
            | Error::MissingAssembly { .. }
            | Error::NoCoreLibrary
            | Error::MissingType { .. }
            | Error::MissingMember { .. }
            | Error::MissingMethod { .. }
            | Error::MissingField { .. } => Gap::missing_reference(detail),
            Error::BadImage { .. }
            | Error::BadMetadata { .. }
            | Error::NotAnAssembly { .. }
            | Error::TypeLoad { .. }
            | Error::Cycle { .. }
            | Error::BadToken { .. }
            | Error::NotImplemented { .. }
            | Error::Ambiguous { .. } => Gap::invalid_code(detail),
            Error::Expansion { .. } => Gap::bound(detail),
        }
    }
}
