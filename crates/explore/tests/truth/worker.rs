//! An explorer over one assembly, as the command line wires it.

use std::path::Path;
use std::rc::Rc;

use explore::{Budget, Exploration, Explorer, Strategy};
use solver::Solver;
use testkit::Toolchain;
use types::{AssemblyId, MethodId, Probing, Universe};
use vm::{Machine, Reason};

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
        let machine = Machine::new(Rc::clone(&universe), vm::Config::default());
        let explorer = Explorer::new(machine, Solver::new(solver::Config::default()), strategy, seed);
        Worker { universe, assembly, explorer }
    }

    /// The method of this name; the classes of the tests have no overloads.
    pub fn method(&self, class: &str, name: &str) -> MethodId {
        let ty = self.universe.find_type(self.assembly, class).unwrap().unwrap();
        let methods = self.universe.methods(ty).unwrap();
        *methods.iter().find(|m| &*self.universe.method(**m).name == name).unwrap()
    }

    pub fn explore(&mut self, method: MethodId, budget: &Budget<'_>) -> Result<Exploration, Reason> {
        self.explorer.explore(method, budget, &mut ())
    }
}
