//! What a program is told about where it runs.

use std::rc::Rc;

use super::{Folder, LocalZone, Overlay, Zones};

#[derive(Clone, Debug)]
pub struct World {
    /// The program's path and its arguments.
    pub command_line: Vec<String>,
    /// The environment variables that the program starts with.
    pub variables: Vec<(String, String)>,
    /// Hundreds of nanoseconds since the first of January of the year 1, UTC.
    pub ticks: u64,
    pub platform: Platform,
    pub current_directory: String,
    /// The folder that the program may read.
    pub folder: Option<Folder>,
    /// What it may write, over that folder.
    pub overlay: Option<Rc<Overlay>>,
    /// The rules of time zones.
    pub zones: Option<Zones>,
    pub local_zone: LocalZone,
}

/// The first of January 2000, noon: the moment at which a program runs unless it is told another.
pub const FROZEN_TICKS: u64 = 630_823_248_000_000_000;

impl Default for World {
    fn default() -> World {
        World {
            command_line: Vec::new(),
            variables: Vec::new(),
            ticks: FROZEN_TICKS,
            platform: Platform::default(),
            current_directory: "/".into(),
            folder: None,
            overlay: None,
            zones: None,
            local_zone: LocalZone::Utc,
        }
    }
}

/// The machine and the process, as far as a program may learn about them. The default is the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    pub machine: String,
    pub user: String,
    pub home: String,
    pub process: u32,
    /// The release of the system's kernel.
    pub release: String,
    /// The executable that runs the program.
    pub executable: String,
    pub processors: u32,
}

impl Default for Platform {
    fn default() -> Platform {
        Platform {
            machine: "cilantro".into(),
            user: "user".into(),
            home: "/home/user".into(),
            process: 1000,
            release: "6.1.0".into(),
            executable: "/usr/bin/dotnet".into(),
            processors: 1,
        }
    }
}
