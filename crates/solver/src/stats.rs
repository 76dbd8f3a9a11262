//! Counters of every layer.

use std::time::Duration;

/// What has been asked and who answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Decided because a constraint is false, or all are true.
    pub by_constant: u64,
    /// Decided by evaluating a known model.
    pub by_model: u64,
    /// Constraints the core was spared by asking only about connected ones.
    pub sliced_away: u64,
    /// Parts decided by a remembered answer to the same question.
    pub by_exact_cache: u64,
    /// Parts that contain a known contradiction.
    pub by_known_core: u64,
    /// Parts contained in a set known to be satisfiable.
    pub by_known_superset: u64,
    /// Parts whose bounds contradict each other or a constraint.
    pub by_narrowing: u64,
    /// Parts that were asked about with narrower symbols.
    pub narrowed: u64,
    /// Calls of the core that found small numbers at once.
    pub small_solutions: u64,
    /// Parts whose domain was small enough to try every assignment.
    pub by_enumeration: u64,
    pub core_calls: u64,
    pub core_time: Duration,
    /// Calls of the core that went to the second configuration.
    pub second_configuration: u64,
    /// SAT instances given up because they knew too much that no longer mattered.
    pub instances_replaced: u64,
    pub gates: u64,
    pub clauses: u64,
    pub by_fallback: u64,
    pub cross_checked: u64,
    /// Answers on which the core and the external solver contradict each other.
    pub mismatches: u64,
    /// Models of the core that did not satisfy the constraints.
    pub invalid_models: u64,
}

impl Stats {
    /// Queries that needed no search.
    pub fn cache_hits(&self) -> u64 {
        self.by_constant
            + self.by_model
            + self.by_exact_cache
            + self.by_known_core
            + self.by_known_superset
            + self.by_narrowing
            + self.by_enumeration
    }
}
