//! Memory: moved and filled, native, reinterpreted, marshalled.

pub(crate) mod blocks;
pub(crate) mod marshalling;
pub(crate) mod native;
pub(crate) mod native_dates;
pub(crate) mod native_layout;
pub(crate) mod searches;
pub(crate) mod unsafe_;
