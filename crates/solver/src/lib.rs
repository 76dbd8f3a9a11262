//! Constraints → `Sat(model)`, `Unsat(core)` or `Unknown(why)`.
//!
//! A chain of small layers in front of a core, each of which can be switched off in [`Config`] and counts what it decides:
//! constants → recent models → independent parts → caches → small domains → narrowing by bounds → small numbers first → the core
//! (terms → gates → clauses → CaDiCaL) → an external solver.
//! **Every `Sat` is checked** by evaluating the constraints in the model. Answers depend on the queries alone, not on the clock,
//! except where a limit ends the search.
//!
//! ```
//! use solver::{Answer, Config, Limits, Solver};
//! use term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.fresh("x", Sort::Bv(32));
//! let (three, value) = (terms.bv(32, 3), terms.bv(32, 22));
//! let product = terms.mul(x, three);
//! let question = terms.eq(product, value);
//!
//! let mut solver = Solver::new(Config::default());
//! let Answer::Sat(model) = solver.check(&mut terms, &[], &[question], &Limits::default()) else { panic!() };
//! // 3 is odd, so it divides everything modulo a power of two.
//! assert_eq!((terms.eval(x, &model).bits() as u32).wrapping_mul(3), 22);
//! let never = terms.ne(product, product);
//! assert!(solver.check(&mut terms, &[question], &[never], &Limits::default()).is_unsat());
//! ```

mod answer;
mod cache;
mod chain;
mod config;
mod core;
mod enumerate;
mod expense;
mod external;
mod independence;
mod interval;
mod limits;
mod narrow;
mod prefer;
mod recent;
mod stats;
mod trace;

pub use answer::{Answer, Why};
pub use chain::Solver;
pub use config::{Config, CrossCheck, OnMismatch};
pub use external::{External, ExternalError, Verdict};
pub use limits::{Effort, Limits};
pub use stats::Stats;
