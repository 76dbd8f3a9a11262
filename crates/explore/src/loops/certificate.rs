//! What a proof about loops rests on, as data: where loops were cut, and what is known there in every round, in the words
//! of the source.

use std::collections::BTreeMap;
use std::rc::Rc;

use formula::{Formula, Kind, Names};
use term::Symbol;
use types::{MethodId, MethodKind, Universe};
use vm::code::Code;
use vm::generalise::{Holder, Part, Spot};
use vm::{Machine, Place};

use super::candidates::is_object;
use super::plan::Plan;
use super::walk::Seen;
use crate::names::{InputNames, parameter_names};

/// The facts at each cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    pub cuts: Vec<Cut>,
}

/// The head of a loop, or the entry of a method that calls itself, as some path comes to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    pub at: Place,
    /// What the loop changes.
    pub changes: Vec<String>,
    /// What holds whenever execution is there, as C#: `i <= items.Length`; of `result`, whenever the method returns.
    pub facts: Vec<String>,
}

impl Certificate {
    pub(super) fn of(machine: &Machine, method: MethodId, plan: &Plan, seen: &Seen) -> Certificate {
        let mut own: BTreeMap<Symbol, String> = BTreeMap::new();
        for (id, annotation) in &plan.anchors {
            let Some(entry) = seen.entries.get(id).and_then(|entries| entries.first()) else { continue };
            for (spot, symbol) in &annotation.spots {
                if let Some(symbol) = symbol {
                    let field = entry.fields.get(spot).cloned();
                    let name =
                        field.unwrap_or_else(|| name_of(&machine.universe, &entry.code, entry.place, *spot));
                    own.insert(*symbol, name);
                }
            }
            for witness in &annotation.witnesses {
                own.extend([(witness.index, "j".to_owned()), (witness.element, "element j".to_owned())]);
            }
            own.extend(annotation.result.map(|result| (result, "result".to_owned())));
        }
        let names = FactNames { inputs: InputNames::new(machine, method), own, machine };
        let mut cuts = Vec::new();
        for (id, entries) in &seen.entries {
            let (Some(annotation), Some(entry)) = (plan.anchors.get(id), entries.first()) else { continue };
            let text = |fact: &term::Term| Formula::new(&machine.terms, &names).text(*fact);
            let changed =
                annotation.spots.values().flatten().filter_map(|symbol| names.own.get(symbol).cloned());
            let facts = annotation.facts.iter().chain(&annotation.promises).map(text).collect();
            cuts.push(Cut { at: entry.place, changes: changed.collect(), facts });
        }
        cuts.sort();
        Certificate { cuts }
    }
}

/// Names of inputs, and of what loops change.
struct FactNames<'a> {
    inputs: InputNames<'a>,
    own: BTreeMap<Symbol, String>,
    machine: &'a Machine,
}

impl Names for FactNames<'_> {
    fn name(&self, symbol: Symbol) -> Option<String> {
        self.own.get(&symbol).cloned().or_else(|| self.inputs.name(symbol))
    }

    fn kind(&self, symbol: Symbol) -> Kind {
        match self.own.contains_key(&symbol) {
            true if is_object(self.machine, symbol) => Kind::Reference,
            true => Kind::Signed,
            false => self.inputs.kind(symbol),
        }
    }
}

/// What stands at a spot, as the source calls it.
fn name_of(universe: &Universe, code: &Rc<Code>, at: Place, spot: Spot) -> String {
    let (Spot::Var { index }
    | Spot::VarBytes { index, .. }
    | Spot::Owned { by: Holder::Var { index }, part: Part::Length }) = spot
    else {
        return match spot {
            Spot::Cells { .. } | Spot::Owned { part: Part::Elements, .. } => "elements".to_owned(),
            _ => "field".to_owned(),
        };
    };
    let index = index as usize;
    let MethodKind::Def { assembly, def } = universe.method(code.method).kind else {
        return format!("variable{index}");
    };
    let named = match index.checked_sub(code.arg_count) {
        Some(local) => {
            let number = u16::try_from(local).unwrap_or(u16::MAX);
            let pdb = universe.assembly(assembly).pdb();
            let name = pdb.and_then(|pdb| pdb.local_name(def, number, at.il_offset).ok().flatten());
            name.map_or_else(|| format!("local{local}"), str::to_owned)
        }
        None => {
            let number = index + usize::from(universe.method(code.method).is_static());
            let name = parameter_names(universe, code.method).get(&number).cloned();
            name.unwrap_or_else(|| format!("arg{index}"))
        }
    };
    match spot {
        Spot::VarBytes { offset, .. } => format!("{named}.field{offset}"),
        Spot::Owned { .. } => format!("{named}.Length"),
        _ => named,
    }
}
