//! What is known of the symbols: their names and the C# types behind them.

use std::rc::Rc;

use term::Symbol;

/// The names and types of symbols.
pub trait Names {
    /// What the symbol is called; `None`: as it calls itself.
    fn name(&self, symbol: Symbol) -> Option<String>;
    fn kind(&self, symbol: Symbol) -> Kind;
}

/// How a symbol's bits are read. Floats need no kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One bit.
    Bool,
    /// 16 bits.
    Char,
    Signed,
    Unsigned,
    /// An `int` that is never negative, such as a length; it may have fewer bits.
    Count,
    Enum(Rc<Enumeration>),
    /// An object, null if zero.
    Reference,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// As a person writes it: `Tier`.
    pub name: String,
    pub signed: bool,
    /// Names and bits, in the order of declaration.
    pub members: Vec<(String, u128)>,
}

impl Enumeration {
    /// The first member with these bits.
    pub(crate) fn member(&self, bits: u128) -> Option<&str> {
        self.members.iter().find(|(_, value)| *value == bits).map(|(name, _)| name.as_str())
    }
}
