//! The ways in which the outside world can let a test down.

use std::{io, path::PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the .NET toolchain for tests is not ready ({what} is not at {}): run `cargo xtask setup`", path.display())]
    NotReady { what: &'static str, path: PathBuf },
    #[error("there is no user cache folder: set CILANTRO_CACHE to a folder of your choice")]
    NoCacheFolder,
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{name} does not compile:\n{diagnostics}")]
    Compile { name: String, diagnostics: String },
    #[error("{}:{line}: {what}", file.display())]
    Fixture { file: PathBuf, line: usize, what: String },
    #[error("{} was still running after {seconds} s and was stopped", program.display())]
    Timeout { program: PathBuf, seconds: u64 },
}

impl Error {
    /// For `map_err`: an IO error with the path it is about.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }
}
