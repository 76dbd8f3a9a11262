//! The parts of a run that looks for places: the plan is made when the assembly is opened, workers aim at what it wants.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use budget::Budget;
use case::type_facts::TypeFacts;
use cil::{MethodDefId, Token};
use explore::generics;
use report::Incomplete;
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
        let (plan, targets) = Plan::of(&universe, assembly, &opened.assembly, &opened.targets, &self.texts)?;
        let _set_once = self.plan.set(Arc::new(plan));
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

    fn goal(&mut self, spot: Spot) -> Option<u32> {
        let def = MethodDefId::from_token(Token::from_raw(spot.method))?;
        let universe = &self.inner.universe;
        let method = universe.method_of_token(self.inner.assembly, def).ok()?;
        let goals = self.inner.explorer.machine.recording.zone.goals_of(universe, method)?;
        goals.watched().find(|(at, _)| *at == spot.offset).map(|(_, number)| number)
    }

    fn try_explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Result<Explored, Gap> {
        let spots = match self.plan.wanted.get(&target.token) {
            Some(spots) if !self.plan.whole.contains(&target.token) => spots.clone(),
            _ => return self.inner.try_explore(target, budget, gauge),
        };
        let def = MethodDefId::from_token(Token::from_raw(target.token))
            .ok_or_else(|| Gap::internal_error("the target is no method"))?;
        let method = self.inner.universe.method_of_token(self.inner.assembly, def)?;
        if generics::is_generic(&self.inner.universe, method) {
            // Over one list of type arguments after the other, everything is wanted.
            return self.inner.try_explore(target, budget, gauge);
        }
        let mut goals = BitSet::default();
        goals.extend(spots.into_iter().filter_map(|spot| self.goal(spot)));
        self.inner.explore_for(def, method, &goals, budget, gauge)
    }
}

impl Worker for AimingWorker {
    fn explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Explored {
        self.try_explore(target, budget, gauge).unwrap_or_else(|gap| Explored {
            incomplete: vec![Incomplete::new(gap, None)],
            ..Explored::default()
        })
    }
}
