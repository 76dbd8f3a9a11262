//! The backend that reads real assemblies, explores them and replays on the real runtime.

mod catalog;
mod engine;
#[cfg(test)]
mod heaps;
mod instances;
mod mono;
pub mod replayer;
pub mod runtime;
mod shape;
mod sources;
#[cfg(test)]
mod stand_ins;
mod surroundings;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use case::type_facts::{InMemory, TypeFacts};
use solver::{CrossCheck, External, OnMismatch, Solver};
use types::{AssemblyId, Universe};

use crate::args::{Common, Mocking, Subject};
use crate::driver::{Backend, Engine, Job, Opened, Replayer, Signals};
use crate::error::CommandError;
use crate::files;
use engine::RealEngine;
use replayer::{Planner, RealReplayer};
use runtime::Chosen;
use surroundings::Metadata;

pub struct RealBackend {
    assembly: PathBuf,
    /// What the user named.
    runtime: Option<PathBuf>,
    signals: Arc<Signals>,
    strategy: explore::Strategy,
    /// The external solver, or that one is to be found.
    cross_check: Option<Option<PathBuf>>,
    seed: u64,
    mocks: vm::Mocks,
    /// Known once the assembly was opened.
    chosen: OnceLock<Chosen>,
}

impl RealBackend {
    pub fn new(subject: &Subject, mocking: Mocking, common: &Common, job: &Job) -> RealBackend {
        RealBackend {
            assembly: subject.assembly.clone(),
            runtime: common.runtime.clone(),
            signals: Arc::clone(&job.signals),
            strategy: strategy(common.strategy),
            cross_check: common.cross_check.clone(),
            seed: job.seed,
            mocks: mocking.mocks.map_or_else(vm::Mocks::default, mocks),
            chosen: OnceLock::new(),
        }
    }

    fn cross_check(&self) -> Result<Option<CrossCheck>, String> {
        let Some(wanted) = &self.cross_check else { return Ok(None) };
        let found = match wanted {
            Some(path) => Some(path.clone()),
            None => External::on_path().map(|external| external.path().to_owned()),
        };
        let solver = found.ok_or("no SMT-LIB solver (z3, bitwuzla, cvc5) is on PATH to cross-check with")?;
        Ok(Some(CrossCheck { solver, on_mismatch: OnMismatch::Unknown }))
    }

    fn chosen(&self) -> Result<&Chosen, String> {
        self.chosen.get().ok_or_else(|| "the assembly was not opened".to_owned())
    }
}

impl Backend for RealBackend {
    fn open(&self) -> Result<Opened, CommandError> {
        cil::Module::open(&self.assembly)
            .map_err(|error| CommandError::from_image(&self.assembly, &error))?;
        self.cross_check().map_err(CommandError::Other)?;
        let chosen = runtime::choose(&self.assembly, self.runtime.as_deref())?;
        let (universe, assembly) = load(&chosen, &self.assembly).map_err(type_error)?;
        let opened = Opened {
            assembly: files::file_name(&self.assembly),
            runtime: chosen.described(),
            targets: catalog::targets(&universe, assembly),
        };
        let _set_once = self.chosen.set(chosen);
        Ok(opened)
    }

    fn engine(&self) -> Result<Box<dyn Engine>, String> {
        let (universe, assembly) = load(self.chosen()?, &self.assembly).map_err(|error| error.to_string())?;
        let solver = Solver::new(solver::Config { cross_check: self.cross_check()?, ..Default::default() });
        let config = vm::Config { mocks: self.mocks, ..vm::Config::default() };
        Ok(Box::new(RealEngine::new(universe, assembly, solver, config, self.strategy, self.seed)))
    }

    fn replayer(&self) -> Result<Box<dyn Replayer>, String> {
        let runtime = self.chosen()?.replay.clone()?;
        let cancelled = Arc::clone(&self.signals.cancelled);
        let (chosen, assembly) = (self.chosen()?.clone(), self.assembly.clone());
        let planner = Planner::new(move || known_types(&chosen, &assembly));
        let replayer = RealReplayer::new(runtime, self.assembly.clone(), cancelled)?;
        Ok(Box::new(replayer.with_planner(planner)))
    }

    fn surroundings(&self) -> Box<dyn TypeFacts> {
        match self.chosen() {
            Ok(chosen) => known_types(chosen, &self.assembly),
            // Nothing was opened, so there is nothing to write.
            Err(_) => Box::new(InMemory::default()),
        }
    }
}

fn known_types(chosen: &Chosen, assembly: &Path) -> Box<dyn TypeFacts> {
    match load(chosen, assembly) {
        Ok((universe, assembly)) => Box::new(Metadata::new(universe, assembly)),
        Err(_) => Box::new(InMemory::default()),
    }
}

/// What keeps the assembly as a whole from being used.
pub fn type_error(error: types::Error) -> CommandError {
    CommandError::Other(error.to_string())
}

/// A universe of its own, with the assembly in it.
fn load(chosen: &Chosen, assembly: &Path) -> types::Result<(Universe, AssemblyId)> {
    let universe = Universe::new(chosen.probing(assembly)?);
    let id = universe.load(assembly)?;
    Ok((universe, id))
}

fn mocks(named: crate::args::Mocks) -> vm::Mocks {
    match named {
        crate::args::Mocks::Prefer => vm::Mocks::Prefer,
        crate::args::Mocks::Auto => vm::Mocks::Auto,
        crate::args::Mocks::Avoid => vm::Mocks::Avoid,
        crate::args::Mocks::Never => vm::Mocks::Never,
    }
}

fn strategy(named: crate::args::Strategy) -> explore::Strategy {
    match named {
        crate::args::Strategy::Dfs => explore::Strategy::Dfs,
        crate::args::Strategy::Bfs => explore::Strategy::Bfs,
        crate::args::Strategy::Coverage => explore::Strategy::Coverage,
    }
}
