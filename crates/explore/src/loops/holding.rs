//! Which facts hold in a state: together if the solver can say so, otherwise one by one.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use term::{Evaluator, Model, Symbol, Term};
use verdict::Gap;

use super::plan::{AnchorId, Annotation, Change};
use super::walk::{MOST_QUESTIONS, Node, PATIENCE, Walker, conjuncts};

/// How often a long question about one fact may be in vain.
const PATIENT_QUESTIONS: u32 = 2;

impl Walker<'_, '_> {
    /// The facts of an anchor that hold in a state with these values; those that do not are to be dropped.
    pub(super) fn holding(
        &mut self,
        node: &Node,
        id: &AnchorId,
        annotation: &Annotation,
        facts: &[Term],
        values: &FxHashMap<Symbol, Term>,
        older: Option<&BTreeSet<Symbol>>,
    ) -> Result<Vec<Term>, Gap> {
        let terms = &mut self.walk.machine.terms;
        let mut open: Vec<(Term, Term)> = Vec::new();
        let mut dropped = Vec::new();
        for fact in facts {
            // It may speak of the anchor's own symbols and of what is older than the loop.
            let is_own = |symbol: &Symbol| annotation.spots.values().any(|own| *own == Some(*symbol));
            let is_known = |symbol: &Symbol| {
                values.contains_key(symbol)
                    || !is_own(symbol) && older.is_none_or(|older| older.contains(symbol))
            };
            match terms.symbols_of(*fact).iter().all(is_known) {
                true => open.push((*fact, terms.substitute(*fact, values))),
                false => dropped.push(*fact),
            }
        }
        let conjuncts = conjuncts(&node.condition);
        self.drop_refuted(&mut open, &mut dropped, &node.model);
        while !open.is_empty() {
            let terms = &mut self.walk.machine.terms;
            let all = terms.and_all(open.iter().map(|(_, here)| *here));
            let fails = terms.not(all);
            match self.model_of(&conjuncts, fails, &node.model) {
                Ok(None) => break,
                Ok(Some(model)) => {
                    let before = open.len();
                    self.drop_refuted(&mut open, &mut dropped, &model);
                    if open.len() == before {
                        return Err(Gap::internal_error("a model of nothing"));
                    }
                }
                // Too hard together: one by one, and what is too hard by itself is none.
                Err(_) => {
                    open = self.holding_alone(open, &mut dropped, &conjuncts, &node.model)?;
                    break;
                }
            }
        }
        if !dropped.is_empty() {
            self.seen.changes.push(Change::Drop { anchor: id.clone(), facts: dropped });
        }
        Ok(open.into_iter().map(|(fact, _)| fact).collect())
    }

    /// Those of some facts that hold, each by itself; what is too hard is dropped, but not what would end in a few tries more.
    fn holding_alone(
        &mut self,
        facts: Vec<(Term, Term)>,
        dropped: &mut Vec<Term>,
        path: &[Term],
        model: &Model,
    ) -> Result<Vec<(Term, Term)>, Gap> {
        let usual = self.walk.limits.conflicts;
        let mut kept = Vec::new();
        let mut patient = PATIENT_QUESTIONS;
        for (fact, here) in facts {
            let fails = self.walk.machine.terms.not(here);
            self.walk.limits.conflicts = usual.filter(|_| patient > 0).map(|most| most * PATIENCE).or(usual);
            let answer = self.model_of(path, fails, model);
            self.walk.limits.conflicts = usual;
            match answer {
                Ok(None) => kept.push((fact, here)),
                Ok(Some(_)) => dropped.push(fact),
                Err(gap) if self.seen.questions > MOST_QUESTIONS => return Err(gap),
                Err(_) => {
                    patient = patient.saturating_sub(1);
                    dropped.push(fact);
                }
            }
        }
        Ok(kept)
    }

    fn drop_refuted(&self, open: &mut Vec<(Term, Term)>, dropped: &mut Vec<Term>, model: &Model) {
        let mut evaluator = Evaluator::new(model.clone());
        open.retain(|(fact, here)| {
            let holds = evaluator.eval(&self.walk.machine.terms, *here).is_true();
            if !holds {
                dropped.push(*fact);
            }
            holds
        });
    }
}
