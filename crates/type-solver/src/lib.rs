//! Which types can stand behind a reference, which arguments can stand for type parameters, and whether a made-up class
//! could do where no existing one does.
//!
//! A [`Query`] says what a type must be below and above, what it must not be, and what kind of candidate is wanted.
//! [`TypeSolver::candidates`] answers with a lazy sequence in a fixed order of preference: every type in it satisfies
//! the query, and unless [`Candidates::bound`] says otherwise no type of the known assemblies is missing once the
//! sequence has ended. [`TypeSolver::narrow`] follows a path on which constraints only get stricter;
//! [`TypeSolver::together`] chooses several types with relations between them. [`TypeSolver::arguments`] finds arguments
//! for the parameters of a generic definition, and [`TypeSolver::mock`] says what a mock would derive from, or why there
//! can be none.
//!
//! How it works: an [`Index`] over the metadata of all assemblies (names only, nothing is loaded) narrows down the
//! definitions; a generic definition is matched with the required types to learn what its parameters must be
//! (`needs`); what remains open is enumerated by nested queries (`product`); and each closed type is checked against
//! the universe before anyone sees it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use type_solver::{Bounds, Query, TypeSolver};
//! use types::{Probing, Universe};
//!
//! let source = "public interface IShape { } public class Square : IShape { } public class Circle : IShape { }";
//! let dll = testkit::compile("Shapes", &[("Shapes.cs", source)], &testkit::Options::default())?;
//! let runtime = testkit::Toolchain::locate()?;
//! let universe = Universe::new(Probing::for_application(&dll, Some(runtime.runtime_root()))?);
//! let assembly = universe.load(&dll)?;
//! let shape = universe.find_type(assembly, "IShape")?.ok_or("no IShape")?;
//!
//! let solver = TypeSolver::new(vec![assembly], Bounds::default());
//! let candidates = solver.candidates(&universe, &Query::object(shape));
//! let mut names = Vec::new();
//! for candidate in candidates.iter(&universe) {
//!     names.push(universe.type_name(candidate?));
//! }
//! names.sort();
//! assert_eq!(names, ["Circle", "Square"]);
//! assert_eq!(candidates.bound(), None);
//! # Ok(())
//! # }
//! ```

mod arguments;
mod arrays;
mod bounds;
mod check;
mod declaration;
mod index;
mod mock;
mod needs;
mod product;
mod query;
mod sequence;
mod solver;
mod together;
mod varied;

pub use arguments::{ArgumentList, ArgumentQuery, Arguments, Generic};
pub use bounds::{Bound, Bounds};
pub use index::Index;
pub use mock::{MockShape, UnsupportedSignature, WhyNot};
pub use query::{Kinds, Purpose, Query};
pub use sequence::Candidates;
pub use solver::TypeSolver;
pub use together::{Assignments, Relation};
