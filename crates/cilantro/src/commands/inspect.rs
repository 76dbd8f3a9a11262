//! `inspect`: the debugging lens.

use super::Exit;
use crate::args::{Common, Inspect};
use crate::console::Console;
use crate::error::CommandError;
use crate::files;

pub fn run(args: &Inspect, _common: &Common, _console: &Console) -> Result<Exit, CommandError> {
    files::check_readable(&args.subject.assembly)?;
    let path = &args.subject.assembly;
    cil::Module::open(path).map_err(|error| CommandError::from_image(path, &error))?;
    Err(CommandError::Other("inspect is not connected yet".to_owned()))
}
