//! Test cases as C#: arrange, act, assert, as a person would write them.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use case::type_facts::{InMemory, MethodInfo, TypeInfo};
//! use csharp::{MockLibrary, Options, Reference, TestFramework, Theories, render_project};
//!
//! let case = r#"{ "schema": "cilantro/case@1", "assembly": "Sum.dll", "cases": [ {
//!     "name": "Of_TwoAndForty_ReturnsFortyTwo",
//!     "method": { "id": "Sum::Of(System.Int32,System.Int32)", "type": "Sum", "name": "Of", "token": "0x06000001", "static": true,
//!         "parameters": [ {"name": "a", "type": "System.Int32"}, {"name": "b", "type": "System.Int32"} ], "returns": "System.Int32" },
//!     "arguments": [ {"type": "System.Int32", "value": "2"}, {"type": "System.Int32", "value": "40"} ],
//!     "expect": { "returns": {"type": "System.Int32", "value": "42"} } } ] }"#;
//! let cases = case::CaseFile::from_json(case)?.cases;
//! let options = Options {
//!     framework: TestFramework::NUnit,
//!     mocks: MockLibrary::None,
//!     target_framework: "net10.0".to_owned(),
//!     assembly: "Sum".to_owned(),
//!     reference: Reference::Assembly { hint_path: "Sum.dll".to_owned() },
//!     theories: Theories::default(),
//! };
//! // What is known of the assembly: usually its metadata, here two lines.
//! let mut facts = InMemory { assembly: "Sum".to_owned(), ..InMemory::default() };
//! facts.types.insert("Sum".to_owned(), TypeInfo { public: true, ..TypeInfo::default() });
//! facts.methods.insert(cases[0].method.id.clone(), MethodInfo { public: true, ..MethodInfo::default() });
//! let suite = render_project(&cases, &facts, &options);
//! let tests = suite.files.iter().find(|file| file.path == "SumTests.cs").ok_or("no tests")?;
//! assert!(tests.text.contains("public void Of_TwoAndForty_ReturnsFortyTwo()"), "{}", tests.text);
//! # Ok(())
//! # }
//! ```

mod array;
mod assertion;
mod call;
mod class_file;
mod condition;
mod consumption;
mod deep;
mod fit;
mod framework;
pub mod identifier;
mod initialised;
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
mod statics;
mod test;
mod theory;
mod value;
mod words;

pub use class_file::{
    ClassFile, LeftOut, TestMethod, Theories, reach, reflection_causes, render_class, test_class_name,
    test_namespace,
};
pub use framework::{Dialect, TestFramework};
pub use literal::{Wanted, primitive};
pub use mocks::{MockLibrary, plain_name};
pub use named::changes;
pub use naming::{name_cases, name_cases_of_paths};
pub use output::{Fate, Plan, WriteError, plan_files, write_files};
pub use project::{File, Options, Reference, Suite, render_project};
pub use reflected::reflected_class;
