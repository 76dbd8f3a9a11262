//! The rules of time zones: files of the system that the class library reads itself. They are facts about the machine and
//! say nothing about a program or its user, so every program may read them.

use std::path::Path;

use super::{FileAnswer, FileKind, FileStatus, Files, Folder};

/// Where the class library looks for them.
const PLACES: [&str; 3] = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"];

#[derive(Clone, Debug)]
pub struct Zones {
    /// As the class library calls it; the folder may be behind a link.
    place: &'static str,
    folder: Folder,
}

impl Zones {
    /// Those of this machine.
    pub fn of_system() -> Option<Zones> {
        PLACES
            .into_iter()
            .find_map(|place| Some(Zones { place, folder: Folder::new(Path::new(place)).ok()? }))
    }

    /// Whether a path is one at which the rules are looked for.
    pub fn are_at(path: &str) -> bool {
        PLACES.iter().any(|place| {
            path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Whether there are rules for a zone of this name.
    pub fn has(&self, zone: &str) -> bool {
        let path = format!("{}/{zone}", self.place);
        matches!(self.status(&path, true), Ok(Ok(status)) if status.kind == FileKind::File)
    }

    fn real(&self, path: &str) -> String {
        let root = self.folder.root().display();
        match path.strip_prefix(self.place) {
            Some(rest) => format!("{root}{rest}"),
            // Another place has none.
            None => path.to_owned(),
        }
    }
}

impl Files for Zones {
    fn status(&self, path: &str, follow: bool) -> FileAnswer<FileStatus> {
        self.folder.status(&self.real(path), follow)
    }

    fn read(&self, path: &str, offset: u64, max: usize) -> FileAnswer<Vec<u8>> {
        self.folder.read(&self.real(path), offset, max)
    }

    fn entries(&self, path: &str) -> FileAnswer<Vec<(String, FileKind)>> {
        self.folder.entries(&self.real(path))
    }

    fn link(&self, path: &str) -> FileAnswer<String> {
        self.folder.link(&self.real(path))
    }
}

/// Which zone is the local one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalZone {
    /// The same for everyone.
    #[default]
    Utc,
    /// The one that the variable `TZ` names.
    OfVariable,
}
