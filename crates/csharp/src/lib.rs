//! Test cases as C#: arrange, act, assert, as a person would write them.

mod array;
mod assertion;
mod call;
mod class_file;
mod deep;
mod framework;
pub mod identifier;
mod known_structs;
mod literal;
mod mocks;
mod named;
mod naming;
mod object;
mod output;
mod project;
mod reflected;
mod scope;
mod test;
mod value;

pub use class_file::{ClassFile, LeftOut, reach, render_class, test_class_name, test_namespace};
pub use framework::{Dialect, TestFramework};
pub use literal::{Wanted, primitive};
pub use mocks::{MockLibrary, plain_name};
pub use named::changes;
pub use naming::name_cases;
pub use output::{Fate, WriteError, write_files};
pub use project::{File, Options, Reference, Suite, render_project};
pub use reflected::reflected_class;
