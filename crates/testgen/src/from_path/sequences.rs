//! Sequences of calls that make the inputs of a path, as ways to make the objects of its case.

use std::collections::BTreeMap;

use case::{Assigned, Call, Construction, Factory, MethodRef, Object, ObjectId, Sequenced, Value};
use term::Symbol;
use verdict::Gap;
use vm::State;
use vm::arranging::{Arranged, Given};
use vm::inputs::footprint::Footprint;

use crate::from_path::{EndedPath, Writer, written};

/// Calls that make the object of a reference.
#[derive(Clone, Copy)]
pub struct CallsOf<'a> {
    pub owner: Symbol,
    /// Whose input it is: another list of calls by its number, or the path.
    pub within: Option<usize>,
    pub calls: &'a [Arranged],
    /// The memory after the calls.
    pub state: &'a State,
    pub footprint: &'a Footprint,
    /// Arguments that are objects of whoever it is an input of.
    pub passed: &'a [(Symbol, Symbol)],
}

/// The case of a path whose inputs calls make; what comes later in the list may be an argument of what comes before.
pub fn case_with_sequences(
    path: EndedPath<'_>,
    method: &MethodRef,
    sequences: &[CallsOf<'_>],
) -> Result<Sequenced, Gap> {
    let mut writer = Writer::new(path)?;
    let mut case = written(&mut writer, path, method)?;
    let (mut ways, mut objects) = (BTreeMap::new(), Vec::new());
    let mut writers = vec![writer];
    for sequence in sequences {
        let (state, footprint) = (sequence.state, Some(sequence.footprint));
        let mut own = Writer::new(EndedPath { state, footprint, ..path })?;
        own.next_id = writers.last().map_or(1, |last| last.next_id);
        let parent = writers.get(sequence.within.map_or(0, |at| at + 1));
        let parent = parent.ok_or_else(|| Gap::internal_error("calls for nobody"))?;
        for &(here, there) in sequence.passed {
            let (address, known) = (own.address_of(here), parent.address_of(there));
            let Some(id) = parent.id_of(there) else { continue };
            own.ids.insert(address, id);
            // What only the calls have looked into is as they want it.
            if parent.unseen.contains_key(&known) && !own.unseen.contains_key(&address) {
                let kind = own.seen_object(address)?;
                let all = case.objects.iter_mut().chain(&mut objects);
                all.filter(|object: &&mut Object| object.id == id)
                    .for_each(|object| object.kind = kind.clone());
            }
        }
        if let Some(id) = parent.id_of(sequence.owner) {
            ways.insert(id, own.construction(sequence.calls)?);
            objects.append(&mut own.objects);
        }
        writers.push(own);
    }
    Ok(Sequenced { case, ways, objects })
}

impl Writer<'_> {
    fn address_of(&self, reference: Symbol) -> u64 {
        self.model.get(reference).map_or(0, |constant| constant.bits() as u64)
    }

    fn id_of(&self, reference: Symbol) -> Option<ObjectId> {
        self.ids.get(&self.address_of(reference)).copied()
    }

    /// Setters that directly follow a constructor are an initialiser.
    fn construction(&mut self, calls: &[Arranged]) -> Result<Construction, Gap> {
        let universe = self.universe;
        let Some((first, rest)) = calls.split_first() else {
            return Err(Gap::internal_error("no calls"));
        };
        let mut way = self.creation(first)?;
        for call in rest {
            let info = universe.method(call.method);
            let (parameters, mut arguments) = self.call_arguments(call)?;
            if way.factory.is_none()
                && way.calls.is_empty()
                && call.is_setter(universe)
                && let Some(member) = info.name.strip_prefix("set_")
                && !way.assigned.iter().any(|item| item.member == member)
            {
                let value = arguments.pop().unwrap_or(Value::Null);
                way.assigned.push(Assigned { member: member.to_owned(), value });
                continue;
            }
            way.calls.push(Call {
                ty: universe.type_name(info.owner),
                method: info.name.to_string(),
                parameters,
                arguments,
                gives: call.given == Given::Next,
            });
        }
        Ok(way)
    }

    fn creation(&mut self, call: &Arranged) -> Result<Construction, Gap> {
        let universe = self.universe;
        let info = universe.method(call.method);
        let receiver = call.receiver.as_ref().map(|receiver| self.input(receiver)).transpose()?;
        let (parameters, arguments) = self.call_arguments(call)?;
        let factory = match info.is_constructor() {
            true => None,
            false => Some(Factory {
                ty: universe.type_name(info.owner),
                method: info.name.to_string(),
                generic_arguments: info.args.iter().map(|ty| universe.type_name(*ty)).collect(),
                receiver,
                returns: Some(universe.type_name(universe.signature(call.method)?.ret)),
            }),
        };
        Ok(Construction { factory, parameters, arguments, ..Construction::default() })
    }

    fn call_arguments(&mut self, call: &Arranged) -> Result<(Vec<String>, Vec<Value>), Gap> {
        let signature = self.universe.signature(call.method)?;
        let parameters = signature.params.iter().map(|ty| self.universe.type_name(*ty)).collect();
        let arguments = call.arguments.iter().map(|input| self.input(input)).collect::<Result<_, _>>()?;
        Ok((parameters, arguments))
    }
}
