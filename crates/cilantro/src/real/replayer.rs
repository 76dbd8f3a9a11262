//! Replay on the real runtime, in the driver's words.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use replay::Verdict;
use testgen::case::{Case, Outcome};

use crate::driver::{Replayed, Replayer};

/// Runs the cases of one assembly.
pub struct RealReplayer {
    inner: replay::Replayer,
    assembly: PathBuf,
    cancelled: Arc<AtomicBool>,
}

impl RealReplayer {
    pub fn new(
        runtime: replay::Runtime,
        assembly: PathBuf,
        cancelled: Arc<AtomicBool>,
    ) -> Result<RealReplayer, String> {
        let inner =
            replay::Replayer::new(runtime, replay::Limits::default()).map_err(|error| error.to_string())?;
        Ok(RealReplayer { inner, assembly, cancelled })
    }
}

impl Replayer for RealReplayer {
    fn prepare(&mut self, deadline: Instant) {
        self.inner.warm_up(&self.assembly, deadline, &self.cancelled);
    }

    fn replay(&mut self, cases: &[Case], deadline: Instant) -> Vec<Replayed> {
        let verdicts = self.inner.replay(&self.assembly, cases, deadline, &self.cancelled);
        verdicts.into_iter().map(told).collect()
    }
}

fn told(verdict: Verdict) -> Replayed {
    match verdict {
        Verdict::Passed { observed } => {
            let message = match observed.outcome {
                Outcome::Throws(thrown) => thrown.message,
                Outcome::Returns(_) | Outcome::Void => None,
            };
            Replayed::Passed { message }
        }
        Verdict::Mismatch { difference, .. } => Replayed::Failed { detail: difference },
        Verdict::Crashed { how } => Replayed::Failed { detail: format!("the process ended: {how}") },
        Verdict::TimedOut => Replayed::Failed { detail: "the call did not come back".to_owned() },
        Verdict::Skipped { why } => Replayed::Skipped { detail: why },
    }
}
