//! Symbolic contents of indexed collections: what arrays and strings hold when indexes are terms.
//!
//! Objects are told apart elsewhere; here an element has a [`Key`], a tuple of indexes each of which is a number or a term.
//! An [`UpdateTree`] keeps the writes to one collection. [`UpdateTree::read`] answers with guarded values, newest first, and
//! the guard under which no write covers the key; of all these guards exactly one holds. It asks no solver: regions
//! ([`Region`], products of [`Points`]) and [`Bounds`] rule writes out, and the constructors of `term` fold the rest.
//!
//! # The tree
//!
//! A node is a write by a symbolic key: (region ↦ key, value, subtree). Siblings have disjoint regions, a child's region
//! lies in its parent's, and a node nearer to the root is newer: it hides what is below *where the keys are equal*. A write
//! puts what lies in its region below itself and splits what lies there in part. Elements at known indexes are
//! entries of a persistent map per level. A known write hides everything at its element for certain, so what was there
//! is dropped; a symbolic write drops older writes by the very same key.
//! Guards follow from the structure, so that nothing has to be kept up to date:
//! - a known element *p*: *k = p*, and *p* differs from the keys of the newer nodes around it;
//! - a node: *k* equals its key, differs from the keys above and from all newer known elements, and lies in its region
//!   if later writes took a part of it away.
//!
//! Regions and bounds only save work: widening them never makes a read wrong.
//!
//! # Split reads and split writes
//!
//! What is *concrete* is for the caller to say ([`Config::concrete`]): numbers, known references.
//! A **split read** ([`UpdateTree::read_value`]) gives concrete values as members of a [`Union`] and joins only the others
//! to one value, which the caller builds. What it saves: each further operation runs on numbers. `table[j] % 8 == 1` with a known table
//! becomes a formula over the guards `j = 0`, `j = 1`, … and folds to true or false if all members agree, where arithmetic on one large `ite` would go to
//! a solver; and a concrete reference can be followed without asking which object it is. Without it, a read is one value.
//! What it costs: operations are repeated per member, hence a limit.
//!
//! A **split write** keeps known elements with concrete values in one map on top of the tree, with the time of their write,
//! instead of letting them sink below every symbolic write that follows. (That it is on top no longer means that it is newer; the times tell.)
//! What it saves: writing such an element again is one map operation at any depth of the tree, and splitting regions moves no such
//! elements. Reads give the same cases either way; [`Read::visited`] and the copies made are the measure.
//!
//! ```
//! use memory::{Config, Index, Key, UpdateTree};
//! use term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let i = terms.fresh("i", Sort::Bv(32));
//! let mut array = UpdateTree::new(1, Config::plain());
//! array.write(&Key::known(&[3]), "three");
//! array.write(&Key::new(&terms, [Index::Symbolic(i)]), "at i");
//!
//! // Element 3 holds what was written last: at i, if i is 3.
//! let read = array.read(&mut terms, &Key::known(&[3]));
//! let three = terms.bv(32, 3);
//! let is_three = terms.eq(i, three);
//! assert_eq!(read.cases, [(is_three, "at i"), (terms.not(is_three), "three")]);
//! assert_eq!(read.rest, None);
//! ```

mod index;
mod invariants;
mod level;
mod persistent;
mod points;
mod read;
mod region;
mod split;
mod tree;
mod union;

pub use index::{Bounds, Index, Key};
pub use points::Points;
pub use read::Read;
pub use region::{Point, Region};
pub use tree::{Config, UpdateTree, Write};
pub use union::Union;
