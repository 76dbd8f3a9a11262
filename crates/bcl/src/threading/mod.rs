//! Threads, locks, wait handles and atomic operations.

pub(crate) mod interlocked;
pub(crate) mod monitor;
pub(crate) mod suspension;
pub(crate) mod threads;
pub(crate) mod wait_handles;
