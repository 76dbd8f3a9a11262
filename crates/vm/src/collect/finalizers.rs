//! Finalizers, in a thread of their own.

use types::{MethodId, TypeId};

use super::mark::Marks;
use crate::heap::{BlockId, BlockKind};
use crate::machine::{Flow, Machine, Step, give_up};
use crate::state::{OnReturn, State};
use crate::threads::{Role, Wait};
use crate::value::Value;

impl Machine {
    /// Objects that nobody can reach any more live on until their finalizers have run, the youngest first, and critical
    /// ones after all others.
    pub(super) fn queue_finalizers(&mut self, s: &mut State, marks: &mut Marks) {
        let mut unreachable: Vec<(BlockId, TypeId)> = Vec::new();
        s.heap.for_each(|id, block| {
            if let BlockKind::Object(ty) = block.kind
                && !marks.has(id)
            {
                unreachable.push((id, ty));
            }
        });
        unreachable.retain(|(id, ty)| self.finalizer(*ty).is_some() && !s.collector.finalized.contains(id));
        let critical = |(_, ty): &(BlockId, TypeId)| self.is_critical(*ty);
        let (last, first): (Vec<_>, Vec<_>) = unreachable.into_iter().rev().partition(critical);
        for (id, _) in first.into_iter().chain(last) {
            marks.add(id);
            let collector = s.collector_mut();
            collector.finalized.insert(id);
            collector.queue.push_back(id.address());
        }
        self.trace(s, marks);
    }

    /// Does the class extend `CriticalFinalizerObject`?
    fn is_critical(&self, ty: TypeId) -> bool {
        let mut class = Some(ty);
        while let Some(ty) = class {
            let info = self.universe.def_info(ty);
            if info.is_some_and(|info| {
                info.is_core("System.Runtime.ConstrainedExecution", "CriticalFinalizerObject")
            }) {
                return true;
            }
            class = self.universe.base(ty).ok().flatten();
        }
        false
    }

    /// The finalizer of a type's objects, if there is one.
    fn finalizer(&mut self, ty: TypeId) -> Option<MethodId> {
        if let Some(known) = self.layouts.finalizers.get(&ty) {
            return *known;
        }
        let is_class = !self.universe.is_value_type(ty) && self.universe.array_element(ty).is_none();
        let declared = self
            .universe
            .well_known()
            .ok()
            .map(|known| known.object)
            .and_then(|object| self.universe.methods_named(object, "Finalize").ok()?.first().copied());
        let found = declared
            .filter(|_| is_class)
            .and_then(|declared| Some((declared, self.universe.resolve_virtual(ty, declared).ok()?)))
            .filter(|(declared, found)| declared != found)
            .map(|(_, found)| found);
        self.layouts.finalizers.insert(ty, found);
        found
    }

    /// The thread of the finalizers goes on with the next object.
    pub(crate) fn start_finalizer(&mut self, s: &mut State) -> Step<()> {
        if s.collector.queue.is_empty() {
            return Ok(());
        }
        let thread = match s.collector.thread {
            Some(thread) => thread,
            None => {
                let thread = s.threads_mut().add_finalizer();
                s.collector_mut().thread = Some(thread);
                thread
            }
        };
        let idle = s.threads.get(thread).is_some_and(|t| matches!(t.wait, Wait::Idle | Wait::Unstarted));
        if !idle {
            return Ok(());
        }
        while let Some(object) = s.collector_mut().queue.pop_front() {
            let ty = self.object_type(s, object)?;
            if let Some(method) = self.finalizer(ty) {
                // Of native finalizers there is nothing to be seen.
                if let Ok(code) = self.code(method) {
                    return self.begin_thread(s, thread, code, vec![Value::address(object)]);
                }
            }
        }
        Ok(())
    }

    /// A finalizer has returned.
    pub(crate) fn finalizer_ended(&mut self, s: &mut State) {
        if s.collector.queue.is_empty() {
            s.wake_waiting_for_finalizers();
        }
    }

    pub fn wait_for_finalizers(&mut self, s: &mut State, after: OnReturn) -> Step<Flow> {
        let busy = s.collector.thread.and_then(|thread| s.threads.get(thread));
        let busy = busy.is_some_and(|thread| thread.role == Role::Finalizer && thread.is_alive());
        if s.collector.queue.is_empty() && !busy {
            return self.returned(s, after, None);
        }
        if s.collector.thread == Some(s.threads.current()) {
            return Err(give_up(s, verdict::Gap::deadlock("deadlock: a finalizer waits for finalizers")));
        }
        self.block(s, Wait::Finalizers, -1, after)
    }
}
