//! The native half of the class library: what stands for methods whose body is not CIL, or whose CIL is a stand-in that the
//! JIT replaces (intrinsics), and terms in the place of loops that would split every path.
//!
//! Files are named after the part of .NET that they serve. [`GROUPS`] lists all tables with the condition under which each
//! applies; [`ClassLibrary`] finds the line for a method ([`lines`]). Whatever has no line and no body ends a path with its name.
//!
//! ```
//! use types::{Probing, Universe};
//! use vm::models::Library;
//!
//! // A machine is given the library when it is made: `vm::Machine::new(universe, &bcl::ClassLibrary, config)`.
//! let library: &dyn Library = &bcl::ClassLibrary;
//! # let _ = library;
//! assert!(bcl::GROUPS.iter().any(|group| group.module == "strings::search"));
//! ```

mod answers;
mod arrays;
mod basis;
mod before_net5;
mod core31;
mod delegates;
mod exceptions;
mod globalization;
mod groups;
mod io;
mod lookup;
mod memory;
mod mono;
mod native;
mod numbers;
mod objects;
mod process;
mod reflection;
mod runtime;
mod strings;
mod table;
mod threading;

use types::{FieldId, MethodId, Universe};
use verdict::Assumption;
use vm::mode::Mode;
use vm::models::{Basis, Library, Model, TypeQuestion};

pub use globalization::Cultures;
pub use groups::{GROUPS, Group, Precedence, Runtimes, When};
pub use lookup::{Line, lines};
pub use table::{Bodies, Entry, Overloads};

/// The models of .NET, .NET Core 3.1 and Mono.
#[derive(Clone, Copy, Debug)]
pub struct ClassLibrary;

impl Library for ClassLibrary {
    fn model(&self, universe: &Universe, method: MethodId, mode: Mode) -> Option<Model> {
        lines(universe, method, mode).first().and_then(|line| line.entry.model)
    }

    fn basis(&self, universe: &Universe, method: MethodId) -> Basis {
        basis::of(universe, method)
    }

    fn field_basis(&self, universe: &Universe, field: FieldId) -> Option<Assumption> {
        basis::of_field(universe, field)
    }

    fn type_question(&self, universe: &Universe, method: MethodId) -> Option<TypeQuestion> {
        runtime::features::type_question(universe, method)
    }
}
