//! The backend that reads real assemblies, explores them and replays on the real runtime.

use std::path::PathBuf;

use crate::args::{Common, Subject};
use crate::driver::{Backend, Engine, Job, Opened, Replayer};
use crate::error::CommandError;

pub struct RealBackend {
    assembly: PathBuf,
}

impl RealBackend {
    pub fn new(subject: &Subject, _common: &Common, _job: &Job) -> RealBackend {
        RealBackend { assembly: subject.assembly.clone() }
    }
}

impl Backend for RealBackend {
    fn open(&self) -> Result<Opened, CommandError> {
        let module = cil::Module::open(&self.assembly);
        match module {
            Ok(_) => Err(CommandError::Other("the type system is not connected yet".to_owned())),
            Err(error) => Err(CommandError::from_image(&self.assembly, &error)),
        }
    }

    fn engine(&self) -> Result<Box<dyn Engine>, String> {
        Err("the engine is not connected yet".to_owned())
    }

    fn replayer(&self) -> Result<Box<dyn Replayer>, String> {
        Err("replay is not connected yet".to_owned())
    }
}
