//! The paths that are worth a test.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use types::TypeId;
use verdict::{FindingKind, Gap};
use vm::{BitSet, PathEnd, Place, State};

use crate::findings::Finding;
use crate::outcome::{Blamed, Path};

/// Paths kept for each goal: a second one serves if the first does not replay.
const PATHS_PER_GOAL: u32 = 2;
/// Paths kept in all, unless there are more goals to meet than that.
const MAX_PATHS: usize = 2_000;

/// Kept paths and what they show together.
#[derive(Default)]
pub(super) struct Kept {
    pub paths: Vec<Path>,
    /// Paths that something ambient decides, each with what that is.
    pub doubtful: Vec<(Path, Gap)>,
    /// Exceptions that leave the method.
    pub failures: BTreeSet<(TypeId, Place)>,
    /// What they are, and where crashes come from: each is worth a test.
    findings: BTreeSet<(TypeId, Place, FindingKind, Option<Place>)>,
    /// The same with the parameters that they blame, where these are told apart.
    pub blamed: BTreeSet<Blamed>,
    /// How many paths meet a wanted goal.
    per_goal: FxHashMap<u32, u32>,
    /// Goals of methods that are covered through their callers, and that kept paths meet.
    inner: BitSet,
}

/// What a path is worth.
pub(super) struct Worth {
    pub is_kept: bool,
    pub is_new_failure: bool,
    /// It shows something that no kept path does, and there is no room for it.
    pub is_lost: bool,
}

impl Kept {
    /// Whether there is room for one more path, so many goals being wanted.
    fn has_room(&self, wanted: &BitSet) -> bool {
        self.paths.len() < MAX_PATHS || self.paths.len() < wanted.iter().count()
    }

    /// Puts a path in the place of what it was before.
    pub fn replace(&mut self, index: usize, path: Path) {
        if let Some(place) = self.paths.get_mut(index) {
            *place = path;
        }
    }

    /// Whether so many kept paths meet a goal.
    pub fn has_enough(&self, goal: u32, paths: u32) -> bool {
        self.per_goal.get(&goal).is_some_and(|known| *known >= paths)
    }

    /// Says whether a path is to be kept, and counts it if it is.
    pub fn note(
        &mut self,
        wanted: &BitSet,
        inner: &BitSet,
        state: &State,
        end: &PathEnd,
        finding: Option<Finding>,
        blamed: Option<Blamed>,
    ) -> Worth {
        let blames_another = blamed.is_some_and(|blamed| self.blamed.insert(blamed));
        let is_new_failure = match (end, finding) {
            (PathEnd::Threw { ty, thrown_at, .. }, Some(finding)) => {
                self.failures.insert((*ty, *thrown_at));
                let (kind, cause) = finding.identity();
                self.findings.insert((*ty, *thrown_at, kind, cause)) || blames_another
            }
            // Each place at which the process is ended counts once.
            (PathEnd::Exited(_), _) => blames_another,
            _ => false,
        };
        let met = state.coverage.goals().intersection(wanted);
        let is_rare = |goal: u32| self.per_goal.get(&goal).is_none_or(|n| *n < PATHS_PER_GOAL);
        // One path is enough here: other methods lead there as well.
        let met_inside = state.coverage.goals().intersection(inner);
        let is_wanted = is_new_failure || met.iter().any(is_rare) || !met_inside.is_subset(&self.inner);
        let is_kept = is_wanted && self.has_room(wanted);
        if is_kept {
            self.inner.union_with(&met_inside);
            met.iter().for_each(|goal| *self.per_goal.entry(goal).or_default() += 1);
        }
        let shows_more = is_new_failure || met.iter().any(|goal| !self.per_goal.contains_key(&goal));
        Worth { is_kept, is_new_failure, is_lost: shows_more && !is_kept }
    }
}
