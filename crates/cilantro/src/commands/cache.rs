//! `cache`, and where results are kept.

use std::env;
use std::path::{Path, PathBuf};

use engine::{DEFAULT_SIZE, Error, Keeping};
use store::Store;

use super::Exit;
use crate::args::{Cache, CacheTask, Caching, Common};
use crate::console::Console;

/// Beside what one works on: the results of a project go with it, and continuous integration keeps folders of a workspace.
const DEFAULT_FOLDER: &str = ".cilantro/cache";
/// Set to anything: no results are used or kept, unless a folder is named.
const SWITCH_OFF: &str = "CILANTRO_NO_CACHE";

pub fn run(args: &Cache, console: &Console) -> Result<Exit, Error> {
    let folder = folder(args.cache.as_deref());
    let store = Store::at(&folder);
    let broken = |error: std::io::Error| Error::Unreadable { path: folder.clone(), why: error.to_string() };
    let shown = folder.display();
    match args.task {
        CacheTask::Stats => {
            let stats = store.stats().map_err(broken)?;
            console.result(&format!("{shown}: {}, {}\n", results(stats.entries), size(stats.bytes)));
        }
        CacheTask::Clear => {
            let gone = store.clear().map_err(broken)?;
            let (count, size) = (results(gone.entries), size(gone.bytes));
            console.result(&format!("{shown}: {count} taken out, {size}\n"));
        }
        CacheTask::Verify => {
            let verified = store.verify().map_err(broken)?;
            let (sound, damaged) = (results(verified.sound), verified.damaged.len());
            console.result(&format!("{shown}: {sound} sound, {damaged} damaged and taken out\n"));
            if damaged > 0 {
                return Ok(Exit::Findings);
            }
        }
    }
    Ok(Exit::NothingFound)
}

/// Where the results of a run are kept. Who wants to see what the engine does wants it done.
pub fn keeping(args: &Caching, common: &Common) -> Option<Keeping> {
    let is_off = args.no_cache || args.cache.is_none() && env::var_os(SWITCH_OFF).is_some();
    if is_off || common.trace.is_some() || common.dump_queries.is_some() {
        return None;
    }
    Some(Keeping {
        folder: folder(args.cache.as_deref()),
        sources: Vec::new(),
        most: args.cache_size.map_or(DEFAULT_SIZE, |size| size.0),
        only_known: false,
    })
}

fn folder(named: Option<&Path>) -> PathBuf {
    named.map_or_else(|| PathBuf::from(DEFAULT_FOLDER), Path::to_owned)
}

fn results(count: u64) -> String {
    if count == 1 { "1 result".to_owned() } else { format!("{count} results") }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KB", bytes / 1_024),
        _ => format!("{} MB", bytes / 1_048_576),
    }
}
