//! TODO: the owner of this crate writes here.
