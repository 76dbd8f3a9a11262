//! The native half of the class library: what stands for methods whose body is not CIL, or whose CIL is a stand-in that the
//! JIT replaces (intrinsics), and terms in the place of loops that would split every path.
//!
//! Files are named after the part of .NET that they serve. [`GROUPS`] lists all tables with the condition under which each
//! applies; [`ClassLibrary`] finds the line for a method. Whatever has no line and no body ends a path with its name.
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
mod before_net5;
mod core31;
mod delegates;
mod exceptions;
mod groups;
mod io;
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

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use types::{MethodId, Universe};
use vm::Flavor;
use vm::mode::Mode;
use vm::models::{Library, Model};

pub use groups::{GROUPS, Group, Runtimes, When};
pub use table::Entry;

/// The models of .NET, .NET Core 3.1 and Mono.
#[derive(Clone, Copy, Debug)]
pub struct ClassLibrary;

/// The lines for the methods of a type, in the order of their groups.
type Lines = Vec<(&'static Group, &'static Entry)>;

static BY_OWNER: LazyLock<FxHashMap<&'static str, Lines>> = LazyLock::new(|| {
    let mut lines: FxHashMap<&'static str, Lines> = FxHashMap::default();
    for group in GROUPS {
        for entry in group.entries {
            lines.entry(entry.owner).or_default().push((group, entry));
        }
    }
    lines
});

impl Library for ClassLibrary {
    fn model(&self, universe: &Universe, method: MethodId, mode: Mode) -> Option<Model> {
        let definition = universe.method_definition(method).unwrap_or(method);
        let info = universe.method(definition);
        let mut owner = universe.type_name(info.owner);
        // Before .NET 5 the core library kept this class to itself.
        if owner == "Internal.Runtime.CompilerServices.Unsafe" {
            owner.replace_range(.."Internal".len(), "System");
        }
        if runtime::features::is_feature_test(&owner, &info.name) {
            return Some(Model::Value(runtime::features::not_supported));
        }
        let framework = Flavor::of(universe);
        let is_native = info.is_internal_call() || info.is_pinvoke();
        if framework == Flavor::Mono && mono::OWN_CODE.contains(&(&owner, &info.name)) && !is_native {
            return None;
        }
        let has_body = !matches!(universe.body(definition), Ok(None));
        let lines = BY_OWNER.get(owner.as_str())?.iter();
        let id = universe.method_id(definition);
        lines
            .filter(|(group, entry)| {
                entry.is_named(&info.name)
                    && (is_native || !entry.native)
                    && group.applies(framework, mode, has_body)
            })
            .find(|(_, entry)| entry.takes(&id))
            .map(|(_, entry)| entry.model)
    }
}
