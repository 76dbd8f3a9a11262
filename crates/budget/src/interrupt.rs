//! The end of work that does not look at its budget.
//!
//! Whoever explores asks [`crate::Budget::spent`] between steps. One step can still be very long: a model that makes a term
//! for each of a million characters, a condition that is put together again for each of them. What such work is made of
//! says [`beat`] all the time; when the [`Watch`] that the thread has set is over, the beat unwinds to [`interruptible`],
//! which hands on why. Nothing is printed, and nothing but time is lost: whatever was done before is still there.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use verdict::Gap;

use crate::allocation;
use crate::signals::Signals;

/// Beats between two looks at the watch.
const BEATS: u32 = 4_096;
/// Work that looks at its budget ends by itself within this time.
const SLACK: Duration = Duration::from_millis(60);

/// When work must end that does not end by itself.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub deadline: Option<Instant>,
    /// Bytes that the thread may hold.
    pub max_bytes: Option<u64>,
    /// Whether the wish to wrap up ends it as well: not what is done to wrap up.
    pub heeds_wrap_up: bool,
    pub signals: Option<Arc<Signals>>,
}

impl Watch {
    fn is_over(&self) -> Option<Gap> {
        if self.max_bytes.is_some_and(|most| allocation::held() > most) {
            return Some(Gap::memory_limit());
        }
        if let Some(signals) = &self.signals {
            if signals.is_cancelled() {
                return Some(Gap::cancelled());
            }
            if self.heeds_wrap_up && signals.wraps_up() {
                return Some(Gap::timeout());
            }
        }
        self.deadline.filter(|deadline| Instant::now() > *deadline + SLACK).map(|_| Gap::timeout())
    }
}

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(BEATS) };
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// What is thrown, and known by.
struct Interrupted(Gap);

/// To be called by whatever can be repeated very often within one step. Costs next to nothing.
#[inline]
pub fn beat() {
    LEFT.with(|left| match left.get() {
        0 => look(),
        n => left.set(n - 1),
    });
}

/// A piece of work that is worth many beats.
#[inline]
pub fn beats(count: usize) {
    LEFT.with(|left| {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        left.set(left.get().saturating_sub(count));
    });
    beat();
}

#[cold]
fn look() {
    LEFT.with(|left| left.set(BEATS));
    // Whoever unwinds already is left alone.
    if std::thread::panicking() {
        return;
    }
    let over = WATCH.with(|watch| watch.borrow().as_ref().and_then(Watch::is_over));
    if let Some(gap) = over {
        resume_unwind(Box::new(Interrupted(gap)));
    }
}

/// Does the work under a watch; an error says why it was ended. Inside of other such work the inner watch counts.
pub fn interruptible<T>(watch: Watch, work: impl FnOnce() -> T) -> Result<T, Gap> {
    let outer = WATCH.with(|current| current.borrow_mut().replace(watch));
    let done = catch_unwind(AssertUnwindSafe(work));
    WATCH.with(|current| *current.borrow_mut() = outer);
    done.or_else(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => Err(interrupted.0),
        Err(defect) => resume_unwind(defect),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::Reason;

    fn endless() -> u64 {
        let mut n = 0;
        loop {
            n += 1;
            beat();
            if n == u64::MAX {
                return n;
            }
        }
    }

    #[test]
    fn work_that_does_not_end_is_ended() {
        let watch = Watch { deadline: Some(Instant::now()), ..Watch::default() };
        assert_eq!(interruptible(watch, endless).map_err(|gap| gap.reason), Err(Reason::Timeout));
        let signals = Arc::new(Signals::default());
        signals.cancel();
        let watch = Watch { signals: Some(signals), ..Watch::default() };
        assert_eq!(interruptible(watch, endless).map_err(|gap| gap.reason), Err(Reason::Cancelled));
    }

    #[test]
    fn wrapping_up_does_not_end_itself() {
        let signals = Arc::new(Signals::default());
        signals.wrap_up();
        let watch =
            |heeds_wrap_up| Watch { heeds_wrap_up, signals: Some(Arc::clone(&signals)), ..Watch::default() };
        let work = || (0..100_000).for_each(|_| beat());
        assert!(interruptible(watch(true), work).is_err());
        assert!(interruptible(watch(false), work).is_ok());
    }

    #[test]
    fn the_inner_watch_counts_and_the_outer_one_is_back_afterwards() {
        let over = || Watch { deadline: Some(Instant::now() - SLACK), ..Watch::default() };
        let outer = interruptible(Watch::default(), || {
            assert!(interruptible(over(), endless).is_err());
            (0..100_000).for_each(|_| beat());
        });
        assert!(outer.is_ok());
        // Nobody watches.
        (0..100_000).for_each(|_| beat());
    }

    #[test]
    fn a_defect_is_passed_on() {
        let defect = catch_unwind(|| interruptible(Watch::default(), || resume_unwind(Box::new(7u8))));
        assert!(defect.is_err());
    }
}
