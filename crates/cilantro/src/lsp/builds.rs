//! Looks out for new builds: a file that is another one and does not change any more is explored.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::time::{Duration, SystemTime};

use engine::Error;

use super::worker::{Exploring, Job};
use crate::console::Console;
use crate::project;

/// Between two looks. A file that is the same in two of them is complete.
const BETWEEN: Duration = Duration::from_millis(400);

/// Ends the looking out.
pub struct LooksOut(Arc<AtomicBool>);

impl LooksOut {
    pub fn end(&self) {
        self.0.store(true, Relaxed);
    }
}

/// Asks for an exploration of what is built, now and whenever it is built anew. What is explored by then is out of date.
pub fn look_out(subject: PathBuf, jobs: Sender<Job>, exploring: Arc<Exploring>) -> Result<LooksOut, Error> {
    let is_over = Arc::new(AtomicBool::new(false));
    let looks_out = LooksOut(Arc::clone(&is_over));
    engine::spawn("builds", move || {
        let (mut explored, mut last) = (None, None);
        let mut complaint = None;
        while !is_over.load(Relaxed) {
            // Sources that are newer than the build are the usual case in an editor, and said by nobody.
            let quiet = Console { quiet: true, ..Console::default() };
            match project::resolve(&subject, false, &quiet) {
                Ok(found) => {
                    let now = stamp(&found.assembly);
                    if now.is_some() && now == last && now != explored {
                        explored.clone_from(&now);
                        exploring.cancel();
                        let _is_over = jobs.send(Job::Explore(found));
                    }
                    last = now;
                }
                Err(error) => {
                    let why = error.to_string();
                    if complaint.as_ref() != Some(&why) {
                        complaint = Some(why.clone());
                        let _is_over = jobs.send(Job::Complain(why));
                    }
                }
            }
            std::thread::sleep(BETWEEN);
        }
    })?;
    Ok(looks_out)
}

type Stamp = (PathBuf, u64, Option<SystemTime>);

fn stamp(file: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(file).ok().filter(|metadata| metadata.is_file())?;
    Some((file.to_owned(), metadata.len(), metadata.modified().ok()))
}
