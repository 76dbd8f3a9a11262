//! The embedded core: terms → gates → clauses → CaDiCaL under assumptions, incremental.
//!
//! The gate graph outlives explorations, the SAT instances do not: every gate a SAT solver knows is assigned at each check,
//! so one instance for unrelated explorations is several times slower than one for each.

mod blast;
mod circuit;
mod divide;
mod encode;
mod float;
mod gates;
mod multiply;
mod polynomial;
mod sat;
mod words;

use crate::answer::{Answer, Why};
use crate::limits::Limits;
use crate::stats::Stats;
use blast::Blaster;
use encode::Encoding;
use gates::Lit;
use sat::{SatLit, Solved, Tuning};
use std::collections::BTreeSet;
use term::{Const, Evaluator, Model, Sort, Symbol, Term, Terms};

/// Conflicts after which the other configuration has its turn, and how many it gets. Interrupting a search costs more than it
/// seems: with a first turn of a tenth of a second, hash inversions took four times as long.
const FIRST_TURN: u64 = 200_000;
const SECOND_TURN: u64 = 100_000;
/// Expensive questions are first asked about numbers of so many bits, with so many conflicts: most have small answers.
const SMALL: [usize; 2] = [4, 8];
const SMALL_CONFLICTS: u64 = 100;
/// Gates after which a new exploration starts with an empty graph.
const GATES_KEPT: usize = 3_000_000;
/// Gates that cost about as much as one look of the search at its limits.
const GATES_PER_UNIT: u64 = 256;
/// Budget of the minimisation of a core.
const MINIMISE_STEPS: usize = 12;
const MINIMISE_CONFLICTS: u64 = 60;

/// Decides conjunctions; see the head of this file.
pub(crate) struct Core {
    blaster: Blaster,
    first: Encoding,
    second: Option<Encoding>,
    second_configuration: bool,
    minimise: bool,
}

impl Core {
    pub(crate) fn new(second_configuration: bool, minimise: bool) -> Core {
        Core {
            blaster: Blaster::new(),
            first: Encoding::new(Tuning::Unsat),
            second: None,
            second_configuration,
            minimise,
        }
    }

    /// Forgets the SAT instances, and the gates if there are many.
    pub(crate) fn new_exploration(&mut self) {
        self.first = Encoding::new(Tuning::Unsat);
        self.second = None;
        if self.blaster.gates.len() > GATES_KEPT {
            self.blaster = Blaster::new();
        }
    }

    /// The question as it was put to the SAT solver, gate by gate, in SMT-LIB; `None` if it never came so far.
    pub(crate) fn circuit(&self, terms: &Terms, conjuncts: &[Term]) -> Option<String> {
        circuit::script(&self.blaster, terms, conjuncts)
    }

    /// Whether all of `conjuncts` can hold together; a core is a subset of them.
    pub(crate) fn check(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        expensive: bool,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Answer {
        self.search(terms, conjuncts, expensive, limits, stats).unwrap_or_else(Answer::Unknown)
    }

    fn search(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        expensive: bool,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Answer, Why> {
        limits.check()?;
        let gates_before = self.blaster.gates.len();
        let mut lits = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            let lit = self.blaster.literal(terms, conjunct, limits)?;
            if lit == Lit::FALSE {
                return Ok(Answer::Unsat(vec![conjunct]));
            }
            lits.push(lit);
        }
        let new_gates = (self.blaster.gates.len() - gates_before) as u64;
        stats.gates += new_gates;
        if let Some(effort) = &limits.effort {
            effort.spend(new_gates / GATES_PER_UNIT);
        }
        if self.first.is_crowded(&self.blaster.gates, &lits) {
            stats.instances_replaced += 1;
            self.first = Encoding::new(Tuning::Unsat);
            self.second = None;
        }
        if expensive && let Some(answer) = self.try_small(terms, conjuncts, &lits, limits, stats)? {
            return Ok(answer);
        }
        let mut left = limits.conflicts;
        for (turn, conflicts) in self.schedule() {
            let budget = match (conflicts, left) {
                (Some(turn), Some(left)) => Some(turn.min(left)),
                (turn, left) => turn.or(left),
            };
            if turn == Turn::Second {
                stats.second_configuration += 1;
            }
            match self.turn(terms, conjuncts, &lits, turn, budget, limits, stats)? {
                Some(answer) => return Ok(answer),
                None => limits.check()?,
            }
            left = left.map(|left| left.saturating_sub(budget.unwrap_or(0)));
            if left == Some(0) {
                break;
            }
        }
        Err(Why::ConflictLimit)
    }

    /// Looks for a solution in small numbers only.
    fn try_small(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        lits: &[Lit],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Option<Answer>, Why> {
        let words: Vec<Vec<Lit>> = symbols(terms, conjuncts)
            .into_iter()
            .filter(|&symbol| matches!(terms.symbol_sort(symbol), Sort::Bv(_)))
            .filter_map(|symbol| self.blaster.symbol(symbol).map(<[Lit]>::to_vec))
            .collect();
        for bits in SMALL {
            let high = words.iter().flat_map(|word| word.iter().skip(bits).map(|&bit| !bit));
            let assumed: Vec<Lit> = lits.iter().copied().chain(high).collect();
            if assumed.len() == lits.len() {
                break;
            }
            let clauses_before = self.first.sat.clauses();
            let assumptions = self.first.literals(&self.blaster.gates, &assumed, limits)?;
            stats.clauses += self.first.sat.clauses() - clauses_before;
            let (sat, literals) = self.first.parts();
            if let Solved::Yes(solution) = sat.solve(&assumptions, Some(SMALL_CONFLICTS), limits) {
                stats.small_solutions += 1;
                let value = |lit| Encoding::value(literals, &solution, lit);
                let model = self.blaster.read_model(terms, conjuncts, value);
                return validated(terms, conjuncts, model, stats).map(Some);
            }
            limits.check()?;
        }
        Ok(None)
    }

    fn schedule(&self) -> Vec<(Turn, Option<u64>)> {
        if !self.second_configuration {
            return vec![(Turn::First, None)];
        }
        vec![(Turn::First, Some(FIRST_TURN)), (Turn::Second, Some(SECOND_TURN)), (Turn::First, None)]
    }

    #[allow(clippy::too_many_arguments)]
    fn turn(
        &mut self,
        terms: &Terms,
        conjuncts: &[Term],
        lits: &[Lit],
        turn: Turn,
        conflicts: Option<u64>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Option<Answer>, Why> {
        let encoding = match turn {
            Turn::First => &mut self.first,
            Turn::Second => self.second.get_or_insert_with(|| Encoding::new(Tuning::Sat)),
        };
        let clauses_before = encoding.sat.clauses();
        let assumptions = encoding.literals(&self.blaster.gates, lits, limits)?;
        stats.clauses += encoding.sat.clauses() - clauses_before;
        let (sat, literals) = encoding.parts();
        let core = match sat.solve(&assumptions, conflicts, limits) {
            Solved::Stopped => return Ok(None),
            Solved::Yes(solution) => {
                let model = self
                    .blaster
                    .read_model(terms, conjuncts, |lit| Encoding::value(literals, &solution, lit));
                return validated(terms, conjuncts, model, stats).map(Some);
            }
            Solved::No(refutation) => failed(&assumptions, |lit| refutation.failed(lit)),
        };
        let core = if self.minimise { minimised(encoding, &assumptions, core, limits) } else { core };
        Ok(Some(Answer::Unsat(core.into_iter().map(|i| conjuncts[i]).collect())))
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Turn {
    First,
    Second,
}

impl Blaster {
    fn read_model(&self, terms: &Terms, conjuncts: &[Term], value: impl Fn(Lit) -> bool) -> Model {
        symbols(terms, conjuncts)
            .into_iter()
            .map(|symbol| {
                let word = self.symbol(symbol).unwrap_or_default();
                let bits = word.iter().rev().fold(0u128, |bits, &lit| bits << 1 | value(lit) as u128);
                (symbol, Const::from_bits(terms.symbol_sort(symbol), bits))
            })
            .collect()
    }
}

fn symbols(terms: &Terms, conjuncts: &[Term]) -> BTreeSet<Symbol> {
    conjuncts.iter().flat_map(|&conjunct| terms.symbols_of(conjunct).to_vec()).collect()
}

/// A model is an answer only if the constraints say so themselves.
fn validated(terms: &Terms, conjuncts: &[Term], model: Model, stats: &mut Stats) -> Result<Answer, Why> {
    let mut evaluator = Evaluator::new(model.clone());
    if conjuncts.iter().all(|&conjunct| evaluator.eval(terms, conjunct).is_true()) {
        return Ok(Answer::Sat(model));
    }
    stats.invalid_models += 1;
    Err(Why::Internal("a model of the core does not satisfy the constraints"))
}

fn failed(assumptions: &[SatLit], is_failed: impl Fn(SatLit) -> bool) -> Vec<usize> {
    (0..assumptions.len()).filter(|&i| is_failed(assumptions[i])).collect()
}

/// Drops assumptions one by one while what is left still contradicts itself, within a small budget.
fn minimised(
    encoding: &mut Encoding,
    assumptions: &[SatLit],
    core: Vec<usize>,
    limits: &Limits,
) -> Vec<usize> {
    let mut core = core;
    let mut candidate = 0;
    for _ in 0..MINIMISE_STEPS {
        if core.len() <= 1 || candidate >= core.len() {
            break;
        }
        let mut rest = core.clone();
        rest.remove(candidate);
        let without: Vec<SatLit> = rest.iter().map(|&i| assumptions[i]).collect();
        match encoding.sat.solve(&without, Some(MINIMISE_CONFLICTS), limits) {
            Solved::No(refutation) => {
                let still: Vec<usize> =
                    failed(&without, |lit| refutation.failed(lit)).iter().map(|&i| rest[i]).collect();
                core = still;
            }
            _ => candidate += 1,
        }
    }
    core
}
