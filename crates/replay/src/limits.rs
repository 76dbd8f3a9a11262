//! Every limit of a replay in one place.

use std::time::Duration;

/// What one case and its process may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For one case: building its arguments, the call, reading the result.
    pub case: Duration,
    /// For the start of the process and for loading the assembly.
    pub start: Duration,
    /// For the heap of the process under test.
    pub heap_bytes: u64,
    /// Without cultures: what the application asks for, or all that the machine can do.
    pub invariant: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            case: Duration::from_secs(5),
            start: Duration::from_secs(20),
            heap_bytes: 512 << 20,
            invariant: false,
        }
    }
}

/// How often the wish to stop is looked at while waiting.
pub(crate) const POLL: Duration = Duration::from_millis(20);
/// An answer line of more bytes than this is not read on.
pub(crate) const MAX_ANSWER: u64 = 64 << 20;
/// What is kept of the messages of a dying process.
pub(crate) const MAX_LAST_WORDS: usize = 8 << 10;
