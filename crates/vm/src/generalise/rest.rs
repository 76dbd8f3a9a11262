//! Everything of two states but frames and memory, compared.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::Symbol;
use verdict::Assumption;

use crate::bytes::Bytes;
use crate::cells::Base;
use crate::generalise::{Spot, Unlike};
use crate::heap::{Block, BlockId, BlockKind, split_address};
use crate::inputs::contents::Contents;
use crate::machine::Machine;
use crate::state::{PathFacts, RuntimeObjects, State};

impl Machine {
    pub(super) fn rest_differs(
        &mut self,
        earlier: &State,
        later: &State,
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        // Every field is named: what is new must be compared as well.
        let State {
            // Compared elsewhere, and what leads to them.
            top: _,
            callers: _,
            depth: _,
            heap: _,
            statics,
            runtime,
            attached,
            threads,
            collector,
            path,
            // What a path has met is noted by whoever runs it.
            coverage: _,
            interprets,
            // How long it has run, and memory to use again.
            steps: _,
            pause_at: _,
            spare: _,
        } = earlier;
        if !statics.is_like(&later.statics) {
            return Err(Unlike::for_now("static fields and their initializers"));
        }
        if !attached.is_same(&later.attached) {
            return Err(Unlike::for_now("what models keep"));
        }
        if !Rc::ptr_eq(threads, &later.threads) || !Rc::ptr_eq(collector, &later.collector) {
            return Err(Unlike::for_good("threads and garbage"));
        }
        if *interprets || later.interprets {
            return Err(Unlike::for_good("a call that is being decided"));
        }
        runtime_differs(runtime, &later.runtime)?;
        self.path_differs(earlier, path, later, found)
    }

    fn path_differs(
        &mut self,
        earlier: &State,
        path: &PathFacts,
        later: &State,
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        let PathFacts {
            origins,
            // What was read of an array is less in the earlier state: it allows more.
            reads: _,
            // What a later round has learned is forgotten: it follows from conditions that are forgotten too.
            fixed: _,
            deferred,
            thrown: _,
            // These two are for what is said about a path and for its test.
            cause: _,
            looked_at: _,
            // Whoever walks the path sees to it that nobody looks at such text.
            guessed_text: _,
            seen,
            wrote_shared,
            overwritten,
        } = path;
        let now = &later.path;
        let is_kept = |(block, text): (&BlockId, &Rc<_>)| {
            now.deferred.get(block).is_some_and(|other| Rc::ptr_eq(text, other))
        };
        if !deferred.iter().all(is_kept) {
            return Err(Unlike::for_good("text that is not made"));
        }
        let Some(made) = now.origins.made_since(origins) else {
            return Err(Unlike::for_good("what the path has made of its inputs"));
        };
        for (symbol, block) in &made {
            if !self.is_as_made(later, *symbol, *block) {
                return Err(Unlike::for_now("an input object that was made and written in the loop"));
            }
        }
        if now.wrote_shared && !wrote_shared {
            found.push(Spot::WroteShared);
        }
        if now.overwritten && !overwritten {
            found.push(Spot::Overwritten);
        }
        if Rc::ptr_eq(seen, &now.seen) {
            return Ok(());
        }
        let mut more: Vec<u64> = now.seen.difference(seen).copied().collect();
        more.sort_unstable();
        for address in more {
            if earlier.heap.get(split_address(address).0).is_some() {
                found.push(Spot::Seen { address });
            } else if !self.inputs.any_world || now.wrote_shared {
                // An object of one round may be that of another: then it is looked at again.
                self.assume(Assumption::OneThread, |_| {
                    "no other thread changes what the method reads more than once".to_owned()
                });
            }
        }
        Ok(())
    }

    /// Whether an input object is still what it was when it was made.
    fn is_as_made(&mut self, s: &State, symbol: Symbol, id: BlockId) -> bool {
        let Some(block) = s.heap.get(id).cloned() else { return false };
        let BlockKind::Object(ty) = block.kind else { return false };
        // Strings never change.
        if self.universe.well_known().is_ok_and(|known| known.string == ty) {
            return true;
        }
        let Some(contents) = self.inputs.contents_of(symbol, ty).map(Rc::clone) else { return false };
        match &*contents {
            Contents::Array { .. } => match &block.cells {
                Some(cells) => {
                    cells.tree.is_empty() && matches!(cells.base, Base::Input(array) if array.owner == symbol)
                }
                None => false,
            },
            Contents::Fields { fields, .. } => {
                let mut parts = Vec::new();
                for (field, input) in fields {
                    let Ok(offset) = self.universe.field_offset(*field) else { return false };
                    parts.push((offset, input.clone()));
                }
                self.holds(&block, &parts)
            }
            Contents::Boxed { value, .. } => self.holds(&block, &[(0, value.clone())]),
            _ => false,
        }
    }

    /// Whether a block holds these inputs and zeros.
    fn holds(&mut self, block: &Block, parts: &[(u32, crate::inputs::Input)]) -> bool {
        let mut fresh = Bytes::zeroed(block.bytes.len());
        let placed =
            parts.iter().all(|(at, input)| self.place_input(&mut fresh, *at as usize, input).is_ok());
        placed && block.cells.is_none() && self.is_same_bytes(&fresh, &block.bytes, 0, fresh.len())
    }
}

fn runtime_differs(a: &RuntimeObjects, b: &RuntimeObjects) -> Result<(), Unlike> {
    let RuntimeObjects {
        image_data,
        type_objects,
        method_tables,
        literals,
        locks,
        frame_locks,
        assembly_objects,
        member_objects,
        domain,
        traces,
        keeps_trace,
        thunks,
        exit_code,
        exit_code_is_set,
    } = a;
    // What was made since can be made again: nothing that is kept leads to it.
    let is_same = is_within(image_data, &b.image_data)
        && is_within(type_objects, &b.type_objects)
        && is_within(method_tables, &b.method_tables)
        && is_within(literals, &b.literals)
        && is_within(assembly_objects, &b.assembly_objects)
        && is_within(member_objects, &b.member_objects)
        && *thunks == b.thunks
        && *domain == b.domain;
    if !is_same {
        return Err(Unlike::for_now("what the runtime has made"));
    }
    let no_locks =
        locks.is_empty() && b.locks.is_empty() && frame_locks.is_empty() && b.frame_locks.is_empty();
    if !(no_locks || Rc::ptr_eq(locks, &b.locks) && frame_locks.is_empty() && b.frame_locks.is_empty()) {
        return Err(Unlike::for_good("locks"));
    }
    // Traces of exceptions that are gone are of no use to anybody.
    let keeps_traces = traces
        .iter()
        .all(|(object, places)| b.traces.get(object).is_some_and(|others| others.len() == places.len()));
    if !keeps_traces || *keeps_trace != b.keeps_trace {
        return Err(Unlike::for_good("traces of exceptions"));
    }
    if (*exit_code, *exit_code_is_set) != (b.exit_code, b.exit_code_is_set) {
        return Err(Unlike::for_good("the exit code"));
    }
    Ok(())
}

fn is_within<K: Eq + Hash, V: PartialEq>(a: &FxHashMap<K, V>, b: &FxHashMap<K, V>) -> bool {
    a.iter().all(|(key, value)| b.get(key) == Some(value))
}
