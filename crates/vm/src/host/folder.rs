//! A read-only folder of the real file system. Nothing outside of it exists, whatever path leads there; of the folders
//! above it only the way to it can be seen.

use std::collections::VecDeque;
use std::fs::{self, Metadata};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{FileAnswer, FileFailure, FileKind, FileStatus, Files};

#[derive(Clone, Debug)]
pub struct Folder {
    /// Without symbolic links.
    root: PathBuf,
}

/// As many symbolic links as Linux follows in one path.
pub(super) const MOST_LINKS: usize = 40;

impl Folder {
    pub fn new(root: &Path) -> std::io::Result<Folder> {
        let root = fs::canonicalize(root)?;
        match fs::metadata(&root)?.is_dir() {
            true => Ok(Folder { root }),
            false => Err(std::io::Error::new(ErrorKind::NotADirectory, "it is not a folder")),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real place of a path, inside the folder. Links are followed one by one, so none can lead out.
    fn resolve(&self, path: &str, follow: bool) -> FileAnswer<PathBuf> {
        let mut place = PathBuf::from("/");
        let mut links = 0;
        let mut rest: VecDeque<PathBuf> = parts(Path::new(path));
        while let Some(part) = rest.pop_front() {
            if part == Path::new("..") {
                place.pop();
                continue;
            }
            place.push(&part);
            if self.root.starts_with(&place) {
                continue;
            }
            if !place.starts_with(&self.root) {
                return Ok(Err(FileFailure::Missing));
            }
            let found = match fs::symlink_metadata(&place) {
                Ok(found) => found,
                Err(error) => return Ok(Err(failure(&error))),
            };
            if found.is_symlink() && (follow || !rest.is_empty()) {
                links += 1;
                if links > MOST_LINKS {
                    return Ok(Err(FileFailure::TooManyLinks));
                }
                let target = match fs::read_link(&place) {
                    Ok(target) => target,
                    Err(error) => return Ok(Err(failure(&error))),
                };
                place.pop();
                if target.is_absolute() {
                    place = PathBuf::from("/");
                }
                let mut all = parts(&target);
                all.extend(rest);
                rest = all;
            } else if !found.is_dir() && !rest.is_empty() {
                return Ok(Err(FileFailure::NotAFolder));
            }
        }
        if path.ends_with('/') && !place.is_dir() {
            return Ok(Err(FileFailure::NotAFolder));
        }
        Ok(Ok(place))
    }

    /// The only name that can be seen in a folder above this one.
    fn way_down(&self, place: &Path) -> Option<String> {
        let below = self.root.strip_prefix(place).ok()?;
        let next = below.components().next()?;
        Some(next.as_os_str().to_string_lossy().into_owned())
    }

    fn at<T>(
        &self,
        path: &str,
        follow: bool,
        work: impl FnOnce(&Path) -> std::io::Result<T>,
    ) -> FileAnswer<T> {
        Ok(match self.resolve(path, follow)? {
            Ok(place) => work(&place).map_err(|error| failure(&error)),
            Err(failure) => Err(failure),
        })
    }
}

impl Files for Folder {
    fn status(&self, path: &str, follow: bool) -> FileAnswer<FileStatus> {
        self.at(path, follow, |place| fs::symlink_metadata(place).map(|found| status(&found)))
    }

    fn read(&self, path: &str, offset: u64, max: usize) -> FileAnswer<Vec<u8>> {
        self.at(path, true, |place| {
            let mut file = fs::File::open(place)?;
            file.seek(SeekFrom::Start(offset))?;
            let mut bytes = Vec::new();
            file.take(max as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    fn entries(&self, path: &str) -> FileAnswer<Vec<(String, FileKind)>> {
        self.at(path, true, |place| {
            if let Some(name) = self.way_down(place) {
                return Ok(vec![(name, FileKind::Folder)]);
            }
            let mut names = Vec::new();
            for entry in fs::read_dir(place)? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                names.push((name, kind(entry.file_type()?)));
            }
            names.sort_by(|a, b| a.0.cmp(&b.0));
            Ok(names)
        })
    }

    fn link(&self, path: &str) -> FileAnswer<String> {
        Ok(match self.resolve(path, false)? {
            Ok(place) => match fs::read_link(place) {
                Ok(target) => Ok(target.to_string_lossy().into_owned()),
                Err(error) if error.kind() == ErrorKind::InvalidInput => Err(FileFailure::NotALink),
                Err(error) => Err(failure(&error)),
            },
            Err(failure) => Err(failure),
        })
    }
}

pub(super) fn parts(path: &Path) -> VecDeque<PathBuf> {
    let named = |part: Component<'_>| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(named).collect()
}

fn kind(found: fs::FileType) -> FileKind {
    if found.is_symlink() {
        FileKind::Link
    } else if found.is_dir() {
        FileKind::Folder
    } else if found.is_file() {
        FileKind::File
    } else {
        FileKind::Other
    }
}

fn status(found: &Metadata) -> FileStatus {
    #[cfg(unix)]
    let (mode, inode) = {
        use std::os::unix::fs::MetadataExt;
        (found.mode() & 0o7777, found.ino())
    };
    #[cfg(not(unix))]
    let (mode, inode) = (0o644, 0);
    let written = nanoseconds(found.modified());
    let times = [nanoseconds(found.accessed()), written, written, nanoseconds(found.created())];
    FileStatus { kind: kind(found.file_type()), size: found.len(), mode, inode, times }
}

fn nanoseconds(time: std::io::Result<SystemTime>) -> i64 {
    let since = time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}

fn failure(error: &std::io::Error) -> FileFailure {
    match error.kind() {
        ErrorKind::NotFound => FileFailure::Missing,
        ErrorKind::NotADirectory => FileFailure::NotAFolder,
        ErrorKind::IsADirectory => FileFailure::IsAFolder,
        ErrorKind::PermissionDenied => FileFailure::NoAccess,
        ErrorKind::InvalidFilename => FileFailure::NameTooLong,
        _ => FileFailure::Failed,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out() {
        let base = std::env::temp_dir().join(format!("cilantro-folder-{}", std::process::id()));
        let inside = base.join("inside");
        fs::create_dir_all(inside.join("sub")).unwrap();
        fs::write(base.join("secret"), "secret").unwrap();
        fs::write(inside.join("open"), "open").unwrap();
        let link = |from: &str, to: &str| std::os::unix::fs::symlink(to, inside.join(from)).unwrap();
        for (from, to) in [
            ("up", "../secret"),
            ("far", "/etc/passwd"),
            ("way", ".."),
            ("in", "sub/../open"),
            ("loop", "loop"),
        ] {
            link(from, to);
        }
        let folder = Folder::new(&inside).unwrap();
        let root = folder.root().display().to_string();
        let read = |path: &str| folder.read(&format!("{root}/{path}"), 0, 100);
        assert_eq!(read("open"), Ok(Ok(b"open".to_vec())));
        assert_eq!(read("in"), Ok(Ok(b"open".to_vec())));
        assert_eq!(read("sub/../../inside/open"), Ok(Ok(b"open".to_vec())));
        assert_eq!(read("loop"), Ok(Err(FileFailure::TooManyLinks)));
        assert_eq!(read("open/x"), Ok(Err(FileFailure::NotAFolder)));
        assert_eq!(read("none/x"), Ok(Err(FileFailure::Missing)));
        for path in ["../secret", "sub/../../secret", "up", "far", "way/secret", "none/../../secret"] {
            assert_eq!(read(path), Ok(Err(FileFailure::Missing)), "{path}");
        }
        assert_eq!(folder.read("/etc/passwd", 0, 10), Ok(Err(FileFailure::Missing)));
        let kind = |path: &str, follow| folder.status(path, follow).unwrap().map(|status| status.kind);
        assert_eq!(kind(&format!("{root}/far"), false), Ok(FileKind::Link), "a link itself is inside");
        assert_eq!(kind(&format!("{root}/way"), true), Ok(FileKind::Folder));
        let above = folder.entries(&format!("{root}/way"));
        assert_eq!(above, Ok(Ok(vec![("inside".to_owned(), FileKind::Folder)])));
        assert_eq!(folder.entries("/").unwrap().unwrap().len(), 1);
        fs::remove_dir_all(base).unwrap();
    }
}
