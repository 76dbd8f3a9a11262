//! Results by the content that they come from: a folder of small files, each called by a digest of what it answers.
//!
//! An entry appears complete or not at all (a temporary file is renamed), so processes may share a folder and may be ended at
//! any moment. Each carries a checksum: what is damaged counts as absent. What an entry means is for others to know.
//!
//! ```
//! use store::{Digesting, Store};
//!
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let store = Store::at(folder.path());
//! let key = Digesting::new().part("question", "2 + 2").number("version", 1).key();
//! assert_eq!(store.get(&key), None);
//! store.put(&key, b"4")?;
//! assert_eq!(store.get(&key).as_deref(), Some(&b"4"[..]));
//! # Ok(())
//! # }
//! ```

mod entry;
mod key;
mod upkeep;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use key::{Digesting, Key};
pub use upkeep::{Stats, Verified};

/// Entries of other layouts are in other folders, and are not looked at.
const LAYOUT: &str = "v1";
const UNFINISHED: &str = "unfinished";
const EXTENSION: &str = "entry";

/// A folder of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store in a folder, which is made when something is put there.
    pub fn at(folder: &Path) -> Store {
        Store { folder: folder.to_owned() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is there for a key; nothing if it is damaged. Whatever is asked for counts as used now.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let content = entry::decode(&bytes)?;
        // Only the order in which entries are given up depends on it.
        let _stays_old =
            File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(content)
    }

    /// Whether there is something for a key, whatever it is.
    pub fn has(&self, key: &Key) -> bool {
        self.path(key).is_file()
    }

    /// Puts something there in the place of what was.
    pub fn put(&self, key: &Key, content: &[u8]) -> io::Result<()> {
        let path = self.path(key);
        let unfinished = self.root().join(UNFINISHED);
        self.make(&unfinished)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = tempfile::NamedTempFile::new_in(&unfinished)?;
        file.write_all(&entry::encode(content))?;
        file.persist(&path).map(drop).map_err(|error| error.error)
    }

    /// The folder says itself that it may be deleted and that nobody wants it under version control.
    fn make(&self, inner: &Path) -> io::Result<()> {
        if inner.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(inner)?;
        fs::write(self.folder.join(".gitignore"), "*\n")?;
        fs::write(self.folder.join("CACHEDIR.TAG"), "Signature: 8a477f597d28d172789f06886806bc55\n")
    }

    fn root(&self) -> PathBuf {
        self.folder.join(LAYOUT)
    }

    fn path(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        let (first, rest) = name.split_at(2);
        self.root().join(first).join(rest).with_extension(EXTENSION)
    }
}
