//! `inspect`: the debugging lens.

use types::{Probing, Universe};

use super::Exit;
use crate::args::{Common, Inspect};
use crate::console::Console;
use crate::driver::Selection;
use crate::error::CommandError;
use crate::inspect::{self, Options};
use crate::real::runtime;
use crate::{files, real};

pub fn run(args: &Inspect, common: &Common, console: &Console) -> Result<Exit, CommandError> {
    let path = &args.subject.assembly;
    files::check_readable(path)?;
    cil::Module::open(path).map_err(|error| CommandError::from_image(path, &error))?;
    let probing = match runtime::choose(path, common.runtime.as_deref()) {
        Ok(chosen) => chosen.probing(path),
        // Without a runtime there is still the assembly itself; what it refers to shows as not found.
        Err(CommandError::NoRuntime { .. }) if common.runtime.is_none() => {
            Probing::for_application(path, None)
        }
        Err(error) => return Err(error),
    };
    let universe = Universe::new(probing.map_err(real::type_error)?);
    let assembly = universe.load(path).map_err(real::type_error)?;
    let mut shown = Vec::new();
    let options = Options { cfg: args.cfg, format: args.format };
    inspect::show(&universe, assembly, &Selection::from(&args.subject), options, &mut shown)?;
    console.result(&String::from_utf8_lossy(&shown));
    Ok(Exit::NothingFound)
}
