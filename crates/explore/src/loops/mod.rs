//! Proofs about loops: a second exploration that leaves no round out.
//!
//! The ordinary exploration follows paths, so a loop without a fixed bound never ends in it. This one *generalises states
//! that arrived*. At the head of a loop it keeps the state as an *anchor*, replaces whatever the loop changes by symbols
//! that stand for anything ([`vm::generalise`]), and goes on from there; a path that comes back to the head must be an
//! instance of the anchor, and ends. What it shows is more than what can happen, never less: a branch that it does not take
//! is taken by nobody, and an exception that it does not show leaves the method for no input. It makes no tests.
//!
//! ## Why it is sound
//! A `plan::Plan` says where to cut, what to forget there, and which *facts* to assume about what was forgotten.
//! Whoever made the plan need not be trusted: `walk::Walk` accepts it only if
//! * every state that arrives from outside satisfies the facts (initiation),
//! * every state that comes back differs from the anchor in forgotten places alone, and satisfies the facts again
//!   (consecution),
//! * every branch that is not followed contradicts the condition of its path (safety).
//!
//! So by induction over the visits of heads each concrete execution runs along some explored path. A fact speaks of the
//! anchor's own symbols and of what was there before it; a path ends at a head only when it has moved since it left it.
//! The conditions of all paths are satisfiable, since an anchor's own state is an instance of what it was generalised to,
//! so the solver may be asked about them as about any other.
//!
//! Plans are made by `infer`: places are forgotten when they turn out to differ, candidates for facts are proposed and
//! dropped until the rest holds together (Houdini). In the end a walk with a new solver, without caches and slices, has
//! to accept the plan: this is the check of the certificate.
//!
//! Whatever is not understood ends the whole exploration with a reason: numbers that would be tried one by one, text that
//! is not made, references that a loop changes, models that keep something, mocks. That loops end, that the stack suffices
//! and that memory does is not proven.

mod calls;
mod candidates;
mod certificate;
mod elements;
mod holding;
mod infer;
mod plan;
mod promises;
mod round;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
mod text;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use types::{AssemblyId, MethodId, TypeId};
use verdict::{Assumption, Gap, Stats};
use vm::{BitSet, Place};

use crate::explorer::blame;
use crate::outcome::{Blamed, Path};
use crate::{Exploration, Progress};

pub use certificate::{Certificate, Cut};

/// What can happen in a method at all, however often its loops run.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Goals that may be met; no execution meets another.
    pub reached: BitSet,
    /// Exceptions that may leave the method; no other does.
    pub failures: BTreeSet<(TypeId, Place)>,
    /// The same with the parameter that an exception blames, if that is told apart.
    pub blamed: BTreeSet<Blamed>,
    /// What this takes for granted.
    pub assumed: BTreeMap<Assumption, String>,
    pub certificate: Certificate,
    pub stats: Stats,
}

/// Methods that are looked at for loops.
const MOST_CALLED: usize = 64;

impl crate::Explorer {
    /// What can happen in a method at all; an error says why that is not known. It takes for granted what the ordinary
    /// exploration does, or, in any world, only what cannot be left open. What was in the machine before is gone.
    pub fn bound_loops(&mut self, method: MethodId, any_world: bool, budget: &Budget) -> Result<Bounds, Gap> {
        infer::bound(self, method, any_world, budget)
    }

    /// Explores a method of which it is known what can happen at all.
    pub fn explore_within(
        &mut self,
        method: MethodId,
        bounds: &Bounds,
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        self.bounds = Some(bounds.clone());
        let found = self.explore(method, budget, progress);
        self.bounds = None;
        found.map(|mut found| {
            found.within(bounds);
            found
        })
    }

    /// The exception with which a path ends, and the parameter that it blames. What was explored must still be in the machine.
    pub fn blamed(&mut self, path: &Path) -> Option<Blamed> {
        blame::blamed(&mut self.machine, &path.state, &path.end).ok().flatten()
    }

    /// Whether a method has loops or calls itself, or calls some of its assembly that do.
    pub fn has_loops(&mut self, method: MethodId) -> bool {
        let home = crate::decision::assembly_of(&self.machine.universe, method);
        let mut search = Calls { explorer: self, home, begun: BTreeSet::new(), running: BTreeSet::new() };
        search.come_back(method)
    }
}

/// A search for cycles.
struct Calls<'a> {
    explorer: &'a mut crate::Explorer,
    home: Option<AssemblyId>,
    begun: BTreeSet<MethodId>,
    running: BTreeSet<MethodId>,
}

impl Calls<'_> {
    /// Whether execution can come back to where it was, within a method or through calls.
    fn come_back(&mut self, method: MethodId) -> bool {
        if self.running.contains(&method) {
            return true;
        }
        if self.begun.len() >= MOST_CALLED || !self.begun.insert(method) {
            return false;
        }
        let Ok(code) = self.explorer.machine.code(method) else { return false };
        if !code.flow().loop_heads().is_empty() {
            return true;
        }
        self.running.insert(method);
        let near: Vec<MethodId> = code
            .calls
            .iter()
            .map(|call| call.method)
            .filter(|called| {
                crate::decision::assembly_of(&self.explorer.machine.universe, *called) == self.home
            })
            .collect();
        let found = near.into_iter().any(|called| self.come_back(called));
        self.running.remove(&method);
        found
    }
}
