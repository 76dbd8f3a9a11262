//! Polishing a model: readable values where the constraints allow them.

use crate::answer::Answer;
use crate::chain::Solver;
use crate::limits::Limits;
use term::{Model, Term, Terms};

/// Conflicts one wish may cost.
const CONFLICTS: u64 = 200;

impl Solver {
    /// A model of `constraints` that also satisfies as many of the wishes in `soft` as can be had cheaply, in their order.
    /// `model` must satisfy `constraints`; what is returned always does.
    pub fn prefer(
        &mut self,
        terms: &mut Terms,
        constraints: &[Term],
        model: &Model,
        soft: &[Term],
        limits: &Limits,
    ) -> Model {
        let mut best = model.clone();
        let mut hard = constraints.to_vec();
        let cheap = Limits {
            conflicts: Some(limits.conflicts.unwrap_or(CONFLICTS).min(CONFLICTS)),
            ..limits.clone()
        };
        for &wish in soft {
            if limits.check().is_err() {
                break;
            }
            // Most wishes hold already, and no question is cheaper than one.
            if terms.eval(wish, &best).is_true() {
                hard.push(wish);
                continue;
            }
            if let Answer::Sat(better) = self.check_with_hint(terms, &hard, &[wish], Some(&best), &cheap) {
                best = better;
                hard.push(wish);
            }
        }
        best
    }
}
