//! Numbers: mathematics, digits and parsing, enums, random ones.

pub(crate) mod digits;
pub(crate) mod enums;
pub(crate) mod libm;
pub(crate) mod matching;
pub(crate) mod math;
pub(crate) mod parsing;
pub(crate) mod random;
