//! A host for tests: keeps what a program writes and feeds it what it reads.

use std::rc::Rc;

use super::{Answer, Denied, FROZEN_TICKS, Files, Folder, Host, Output, Platform};

#[derive(Clone, Debug, Default)]
pub struct CapturingHost {
    pub out: Vec<u8>,
    pub error: Vec<u8>,
    pub input: Vec<u8>,
    pub command_line: Vec<String>,
    pub variables: Vec<(String, String)>,
    pub platform: Platform,
    pub current_directory: String,
    pub folder: Option<Folder>,
}

impl Host for CapturingHost {
    fn write(&mut self, to: Output, bytes: &[u8]) -> Answer<()> {
        match to {
            Output::Out => self.out.extend_from_slice(bytes),
            Output::Error => self.error.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn read(&mut self, max: usize) -> Answer<Vec<u8>> {
        let rest = self.input.split_off(max.min(self.input.len()));
        Ok(std::mem::replace(&mut self.input, rest))
    }

    fn command_line(&self) -> Answer<Vec<String>> {
        Ok(self.command_line.clone())
    }

    fn variables(&self) -> Answer<Vec<(String, String)>> {
        Ok(self.variables.clone())
    }

    fn utc_ticks(&self) -> Answer<u64> {
        Ok(FROZEN_TICKS)
    }

    fn platform(&self) -> Answer<Platform> {
        Ok(self.platform.clone())
    }

    fn current_directory(&self) -> Answer<String> {
        Ok(self.current_directory.clone())
    }

    fn files(&self) -> Answer<Rc<dyn Files>> {
        match &self.folder {
            Some(folder) => Ok(Rc::new(folder.clone())),
            None => Err(Denied("files, which are denied".into())),
        }
    }
}
