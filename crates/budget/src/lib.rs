//! What a run may use, and who gets which share of it. All time that is kept, shared out or held back is accounted for here.
//!
//! A command has a [`Clock`]. Exploration gets what is left after a reserve for replay ([`Clock::exploration_deadline`]), each
//! method gets a share of that ([`Shares`]), and within it each list of type arguments a part ([`Budget::part`]). Whoever
//! works asks [`Budget::spent`] now and then, and [`Signals`] end everything early. What does not ask is ended by a
//! [`interrupt::Watch`].
//!
//! ```
//! use std::time::{Duration, Instant};
//! use budget::{Budget, Clock};
//!
//! let clock = Clock::new(Instant::now(), Duration::from_secs(8));
//! let budget = Budget { deadline: Some(clock.exploration_deadline()), max_steps: Some(10_000), ..Budget::default() };
//! assert_eq!(budget.spent(0), None);
//! assert_eq!(budget.spent(10_000).map(|gap| gap.reason), Some(verdict::Reason::StepLimit));
//! ```

pub mod allocation;
mod clock;
pub mod interrupt;
mod share;
mod signals;
mod spending;
mod verification;

pub use clock::{Clock, DEFAULT_TIMEOUT, FAREWELL, GRACE, LATE, MOST_PER_METHOD, RETRY_WITHIN, TICK};
pub use share::{RETRY_FACTOR, Share, Shares};
pub use signals::Signals;
pub use spending::{Budget, DEFAULT_PATIENCE};
pub use verification::Pace;
