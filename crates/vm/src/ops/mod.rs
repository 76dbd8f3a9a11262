//! The instructions, one file per family.

mod arith;
mod array;
mod branch;
mod call;
mod convert;
mod delegate;
mod exception;
mod field;
mod object;
mod pointer;

pub(crate) use array::ELEMENTS;
