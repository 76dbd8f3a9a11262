//! Lines of the tables of models, and how a line is found for a method.

use vm::models::{Enter, FrameModel, Model, OperandModel, ValueModel};
use vm::state::State;
use vm::stop::Stop;

pub(crate) use vm::models::throws;

/// A line of a table: what stands for the methods of a name.
pub struct Entry {
    /// A name that ends with `*` stands for all types that begin so.
    pub owner: &'static str,
    /// A name that ends with `|` stands for all that begin so: compilers number the native part of a method.
    pub name: &'static str,
    pub overloads: Overloads,
    pub bodies: Bodies,
    /// It is for runtimes that the tests do not have: which.
    pub unseen: Option<&'static str>,
    /// None: the method is interpreted, whatever other lines say.
    pub(crate) model: Option<Model>,
}

/// Which of the methods of a name a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overloads {
    All,
    /// The one with these parameters, as the method's id writes them.
    One(&'static str),
    /// Those without a line of their own.
    Others,
}

/// Whether the methods have bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    Any,
    /// Without: the managed methods of the same name around them are interpreted.
    Native,
    Managed,
}

impl Entry {
    pub(crate) fn is_of(&self, owner: &str) -> bool {
        match self.owner.strip_suffix('*') {
            Some(start) => owner.starts_with(start),
            None => owner == self.owner,
        }
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.name.ends_with('|') && name.starts_with(self.name)
    }

    pub(crate) fn is_for(&self, is_native: bool) -> bool {
        match self.bodies {
            Bodies::Any => true,
            Bodies::Native => is_native,
            Bodies::Managed => !is_native,
        }
    }

    /// Whether the line is for the overload with this id.
    pub(crate) fn takes(&self, id: &str) -> bool {
        let Overloads::One(parameters) = self.overloads else { return true };
        let id = id.strip_suffix(')').and_then(|id| id.strip_suffix(parameters));
        id.is_some_and(|id| id.ends_with('('))
    }
}

const fn line(owner: &'static str, name: &'static str, overloads: Overloads, model: Model) -> Entry {
    Entry { owner, name, overloads, bodies: Bodies::Any, unseen: None, model: Some(model) }
}

/// A line for all overloads.
pub(crate) const fn all(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    line(owner, name, Overloads::All, Model::Value(model))
}

/// A line for all overloads, with a short way where the operands are known.
pub(crate) const fn operands(
    owner: &'static str,
    name: &'static str,
    short: OperandModel,
    model: ValueModel,
) -> Entry {
    line(owner, name, Overloads::All, Model::Operands(short, model))
}

/// A line for one overload.
pub(crate) const fn one(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: ValueModel,
) -> Entry {
    line(owner, name, Overloads::One(parameters), Model::Value(model))
}

/// A line for the overloads that have no line of their own.
pub(crate) const fn others(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    line(owner, name, Overloads::Others, Model::Value(model))
}

/// A line for all native overloads of a name.
pub(crate) const fn native(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    Entry { bodies: Bodies::Native, ..all(owner, name, model) }
}

/// A line for a native method that calls managed code.
pub(crate) const fn native_enter(owner: &'static str, name: &'static str, model: Enter) -> Entry {
    Entry { bodies: Bodies::Native, ..enter(owner, name, model) }
}

/// A line for one overload that calls managed code.
pub(crate) const fn enter_one(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: Enter,
) -> Entry {
    line(owner, name, Overloads::One(parameters), Model::Enter(model))
}

/// A line for a method that calls managed code.
pub(crate) const fn enter(owner: &'static str, name: &'static str, model: Enter) -> Entry {
    line(owner, name, Overloads::All, Model::Enter(model))
}

/// A line for one overload whose model pushes a frame.
pub(crate) const fn frame(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: FrameModel,
) -> Entry {
    line(owner, name, Overloads::One(parameters), Model::Frame(model))
}

/// A line for a method that is ordinary code in this class library and has a model in others.
pub(crate) const fn own_code(owner: &'static str, name: &'static str) -> Entry {
    Entry { owner, name, overloads: Overloads::All, bodies: Bodies::Managed, unseen: None, model: None }
}

impl Entry {
    /// The same line for runtimes that the tests do not have.
    pub(crate) const fn unseen(self, runtimes: &'static str) -> Entry {
        Entry { unseen: Some(runtimes), ..self }
    }
}

/// The end of a path that asked the universe for something it does not have.
pub(crate) fn failed(s: &State, error: types::Error) -> Box<Stop> {
    vm::machine::give_up(s, error.into())
}
