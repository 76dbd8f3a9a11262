//! Test cases as data (`cilantro/case@1`) and as C# for xUnit, NUnit and MSTest.
//!
//! The way of a case: [`case_of`] writes a path down, [`construct::plan_objects`] decides how its objects are made, the case is replayed,
//! [`minimize`] chooses among the true ones, [`name_cases`] names them, [`render_project`] writes the project and
//! [`write_files`] puts it on disk without touching what a person edited.

pub mod case;
pub mod collections;
pub mod construct;
pub mod contract;
pub mod csharp;
mod fold;
mod from_path;
mod graph;
mod minimize;
mod naming;
mod output;
mod project;
pub mod surroundings;
pub mod type_name;

pub use csharp::{Framework, LeftOut, MockLibrary, reach};
pub use fold::fold_collections;
pub use from_path::{EndedPath, case_of, method_ref};
pub use minimize::{Merits, minimize};
pub use naming::name_cases;
pub use output::{Fate, WriteError, write_files};
pub use project::{File, Options, Reference, Suite, render_project};
