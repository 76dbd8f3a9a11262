//! The backend that reads real assemblies, explores them and replays on the real runtime.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use budget::Signals;
use case::type_facts::{InMemory, TypeFacts};
use solver::{CrossCheck, External, OnMismatch, Solver};
use store::Key;
use types::{AssemblyId, Universe};

use crate::error::Error;
use crate::options::Options;
use crate::replayer::{CaseReplayer, Planner};
use crate::results::Contents;
use crate::runtimes::{self, Chosen};
use crate::sequences::DEFAULT_SHARE;
use crate::session::backend::{Backend, Opened, Replayer, Worker};
use crate::subject::access::Scope;
use crate::subject::catalog;
use crate::type_facts::Metadata;
use crate::worker::{MethodWorker, Settings};
use crate::world::{Culture, World};

pub struct DotnetBackend {
    assembly: PathBuf,
    /// What the user named.
    runtime: Option<PathBuf>,
    signals: Arc<Signals>,
    /// The external solver, or that one is to be found.
    cross_check: Option<Option<PathBuf>>,
    settings: Settings,
    scope: Scope,
    /// Whether results are kept, which takes to know what they depend on.
    pub(crate) tells_contents: bool,
    content: OnceLock<Key>,
    /// Known once the assembly was opened.
    chosen: OnceLock<Chosen>,
    world: OnceLock<World>,
}

impl DotnetBackend {
    pub fn new(assembly: &Path, options: &Options) -> DotnetBackend {
        DotnetBackend {
            assembly: assembly.to_owned(),
            runtime: options.runtime.clone(),
            signals: Arc::clone(&options.signals),
            cross_check: options.cross_check.clone(),
            settings: Settings {
                machine: vm::Config {
                    mocks: options.mocks,
                    accepted: options.accepted,
                    ..vm::Config::default()
                },
                strategy: options.strategy,
                seed: options.seed,
                sequences: options.sequences.unwrap_or(DEFAULT_SHARE),
                loops: !options.only_follow_loops,
            },
            scope: options.scope,
            tells_contents: false,
            content: OnceLock::new(),
            chosen: OnceLock::new(),
            world: OnceLock::new(),
        }
    }

    /// What the user said to hold.
    pub(crate) fn accepted(&self) -> verdict::Assumptions {
        self.settings.machine.accepted
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

    /// Invariant mode until the assembly was opened.
    fn world(&self) -> World {
        self.world.get().cloned().unwrap_or_default()
    }

    fn chosen(&self) -> Result<&Chosen, String> {
        self.chosen.get().ok_or_else(|| "the assembly was not opened".to_owned())
    }
}

impl Backend for DotnetBackend {
    fn open(&self) -> Result<Opened, Error> {
        cil::Module::open(&self.assembly).map_err(|error| Error::from_image(&self.assembly, &error))?;
        self.cross_check().map_err(Error::Other)?;
        let chosen = runtimes::choose(&self.assembly, self.runtime.as_deref())?;
        let (universe, assembly) = chosen.load(&self.assembly).map_err(Error::from_types)?;
        let world = World::of(&chosen, &self.assembly, &Culture::Invariant, None);
        let targets = catalog::targets(&universe, assembly);
        // The way to what is missing leads through everything.
        let may_be_narrow = self.settings.strategy != explore::Strategy::Targeted;
        let contents = match self.tells_contents {
            true => Contents::of_assembly(&self.assembly, &chosen, &world, &targets, may_be_narrow),
            false => Contents::default(),
        };
        let _set_once = contents.whole().map(|content| self.content.set(content));
        let opened = Opened {
            assembly: self.assembly.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            runtime: chosen.described(),
            remark: world.remark,
            targets,
            least: self.scope.least(universe.assembly(assembly).module()),
            contents,
        };
        let _set_once = (self.world.set(world), self.chosen.set(chosen));
        Ok(opened)
    }

    fn worker(&self) -> Result<Box<dyn Worker>, String> {
        Ok(Box::new(self.method_worker()?))
    }

    fn replayer(&self) -> Result<Box<dyn Replayer>, String> {
        let runtime = self.chosen()?.replay.clone()?;
        let cancelled = Arc::clone(&self.signals.cancelled);
        let (chosen, assembly) = (self.chosen()?.clone(), self.assembly.clone());
        let planner = Planner::new(move || known_types(&chosen, &assembly));
        let invariant = self.world().is_invariant();
        let replayer = CaseReplayer::in_world(runtime, self.assembly.clone(), cancelled, invariant)?;
        let module = cil::Module::open(&self.assembly).map_err(|error| error.to_string())?;
        Ok(Box::new(replayer.with_planner(planner).measuring(Arc::new(module))))
    }

    fn type_facts(&self) -> Box<dyn TypeFacts> {
        match self.chosen() {
            Ok(chosen) => known_types(chosen, &self.assembly),
            // Nothing was opened, so there is nothing to write.
            Err(_) => Box::new(InMemory::default()),
        }
    }
}

impl DotnetBackend {
    /// What answers about all of the assembly depend on, if that is known.
    pub(crate) fn whole_content(&self) -> Option<Key> {
        self.content.get().copied()
    }

    /// The runtime, once the assembly was opened.
    pub fn chosen_runtime(&self) -> Option<Chosen> {
        self.chosen.get().cloned()
    }

    /// A worker for whoever asks it for something of its own.
    pub(crate) fn method_worker(&self) -> Result<MethodWorker, String> {
        let (universe, assembly) = self.load()?;
        let solver = Solver::new(solver::Config { cross_check: self.cross_check()?, ..Default::default() });
        Ok(MethodWorker::new(universe, assembly, solver, self.settings, &self.world()))
    }

    pub(crate) fn load(&self) -> Result<(Universe, AssemblyId), String> {
        self.chosen()?.load(&self.assembly).map_err(|error| error.to_string())
    }
}

fn known_types(chosen: &Chosen, assembly: &Path) -> Box<dyn TypeFacts> {
    match chosen.load(assembly) {
        Ok((universe, assembly)) => Box::new(Metadata::new(universe, assembly)),
        Err(_) => Box::new(InMemory::default()),
    }
}
