//! Inputs that no parameter passes: environment variables, and the lines of standard input. A test sets them before the call
//! and puts back what was there.

use std::rc::Rc;

use verdict::Gap;

use crate::inputs::Input;
use crate::machine::Machine;
use crate::state::State;

/// Where such a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    /// An environment variable; null if it is not set.
    Variable(Rc<str>),
    /// A line of standard input, from zero; null at its end.
    Line(u32),
}

/// The environment variables that a path has asked for, in that order.
#[derive(Clone, Debug, Default)]
pub struct AskedVariables(pub Vec<Rc<str>>);

/// What a path has asked of standard input.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandardInput {
    /// Lines that were read.
    pub lines: u32,
    /// The program has put a reader of its own in its place.
    pub replaced: bool,
}

impl Machine {
    /// A text from outside: the same one on all paths.
    pub fn outside_text(&mut self, what: &Outside) -> Result<Input, Gap> {
        if let Some((_, known)) = self.inputs.outside.iter().find(|(known, _)| known == what) {
            return Ok(known.clone());
        }
        let name = match what {
            Outside::Variable(name) => name.to_string(),
            Outside::Line(number) => format!("line{}", number + 1),
        };
        let string = self.universe.well_known()?.string;
        let input = Input::Reference { ty: string, symbol: self.reference_symbol(string, &name) };
        self.inputs.outside.push((what.clone(), input.clone()));
        Ok(input)
    }

    /// Whether a text from outside is known to be null on a path.
    pub fn is_outside_null(&self, s: &State, what: &Outside) -> bool {
        let known = self.inputs.outside.iter().find(|(known, _)| known == what);
        matches!(known, Some((_, Input::Reference { symbol, .. }))
            if s.path.origins.resolution(*symbol) == Some(None))
    }
}
