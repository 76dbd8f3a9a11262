//! Static constructors: who runs them, and what they did.
//!
//! One runs once in a process, for the case that comes to its type first, so what a single replay went through says little.
//! What any replay of the run measured of it counts as soon as some test of the suite is known to run it.

use std::collections::BTreeSet;

use crate::conclusion::suite::MethodSuite;
use crate::session::backend::Replayed;
use crate::session::record::{Finished, MethodRecord};
use crate::subject::instruments::{Measured, Taken};

/// What the static constructors of a run did on the real runtime.
#[derive(Default)]
pub(super) struct Initializers {
    tokens: BTreeSet<u32>,
    measured: Measured,
}

impl Initializers {
    pub fn of(finished: &Finished) -> Initializers {
        let targets = finished.records.iter().map(|record| &record.target);
        let tokens = targets.filter(|target| target.is_initializer()).map(|target| target.token).collect();
        let mut initializers = Initializers { tokens, measured: Measured::default() };
        for record in &finished.records {
            initializers.add(record);
        }
        initializers
    }

    fn add(&mut self, record: &MethodRecord) {
        let results = record.attempts.iter().flat_map(|attempt| attempt.replayed.iter().flatten());
        for result in results {
            let Replayed::Passed { measured: Some(measured), .. } = result else { continue };
            for token in &self.tokens {
                if let Some(taken) = measured.methods.get(token) {
                    let one = Measured { methods: [(*token, taken.clone())].into() };
                    self.measured.add(&one);
                }
            }
        }
    }

    /// What was measured of one of them.
    pub fn taken(&self, token: u32) -> Option<&Taken> {
        self.measured.methods.get(&token)
    }

    /// What the tests of the suite cover of static constructors.
    pub fn cover(&self, suites: &[MethodSuite<'_>], covered: &mut Measured) {
        for token in &self.tokens {
            let is_run = suites.iter().any(|suite| runs(suite, *token));
            if let Some(taken) = self.taken(*token).filter(|_| is_run) {
                covered.methods.insert(*token, taken.clone());
            }
        }
    }

    /// A static constructor needs no test of its own if another test runs it, unless it throws.
    pub fn leave_to_others(&self, finished: &Finished, suites: &mut [MethodSuite<'_>]) {
        for (index, record) in finished.records.iter().enumerate() {
            let token = record.target.token;
            let mut others = suites.iter().enumerate().filter(|(other, _)| *other != index);
            if self.tokens.contains(&token)
                && others.any(|(_, suite)| runs(suite, token))
                && let Some(own) = suites.get_mut(index)
            {
                own.kept.retain(|kept| kept.found.bug.is_some());
            }
        }
    }
}

/// Whether one of the tests comes to the type of the static constructor.
fn runs(suite: &MethodSuite<'_>, token: u32) -> bool {
    let comes = |taken: &Measured| taken.methods.contains_key(&token);
    let confirmed = suite.kept.iter().filter(|kept| kept.confirmation.is_confirmed());
    confirmed.into_iter().any(|kept| comes(&kept.found.taken) || comes(&kept.taken))
}
