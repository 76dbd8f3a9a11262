//! Lines of the tables of models, and how a line is found for a method.

use vm::models::{Enter, FrameModel, Model, ValueModel};
use vm::state::State;
use vm::stop::Stop;

pub(crate) use vm::models::throws;

/// A line of a table: what stands for the methods of a name.
pub struct Entry {
    pub owner: &'static str,
    /// A name that ends with `|` stands for all that begin so: compilers number the native part of a method.
    pub name: &'static str,
    /// The parameters as the method's id writes them; all overloads if there are none given.
    pub parameters: Option<&'static str>,
    /// Only methods without a body: the managed methods of the same name around them are interpreted.
    pub native: bool,
    pub(crate) model: Model,
}

impl Entry {
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.name.ends_with('|') && name.starts_with(self.name)
    }

    /// Whether the line is for the overload with this id.
    pub(crate) fn takes(&self, id: &str) -> bool {
        let takes = |parameters: &str| {
            let id = id.strip_suffix(')').and_then(|id| id.strip_suffix(parameters));
            id.is_some_and(|id| id.ends_with('('))
        };
        self.parameters.is_none_or(takes)
    }
}

pub(crate) const fn all(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    Entry { owner, name, parameters: None, native: false, model: Model::Value(model) }
}

pub(crate) const fn one(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: ValueModel,
) -> Entry {
    Entry { owner, name, parameters: Some(parameters), native: false, model: Model::Value(model) }
}

/// A line for all native overloads of a name.
pub(crate) const fn native(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    Entry { owner, name, parameters: None, native: true, model: Model::Value(model) }
}

/// A line for a native method that calls managed code.
pub(crate) const fn native_enter(owner: &'static str, name: &'static str, model: Enter) -> Entry {
    Entry { owner, name, parameters: None, native: true, model: Model::Enter(model) }
}

/// A line for one overload that calls managed code.
pub(crate) const fn enter_one(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: Enter,
) -> Entry {
    Entry { owner, name, parameters: Some(parameters), native: false, model: Model::Enter(model) }
}

/// A line for a method that calls managed code.
pub(crate) const fn enter(owner: &'static str, name: &'static str, model: Enter) -> Entry {
    Entry { owner, name, parameters: None, native: false, model: Model::Enter(model) }
}

/// A line for one overload whose model pushes a frame.
pub(crate) const fn frame(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: FrameModel,
) -> Entry {
    Entry { owner, name, parameters: Some(parameters), native: false, model: Model::Frame(model) }
}

/// The end of a path that asked the universe for something it does not have.
pub(crate) fn failed(s: &State, error: types::Error) -> Box<Stop> {
    vm::machine::give_up(s, error.into())
}
