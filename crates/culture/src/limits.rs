//! Every limit of the conversation in one place.

use std::time::Duration;

/// What a question and its process may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For one question.
    pub question: Duration,
    /// For the start of the process.
    pub start: Duration,
    /// Answers that are kept, in bytes; twice as many in the worst moment.
    pub cache_bytes: usize,
    /// Deaths of the process after which it is not started again.
    pub deaths: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            question: Duration::from_secs(10),
            start: Duration::from_secs(30),
            cache_bytes: 16 << 20,
            deaths: 20,
        }
    }
}

/// The heap of the process, for its garbage collector.
pub(crate) const HEAP_BYTES: u64 = 512 << 20;
/// A longer answer is no answer.
pub(crate) const MAX_ANSWER: u32 = 128 << 20;
/// A longer question is not sent: the host would not take it.
pub(crate) const MAX_QUESTION: usize = 64 << 20;
/// A question or answer of more bytes than this is not kept.
pub(crate) const MAX_KEPT: usize = 64 << 10;
/// Bytes of questions under way whose answers have not been read. They must fit into a pipe on every system: then
/// writing them never waits for a process that itself waits for us to read its answers.
pub(crate) const WINDOW: usize = 4 << 10;
/// What is read of the messages of a dying process.
pub(crate) const MAX_LAST_WORDS: u64 = 8 << 10;
