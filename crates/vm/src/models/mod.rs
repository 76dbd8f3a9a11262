//! Models of runtime internals: one table from full signatures to functions.
//!
//! A model stands for a method whose body is not CIL, or whose CIL only the JIT understands (hardware intrinsics).
//! Whatever has no model and no body ends a path with its name.

mod intrinsics;
mod text;

use types::{MethodId, Universe};

use crate::machine::{Machine, Step};
use crate::state::State;
use crate::value::Value;

/// What a modelled call did.
pub(crate) enum Outcome {
    Return(Option<Value>),
    /// A frame was pushed or the program counter moved.
    #[allow(dead_code)]
    Entered,
}

pub(crate) type Model = fn(&mut Machine, &mut State, Vec<Value>, MethodId) -> Step<Outcome>;

/// The model of a method, if it has one.
pub(crate) fn find(universe: &Universe, method: MethodId) -> Option<Model> {
    let definition = universe.method_definition(method).unwrap_or(method);
    let owner = universe.method(definition).owner;
    let name = &*universe.method(definition).name;
    let owner_name = universe.type_name(owner);
    if intrinsics::is_feature_test(&owner_name, name) {
        return Some(intrinsics::not_supported);
    }
    if !owner_name.starts_with("System.") {
        return None;
    }
    let id = universe.method_id(definition);
    let entry = intrinsics::TABLE.iter().chain(text::TABLE).find(|(key, _)| *key == id);
    entry.map(|(_, model)| *model).or_else(|| text::formats(&owner_name, name))
}
