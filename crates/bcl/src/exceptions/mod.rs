//! Exceptions: their traces, and the messages that the class library has for them.

pub(crate) mod messages;
pub(crate) mod throwing;
pub(crate) mod traces;
