//! Looking after a store: how large it is, what is damaged, what is given up.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::{EXTENSION, Store, UNFINISHED, entry};

/// A file of a process that was ended is as old as this at some time; one that is being written never is.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// What is left after entries were given up, in percent of the limit: so that it is not done at once again.
const KEPT: u64 = 80;

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub entries: u64,
    pub bytes: u64,
}

/// What a look at all entries came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub sound: u64,
    /// Those that were damaged; they are gone.
    pub damaged: Vec<PathBuf>,
}

impl Store {
    pub fn stats(&self) -> io::Result<Stats> {
        let mut stats = Stats::default();
        for (_, metadata) in self.entries()? {
            stats.entries += 1;
            stats.bytes += metadata.len();
        }
        Ok(stats)
    }

    /// Takes everything out.
    pub fn clear(&self) -> io::Result<Stats> {
        let stats = self.stats()?;
        match fs::remove_dir_all(self.root()) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(stats),
        }
    }

    /// Reads every entry; the damaged ones are taken out.
    pub fn verify(&self) -> io::Result<Verified> {
        let mut verified = Verified::default();
        for (path, _) in self.entries()? {
            match fs::read(&path) {
                Ok(bytes) if entry::decode(&bytes).is_some() => verified.sound += 1,
                Ok(_) => {
                    fs::remove_file(&path)?;
                    verified.damaged.push(path);
                }
                // Somebody else gave it up meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(verified)
    }

    /// Gives up what was not used for longest, if there is more than this. Returns how many entries are gone.
    pub fn trim(&self, most: u64) -> io::Result<u64> {
        self.remove_unfinished();
        let mut entries = self.entries()?;
        let mut bytes: u64 = entries.iter().map(|(_, metadata)| metadata.len()).sum();
        if bytes <= most {
            return Ok(0);
        }
        let used = |metadata: &Metadata| metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        entries.sort_by(|(a, at), (b, bt)| (used(at), a).cmp(&(used(bt), b)));
        let mut gone = 0;
        for (path, metadata) in entries {
            if bytes <= most / 100 * KEPT {
                break;
            }
            bytes = bytes.saturating_sub(metadata.len());
            // Another process may do the same.
            if fs::remove_file(&path).is_ok() {
                gone += 1;
            }
        }
        Ok(gone)
    }

    fn remove_unfinished(&self) {
        for file in fs::read_dir(self.root().join(UNFINISHED)).into_iter().flatten().flatten() {
            let age = file.metadata().and_then(|metadata| metadata.modified()).ok();
            if age.and_then(|then| then.elapsed().ok()).is_some_and(|age| age > ABANDONED) {
                let _somebody_else_did = fs::remove_file(file.path());
            }
        }
    }

    /// All entries, in the order of their names.
    fn entries(&self) -> io::Result<Vec<(PathBuf, Metadata)>> {
        let mut entries = Vec::new();
        for folder in sorted(&self.root())?.iter().filter(|folder| folder.is_dir()) {
            for path in sorted(folder)? {
                let is_entry = path.extension().is_some_and(|extension| extension == EXTENSION);
                if is_entry && let Ok(metadata) = fs::metadata(&path) {
                    entries.push((path, metadata));
                }
            }
        }
        Ok(entries)
    }
}

/// What is in a folder; nothing if there is no such folder.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let found = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    let mut paths: Vec<PathBuf> = found.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Key;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("cache"));
        (folder, store)
    }

    #[test]
    fn what_was_put_is_there_and_damage_is_not() {
        let (_folder, store) = store();
        let (one, two) = (Key::of(b"one"), Key::of(b"two"));
        assert_eq!((store.get(&one), store.stats().unwrap()), (None, Stats::default()));
        store.put(&one, b"first").unwrap();
        store.put(&one, b"second").unwrap();
        store.put(&two, b"other").unwrap();
        assert_eq!(store.get(&one).as_deref(), Some(&b"second"[..]));
        let path = store.path(&two);
        let mut bytes = fs::read(&path).unwrap();
        bytes.pop();
        fs::write(&path, bytes).unwrap();
        assert_eq!(store.get(&two), None);
        let verified = store.verify().unwrap();
        assert_eq!((verified.sound, verified.damaged), (1, vec![path]));
        assert_eq!(store.clear().unwrap().entries, 1);
        assert_eq!((store.get(&one), store.verify().unwrap()), (None, Verified::default()));
    }

    #[test]
    fn what_was_not_used_for_longest_is_given_up_first() {
        let (_folder, store) = store();
        let keys: Vec<Key> = (0..20u8).map(|n| Key::of(&[n])).collect();
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        for (age, key) in (0..).zip(&keys) {
            store.put(key, &[7; 100]).unwrap();
            let file = fs::File::options().append(true).open(store.path(key)).unwrap();
            file.set_modified(long_ago + Duration::from_secs(age)).unwrap();
        }
        let size = store.stats().unwrap().bytes / 20;
        assert_eq!(store.trim(20 * size).unwrap(), 0);
        store.get(keys.first().unwrap());
        let gone = store.trim(10 * size).unwrap();
        assert!((12..=13).contains(&gone), "{gone}");
        assert!(store.has(&keys[0]), "it was used a moment ago");
        assert!(!store.has(&keys[1]) && store.has(&keys[19]));
    }

    #[test]
    fn several_may_write_at_once() {
        let (_folder, store) = store();
        let key = Key::of(b"one");
        std::thread::scope(|scope| {
            for writer in 0..4u8 {
                let store = &store;
                scope.spawn(move || {
                    for _ in 0..50 {
                        store.put(&key, &vec![writer; 5000]).unwrap();
                        let read = store.get(&key).unwrap();
                        assert!(read.len() == 5000 && read.iter().all(|byte| *byte == read[0]));
                    }
                });
            }
        });
        assert_eq!(store.stats().unwrap().entries, 1);
    }
}
