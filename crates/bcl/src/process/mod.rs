//! The process and the machine it runs on: environment, identity, clock, errors of the system.

pub(crate) mod assertions;
pub(crate) mod clock;
pub(crate) mod denied;
pub(crate) mod environment;
pub(crate) mod errno;
pub(crate) mod identity;
pub(crate) mod signals;
