//! `inspect`: the debugging lens.

use engine::Error;
use inspect::path_view;
use types::{Probing, Universe};

use super::Exit;
use crate::args::{Common, Inspect, InspectFormat};
use crate::console::Console;
use crate::inspect::{self, Options};
use crate::{files, stored};

pub fn run(args: &Inspect, common: &Common, console: &Console) -> Result<Exit, Error> {
    if !args.tests.is_empty() {
        return paths(args, console);
    }
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

/// The paths behind tests, as `generate` has stored them.
fn paths(args: &Inspect, console: &Console) -> Result<Exit, Error> {
    let folder = &args.subject.assembly;
    let mut shown = Vec::new();
    for test in &args.tests {
        shown.extend(stored::paths_of(folder, test)?);
    }
    let text = match args.format {
        InspectFormat::Json => path_view::json(&shown).map_err(|error| Error::Internal(error.to_string()))?,
        InspectFormat::Text => path_view::text(&shown),
        InspectFormat::Dot => return Err(Error::Other("a path is printed as text or json".to_owned())),
    };
    console.result(&text);
    Ok(Exit::NothingFound)
}
