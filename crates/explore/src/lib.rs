//! The explorer: which states to run next, which guarded successors are feasible, when to stop, and what is known then.
//!
//! A node is a state, its path condition and a model of it. A fork is decided first by the constructors of terms, then
//! in the node's own model, which satisfies exactly one guard; the other guards wait in the frontier, and a solver is asked
//! only when one of them is picked. Nothing is dropped silently: what could not be followed is a reason in the result.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::rc::Rc;
//!
//! use budget::Budget;
//! use explore::{Explorer, Strategy};
//! use solver::Solver;
//! use types::{Probing, Universe};
//! use vm::Machine;
//!
//! let source = "public static class Share { public static int Of(int n) => n > 7 ? 100 / (n - 9) : n == 8 ? 1 : 2; }";
//! let dll = testkit::compile("Share", &[("Share.cs", source)], &testkit::Options::default())?;
//! let runtime = testkit::Toolchain::locate()?;
//! let universe = Rc::new(Universe::new(Probing::for_application(&dll, Some(runtime.runtime_root()))?));
//! let assembly = universe.load(&dll)?;
//! let class = universe.find_type(assembly, "Share")?.ok_or("no class")?;
//! let method = universe.methods(class)?.iter().copied().find(|m| &*universe.method(*m).name == "Of").ok_or("no method")?;
//!
//! let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, vm::Config::default());
//! machine.recording.zone.set_assembly(assembly);
//! let mut explorer = Explorer::new(machine, Solver::new(solver::Config::default()), Strategy::Coverage, 0);
//! let found = explorer.explore(method, &Budget::default(), &mut ()).map_err(|gap| gap.to_string())?;
//! assert!(found.is_exhausted());
//! // Nothing above 7 can be 8 below it, and a path divides by zero.
//! assert_eq!((found.reached_edges().len(), found.unreachable_edges().len()), (3, 1));
//! assert!(found.paths.iter().any(|path| matches!(path.end, vm::PathEnd::Threw { .. })));
//! # Ok(())
//! # }
//! ```

mod condition;
mod decision;
mod explorer;
mod findings;
mod follow;
mod frontier;
pub mod generics;
mod guide;
pub mod loops;
mod names;
mod outcome;
mod parts;
pub mod places;
mod readable;
pub mod sequences;
mod shrink;
mod trials;
mod words;

pub use condition::{Chain, Condition};
pub use decision::{Decision, Settled, Settlement};
pub use explorer::{Explorer, Progress};
pub use findings::Finding;
pub use frontier::Strategy;
pub use names::InputNames;
pub use outcome::{AnyWorld, Blamed, Exploration, Path, Wanted};
pub use parts::{Part, is_made, parts_of};
pub use words::type_name;
