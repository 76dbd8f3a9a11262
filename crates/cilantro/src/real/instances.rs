//! Several explorations of one definition, each with other type arguments, as the one exploration that is reported.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use explore::Reached;
use explore::generics::{Dependence, Instantiations, describe};
use report::{Incomplete, Stats};
use types::{MethodId, Universe};
use vm::code::Code;
use vm::{BitSet, Reason};

use super::engine::{describe_reason, edges};
use crate::driver::{Budget, Edge, Exploration};

/// Less time than this is not worth a start.
const LEAST: Duration = Duration::from_millis(20);
/// Lists of type arguments that are tried for one definition.
const MAX_TRIED: usize = 24;
/// Explorations in a row that bring nothing, after which no more are tried.
const MAX_DULL: usize = 12;
/// Steps without anything new that are enough once everything is covered.
const PATIENCE: u64 = 50_000;

/// What one exploration may use of what the definition has.
pub struct Share {
    pub deadline: Instant,
    pub max_steps: Option<u64>,
    pub patience: u64,
}

/// The sum of the explorations so far.
#[derive(Default)]
pub struct Instances {
    sum: Exploration,
    /// What the cases cover.
    pub covered: Reached,
    /// What any path went through.
    reached: BitSet,
    code: Option<Rc<Code>>,
    everything: bool,
    tried: Vec<MethodId>,
    /// Explorations that brought nothing, in a row and in all.
    dull: usize,
    all_dull: usize,
    refused: Vec<Reason>,
    failures: BTreeSet<(Option<u32>, String)>,
    /// Not all explorations until both kinds of types had their turn were exhausted.
    is_open: bool,
    dependence: Dependence,
}

impl Instances {
    /// What the next exploration may use; `None` when it is not worth its time.
    pub fn next_share(&self, choices: &Instantiations, budget: &Budget) -> Option<Share> {
        let is_enough = choices.has_both_kinds() && (self.everything || self.dull >= MAX_DULL);
        if self.tried.len() >= MAX_TRIED || is_enough || self.proves_nothing_more(choices) {
            return None;
        }
        let now = Instant::now();
        let left = budget.deadline.saturating_duration_since(now);
        let steps = budget.max_steps.map(|max| max.saturating_sub(self.sum.stats.steps));
        let is_first = self.tried.is_empty() && self.refused.is_empty();
        if !is_first && (left < LEAST || steps == Some(0) || budget.stop().is_some()) {
            return None;
        }
        // Half of what is left, so that those that follow have their part; the last one takes it all.
        let part = if choices.is_over() { 1 } else { 2 };
        Some(Share {
            deadline: now + left / part,
            max_steps: steps.map(|steps| steps.div_ceil(u64::from(part))),
            patience: if self.everything { PATIENCE } else { explore::Budget::default().patience },
        })
    }

    /// Takes note of an exploration, written down.
    pub fn add(
        &mut self,
        method: MethodId,
        (code, reached): (Rc<Code>, &BitSet),
        part: Exploration,
        dependence: Dependence,
        is_extra: bool,
    ) {
        let brings = self.cover(&code, &part);
        self.reached.union_with(reached);
        self.everything =
            self.covered.edges.len() == code.edges.len() && self.covered.ops.len() == code.ops.len();
        self.code = Some(code);
        self.dependence = self.dependence.max(dependence);
        add_stats(&mut self.sum.stats, part.stats);
        self.dull = if brings { 0 } else { self.dull + 1 };
        // What shows nothing new after both kinds had their turn is not worth the reader's time.
        if !brings && is_extra {
            self.all_dull += 1;
            return;
        }
        self.is_open |= !is_extra && !part.incomplete.is_empty();
        self.tried.push(method);
        self.sum.cases.extend(part.cases);
        self.sum.incomplete.extend(part.incomplete);
    }

    /// Whether the cases show anything new.
    fn cover(&mut self, code: &Code, part: &Exploration) -> bool {
        let count = |covered: &Reached| covered.edges.len() + covered.ops.len();
        let before = count(&self.covered);
        let mut fails = false;
        for case in &part.cases {
            for op in case.instructions.iter().filter_map(|offset| code.op_at(*offset)) {
                self.covered.ops.insert(op);
            }
            for edge in &case.branches {
                let ends = code.op_at(edge.from).zip(code.op_at(edge.to));
                if let Some(edge) = ends.and_then(|(from, to)| code.edge(from, to)) {
                    self.covered.edges.insert(edge);
                }
            }
            if let Some(site) = &case.bug {
                fails |= self.failures.insert((site.at, site.exception.clone()));
            }
        }
        fails || count(&self.covered) > before
    }

    /// Whether what was not reached so far is not reached with any arguments.
    fn proves_nothing_more(&self, choices: &Instantiations) -> bool {
        let is_shown = match self.dependence {
            Dependence::None => true,
            Dependence::OnNull => choices.has_both_kinds(),
            Dependence::OnType => false,
        };
        is_shown && !self.is_open && !self.tried.is_empty()
    }

    /// These arguments do not lead anywhere.
    pub fn refuse(&mut self, reason: Reason, is_extra: bool) {
        self.is_open |= !is_extra;
        self.refused.push(reason);
    }

    pub fn finish(mut self, universe: &Universe, choices: &Instantiations) -> Result<Exploration, Reason> {
        if self.tried.is_empty() {
            let detail = "no type is known that satisfies the constraints".into();
            return Err(self.refused.into_iter().next().unwrap_or(Reason::UnsupportedInput(detail)));
        }
        if self.proves_nothing_more(choices) {
            let code = self.code.as_deref();
            self.sum.proven_unreachable = code.map(|code| unreached(code, &self.reached)).unwrap_or_default();
        } else {
            self.sum.incomplete.push(only_these(universe, &self.tried, self.all_dull));
        }
        self.sum.incomplete.sort_by(|a, b| (a.reason, &a.at, &a.detail).cmp(&(b.reason, &b.at, &b.detail)));
        self.sum.incomplete.dedup();
        Ok(self.sum)
    }
}

fn unreached(code: &Code, reached: &BitSet) -> Vec<Edge> {
    let mut open = BitSet::default();
    (0..code.edges.len() as u32).filter(|edge| !reached.contains(*edge)).for_each(|edge| {
        open.insert(edge);
    });
    edges(code, &open)
}

fn add_stats(sum: &mut Stats, more: Stats) {
    sum.steps += more.steps;
    sum.states += more.states;
    sum.queries += more.queries;
    sum.cache_hits += more.cache_hits;
    sum.core_calls += more.core_calls;
    sum.solver_ms += more.solver_ms;
    sum.elapsed_ms += more.elapsed_ms;
}

fn only_these(universe: &Universe, tried: &[MethodId], dull: usize) -> Incomplete {
    let lists: Vec<String> = tried.iter().map(|method| describe(universe, *method)).collect();
    let more = match dull {
        0 => String::new(),
        count => format!("; {count} more showed nothing new"),
    };
    let detail = format!("only these type arguments are tried: {}{more}", lists.join("; "));
    describe_reason(&Reason::Bound(detail), None)
}
