//! The parts of a run that looks for places: the plan is made when the assembly is opened, workers aim at what it wants.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use budget::Budget;
use case::type_facts::TypeFacts;
use cil::{MethodDefId, Token};
use explore::generics;
use verdict::Gap;
use vm::BitSet;

use super::lookup::Spot;
use super::plan::Plan;
use crate::dotnet::DotnetBackend;
use crate::error::Error;
use crate::session::backend::{Backend, Explored, Opened, Replayer, Worker};
use crate::session::gauge::Gauge;
use crate::subject::target::Target;
use crate::worker::MethodWorker;

pub struct ReachBackend {
    pub inner: Arc<DotnetBackend>,
    /// The locations as written.
    pub texts: Vec<String>,
    /// Known once the assembly was opened.
    pub plan: OnceLock<Arc<Plan>>,
}

impl ReachBackend {
    pub fn plan(&self) -> Arc<Plan> {
        self.plan.get().cloned().unwrap_or_default()
    }
}

impl Backend for ReachBackend {
    fn open(&self) -> Result<Opened, Error> {
        let opened = self.inner.open()?;
        let (universe, assembly) = self.inner.load().map_err(Error::Other)?;
        let (plan, mut targets) =
            Plan::of(&universe, assembly, &opened.assembly, &opened.targets, &self.texts)?;
        let _set_once = self.plan.set(Arc::new(plan));
        // Whoever asks for a place wants an answer about it, whatever its attributes say.
        targets.iter_mut().for_each(|target| target.mark = None);
        Ok(Opened { targets, ..opened })
    }

    fn worker(&self) -> Result<Box<dyn Worker>, String> {
        let mut worker = AimingWorker { inner: self.inner.method_worker()?, plan: self.plan() };
        worker.watch();
        Ok(Box::new(worker))
    }

    fn replayer(&self) -> Result<Box<dyn Replayer>, String> {
        self.inner.replayer()
    }

    fn type_facts(&self) -> Box<dyn TypeFacts> {
        self.inner.type_facts()
    }
}

struct AimingWorker {
    inner: MethodWorker,
    plan: Arc<Plan>,
}

impl AimingWorker {
    /// Makes goals of everything that is asked about, before any code is decoded.
    fn watch(&mut self) {
        let mut by_method: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for spot in self.plan.spots() {
            by_method.entry(spot.method).or_default().push(spot.offset);
        }
        for (token, offsets) in by_method {
            let Some(def) = MethodDefId::from_token(Token::from_raw(token)) else { continue };
            if let Ok(method) = self.inner.universe.method_of_token(self.inner.assembly, def) {
                self.inner.explorer.machine.recording.zone.watch(method, offsets);
            }
        }
    }

    fn spots(&self, target: &Target) -> Option<BTreeSet<Spot>> {
        let is_whole = self.plan.whole.contains(&target.token);
        self.plan.wanted.get(&target.token).filter(|_| !is_whole).cloned()
    }
}

fn goal(worker: &mut MethodWorker, spot: Spot) -> Option<u32> {
    let def = MethodDefId::from_token(Token::from_raw(spot.method))?;
    let universe = &worker.universe;
    let method = universe.method_of_token(worker.assembly, def).ok()?;
    let goals = worker.explorer.machine.recording.zone.goals_of(universe, method)?;
    goals.watched().find(|(at, _)| *at == spot.offset).map(|(_, number)| number)
}

/// For the sake of these spots alone.
fn aim(
    worker: &mut MethodWorker,
    spots: BTreeSet<Spot>,
    target: &Target,
    budget: &Budget,
    gauge: &Gauge,
) -> Result<Explored, Gap> {
    let def = MethodDefId::from_token(Token::from_raw(target.token))
        .ok_or_else(|| Gap::internal_error("the target is no method"))?;
    let method = worker.universe.method_of_token(worker.assembly, def)?;
    if generics::is_generic(&worker.universe, method) {
        // Over one list of type arguments after the other, everything is wanted.
        return worker.try_explore(target, budget, gauge);
    }
    let mut goals = BitSet::default();
    goals.extend(spots.into_iter().filter_map(|spot| goal(worker, spot)));
    worker.explore_for(def, method, &goals, budget, gauge)
}

impl Worker for AimingWorker {
    fn explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Explored {
        let spots = self.spots(target);
        self.inner.watched(budget, |worker| match spots {
            Some(spots) => aim(worker, spots, target, budget, gauge),
            None => worker.try_explore(target, budget, gauge),
        })
    }

    fn is_spoilt(&self) -> bool {
        self.inner.is_spoilt()
    }
}
