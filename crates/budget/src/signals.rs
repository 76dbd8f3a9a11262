//! What ends work early, set from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Looked at by everything that takes long.
#[derive(Debug, Default)]
pub struct Signals {
    /// In its own `Arc`, because solvers and child processes want just the flag.
    pub cancelled: Arc<AtomicBool>,
    over_memory: AtomicBool,
    interrupted: AtomicBool,
    wraps_up: AtomicBool,
}

impl Signals {
    /// The user wants the run to end.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Relaxed);
        self.cancel();
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    /// Exploration ends, so that there is time for what follows it.
    pub fn wrap_up(&self) {
        self.wraps_up.store(true, Relaxed);
    }

    pub fn wraps_up(&self) -> bool {
        self.wraps_up.load(Relaxed)
    }

    pub fn set_over_memory(&self, over: bool) {
        self.over_memory.store(over, Relaxed);
    }

    pub fn is_over_memory(&self) -> bool {
        self.over_memory.load(Relaxed)
    }
}
