//! Symbolic contents of indexed collections.

mod index;
mod invariants;
mod level;
mod persistent;
mod points;
mod read;
mod region;
mod tree;

pub use index::{Bounds, Index, Key};
pub use points::Points;
pub use read::Read;
pub use region::{Point, Region};
pub use tree::{Config, UpdateTree, Write};
