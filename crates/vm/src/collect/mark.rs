//! What is alive.

use super::shape::ReferenceOffsets;
use super::{Weak, target};
use crate::heap::{BlockId, BlockKind};
use crate::machine::Machine;
use crate::state::{Frame, InitStatus, OnReturn, State, Then};
use crate::value::Value;

/// A bit for every number of a block, and the blocks that are still to be looked into.
pub(super) struct Marks {
    bits: Vec<u64>,
    limit: u32,
    pending: Vec<BlockId>,
}

impl Marks {
    pub fn new(numbers: u32) -> Marks {
        Marks { bits: vec![0; numbers as usize / 64 + 1], limit: numbers, pending: Vec::new() }
    }

    pub fn has(&self, id: BlockId) -> bool {
        self.bits.get(id.0 as usize / 64).is_some_and(|bits| bits >> (id.0 % 64) & 1 != 0)
    }

    pub fn add(&mut self, id: BlockId) {
        if id.0 == 0 || id.0 >= self.limit {
            return;
        }
        let bits = &mut self.bits[id.0 as usize / 64];
        let bit = 1 << (id.0 % 64);
        if *bits & bit == 0 {
            *bits |= bit;
            self.pending.push(id);
        }
    }

    pub fn word(&mut self, word: u64) {
        let id = (word >> 32) as u32;
        self.add(BlockId(id));
        // A pointer to a little before a block.
        if word as u32 >= 0xffff_0000 {
            self.add(BlockId(id.wrapping_add(1)));
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for word in bytes.chunks_exact(8) {
            if let Ok(word) = word.try_into() {
                self.word(u64::from_le_bytes(word));
            }
        }
    }

    fn object(&mut self, bytes: &[u8], shape: &ReferenceOffsets) {
        let mut word_at = |at: usize| {
            let word = bytes.get(at..at + 8).and_then(|word| word.try_into().ok());
            self.word(word.map_or(0, u64::from_le_bytes));
        };
        match shape {
            ReferenceOffsets::Plain => {}
            ReferenceOffsets::Object(offsets) => offsets.iter().for_each(|offset| word_at(*offset as usize)),
            ReferenceOffsets::Array { first, stride, offsets } => {
                for element in (*first as usize..bytes.len()).step_by((*stride).max(8) as usize) {
                    offsets.iter().for_each(|offset| word_at(element + *offset as usize));
                }
            }
            ReferenceOffsets::Unknown => self.bytes(bytes),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::I64(word) => self.word(word.cast_unsigned()),
            Value::Struct(bytes) => self.bytes(bytes.plain()),
            Value::I32(_) | Value::F32(_) | Value::F64(_) | Value::Term(_) => {}
        }
    }

    fn frame(&mut self, frame: &Frame) {
        for value in frame.vars.iter().chain(&frame.stack) {
            self.value(value);
        }
        match frame.on_return {
            OnReturn::Reflected { place: word, .. } | OnReturn::PushObject(word) | OnReturn::Throw(word) => {
                self.word(word);
            }
            OnReturn::Model { data, .. } => data.into_iter().for_each(|word| self.word(word)),
            OnReturn::PushStruct(block) | OnReturn::Forced(block) => {
                self.add(block);
            }
            OnReturn::Filter { exception, .. } | OnReturn::FirstChance { exception, .. } => {
                self.word(exception);
            }
            OnReturn::EndPath
            | OnReturn::Push
            | OnReturn::Discard
            | OnReturn::Again
            | OnReturn::PushInt(_)
            | OnReturn::Built { .. }
            | OnReturn::MockThrows
            | OnReturn::Initialized(_) => {}
        }
        for (exception, _) in &frame.caught {
            self.word(*exception);
        }
        for pending in &frame.pending {
            if let Then::Unwind { exception, .. } = pending.then {
                self.word(exception);
            }
        }
    }
}

impl Machine {
    /// Frames, tables, and all blocks that are not collected.
    pub(super) fn mark_roots(&mut self, s: &State, marks: &mut Marks, generation: usize) {
        s.heap.for_each(|id, block| match block.kind {
            BlockKind::Object(_) => {
                if s.collector.age(id) as usize > generation {
                    marks.add(id);
                }
            }
            BlockKind::ImageData => {}
            BlockKind::Handle if s.collector.weak.contains_key(&id) => {}
            _ => marks.bytes(block.bytes.plain()),
        });
        s.frames().for_each(|frame| marks.frame(frame));
        s.threads.for_each_frame(|frame| marks.frame(frame));
        s.threads.for_each_object(|object| marks.word(object));
        s.runtime.type_objects.values().for_each(|id| marks.add(*id));
        s.runtime.literals.values().for_each(|id| marks.add(*id));
        for (module, assembly) in s.runtime.assembly_objects.values() {
            marks.add(*module);
            marks.add(*assembly);
        }
        s.runtime.member_objects.values().for_each(|object| marks.word(*object));
        marks.word(s.runtime.domain);
        s.runtime.locks.keys().for_each(|object| marks.word(*object));
        s.collector.queue.iter().for_each(|object| marks.word(*object));
        s.statics.for_each_status(|status| {
            if let InitStatus::Failed(exception) = status {
                marks.word(exception);
            }
        });
    }

    /// What the marked blocks refer to.
    pub(super) fn trace(&mut self, s: &State, marks: &mut Marks) {
        loop {
            while let Some(id) = marks.pending.pop() {
                if let Some(block) = s.heap.get(id)
                    && let BlockKind::Object(ty) = block.kind
                {
                    marks.object(block.bytes.plain(), &self.shape_of(ty));
                }
            }
            for (&handle, &weak) in &s.collector.weak {
                if weak == Weak::Dependent && marks.has(target(s, handle, 0)) {
                    marks.add(target(s, handle, 8));
                }
            }
            if marks.pending.is_empty() {
                return;
            }
        }
    }
}
