//! Value types of the framework whose private fields cannot hold just anything: their legal values, and nothing else.
//!
//! A field is a term over free symbols that yields every legal number and no other, so no constraint is needed: what lies
//! beyond the greatest one is folded back into the range.

use std::rc::Rc;

use term::{Sort, Term, Terms};
use types::{FieldId, TypeId};

use crate::inputs::Input;
use crate::machine::Machine;
use crate::stop::Reason;

/// Structs of which every combination of field values is legal, although the fields are private.
const FREE: &[&str] = &["System.TimeSpan", "System.Guid", "System.Int128", "System.UInt128", "System.Half"];

/// The greatest number of ticks of a `DateTime`, of a `TimeOnly`, and the greatest day of a `DateOnly`.
const MAX_TICKS: u128 = 3_155_378_975_999_999_999;
const MAX_TIME: u128 = 863_999_999_999;
const MAX_DAY: u128 = 3_652_058;
const MAX_SCALE: u128 = 28;

impl Machine {
    pub(crate) fn is_free(&self, ty: TypeId) -> bool {
        let name = self.universe.type_name(ty);
        FREE.contains(&name.as_str())
    }

    /// An input of one of the types that this file knows.
    pub(crate) fn framework_value(&mut self, ty: TypeId, name: &str) -> Result<Option<Input>, Reason> {
        let universe = Rc::clone(&self.universe);
        let t = &mut self.terms;
        let fields: Vec<(&str, Term)> = match universe.type_name(ty).as_str() {
            "System.DateTime" => {
                let ticks = at_most(t, &format!("{name}.Ticks"), 62, MAX_TICKS);
                // Unspecified, UTC and local; the fourth is made by the runtime alone.
                let kind = at_most(t, &format!("{name}.Kind"), 2, 2);
                vec![("_dateData", t.concat(kind, ticks))]
            }
            "System.DateOnly" => {
                let day = at_most(t, &format!("{name}.DayNumber"), 22, MAX_DAY);
                vec![("_dayNumber", t.zext(day, 32))]
            }
            "System.TimeOnly" => {
                let ticks = at_most(t, &format!("{name}.Ticks"), 40, MAX_TIME);
                vec![("_ticks", t.zext(ticks, 64))]
            }
            "System.Decimal" => {
                let sign = t.fresh(&format!("{name}.sign"), Sort::Bv(1));
                let scale = at_most(t, &format!("{name}.scale"), 5, MAX_SCALE);
                let (high, low) = (t.bv(10, 0), t.bv(16, 0));
                let upper = t.concat(high, scale);
                let upper = t.concat(sign, upper);
                let flags = t.concat(upper, low);
                let hi32 = t.fresh(&format!("{name}.hi"), Sort::Bv(32));
                let lo64 = t.fresh(&format!("{name}.lo"), Sort::Bv(64));
                vec![("_flags", flags), ("_hi32", hi32), ("_lo64", lo64)]
            }
            _ => return Ok(None),
        };
        let mut found: Vec<(FieldId, Term)> = Vec::new();
        for (field, term) in fields {
            match universe.find_field(ty, field)? {
                Some(field) => found.push((field, term)),
                None => return Ok(None),
            }
        }
        Ok(Some(Input::Computed { ty, fields: found }))
    }
}

/// A free number of the given width, folded into `0..=max`. `max` is at least half of what the width holds.
fn at_most(terms: &mut Terms, name: &str, width: u32, max: u128) -> Term {
    let free = terms.fresh(name, Sort::Bv(width));
    let most = terms.bv(width, max);
    let half = terms.bv(width, 1 << (width - 1));
    let beyond = terms.ugt(free, most);
    let folded = terms.sub(free, half);
    terms.ite(beyond, folded, free)
}
