//! One input followed through the symbolic machine: at each fork the guard that holds for it decides.
//!
//! No solver takes part, so this tells errors of the machine's terms from errors of the search.

use term::{Const, Model};
use types::MethodId;
use vm::{BitSet, Machine, PathEnd, Stop, Value};

use crate::oracle::Outcome;

pub struct Followed {
    pub end: Result<Outcome, String>,
    pub edges: BitSet,
}

/// Follows `input`, the bits of the scalars.
pub fn follow(machine: &mut Machine, method: MethodId, input: &[u64]) -> Followed {
    machine.reset();
    let mut state = machine.start(method).unwrap().remove(0);
    let model = model_of(machine, input);
    let mut stop = None;
    let end = loop {
        let next = stop.take().unwrap_or_else(|| machine.run(&mut state, 1_000_000));
        match next {
            Stop::End(end) => break outcome(machine, &end, &model),
            Stop::OutOfSteps => break Err("a million steps".to_owned()),
            Stop::Concretize { term, depth } => {
                let value = machine.terms.eval(term, &model).bits();
                let width = machine.terms.width(term);
                machine.concretize(&mut state, depth, value as u64, width);
            }
            Stop::Fork(choices) => {
                let mut holding: Vec<_> = choices
                    .into_iter()
                    .filter(|choice| machine.terms.eval(choice.guard, &model).is_true())
                    .collect();
                if holding.len() != 1 {
                    break Err(format!("{} guards of a fork hold", holding.len()));
                }
                stop = machine.take(&mut state, holding.remove(0).action);
            }
        }
    };
    Followed { end, edges: state.coverage.goals().clone() }
}

/// What a path means for the inputs of a model.
pub fn outcome(machine: &Machine, end: &PathEnd, model: &Model) -> Result<Outcome, String> {
    match end {
        PathEnd::Returned(Some(Value::I64(value))) => Ok(Outcome::Returned(*value)),
        PathEnd::Returned(Some(Value::Term(term))) => {
            Ok(Outcome::Returned(machine.terms.eval(*term, model).bits() as u64 as i64))
        }
        PathEnd::Threw { ty, .. } => Ok(Outcome::Threw(machine.universe.type_name(*ty))),
        PathEnd::Returned(other) => Err(format!("returned {other:?}")),
        PathEnd::Exited(code) => Err(format!("exited with {code}")),
        PathEnd::Incomplete { gap, .. } => Err(gap.to_string()),
        PathEnd::Impossible => Err("no caller can make these inputs".to_owned()),
    }
}

fn model_of(machine: &Machine, input: &[u64]) -> Model {
    let mut model = Model::default();
    for ((symbol, _), bits) in machine.inputs.scalars.iter().zip(input) {
        let sort = machine.terms.symbol_sort(*symbol);
        model.set(*symbol, Const::from_bits(sort, u128::from(*bits)));
    }
    model
}

/// The input that a model describes.
pub fn input_of(machine: &Machine, model: &Model) -> Vec<u64> {
    let bits = |symbol| model.get(symbol).map_or(0, |value| value.bits() as u64);
    machine.inputs.scalars.iter().map(|(symbol, _)| bits(*symbol)).collect()
}
