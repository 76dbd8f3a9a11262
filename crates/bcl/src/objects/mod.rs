//! What every object can do: identity, equality, comparison.

pub(crate) mod boxed_enums;
pub(crate) mod comparers;
pub(crate) mod equality;
pub(crate) mod identity;
