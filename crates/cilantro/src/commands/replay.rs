//! `replay`: stored test cases on the real runtime again, no engine needed.

use std::time::Instant;

use super::Exit;
use crate::args::{Common, Replay};
use crate::console::Console;
use crate::error::CommandError;

pub fn run(
    args: &Replay,
    _common: &Common,
    _console: &Console,
    _started: Instant,
) -> Result<Exit, CommandError> {
    if !args.folder.exists() {
        return Err(CommandError::NoSuchFile(args.folder.clone()));
    }
    Err(CommandError::NoCases(args.folder.clone()))
}
