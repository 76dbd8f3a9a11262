//! Looks out for new builds: a file that is another one and does not change any more is worth a look.
//!
//! It looks at the file itself, several times a second: that works on every system and in every folder, and is not fooled by
//! builds that write a file in parts, rename it, or put it elsewhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

use engine::Error;

use crate::console::Console;
use crate::project::{self, Subject};

/// Between two looks. A file that is the same in two of them is complete.
const BETWEEN: Duration = Duration::from_millis(400);

/// What was seen.
pub enum Seen {
    /// A build that was not there before.
    Build(Subject),
    /// Why there is none, said once.
    Nothing(String),
}

/// Ends the looking out.
pub struct LooksOut(Arc<AtomicBool>);

impl LooksOut {
    pub fn end(&self) {
        self.0.store(true, Relaxed);
    }
}

/// Tells of what is built of a project, now and whenever it is built anew.
pub fn look_out(subject: PathBuf, tell: impl Fn(Seen) + Send + 'static) -> Result<LooksOut, Error> {
    let is_over = Arc::new(AtomicBool::new(false));
    let looks_out = LooksOut(Arc::clone(&is_over));
    engine::spawn("builds", move || {
        let mut eye = Eye { subject, told: None, last: None, complaint: None };
        while !is_over.load(Relaxed) {
            if let Some(seen) = eye.look() {
                tell(seen);
            }
            std::thread::sleep(BETWEEN);
        }
    })?;
    Ok(looks_out)
}

type Stamp = (PathBuf, u64, Option<SystemTime>);

struct Eye {
    subject: PathBuf,
    told: Option<Stamp>,
    last: Option<Stamp>,
    complaint: Option<String>,
}

impl Eye {
    fn look(&mut self) -> Option<Seen> {
        // That sources are newer than the build is the usual case while somebody works on them.
        let quiet = Console { quiet: true, ..Console::default() };
        let found = match project::resolve(&self.subject, false, &quiet) {
            Ok(found) => found,
            Err(error) => return self.complain(error.to_string()),
        };
        let Some(now) = stamp(&found.assembly) else {
            self.last = None;
            return self.complain(Error::NoSuchFile(found.assembly).to_string());
        };
        let is_new = self.last.as_ref() == Some(&now) && self.told.as_ref() != Some(&now);
        self.last = Some(now.clone());
        is_new.then(|| {
            (self.told, self.complaint) = (Some(now), None);
            Seen::Build(found)
        })
    }

    fn complain(&mut self, why: String) -> Option<Seen> {
        let is_new = self.complaint.as_ref() != Some(&why);
        self.complaint = Some(why.clone());
        is_new.then_some(Seen::Nothing(why))
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(file).ok().filter(|metadata| metadata.is_file())?;
    Some((file.to_owned(), metadata.len(), metadata.modified().ok()))
}
