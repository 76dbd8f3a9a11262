//! What a run claims without an assumption, method by method: which branches nothing reaches, which exceptions leave it. This is
//! what somebody can try to refute.

use std::collections::BTreeSet;

use report::Verdict;

use crate::run::Outcome;
use crate::subject::target::Edge;

/// What is claimed of one method, in every world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub method: String,
    pub token: u32,
    /// No other exceptions than those that are listed leave it.
    pub is_complete: bool,
    /// Types of the exceptions that were found.
    pub exceptions: BTreeSet<String>,
    /// Branches that nothing reaches, each with the token of its body: a part of the method may have one of its own.
    pub unreachable: BTreeSet<(u32, Edge)>,
}

impl Outcome {
    /// The claims of all methods about which anything is claimed, in the order of the summary.
    pub fn claims(&self) -> Vec<Claim> {
        let records = self.finished.records.iter().zip(&self.summary.methods);
        let claim = |(record, method): (&crate::parts::MethodRecord, &report::Method)| {
            let found = record.best().map(|attempt| &attempt.exploration)?;
            let proven = match found.assumptions.is_empty() {
                true => &found.proven_unreachable,
                false => &found.certainly_unreachable,
            };
            // What was taken back is not claimed any more.
            let proven = proven.iter().filter(|_| method.coverage.proven_unreachable_branches > 0);
            let bugs = method.bugs.iter().chain(&method.broken_inputs);
            Some(Claim {
                method: method.id.clone(),
                token: record.target.token,
                is_complete: method.verdict == Verdict::Complete,
                exceptions: bugs.map(|bug| bug.exception.clone()).collect(),
                unreachable: proven.copied().collect(),
            })
        };
        let claims = records.filter_map(claim);
        claims.filter(|claim| claim.is_complete || !claim.unreachable.is_empty()).collect()
    }
}
