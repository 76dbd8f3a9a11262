//! The host of a program that this process runs: its streams are this process's, the rest is as given.

use std::io::{Read, Write};
use std::rc::Rc;

use super::{Answer, Denied, Host, Output, World};

#[derive(Clone, Debug, Default)]
pub struct ProcessHost {
    pub world: Rc<World>,
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

    fn world(&self) -> Option<Rc<World>> {
        Some(Rc::clone(&self.world))
    }
}
