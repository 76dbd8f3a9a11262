//! One run: workers explore, a child process replays, and the calling thread keeps the clock.
//!
//! How a method is explored and how a test is replayed is behind [`backend::Backend`], so both can be exchanged.

pub mod backend;
pub mod gauge;
pub mod queue;
pub mod record;
pub mod run;
pub mod threads;
