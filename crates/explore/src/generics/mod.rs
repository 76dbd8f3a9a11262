//! Generic methods and methods of generic classes under test: which type arguments they are explored with.
//!
//! Code is explored over closed types only. So a definition is explored several times, once per list of arguments: first
//! with a value and a reference type for each parameter, then with the types that the code itself speaks of, then with
//! others that differ in kind. All explorations are of the same IL, so that what they cover adds up. What none of them
//! covers is unreachable only if other arguments could not have made a difference ([`called()`]).

mod choice;
mod dependence;
mod instances;
mod mentions;

pub use choice::Instantiations;
pub use dependence::{Called, Dependence, called};
pub use instances::{Failure, Instances, Shown, Together};

use types::{MethodId, Universe};

/// Whether a method needs type arguments, its own or those of its class.
pub fn is_generic(universe: &Universe, method: MethodId) -> bool {
    let method = universe.method(method);
    universe.is_open(method.owner) || method.args.iter().any(|arg| universe.is_open(*arg))
}

/// The type arguments of an instantiated method as a person reads them: `T = System.Int32`.
pub fn describe(universe: &Universe, method: MethodId) -> String {
    let info = universe.method(method);
    let own = universe.generic_parameters_of_method(method);
    let of_type = universe.def_info(info.owner).map_or(&[][..], |def| &def.generic_parameters);
    let names = of_type.iter().chain(own.iter()).map(|parameter| &parameter.name);
    let args = universe.type_args(info.owner).iter().chain(info.args.iter());
    let pairs = names.zip(args).map(|(name, arg)| format!("{name} = {}", universe.type_name(*arg)));
    pairs.collect::<Vec<_>>().join(", ")
}
