//! A host for tests: keeps what a program writes and feeds it what it reads.

use std::rc::Rc;

use super::{Answer, Host, Output, World};

#[derive(Clone, Debug, Default)]
pub struct CapturingHost {
    pub out: Vec<u8>,
    pub error: Vec<u8>,
    pub input: Vec<u8>,
    pub world: Rc<World>,
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

    fn world(&self) -> Option<Rc<World>> {
        Some(Rc::clone(&self.world))
    }
}
