//! `inspect`: the debugging lens.

use engine::Error;
use types::{Probing, Universe};

use super::Exit;
use crate::args::{Common, Inspect};
use crate::console::Console;
use crate::files;
use crate::inspect::{self, Options};

pub fn run(args: &Inspect, common: &Common, console: &Console) -> Result<Exit, Error> {
    let path = &args.subject.assembly;
    files::check_readable(path)?;
    cil::Module::open(path).map_err(|error| Error::from_image(path, &error))?;
    let probing = match engine::choose(path, common.runtime.as_deref()) {
        Ok(chosen) => chosen.probing(path),
        // Without a runtime there is still the assembly itself; what it refers to shows as not found.
        Err(Error::NoRuntime { .. }) if common.runtime.is_none() => Probing::for_application(path, None),
        Err(error) => return Err(error),
    };
    let universe = Universe::new(probing.map_err(Error::from_types)?);
    let assembly = universe.load(path).map_err(Error::from_types)?;
    let mut shown = Vec::new();
    let options = Options { cfg: args.cfg, format: args.format };
    inspect::show(&universe, assembly, &args.subject.selection(), options, &mut shown)?;
    console.result(&String::from_utf8_lossy(&shown));
    Ok(Exit::NothingFound)
}
