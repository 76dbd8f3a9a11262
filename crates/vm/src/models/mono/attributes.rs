//! Custom attributes as objects.

use crate::models::Entry;

pub(super) const TABLE: &[Entry] = &[];
