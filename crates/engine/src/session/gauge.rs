//! The counters that explorations keep up to date.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// For the live display, summed over all workers. Workers add to them as they go.
#[derive(Debug, Default)]
pub struct Gauge {
    pub states: AtomicU64,
    pub queries: AtomicU64,
    pub covered_branches: AtomicU64,
}

impl Gauge {
    pub fn add_states(&self, n: u64) {
        self.states.fetch_add(n, Relaxed);
    }

    pub fn add_queries(&self, n: u64) {
        self.queries.fetch_add(n, Relaxed);
    }

    pub fn add_covered_branches(&self, n: u64) {
        self.covered_branches.fetch_add(n, Relaxed);
    }
}
