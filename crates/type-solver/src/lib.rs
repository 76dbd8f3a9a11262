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
