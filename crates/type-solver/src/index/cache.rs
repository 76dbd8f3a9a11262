//! Indexes that several solvers of a process share: threads that explore the same assembly ask for the same one.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use types::Probing;

use super::Index;

/// Indexes that are kept.
const KEPT: usize = 4;

/// What an index depends on: the assemblies as they were, and where references are looked for.
#[derive(Clone, PartialEq, Eq)]
struct Origin {
    roots: Vec<(PathBuf, Option<SystemTime>)>,
    frameworks: Vec<PathBuf>,
}

static INDEXES: Mutex<Vec<(Origin, Arc<Index>)>> = Mutex::new(Vec::new());

impl Index {
    /// The index of these assemblies, made at most once however many ask for it at the same time.
    pub fn shared(probing: &Probing, roots: &[PathBuf]) -> Arc<Index> {
        let origin = Origin {
            roots: roots.iter().map(|root| (root.clone(), modified(root))).collect(),
            frameworks: probing.frameworks().iter().map(|framework| framework.folder.clone()).collect(),
        };
        let mut indexes = INDEXES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = indexes.iter().find(|(known, _)| *known == origin) {
            return Arc::clone(known);
        }
        let index = Arc::new(Index::build(probing, roots));
        if indexes.len() >= KEPT {
            indexes.remove(0);
        }
        indexes.push((origin, Arc::clone(&index)));
        index
    }
}

fn modified(path: &PathBuf) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|facts| facts.modified()).ok()
}
