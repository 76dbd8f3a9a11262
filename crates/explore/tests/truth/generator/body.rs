//! The body of one method under construction: what is in scope and how it may end.

use super::ParameterKind;
use super::Random;
use super::helpers::Helper;
use super::types::Ty;

/// How paths end.
#[derive(Clone, Copy, Debug)]
pub enum Ends {
    /// With a number of their own, or mixed with a value.
    Leaves { plain: bool },
    /// With a value of this type (helpers), or nothing.
    Value(Option<Ty>),
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// As it is written to be read.
    pub text: String,
    pub ty: Ty,
    pub assignable: bool,
}

/// What can be named at a place.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub variables: Vec<Variable>,
    /// Name, element type, length if known.
    pub arrays: Vec<(String, Ty)>,
    /// Variables of type `P` and `Q`.
    pub structs: Vec<(String, ParameterKind)>,
    pub objects: Vec<String>,
    pub nodes: Vec<String>,
    pub nullables: Vec<String>,
    pub enums: Vec<(String, ParameterKind)>,
}

pub struct Body<'a> {
    pub random: &'a mut Random,
    pub helpers: &'a [Helper],
    pub ends: Ends,
    pub scope: Scope,
    pub names: usize,
    pub leaves: usize,
    /// Enclosing loops that a `break` may leave.
    pub loops: usize,
    pub in_finally: bool,
    pub in_catch: bool,
}

impl<'a> Body<'a> {
    pub fn new(random: &'a mut Random, helpers: &'a [Helper], ends: Ends) -> Body<'a> {
        Body {
            random,
            helpers,
            ends,
            scope: Scope::default(),
            names: 0,
            leaves: 0,
            loops: 0,
            in_finally: false,
            in_catch: false,
        }
    }

    pub fn add_parameter(&mut self, name: &str, kind: ParameterKind) {
        match kind {
            ParameterKind::SByte => self.add_variable(name, Ty::I1, true),
            ParameterKind::Byte => self.add_variable(name, Ty::U1, true),
            ParameterKind::Bool => self.add_variable(name, Ty::Bool, true),
            ParameterKind::Colour => {
                self.add_variable(&format!("((byte){name})"), Ty::U1, false);
                self.scope.enums.push((name.to_owned(), kind));
            }
            ParameterKind::Sign => {
                self.add_variable(&format!("((sbyte){name})"), Ty::I1, false);
                self.scope.enums.push((name.to_owned(), kind));
            }
            ParameterKind::Short => self.add_variable(name, Ty::I2, true),
            ParameterKind::Char => self.add_variable(name, Ty::Char, true),
            ParameterKind::Int => self.add_variable(name, Ty::I4, true),
            ParameterKind::UInt => self.add_variable(name, Ty::U4, true),
            ParameterKind::Long => self.add_variable(name, Ty::I8, true),
            ParameterKind::ULong => self.add_variable(name, Ty::U8, true),
            ParameterKind::P | ParameterKind::Q | ParameterKind::W => self.add_struct(name, kind),
        }
    }

    pub fn add_variable(&mut self, text: &str, ty: Ty, assignable: bool) {
        self.scope.variables.push(Variable { text: text.to_owned(), ty, assignable });
    }

    pub fn add_struct(&mut self, name: &str, kind: ParameterKind) {
        let (a, b) = match kind {
            ParameterKind::P => (Ty::U1, Ty::U1),
            ParameterKind::W => (Ty::I8, Ty::I2),
            _ => (Ty::I1, Ty::Bool),
        };
        self.add_variable(&format!("{name}.A"), a, true);
        self.add_variable(&format!("{name}.B"), b, true);
        self.scope.structs.push((name.to_owned(), kind));
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Runs `make` with a scope whose additions end with it.
    pub fn scoped<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.scope.clone();
        let made = make(self);
        self.scope = scope;
        made
    }

    /// A variable to assign to, preferably of this type.
    pub fn target(&mut self, wanted: impl Fn(Ty) -> bool) -> Option<Variable> {
        let found: Vec<&Variable> =
            self.scope.variables.iter().filter(|v| v.assignable && wanted(v.ty)).collect();
        if found.is_empty() {
            return None;
        }
        Some(found[self.random.below(found.len())].clone())
    }
}
