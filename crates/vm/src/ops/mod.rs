//! The instructions, one file per family.

mod arith;
pub mod array;
mod array_delegate;
mod branch;
mod call;
mod convert;
mod delegate;
mod element_pointer;
mod exception;
mod field;
mod indirect;
mod md_array;
mod mocked;
mod mocked_exceptions;
mod multicast;
mod object;
mod pointer;
mod truncate;

pub use array::{ELEMENTS, LONGEST_STRING};
pub(crate) use array::{MAX_LENGTH, TOO_LARGE};
pub use delegate::{ARRAY_DELEGATE, MULTICAST};
pub(crate) use element_pointer::near_block;
pub use object::handle;
