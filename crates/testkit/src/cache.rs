//! The cache folder: where it is, and how two processes share it.

use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::Error;

/// `CILANTRO_CACHE`, or the folder `cilantro` in the user's cache folder.
pub fn cache_dir() -> Result<PathBuf, Error> {
    if let Some(dir) = non_empty("CILANTRO_CACHE") {
        return Ok(dir);
    }
    let user = if cfg!(windows) {
        non_empty("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        non_empty("HOME").map(|home| home.join("Library/Caches"))
    } else {
        non_empty("XDG_CACHE_HOME").or_else(|| non_empty("HOME").map(|home| home.join(".cache")))
    };
    Ok(user.ok_or(Error::NoCacheFolder)?.join("cilantro"))
}

/// An exclusive lock between processes, released when dropped or when the process dies.
#[must_use]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock of this name; `waiting` is called first when somebody else has it.
    pub fn acquire(path: &Path, waiting: impl FnOnce()) -> Result<Lock, Error> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io(parent))?;
        }
        let file = File::options().create(true).append(true).open(path).map_err(Error::io(path))?;
        if file.try_lock().is_err() {
            waiting();
            file.lock().map_err(Error::io(path))?;
        }
        Ok(Lock { _file: file })
    }
}

/// SHA-256 of some bytes in hexadecimal.
pub fn hex_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn non_empty(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
