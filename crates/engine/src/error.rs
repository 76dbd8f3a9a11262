//! What can go wrong with a command: one sentence each, exit code 2.

use std::path::{Path, PathBuf};

use cil::ErrorKind;

/// The command could not be carried out at all. Whatever concerns one method only is `Incomplete` instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} does not exist", .0.display())]
    NoSuchFile(PathBuf),
    #[error("{} is a folder without a project or solution; give the path of a .dll, .csproj or .sln", .0.display())]
    IsFolder(PathBuf),
    #[error("{} is empty", .0.display())]
    EmptyFile(PathBuf),
    #[error("{} cannot be read: {why}", .path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{} cannot be written to: {why}", .path.display())]
    Unwritable { path: PathBuf, why: String },
    #[error("{} is not a .NET assembly: {why}", .path.display())]
    NotAnAssembly { path: PathBuf, why: String },
    #[error("{} is a damaged assembly: {why}", .path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("{} has no entry point: it is a library, not a program", .0.display())]
    NoEntryPoint(PathBuf),
    #[error("{what} `{name}` was not found in {assembly}{}", suggestion(.nearest))]
    NotFound { what: &'static str, name: String, assembly: String, nearest: Vec<String> },
    #[error("no method of {assembly} fits the selection")]
    NothingSelected { assembly: String },
    #[error(
        "no method of {assembly} that fits can be called by a test; --internals or --private explores others as well"
    )]
    NothingCallable { assembly: String },
    #[error(
        "every method of {assembly} that fits is left out, by its attributes or by --exclude; --method names one that is \
         explored in any case"
    )]
    EverythingExcluded { assembly: String },
    #[error("{assembly} has no methods with code to explore")]
    NothingToExplore { assembly: String },
    #[error("no .NET runtime was found: {why}")]
    NoRuntime { why: String },
    #[error("{} has no test cases", .0.display())]
    NoCases(PathBuf),
    #[error("{} cannot be written: {why}", .path.display())]
    CannotWrite { path: PathBuf, why: String },
    /// Any other sentence, complete in itself.
    #[error("{0}")]
    Other(String),
    #[error("internal error: {0}; this is a defect worth reporting")]
    Internal(String),
}

fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [first @ .., last] => format!("; did you mean {} or {last}?", first.join(", ")),
    }
}

impl Error {
    /// What keeps an assembly as a whole from being used.
    pub fn from_types(error: types::Error) -> Error {
        Error::Other(error.to_string())
    }

    /// A file that `cil` cannot read at all.
    pub fn from_image(path: &Path, error: &cil::Error) -> Error {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::Io(why) => Error::Unreadable { path, why: why.clone() },
            ErrorKind::Empty => Error::EmptyFile(path),
            ErrorKind::NotPe(looks_like) => Error::NotAnAssembly { path, why: looks_like.to_string() },
            ErrorKind::NoCliMetadata => Error::NotAnAssembly {
                path,
                why: "this is a native program or library without .NET metadata".to_owned(),
            },
            _ => Error::Damaged { path, why: error.to_string() },
        }
    }
}
