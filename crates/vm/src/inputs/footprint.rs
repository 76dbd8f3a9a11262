//! What of its inputs a path depends on: the symbols in what it decided, in what came of it and in what it left in memory.
//! All other fields of input objects are free: whatever is there, the same happens.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use term::{Symbol, Term};
use types::{FieldId, MethodId, Type};

use crate::bytes::Bytes;
use crate::heap::{BlockId, BlockKind};
use crate::inputs::Input;
use crate::inputs::contents::Contents;
use crate::machine::Machine;
use crate::state::State;
use crate::stop::PathEnd;
use crate::value::Value;

/// The symbols that matter to a path.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    symbols: FxHashSet<Symbol>,
}

impl Footprint {
    pub fn contains(&self, symbol: Symbol) -> bool {
        self.symbols.contains(&symbol)
    }

    fn add(&mut self, machine: &Machine, term: Term) {
        self.symbols.extend(machine.terms.symbols_of(term).iter());
    }

    fn add_value(&mut self, machine: &Machine, value: &Value) {
        match value {
            Value::Term(term) => self.add(machine, *term),
            Value::Struct(bytes) => self.add_bytes(machine, bytes),
            Value::I32(_) | Value::I64(_) | Value::F32(_) | Value::F64(_) => {}
        }
    }

    fn add_bytes(&mut self, machine: &Machine, bytes: &Bytes) {
        bytes.patches().iter().for_each(|patch| self.add(machine, patch.term));
    }

    /// More that matters, by the terms that it stands in.
    pub fn extend(&mut self, machine: &Machine, terms: &[Term]) {
        terms.iter().for_each(|term| self.add(machine, *term));
    }
}

impl Machine {
    /// The footprint of a path that has ended.
    pub fn footprint(&mut self, s: &State, condition: &[Term], end: &PathEnd) -> Footprint {
        let mut found = Footprint::default();
        found.extend(self, condition);
        if let PathEnd::Returned(Some(value)) = end {
            found.add_value(self, value);
        }
        let mut blocks = Vec::new();
        s.heap.for_each(|id, block| {
            if !block.bytes.patches().is_empty() || block.cells.is_some() {
                blocks.push((id, block.clone()));
            }
        });
        for (id, block) in blocks {
            let before = self.before(s, id);
            let is_as_before = |patch| before.as_ref().is_some_and(|before| before.patches().contains(patch));
            for patch in block.bytes.patches().iter().filter(|patch| !is_as_before(patch)) {
                found.add(self, patch.term);
            }
            for write in block.cells.iter().flat_map(|cells| cells.tree.iter()) {
                found.add_bytes(self, &write.value);
                for index in write.key.indexes() {
                    if let memory::Index::Symbolic(term) = index {
                        found.add(self, *term);
                    }
                }
            }
        }
        for deferred in s.path.deferred.values() {
            let (arguments, this) = deferred.parts();
            arguments.iter().for_each(|value| found.add_value(self, value));
            this.iter().for_each(|bytes| found.add_bytes(self, bytes));
        }
        if s.path.guessed_text {
            self.add_looked_at(s, &mut found);
        }
        found
    }

    /// A location that a method returns shows what is there, though it was not changed.
    pub fn add_location(&mut self, s: &State, found: &mut Footprint, method: MethodId, end: &PathEnd) {
        let PathEnd::Returned(Some(Value::I64(address))) = end else { return };
        let returned = self.universe.signature(method).ok().map(|signature| signature.ret);
        let Some(Type::ByRef(target)) = returned.map(|ty| self.universe.ty(ty)) else { return };
        let Ok(size) = self.universe.size_of(*target) else { return };
        if let Ok(bytes) = self.load_bytes(s, address.cast_unsigned(), size as usize) {
            found.add_bytes(self, &bytes);
        }
    }

    /// Whether a path depends on an input: a reference also matters if the path has looked behind it.
    pub fn depends_on(&self, s: &State, footprint: &Footprint, input: &Input) -> bool {
        match input {
            Input::Scalar { symbol, .. } => footprint.contains(*symbol),
            Input::Reference { symbol, .. } => {
                footprint.contains(*symbol) || s.path.origins.resolution(*symbol).is_some()
            }
            Input::Struct { fields, .. } => {
                fields.iter().any(|(_, part)| self.depends_on(s, footprint, part))
            }
            Input::Computed { fields, .. } => fields.iter().any(|(_, term)| {
                self.terms.symbols_of(*term).iter().any(|symbol| footprint.contains(*symbol))
            }),
            Input::Span { .. } | Input::ByRef { .. } | Input::New { .. } => true,
        }
    }

    /// What an input object held before the path began; `None` for other blocks.
    fn before(&mut self, s: &State, id: BlockId) -> Option<Bytes> {
        let fields = self.fields_of(s, id)?;
        let mut bytes = Bytes::zeroed(s.heap.get(id)?.bytes.len());
        for (field, input) in &fields {
            let offset = self.universe.field_offset(*field).ok()?;
            self.place_input(&mut bytes, offset as usize, input).ok()?;
        }
        Some(bytes)
    }

    fn fields_of(&self, s: &State, id: BlockId) -> Option<Vec<(FieldId, Input)>> {
        let owner = s.path.origins.owner(id)?;
        let BlockKind::Object(exact) = s.heap.get(id)?.kind else { return None };
        match &**self.inputs.contents_of(owner, exact)? {
            Contents::Fields { fields, .. } => Some(fields.clone()),
            _ => None,
        }
    }

    /// Text that was left unknown says nothing of what it is made from: then whatever was looked at matters.
    pub fn add_looked_at(&mut self, s: &State, found: &mut Footprint) {
        for &(_, id) in s.path.origins.objects() {
            for (field, input) in self.fields_of(s, id).unwrap_or_default() {
                let Ok(offset) = self.universe.field_offset(field) else { continue };
                if !s.path.looked_at.contains(&(id.address() + u64::from(offset))) {
                    continue;
                }
                if let Ok(value) = self.input_value(&input) {
                    found.add_value(self, &value);
                }
            }
        }
    }

    /// A field is read, or may be: its address is taken.
    pub(crate) fn note_looked_at(&mut self, s: &mut State, place: u64) {
        if !s.path.looked_at.contains(&place) {
            Rc::make_mut(&mut s.path.looked_at).insert(place);
        }
    }
}
