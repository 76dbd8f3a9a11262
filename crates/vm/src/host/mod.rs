//! What a program sees of the outside world: standard streams, arguments, environment, clock, files.
//!
//! The machine reaches the world through a [`Host`] only. The default answers of the trait deny everything, which is what
//! exploration wants: a path that asks ends as incomplete, with the reason.

mod capturing;
mod exploring;
mod folder;
mod overlay;
mod process;
mod world;
mod zones;

use std::cell::RefCell;
use std::rc::Rc;

pub use capturing::CapturingHost;
pub use exploring::ExploringHost;
pub use folder::Folder;
pub use overlay::Overlay;
pub use process::ProcessHost;
pub use world::{FROZEN_TICKS, Platform, World};
pub use zones::{LocalZone, Zones};

/// The standard streams that a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Out,
    Error,
}

/// The host does not allow it; the text completes the sentence "the program wants …".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied(pub String);

pub type Answer<T> = Result<T, Denied>;

pub trait Host {
    fn write(&mut self, to: Output, _bytes: &[u8]) -> Answer<()> {
        Err(Denied(format!(
            "to write to the standard {}",
            if to == Output::Out { "output" } else { "error" }
        )))
    }

    /// At most `max` bytes of standard input; none at its end.
    fn read(&mut self, _max: usize) -> Answer<Vec<u8>> {
        Err(Denied("to read standard input".into()))
    }

    /// What the program is told about where it runs; without it, whatever it asks for is denied.
    fn world(&self) -> Option<Rc<World>> {
        None
    }

    /// The program's path and its arguments.
    fn command_line(&self) -> Answer<Vec<String>> {
        self.world().map(|world| world.command_line.clone()).ok_or_else(denied("to know its command line"))
    }

    /// The environment variables that the program starts with.
    fn variables(&self) -> Answer<Vec<(String, String)>> {
        self.world().map(|world| world.variables.clone()).ok_or_else(denied("to read environment variables"))
    }

    /// Hundreds of nanoseconds since the first of January of the year 1, UTC.
    fn utc_ticks(&self) -> Answer<u64> {
        self.world().map(|world| world.ticks).ok_or_else(denied("to know the time"))
    }

    fn platform(&self) -> Answer<Platform> {
        self.world().map(|world| world.platform.clone()).ok_or_else(denied("to know what it runs on"))
    }

    /// The folder that the program starts in.
    fn current_directory(&self) -> Answer<String> {
        self.world()
            .map(|world| world.current_directory.clone())
            .ok_or_else(denied("to know its current directory"))
    }

    /// The files that it may read.
    fn files(&self) -> Answer<Rc<dyn Files>> {
        let world = self.world().ok_or_else(denied("to use files"))?;
        if let Some(overlay) = &world.overlay {
            return Ok(Rc::clone(overlay) as Rc<dyn Files>);
        }
        match &world.folder {
            Some(folder) => Ok(Rc::new(folder.clone())),
            None => Err(Denied("files, which are denied; use --sandbox DIR".into())),
        }
    }

    /// The rules of time zones, if there are any.
    fn zones(&self) -> Option<Rc<dyn Files>> {
        self.world()?.zones.clone().map(|zones| Rc::new(zones) as Rc<dyn Files>)
    }

    fn local_zone(&self) -> LocalZone {
        self.world().map(|world| world.local_zone).unwrap_or_default()
    }
}

fn denied(what: &str) -> impl FnOnce() -> Denied {
    move || Denied(what.to_owned())
}

/// Files that can be read, and perhaps changed. Paths are absolute.
pub trait Files {
    /// What is at a path; a symbolic link at its end is followed or shown.
    fn status(&self, path: &str, follow: bool) -> FileAnswer<FileStatus>;
    /// At most `max` bytes from `offset` on; none at the end.
    fn read(&self, path: &str, offset: u64, max: usize) -> FileAnswer<Vec<u8>>;
    /// Names in a folder, sorted.
    fn entries(&self, path: &str) -> FileAnswer<Vec<(String, FileKind)>>;
    /// Where a symbolic link leads to.
    fn link(&self, path: &str) -> FileAnswer<String>;
    /// Whether anything of it can be changed.
    fn is_writable(&self) -> bool {
        false
    }
    /// The name under which a file that is open stays the same one, whatever happens to its path.
    fn opened(&self, path: &str) -> FileAnswer<String> {
        Ok(Ok(path.to_owned()))
    }
    /// Changes what is there.
    fn change(&self, _change: Change<'_>) -> FileAnswer<()> {
        Ok(Err(FileFailure::NoAccess))
    }
}

/// What a program does to files.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// An empty file where nothing is.
    NewFile {
        path: &'a str,
        mode: u32,
    },
    NewFolder {
        path: &'a str,
        mode: u32,
    },
    NewLink {
        path: &'a str,
        target: &'a str,
    },
    Write {
        path: &'a str,
        offset: u64,
        bytes: &'a [u8],
    },
    Resize {
        path: &'a str,
        size: u64,
    },
    /// A file or a link.
    Remove {
        path: &'a str,
    },
    RemoveFolder {
        path: &'a str,
    },
    Rename {
        from: &'a str,
        to: &'a str,
    },
    SetMode {
        path: &'a str,
        mode: u32,
    },
    /// Nanoseconds since 1970: last read, last written.
    SetTimes {
        path: &'a str,
        times: [i64; 2],
        follow: bool,
    },
}

/// Denied, or the program's own problem, or the answer.
pub type FileAnswer<T> = Answer<Result<T, FileFailure>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    Link,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStatus {
    pub kind: FileKind,
    pub size: u64,
    /// Permissions.
    pub mode: u32,
    pub inode: u64,
    /// Nanoseconds since 1970: last read, last written, last changed, made.
    pub times: [i64; 4],
}

/// What a system says about a path that does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFailure {
    Missing,
    NotAFolder,
    IsAFolder,
    NoAccess,
    NotALink,
    Exists,
    NotEmpty,
    TooManyLinks,
    NameTooLong,
    Failed,
}

/// Denies everything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoHost;

impl Host for NoHost {}

/// Shared, so that whoever made the machine can look at what was written.
impl<H: Host> Host for Rc<RefCell<H>> {
    fn write(&mut self, to: Output, bytes: &[u8]) -> Answer<()> {
        self.borrow_mut().write(to, bytes)
    }

    fn read(&mut self, max: usize) -> Answer<Vec<u8>> {
        self.borrow_mut().read(max)
    }

    fn world(&self) -> Option<Rc<World>> {
        self.borrow().world()
    }
}
