//! Every limit of a verification in one place.

use std::time::Duration;

/// What the compiler, a process and one test may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For one test in one world, with what is done around it.
    pub test: Duration,
    /// For the start of a process and for loading the tests.
    pub start: Duration,
    /// For the heap of a process that runs tests.
    pub heap_bytes: u64,
    /// For the heap of the compiler.
    pub compiler_heap_bytes: u64,
    /// For running tests each by itself. That is dear where much code is compiled anew for each of them, and finds little that other
    /// orders do not find; what is not reached in this time is not held against a test.
    pub alone: Duration,
    /// Processes that run tests at the same time.
    pub jobs: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let jobs = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4));
        Limits {
            test: Duration::from_secs(5),
            start: Duration::from_secs(30),
            heap_bytes: 512 << 20,
            compiler_heap_bytes: 4 << 30,
            alone: Duration::from_secs(4),
            jobs,
        }
    }
}

impl Limits {
    /// As the child process takes them.
    pub(crate) fn of_process(&self, heap_bytes: u64) -> replay::Limits {
        replay::Limits { case: self.test, start: self.start, heap_bytes, ..replay::Limits::default() }
    }
}

/// Removing what does not compile can uncover the next error; after this many rounds whole files go.
pub(crate) const MAX_ROUNDS: usize = 16;
/// Diagnostics that are kept for one test.
pub(crate) const MAX_DIAGNOSTICS: usize = 4;
/// Crashes of one process that are looked into; of further ones the test that was running is taken for the cause.
pub(crate) const MAX_INVESTIGATIONS: usize = 24;
