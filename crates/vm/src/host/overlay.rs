//! A folder that a program may change, as far as it can tell: what it writes is kept in memory, over the folder as it
//! is, until somebody asks for it to be written back.
//!
//! A place is a path without links inside the folder. What was changed there is an entry; an entry hides what the folder
//! has at the place, and a folder that was made or removed hides all that was below it. A file that is opened is taken
//! into memory, so that a descriptor keeps its file when the name goes.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::folder::{MOST_LINKS, parts};
use super::{Change, FileAnswer, FileFailure, FileKind, FileStatus, Files, Folder};

#[derive(Debug)]
pub struct Overlay {
    base: Folder,
    changes: RefCell<Changes>,
    /// Nanoseconds since 1970: when everything happens.
    now: i64,
}

#[derive(Debug, Default)]
struct Changes {
    entries: BTreeMap<PathBuf, Entry>,
    /// Contents of files by their number.
    files: BTreeMap<u64, File>,
    last: u64,
}

#[derive(Clone, Debug)]
enum Entry {
    /// Nothing is here any more.
    Gone,
    File(u64),
    /// `is_new` hides what the folder has below.
    Folder {
        is_new: bool,
        mode: u32,
        times: [i64; 2],
    },
    Link(String),
}

#[derive(Clone, Debug, Default)]
struct File {
    bytes: Vec<u8>,
    mode: u32,
    times: [i64; 2],
    is_changed: bool,
}

/// How the name of an open file begins, which no path does.
const OPEN: char = '\0';
const FIRST_INODE: u64 = 1 << 40;

type Found<T> = Result<T, FileFailure>;

impl Overlay {
    /// Over a folder, at a time in nanoseconds since 1970.
    pub fn new(base: Folder, now: i64) -> Overlay {
        Overlay { base, changes: RefCell::default(), now }
    }

    /// Makes the folder what the program has made of it.
    pub fn write_back(&self) -> std::io::Result<()> {
        let changes = self.changes.borrow();
        for (place, entry) in &changes.entries {
            let there = fs::symlink_metadata(place).ok();
            match entry {
                Entry::File(number) => match changes.files.get(number) {
                    Some(file) if file.is_changed => {
                        if there.is_some_and(|there| !there.is_file()) {
                            remove(place)?;
                        }
                        fs::write(place, &file.bytes)?;
                    }
                    _ => {}
                },
                Entry::Gone => remove(place)?,
                Entry::Folder { is_new, .. } => {
                    if *is_new {
                        remove(place)?;
                        fs::create_dir(place)?;
                    }
                }
                Entry::Link(target) => {
                    remove(place)?;
                    link(target, place)?;
                }
            }
        }
        Ok(())
    }

    /// What is at a place, or what it is not.
    fn status_at(&self, place: &Path) -> Found<FileStatus> {
        let changes = self.changes.borrow();
        match changes.entries.get(place) {
            Some(Entry::Gone) => return Err(FileFailure::Missing),
            Some(Entry::File(number)) => {
                return changes
                    .files
                    .get(number)
                    .map(|file| file.status(*number))
                    .ok_or(FileFailure::Missing);
            }
            Some(Entry::Folder { mode, times, .. }) => {
                return Ok(status(FileKind::Folder, 4096, *mode, *times, inode(place)));
            }
            Some(Entry::Link(target)) => {
                let times = [self.now; 2];
                return Ok(status(FileKind::Link, target.len() as u64, 0o777, times, inode(place)));
            }
            None => {}
        }
        if is_hidden(&changes.entries, place) {
            return Err(FileFailure::Missing);
        }
        drop(changes);
        flat(self.base.status(&text(place), false))
    }

    /// The place of a path; what is at its end may be missing.
    fn place(&self, path: &str, follow: bool) -> Found<PathBuf> {
        let mut place = PathBuf::from("/");
        let mut links = 0;
        let mut rest: VecDeque<PathBuf> = parts(Path::new(path));
        while let Some(part) = rest.pop_front() {
            if part == Path::new("..") {
                place.pop();
                continue;
            }
            place.push(&part);
            if self.base.root().starts_with(&place) {
                continue;
            }
            if !place.starts_with(self.base.root()) {
                return Err(FileFailure::Missing);
            }
            let found = match self.status_at(&place) {
                Ok(found) => found,
                Err(FileFailure::Missing) if rest.is_empty() => return Ok(place),
                Err(failure) => return Err(failure),
            };
            if found.kind == FileKind::Link && (follow || !rest.is_empty()) {
                links += 1;
                if links > MOST_LINKS {
                    return Err(FileFailure::TooManyLinks);
                }
                let target = PathBuf::from(self.target(&place)?);
                place.pop();
                if target.is_absolute() {
                    place = PathBuf::from("/");
                }
                let mut all = parts(&target);
                all.extend(rest);
                rest = all;
            } else if found.kind != FileKind::Folder && !rest.is_empty() {
                return Err(FileFailure::NotAFolder);
            }
        }
        if path.ends_with('/') && self.status_at(&place).is_ok_and(|found| found.kind != FileKind::Folder) {
            return Err(FileFailure::NotAFolder);
        }
        Ok(place)
    }

    fn target(&self, place: &Path) -> Found<String> {
        match self.changes.borrow().entries.get(place) {
            Some(Entry::Link(target)) => return Ok(target.clone()),
            Some(_) => return Err(FileFailure::NotALink),
            None => {}
        }
        flat(self.base.link(&text(place)))
    }

    /// The number of the file at a path, or of one that is open; it is in memory from now on.
    fn file(&self, path: &str) -> Found<u64> {
        if let Some(number) = path.strip_prefix(OPEN) {
            return number.parse().map_err(|_| FileFailure::Missing);
        }
        let place = self.place(path, true)?;
        if let Some(Entry::File(number)) = self.changes.borrow().entries.get(&place) {
            return Ok(*number);
        }
        let found = self.status_at(&place)?;
        if found.kind == FileKind::Folder {
            return Err(FileFailure::IsAFolder);
        }
        let bytes = flat(self.base.read(&text(&place), 0, usize::MAX))?;
        let file =
            File { bytes, mode: found.mode, times: [found.times[0], found.times[1]], is_changed: false };
        Ok(self.add(place, file))
    }

    fn add(&self, place: PathBuf, file: File) -> u64 {
        let mut changes = self.changes.borrow_mut();
        changes.last += 1;
        let number = changes.last;
        changes.files.insert(number, file);
        changes.entries.insert(place, Entry::File(number));
        number
    }

    /// The place where something new comes to be: its folder is there, and it is not.
    fn new_place(&self, path: &str) -> Found<PathBuf> {
        let place = self.place(path, false)?;
        if self.status_at(&place).is_ok() {
            return Err(FileFailure::Exists);
        }
        let parent = place.parent().ok_or(FileFailure::NoAccess)?;
        if !parent.starts_with(self.base.root()) {
            return Err(FileFailure::NoAccess);
        }
        match self.status_at(parent)?.kind {
            FileKind::Folder => Ok(place),
            _ => Err(FileFailure::NotAFolder),
        }
    }

    fn edit(&self, path: &str, edit: impl FnOnce(&mut File)) -> Found<()> {
        let number = self.file(path)?;
        let mut changes = self.changes.borrow_mut();
        let file = changes.files.get_mut(&number).ok_or(FileFailure::Missing)?;
        edit(file);
        file.is_changed = true;
        Ok(())
    }

    fn remove(&self, path: &str, is_folder: bool) -> Found<()> {
        let place = self.place(path, false)?;
        let found = self.status_at(&place)?;
        match (found.kind == FileKind::Folder, is_folder) {
            (true, false) => return Err(FileFailure::IsAFolder),
            (false, true) => return Err(FileFailure::NotAFolder),
            _ => {}
        }
        if place == self.base.root() {
            return Err(FileFailure::NoAccess);
        }
        if is_folder && !self.names(&place)?.is_empty() {
            return Err(FileFailure::NotEmpty);
        }
        self.clear(&place);
        self.changes.borrow_mut().entries.insert(place, Entry::Gone);
        Ok(())
    }

    /// Forgets what was changed at a place and below.
    fn clear(&self, place: &Path) {
        self.changes.borrow_mut().entries.retain(|at, _| !at.starts_with(place));
    }

    fn rename(&self, from: &str, to: &str) -> Found<()> {
        let (from, to) = (self.place(from, false)?, self.place(to, false)?);
        let moved = self.status_at(&from)?;
        if from == to {
            return Ok(());
        }
        if to.starts_with(&from) || from == self.base.root() || !to.starts_with(self.base.root()) {
            return Err(FileFailure::NoAccess);
        }
        match self.status_at(&to) {
            Ok(there) => match (moved.kind == FileKind::Folder, there.kind == FileKind::Folder) {
                (true, false) => return Err(FileFailure::NotAFolder),
                (false, true) => return Err(FileFailure::IsAFolder),
                (true, true) if !self.names(&to)?.is_empty() => return Err(FileFailure::NotEmpty),
                _ => {}
            },
            Err(FileFailure::Missing) => {
                let parent = to.parent().ok_or(FileFailure::NoAccess)?;
                self.status_at(parent)?;
            }
            Err(failure) => return Err(failure),
        }
        self.clear(&to);
        self.take_along(&from, &to)?;
        self.clear(&from);
        self.changes.borrow_mut().entries.insert(from, Entry::Gone);
        Ok(())
    }

    /// Puts all that is at a place at another one as well.
    fn take_along(&self, from: &Path, to: &Path) -> Found<()> {
        let found = self.status_at(from)?;
        let entry = match found.kind {
            FileKind::Folder => {
                for (name, _) in self.names(from)? {
                    self.take_along(&from.join(&name), &to.join(&name))?;
                }
                Entry::Folder { is_new: true, mode: found.mode, times: [found.times[0], found.times[1]] }
            }
            FileKind::Link => Entry::Link(self.target(from)?),
            _ => {
                let number = self.file(&text(from))?;
                let mut changes = self.changes.borrow_mut();
                if let Some(file) = changes.files.get_mut(&number) {
                    file.is_changed = true;
                }
                Entry::File(number)
            }
        };
        self.changes.borrow_mut().entries.insert(to.to_owned(), entry);
        Ok(())
    }

    /// The names in the folder at a place, sorted.
    fn names(&self, place: &Path) -> Found<Vec<(String, FileKind)>> {
        let changes = self.changes.borrow();
        let is_new = matches!(changes.entries.get(place), Some(Entry::Folder { is_new: true, .. }));
        let mut names: BTreeMap<String, FileKind> = BTreeMap::new();
        if !is_new && !is_hidden(&changes.entries, place) {
            names.extend(flat(self.base.entries(&text(place)))?);
        }
        for (at, entry) in changes.entries.iter().filter(|(at, _)| at.parent() == Some(place)) {
            let name = at.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match entry {
                Entry::Gone => {
                    names.remove(&name);
                }
                Entry::File(_) => {
                    names.insert(name, FileKind::File);
                }
                Entry::Folder { .. } => {
                    names.insert(name, FileKind::Folder);
                }
                Entry::Link(_) => {
                    names.insert(name, FileKind::Link);
                }
            }
        }
        Ok(names.into_iter().collect())
    }

    fn set_mode(&self, path: &str, new: u32) -> Found<()> {
        self.attributes(path, true, |mode, _| *mode = new)
    }

    fn attributes(&self, path: &str, follow: bool, edit: impl FnOnce(&mut u32, &mut [i64; 2])) -> Found<()> {
        if path.starts_with(OPEN) {
            return self.edit(path, |file| edit(&mut file.mode, &mut file.times));
        }
        let place = self.place(path, follow)?;
        let found = self.status_at(&place)?;
        match found.kind {
            FileKind::Folder => {
                let mut changes = self.changes.borrow_mut();
                let times = [found.times[0], found.times[1]];
                let entry = changes.entries.entry(place).or_insert(Entry::Folder {
                    is_new: false,
                    mode: found.mode,
                    times,
                });
                if let Entry::Folder { mode, times, .. } = entry {
                    edit(mode, times);
                }
                Ok(())
            }
            // Of links nobody asks.
            FileKind::Link => Ok(()),
            _ => self.edit(&text(&place), |file| edit(&mut file.mode, &mut file.times)),
        }
    }

    fn apply(&self, change: Change<'_>) -> Found<()> {
        let now = [self.now; 2];
        match change {
            Change::NewFile { path, mode } => {
                let place = self.new_place(path)?;
                self.add(place, File { bytes: Vec::new(), mode, times: now, is_changed: true });
                Ok(())
            }
            Change::NewFolder { path, mode } => {
                let place = self.new_place(path)?;
                let folder = Entry::Folder { is_new: true, mode, times: now };
                self.changes.borrow_mut().entries.insert(place, folder);
                Ok(())
            }
            Change::NewLink { path, target } => {
                let place = self.new_place(path)?;
                self.changes.borrow_mut().entries.insert(place, Entry::Link(target.to_owned()));
                Ok(())
            }
            Change::Write { path, offset, bytes } => self.edit(path, |file| {
                let (from, end) = (offset as usize, offset as usize + bytes.len());
                if file.bytes.len() < end {
                    file.bytes.resize(end, 0);
                }
                if let Some(room) = file.bytes.get_mut(from..end) {
                    room.copy_from_slice(bytes);
                }
                file.times[1] = self.now;
            }),
            Change::Resize { path, size } => self.edit(path, |file| {
                file.bytes.resize(size as usize, 0);
                file.times[1] = self.now;
            }),
            Change::Remove { path } => self.remove(path, false),
            Change::RemoveFolder { path } => self.remove(path, true),
            Change::Rename { from, to } => self.rename(from, to),
            Change::SetMode { path, mode } => self.set_mode(path, mode),
            Change::SetTimes { path, times: new, follow } => {
                self.attributes(path, follow, |_, times| *times = new)
            }
        }
    }
}

impl Files for Overlay {
    fn status(&self, path: &str, follow: bool) -> FileAnswer<FileStatus> {
        if path.starts_with(OPEN) {
            let found = self.file(path).and_then(|number| {
                let changes = self.changes.borrow();
                changes.files.get(&number).map(|file| file.status(number)).ok_or(FileFailure::Missing)
            });
            return Ok(found);
        }
        Ok(self.place(path, follow).and_then(|place| self.status_at(&place)))
    }

    fn read(&self, path: &str, offset: u64, max: usize) -> FileAnswer<Vec<u8>> {
        Ok(self.file(path).map(|number| {
            let changes = self.changes.borrow();
            let bytes = changes.files.get(&number).map_or(&[][..], |file| &file.bytes);
            let rest = bytes.get(offset as usize..).unwrap_or_default();
            rest.get(..max.min(rest.len())).unwrap_or_default().to_vec()
        }))
    }

    fn entries(&self, path: &str) -> FileAnswer<Vec<(String, FileKind)>> {
        let listed = self.place(path, true).and_then(|place| match self.status_at(&place)?.kind {
            FileKind::Folder => self.names(&place),
            _ => Err(FileFailure::NotAFolder),
        });
        Ok(listed)
    }

    fn link(&self, path: &str) -> FileAnswer<String> {
        Ok(self.place(path, false).and_then(|place| match self.status_at(&place)?.kind {
            FileKind::Link => self.target(&place),
            _ => Err(FileFailure::NotALink),
        }))
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn opened(&self, path: &str) -> FileAnswer<String> {
        match self.file(path) {
            Ok(number) => Ok(Ok(format!("{OPEN}{number}"))),
            // A folder can be opened, to ask about it.
            Err(FileFailure::IsAFolder) => Ok(Ok(path.to_owned())),
            Err(failure) => Ok(Err(failure)),
        }
    }

    fn change(&self, change: Change<'_>) -> FileAnswer<()> {
        Ok(self.apply(change))
    }
}

impl File {
    fn status(&self, number: u64) -> FileStatus {
        status(FileKind::File, self.bytes.len() as u64, self.mode, self.times, FIRST_INODE + number)
    }
}

fn status(kind: FileKind, size: u64, mode: u32, times: [i64; 2], inode: u64) -> FileStatus {
    FileStatus { kind, size, mode, inode, times: [times[0], times[1], times[1], times[1]] }
}

/// Any number that stays the same for a place.
fn inode(place: &Path) -> u64 {
    let bytes = place.as_os_str().as_encoded_bytes();
    bytes.iter().fold(FIRST_INODE, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)))
}

/// Is something above it gone, or made anew?
fn is_hidden(entries: &BTreeMap<PathBuf, Entry>, place: &Path) -> bool {
    place.ancestors().skip(1).any(|above| match entries.get(above) {
        Some(Entry::Folder { is_new, .. }) => *is_new,
        Some(_) => true,
        None => false,
    })
}

/// The folder denies nothing of itself.
fn flat<T>(answer: FileAnswer<T>) -> Found<T> {
    answer.unwrap_or(Err(FileFailure::Failed))
}

fn text(place: &Path) -> String {
    place.to_string_lossy().into_owned()
}

fn remove(place: &Path) -> std::io::Result<()> {
    let removed = match fs::symlink_metadata(place) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(place),
        Ok(_) => fs::remove_file(place),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn link(target: &str, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::new(ErrorKind::Unsupported, "links cannot be made here"))
}
