//! What a program sees of the outside world: standard streams, arguments, environment, clock.
//!
//! The machine reaches the world through a [`Host`] only. The default answers of the trait deny everything, which is what
//! exploration wants: a path that asks ends as incomplete, with the reason.

use std::io::{Read, Write};

/// The standard streams that a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Out,
    Error,
}

/// The host does not allow it; the text completes the sentence "the program wants …".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied(pub String);

pub type Answer<T> = Result<T, Denied>;

pub trait Host {
    fn write(&mut self, to: Output, _bytes: &[u8]) -> Answer<()> {
        Err(Denied(format!(
            "to write to the standard {}",
            if to == Output::Out { "output" } else { "error" }
        )))
    }

    /// At most `max` bytes of standard input; none at its end.
    fn read(&mut self, _max: usize) -> Answer<Vec<u8>> {
        Err(Denied("to read standard input".into()))
    }

    /// The program's path and its arguments.
    fn command_line(&self) -> Answer<Vec<String>> {
        Err(Denied("to know its command line".into()))
    }

    fn variable(&self, name: &str) -> Answer<Option<String>> {
        Err(Denied(format!("to read the environment variable {name}")))
    }

    /// Hundreds of nanoseconds since the first of January of the year 1, UTC.
    fn utc_ticks(&self) -> Answer<u64> {
        Err(Denied("to know the time".into()))
    }
}

/// Denies everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}

/// The second of January 2000, noon: the moment at which a program runs unless it is told another.
pub const FROZEN_TICKS: u64 = 630_823_248_000_000_000;

/// The streams of this process; the rest as given.
#[derive(Clone, Debug, Default)]
pub struct ProcessHost {
    pub command_line: Vec<String>,
    /// Whether the variables of this process are the program's too.
    pub environment: bool,
    pub ticks: Option<u64>,
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

    fn variable(&self, name: &str) -> Answer<Option<String>> {
        Ok(if self.environment { std::env::var(name).ok() } else { None })
    }

    fn utc_ticks(&self) -> Answer<u64> {
        Ok(self.ticks.unwrap_or(FROZEN_TICKS))
    }
}

/// Keeps what a program writes and feeds it what it reads.
#[derive(Clone, Debug, Default)]
pub struct CapturingHost {
    pub out: Vec<u8>,
    pub error: Vec<u8>,
    pub input: Vec<u8>,
    pub command_line: Vec<String>,
    pub variables: Vec<(String, String)>,
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

    fn variable(&self, name: &str) -> Answer<Option<String>> {
        Ok(self.variables.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone()))
    }

    fn utc_ticks(&self) -> Answer<u64> {
        Ok(FROZEN_TICKS)
    }
}

/// Shared, so that whoever made the machine can look at what was written.
impl<H: Host> Host for std::rc::Rc<std::cell::RefCell<H>> {
    fn write(&mut self, to: Output, bytes: &[u8]) -> Answer<()> {
        self.borrow_mut().write(to, bytes)
    }

    fn read(&mut self, max: usize) -> Answer<Vec<u8>> {
        self.borrow_mut().read(max)
    }

    fn command_line(&self) -> Answer<Vec<String>> {
        self.borrow().command_line()
    }

    fn variable(&self, name: &str) -> Answer<Option<String>> {
        self.borrow().variable(name)
    }

    fn utc_ticks(&self) -> Answer<u64> {
        self.borrow().utc_ticks()
    }
}
