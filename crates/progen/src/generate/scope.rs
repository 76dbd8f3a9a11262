//! What a generated expression or statement may refer to.

use super::simple::Simple;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Simple(Simple),
    Nullable(Simple),
    Array(Simple),
    Rect(Simple),
    Jagged(Simple),
    List(Simple),
    /// A pair of values of these types.
    Tuple(Simple, Simple),
    /// `Func<T, T>`
    Func(Simple),
    /// One of the program's structs.
    Struct(usize),
    /// The base class of the program.
    Object,
    /// The generic struct of the program.
    Pair(Simple),
    Enum,
    /// The union by explicit layout.
    Union,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub writable: bool,
    /// Lambdas may use it.
    pub capturable: bool,
}

/// A method of the program's class that others may call.
#[derive(Clone, Debug)]
pub struct Method {
    pub name: String,
    pub params: Vec<(Passing, Simple)>,
    pub ret: Simple,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    Value,
    Ref,
    In,
    Out,
}

/// Where a statement stands.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub vars: Vec<Var>,
    /// `break` and `continue` are allowed.
    pub in_loop: bool,
    /// `return` of this type is allowed.
    pub returns: Option<Simple>,
    /// In a handler, where there is no memory of the stack to be had.
    pub in_handler: bool,
    /// How deep blocks are nested.
    pub nesting: usize,
}

impl Scope {
    pub fn add(&mut self, name: &str, ty: Ty) {
        self.vars.push(Var { name: name.to_owned(), ty, writable: true, capturable: true });
    }

    pub fn add_fixed(&mut self, name: &str, ty: Ty) {
        self.vars.push(Var { name: name.to_owned(), ty, writable: false, capturable: true });
    }

    /// A scope nested in this one.
    pub fn inner(&self) -> Scope {
        Scope { nesting: self.nesting + 1, ..self.clone() }
    }

    /// The scope of a lambda's body.
    pub fn lambda(&self) -> Scope {
        let vars = self.vars.iter().filter(|var| var.capturable).cloned().collect();
        Scope { vars, nesting: self.nesting + 1, ..Scope::default() }
    }
}
