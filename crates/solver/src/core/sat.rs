//! CaDiCaL behind an interface that cannot be misused: literals are checked, values are read only after a solution and
//! failed assumptions only after a refutation. (The library aborts the process when its contract is broken.)

use crate::answer::Why;
use crate::limits::Limits;
use std::num::NonZeroI32;

/// A SAT literal.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct SatLit(NonZeroI32);

impl SatLit {
    pub(crate) fn flip(self, negate: bool) -> SatLit {
        if negate { SatLit(-self.0) } else { self }
    }
}

/// Settings tuned for a kind of problem.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Tuning {
    /// For contradictions: the best or equal best on path conditions, also on satisfiable ones.
    Unsat,
    /// For problems with many solutions.
    Sat,
}

pub(crate) enum Solved<'a> {
    Yes(Solution<'a>),
    No(Refutation<'a>),
    /// A limit was hit.
    Stopped,
}

pub(crate) struct Sat {
    solver: cadical::Solver<Stop>,
    variables: i32,
    clauses: u64,
}

/// Asked by the search now and then whether to stop.
struct Stop(Limits);

impl cadical::Callbacks for Stop {
    fn terminate(&mut self) -> bool {
        self.0.work().is_err()
    }
}

impl Sat {
    pub(crate) fn new(tuning: Tuning) -> Sat {
        let name = match tuning {
            Tuning::Unsat => "unsat",
            Tuning::Sat => "sat",
        };
        // both names are known to the library; its defaults would do as well
        let solver = cadical::Solver::with_config(name).unwrap_or_default();
        Sat { solver, variables: 0, clauses: 0 }
    }

    pub(crate) fn clauses(&self) -> u64 {
        self.clauses
    }

    pub(crate) fn variable(&mut self) -> Result<SatLit, Why> {
        self.variables = self.variables.checked_add(1).ok_or(Why::GateLimit)?;
        NonZeroI32::new(self.variables).map(SatLit).ok_or(Why::Internal("variable zero"))
    }

    pub(crate) fn add(&mut self, clause: &[SatLit]) {
        self.clauses += 1;
        self.solver.add_clause(clause.iter().map(|lit| lit.0.get()));
    }

    /// Searches under assumptions, at most so many conflicts.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u64>,
        limits: &Limits,
    ) -> Solved<'_> {
        let conflicts = conflicts.map_or(-1, |limit| limit.min(i32::MAX as u64) as i32);
        if self.solver.set_limit("conflicts", conflicts).is_err() {
            return Solved::Stopped;
        }
        self.solver.set_callbacks(Some(Stop(limits.clone())));
        let result = self.solver.solve_with(assumptions.iter().map(|lit| lit.0.get()));
        self.solver.set_callbacks(None);
        match result {
            Some(true) => Solved::Yes(Solution(self)),
            Some(false) => Solved::No(Refutation(self)),
            None => Solved::Stopped,
        }
    }
}

/// The values of a solution.
pub(crate) struct Solution<'a>(&'a Sat);

impl Solution<'_> {
    pub(crate) fn value(&self, lit: SatLit) -> bool {
        self.0.solver.value(lit.0.get()).unwrap_or(false)
    }
}

/// Which assumptions contradict.
pub(crate) struct Refutation<'a>(&'a Sat);

impl Refutation<'_> {
    /// May only be asked about literals that were assumed.
    pub(crate) fn failed(&self, lit: SatLit) -> bool {
        self.0.solver.failed(lit.0.get())
    }
}
