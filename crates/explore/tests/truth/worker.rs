//! An explorer over one assembly, as the command line wires it.

use std::path::Path;
use std::rc::Rc;

use budget::Budget;
use explore::{Exploration, Explorer, Progress, Strategy};
use solver::Solver;
use term::Model;
use testkit::Toolchain;
use types::{AssemblyId, MethodId, Probing, Universe};
use verdict::{Gap, Stats};
use vm::{Machine, PathEnd};

use crate::follow::{input_of, outcome};
use crate::oracle::Outcome;

pub struct Worker {
    pub universe: Rc<Universe>,
    pub assembly: AssemblyId,
    pub explorer: Explorer,
}

impl Worker {
    pub fn new(dll: &Path, strategy: Strategy, seed: u64) -> Worker {
        let toolchain = Toolchain::locate().unwrap();
        let probing = Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap();
        let universe = Rc::new(Universe::new(probing));
        let assembly = universe.load(dll).unwrap();
        let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, vm::Config::default());
        machine.recording.zone.set_assembly(assembly);
        let explorer = Explorer::new(machine, Solver::new(solver::Config::default()), strategy, seed);
        Worker { universe, assembly, explorer }
    }

    /// The method of this name; the classes of the tests have no overloads.
    pub fn method(&self, class: &str, name: &str) -> MethodId {
        let ty = self.universe.find_type(self.assembly, class).unwrap().unwrap();
        let methods = self.universe.methods(ty).unwrap();
        *methods.iter().find(|m| &*self.universe.method(**m).name == name).unwrap()
    }

    pub fn explore(&mut self, method: MethodId, budget: &Budget) -> Result<Exploration, Gap> {
        self.explorer.explore(method, budget, &mut ())
    }

    /// Also all ends of paths, with an input for each: those of dropped paths as well as those of kept ones, whose
    /// inputs were polished.
    pub fn explore_all(
        &mut self,
        method: MethodId,
        budget: &Budget,
    ) -> Result<(Exploration, Vec<Claimed>), Gap> {
        let mut ends = Ends::default();
        let found = self.explorer.explore(method, budget, &mut ends)?;
        let machine = &self.explorer.machine;
        for path in &found.paths {
            ends.ended(machine, &path.end, &path.model);
        }
        Ok((found, ends.0))
    }
}

/// An input and what the explorer says about it.
pub type Claimed = (Vec<u64>, Result<Outcome, String>);

#[derive(Default)]
struct Ends(Vec<Claimed>);

impl Progress for Ends {
    fn tick(&mut self, _: &Stats, _: usize, _: usize) {}

    fn ended(&mut self, machine: &Machine, end: &PathEnd, model: &Model) {
        self.0.push((input_of(machine, model), outcome(machine, end, model)));
    }
}
