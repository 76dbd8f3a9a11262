//! What the methods of an assembly do, so that two versions of it can be compared.

use std::collections::BTreeMap;
use std::path::Path;

use super::closure::Closures;
use crate::error::Error;
use crate::runtimes;
use crate::subject::catalog;

/// Changes when digests of the same code do.
const FORM: &str = "il1";
/// Hexadecimal digits of a digest that are kept: nobody makes two methods alike on purpose.
const DIGITS: usize = 16;

/// A digest for every method that can be explored, by its id: of its code and of all code that it leads to in the assembly, which
/// is all of it where anything may be meant. Neither lines of sources nor the order of members count, and no other assembly.
pub fn code_of(assembly: &Path, runtime: Option<&Path>) -> Result<BTreeMap<String, String>, Error> {
    cil::Module::open(assembly).map_err(|error| Error::from_image(assembly, &error))?;
    let chosen = runtimes::choose(assembly, runtime)?;
    let (universe, id) = chosen.load(assembly).map_err(Error::from_types)?;
    let closures = Closures::by_names(universe.assembly(id).module());
    let whole = closures.whole();
    let targets = catalog::targets(&universe, id).into_iter();
    Ok(targets
        .map(|target| {
            let own = closures.digest(target.bodies.iter().map(|body| body.token)).unwrap_or(whole);
            let digits: String = own.to_string().chars().take(DIGITS).collect();
            (target.id, format!("{FORM}:{digits}"))
        })
        .collect())
}
