//! Expressions over booleans, bit-vectors and IEEE floats: a hash-consed store whose constructors simplify,
//! an evaluator, models, substitution and an SMT-LIB printer. Knows nothing of .NET and nothing of solvers.
//!
//! **Simplification happens in the constructors and nowhere else**: two terms that are built are already in
//! normal form, and equal ids mean equal structure. No traversal recurses, so terms may be millions deep.
//!
//! Normal form, in short: no `sub` (`a + -b`), no `or` (`not (and (not a) (not b))`), no `<=` (`not (b < a)`), constants on the
//! right, shifts and masks by constants as `extract`/`concat`/`extend`, padding with zeros outermost.
//!
//! ```
//! use term::{Const, Model, Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let symbol = terms.symbol("x", Sort::Bv(32));
//! let x = terms.var(symbol);
//! let (three, ten) = (terms.bv(32, 3), terms.bv(32, 10));
//! let sum = terms.add(x, three);
//! // Equal structure, equal ids.
//! assert_eq!(terms.add(three, x), sum);
//!
//! let small = terms.ult(sum, ten);
//! let mut model = Model::new();
//! model.set(symbol, Const::from_bits(Sort::Bv(32), 6));
//! assert!(terms.eval(small, &model).is_true());
//! ```

mod arith;
mod bits;
mod bitwise;
mod boolean;
mod bounds;
mod compare;
mod constant;
mod display;
mod divide;
mod equality;
mod eval;
mod float;
mod fold;
mod fold_float;
mod invert;
mod linear;
mod model;
mod node;
mod overflow;
mod program;
mod range;
mod shift;
mod slice;
mod sort;
mod store;
mod substitute;
mod symbols;

pub use bits::{from_signed, mask, to_signed};
pub use constant::Const;
pub use display::Script;
pub use eval::Evaluator;
pub use model::Model;
pub use node::{Binary, Node, Rounding, Symbol, Term, Unary};
pub use program::Program;
pub use range::Range;
pub use sort::{FloatWidth, Sort};
pub use store::Terms;
