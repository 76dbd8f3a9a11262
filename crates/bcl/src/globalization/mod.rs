//! Cultures. The class library asks its native globalization part (`Interop.Globalization`) how texts compare, what a month
//! is called, how letters change their case; here the user's own runtime is asked the same (crate `culture`), so that the
//! machine agrees with it whatever ICU it has.
//!
//! Without such a runtime a program is in invariant mode, and none of these is called. Texts that are not known are terms
//! where that is exact (`unknown_texts`, `letters`), otherwise the path ends and says so.

mod ascii;
pub(crate) mod calendars;
pub(crate) mod casing;
pub(crate) mod collation;
mod cultures;
pub(crate) mod letters;
pub(crate) mod locales;
pub(crate) mod mode;
pub(crate) mod normalization;
mod texts;
pub(crate) mod unknown_texts;
pub(crate) mod zones;

pub use cultures::Cultures;

/// The class library's own class for its native part.
const INTEROP: &str = "Interop+Globalization";
