//! The host of a program that this process runs: its streams are this process's, the rest is as given.

use std::io::{Read, Write};
use std::rc::Rc;

use super::{Answer, Denied, FROZEN_TICKS, Files, Folder, Host, Output, Platform};

#[derive(Clone, Debug)]
pub struct ProcessHost {
    pub command_line: Vec<String>,
    pub variables: Vec<(String, String)>,
    pub ticks: u64,
    pub platform: Platform,
    pub current_directory: String,
    /// The folder that the program may read.
    pub folder: Option<Folder>,
}

impl Default for ProcessHost {
    fn default() -> ProcessHost {
        ProcessHost {
            command_line: Vec::new(),
            variables: Vec::new(),
            ticks: FROZEN_TICKS,
            platform: Platform::default(),
            current_directory: "/".into(),
            folder: None,
        }
    }
}

impl Host for ProcessHost {
    fn write(&mut self, to: Output, bytes: &[u8]) -> Answer<()> {
        // A reader that went away is no concern of the program: CoreCLR ignores a broken pipe as well.
        let _gone = match to {
            Output::Out => {
                let mut out = std::io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Output::Error => std::io::stderr().write_all(bytes),
        };
        Ok(())
    }

    fn read(&mut self, max: usize) -> Answer<Vec<u8>> {
        let mut bytes = vec![0; max];
        let read = std::io::stdin()
            .read(&mut bytes)
            .map_err(|error| Denied(format!("to read standard input: {error}")))?;
        bytes.truncate(read);
        Ok(bytes)
    }

    fn command_line(&self) -> Answer<Vec<String>> {
        Ok(self.command_line.clone())
    }

    fn variables(&self) -> Answer<Vec<(String, String)>> {
        Ok(self.variables.clone())
    }

    fn utc_ticks(&self) -> Answer<u64> {
        Ok(self.ticks)
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
            None => Err(Denied("files, which are denied; use --sandbox DIR".into())),
        }
    }
}
