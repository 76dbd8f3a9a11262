//! Terms as people read them: C# expressions over named inputs (`price == cost`, `this.items.Length > 3`).
//!
//! What is written is C#, and means what the term means: signed and unsigned readings, casts and the widths of operations are
//! those of the language, and a test compiles the text and compares the values. Three things are no C#: `…` for what
//! would be too long, `a * b overflows`, and members that the names of the inputs bring with them.
//! Only what divides by zero or leaves a type in a division has no meaning there; the term has one by convention.
//!
//! ```
//! use formula::{Formula, Kind, Names};
//! use term::{Sort, Symbol, Terms};
//!
//! struct Signed;
//! impl Names for Signed {
//!     fn name(&self, _: Symbol) -> Option<String> {
//!         None
//!     }
//!     fn kind(&self, _: Symbol) -> Kind {
//!         Kind::Signed
//!     }
//! }
//!
//! let mut terms = Terms::new();
//! let [price, cost] = ["price", "cost"].map(|name| terms.fresh(name, Sort::Bv(32)));
//! let difference = terms.sub(price, cost);
//! let zero = terms.bv(32, 0);
//! let positive = terms.sgt(difference, zero);
//! assert_eq!(Formula::new(&terms, &Signed).text(positive), "price - cost > 0");
//! ```

mod classes;
mod compare;
mod condition;
mod float;
mod integer;
mod kinds;
mod literal;
mod piece;
mod slice;

pub use kinds::{Enumeration, Kind, Names};

use std::cell::Cell;

use piece::Piece;
use term::{Sort, Term, Terms};

/// Characters of a text, unless somebody says otherwise.
const LONGEST: usize = 160;
/// Parts deeper than this are `…`; tried from the left until the text is short enough.
const DEPTHS: [u32; 5] = [24, 10, 6, 4, 2];
/// Parts that are looked at in one try: shared parts count each time they are written.
const PARTS: u32 = 400;
/// Parts of terms that are looked at to find the characters of a set, in all tries together.
const SEARCH: u32 = 30_000;

/// Writes terms of one store.
pub struct Formula<'a> {
    terms: &'a Terms,
    names: &'a dyn Names,
    longest: usize,
    depth: Cell<u32>,
    parts: Cell<u32>,
    search: Cell<u32>,
}

impl<'a> Formula<'a> {
    pub fn new(terms: &'a Terms, names: &'a dyn Names) -> Formula<'a> {
        let none = || Cell::new(0);
        Formula { terms, names, longest: LONGEST, depth: none(), parts: none(), search: none() }
    }

    /// With at most so many characters in a text, but always with room for a few.
    pub fn at_most(self, longest: usize) -> Formula<'a> {
        Formula { longest: longest.max(8), ..self }
    }

    /// The term as an expression.
    pub fn text(&self, term: Term) -> String {
        let mut text = String::new();
        self.search.set(SEARCH);
        for depth in DEPTHS {
            self.depth.set(depth);
            self.parts.set(PARTS);
            text = self.any(term).text;
            if text.chars().count() <= self.longest {
                return text;
            }
        }
        let cut = text.char_indices().nth(self.longest - 1).map_or(text.len(), |(at, _)| at);
        text.truncate(cut);
        text + "…"
    }

    fn any(&self, term: Term) -> Piece {
        match self.terms.sort(term) {
            Sort::Bool => self.condition(term),
            Sort::Bv(_) => self.number(term, None),
            Sort::Float(_) => self.float(term),
        }
    }

    /// One level down, or `…` where the text must end.
    fn within(&self, write: impl FnOnce() -> Piece) -> Piece {
        let (depth, parts) = (self.depth.get(), self.parts.get());
        if depth == 0 || parts == 0 {
            return Piece::elided();
        }
        self.parts.set(parts - 1);
        self.depth.set(depth - 1);
        let piece = write();
        self.depth.set(depth);
        piece
    }
}
