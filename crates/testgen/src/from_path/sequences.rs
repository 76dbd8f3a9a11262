//! Sequences of calls that make the inputs of a path, as ways to make the objects of its case.

use std::collections::BTreeMap;

use case::{
    Assigned, Call, Construction, Factory, Instance, MethodRef, Object, ObjectId, ObjectKind, Sequenced,
    Value,
};
use term::Symbol;
use types::TypeId;
use verdict::Gap;
use vm::State;
use vm::arranging::{Arranged, Given};
use vm::heap::{BlockKind, split_address};
use vm::inputs::footprint::Footprint;

use crate::from_path::data::Data;
use crate::from_path::{EndedPath, Prepared, Writer, written};

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

impl<'a> Writer<'a> {
    /// What calls have made, if it is the object at this address.
    pub(super) fn prepared_at(&self, address: u64) -> Option<Prepared<'a>> {
        self.prepared.filter(|prepared| self.address_of(prepared.reference) == address)
    }

    /// The object by the calls that made it.
    pub(super) fn prepared_object(&mut self, prepared: Prepared<'_>) -> Result<ObjectKind, Gap> {
        let (block, _) = split_address(self.address_of(prepared.reference));
        let kind = self.state.heap.get(block).map(|block| block.kind);
        let Some(BlockKind::Object(exact)) = kind else {
            return Err(Gap::internal_error("calls that made no object"));
        };
        let construction = Some(self.construction(prepared.calls)?);
        let ty = self.universe.type_name(exact);
        Ok(ObjectKind::Object(Instance { ty, construction, fields: Vec::new() }))
    }

    /// Of an object that calls have made, what the method has changed.
    pub(super) fn prepared_after(
        &mut self,
        state: &State,
        prepared: Prepared<'_>,
        ty: TypeId,
        data: &Data,
    ) -> Result<ObjectKind, Gap> {
        let (block, _) = split_address(self.address_of(prepared.reference));
        let before = prepared.before.heap.get(block).ok_or_else(|| Gap::internal_error("no object"))?;
        let before = self.block_data(before)?;
        let mut fields = Vec::new();
        for &(field, offset) in self.universe.layout(ty)?.fields.iter() {
            let field_type = self.universe.field_type(field)?;
            let size = self.universe.size_of(field_type)? as usize;
            let (old, new) = (before.slice(offset as usize, size), data.slice(offset as usize, size));
            let is_same = old.is_some_and(|old| new.is_some_and(|new| old.bytes == new.bytes));
            if !is_same && !self.machine.is_framework(self.universe.field(field).owner) {
                let value = self.at(state, field_type, data, offset as usize)?;
                fields.push(self.field_value(field, value));
            }
        }
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Object(Instance { ty, construction: None, fields }))
    }
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
        let turned = calls.iter().rposition(|call| call.given == Given::Turned);
        let (before, calls) = calls.split_at(turned.unwrap_or(0));
        let Some((first, rest)) = calls.split_first() else {
            return Err(Gap::internal_error("no calls"));
        };
        let giver = if before.is_empty() { None } else { Some(self.giver(before, first)?) };
        let mut way = self.creation(first, giver)?;
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

    /// The object whose method gives another one.
    fn giver(&mut self, calls: &[Arranged], last: &Arranged) -> Result<Value, Gap> {
        let construction = Some(self.construction(calls)?);
        let ty = self.universe.type_name(self.universe.method(last.method).owner);
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        let kind = ObjectKind::Object(Instance { ty, construction, fields: Vec::new() });
        self.objects.push(Object { id, kind });
        Ok(Value::Object(id))
    }

    fn creation(&mut self, call: &Arranged, receiver: Option<Value>) -> Result<Construction, Gap> {
        let universe = self.universe;
        let info = universe.method(call.method);
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
