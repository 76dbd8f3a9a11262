//! Layer: recent models. Most queries on a path are answered by a model found for its beginning.

use std::collections::VecDeque;
use term::{Evaluator, Model, Term, Terms};

/// How many models are tried.
const MODELS: usize = 8;
/// Values remembered per model before its memory is cleared.
const REMEMBERED: usize = 50_000;

#[derive(Default)]
pub(crate) struct RecentModels {
    /// Newest first.
    evaluators: VecDeque<Evaluator>,
}

impl RecentModels {
    /// The first model, newest first, under which all of `conjuncts` hold.
    pub(crate) fn find<'a>(
        &mut self,
        terms: &Terms,
        conjuncts: impl Iterator<Item = &'a Term> + Clone,
    ) -> Option<Model> {
        let found =
            self.evaluators.iter_mut().position(|evaluator| holds(evaluator, terms, conjuncts.clone()))?;
        let evaluator = self.evaluators.remove(found)?;
        let model = evaluator.model().clone();
        self.evaluators.push_front(evaluator);
        Some(model)
    }

    /// Whether the model satisfies `conjuncts`; the model is remembered if it does.
    pub(crate) fn try_model<'a>(
        &mut self,
        terms: &Terms,
        model: &Model,
        mut conjuncts: impl Iterator<Item = &'a Term> + Clone,
    ) -> bool {
        if let Some(known) = self.evaluators.iter_mut().find(|known| known.model().is_same(model)) {
            return holds(known, terms, conjuncts);
        }
        let mut evaluator = Evaluator::new(model.clone());
        let satisfied = conjuncts.all(|&conjunct| evaluator.eval(terms, conjunct).is_true());
        if satisfied {
            self.remember(evaluator);
        }
        satisfied
    }

    pub(crate) fn clear(&mut self) {
        self.evaluators.clear();
    }

    fn remember(&mut self, evaluator: Evaluator) {
        self.evaluators.retain(|known| known.model() != evaluator.model());
        self.evaluators.push_front(evaluator);
        self.evaluators.truncate(MODELS);
    }
}

fn holds<'a>(
    evaluator: &mut Evaluator,
    terms: &Terms,
    mut conjuncts: impl Iterator<Item = &'a Term>,
) -> bool {
    if evaluator.remembered() > REMEMBERED {
        *evaluator = Evaluator::new(evaluator.model().clone());
    }
    conjuncts.all(|&conjunct| evaluator.eval(terms, conjunct).is_true())
}
