//! Value types of the framework whose private fields cannot hold just anything: their legal values, and nothing else.
//!
//! A field is a term over free symbols that yields every legal number and no other, so no constraint is needed: what lies
//! beyond the greatest one is folded back into the range.

use std::collections::BTreeMap;
use std::rc::Rc;

use term::{Node, Sort, Symbol, Term, Terms};
use types::{FieldId, TypeId};

use crate::inputs::{Input, Part};
use crate::machine::Machine;
use verdict::Gap;

type Parts = BTreeMap<Symbol, Part>;

/// Structs of which every combination of field values is legal, although the fields are private.
const FREE: &[&str] = &[
    "System.TimeSpan",
    "System.Guid",
    "System.Int128",
    "System.UInt128",
    "System.Half",
    "System.Index",
    "System.Range",
    "System.Numerics.Complex",
    "System.Collections.Generic.KeyValuePair`2",
    "System.Collections.DictionaryEntry",
    "System.Collections.Immutable.ImmutableArray`1",
    "System.Runtime.Serialization.StreamingContext",
    "System.Threading.CancellationToken",
    "System.Drawing.Point",
    "System.Drawing.PointF",
    "System.Drawing.Size",
    "System.Drawing.SizeF",
    "System.Drawing.Rectangle",
    "System.Drawing.RectangleF",
];

/// Structs of which only some fields are tried, the others being zero.
const PARTIAL: &[(&str, &[&str])] =
    &[("System.Threading.Tasks.ValueTask", &[]), ("System.Threading.Tasks.ValueTask`1", &["_result"])];

/// Offsets of a `DateTimeOffset` are within so many minutes, each of so many ticks.
const MAX_OFFSET: u128 = 14 * 60;
const TICKS_PER_MINUTE: u128 = 600_000_000;

/// The greatest number of ticks of a `DateTime`, of a `TimeOnly`, and the greatest day of a `DateOnly`.
const MAX_TICKS: u128 = 3_155_378_975_999_999_999;
const MAX_TIME: u128 = 863_999_999_999;
const MAX_DAY: u128 = 3_652_058;
const MAX_SCALE: u128 = 28;

impl Machine {
    pub fn is_free(&self, ty: TypeId) -> bool {
        let name = self.definition_name(ty);
        FREE.contains(&name.as_str())
    }

    /// The fields of a struct that are tried; `None` if it is not in the list.
    pub(crate) fn tried_fields(&self, ty: TypeId) -> Option<&'static [&'static str]> {
        let name = self.definition_name(ty);
        PARTIAL.iter().find(|(partial, _)| *partial == name).map(|(_, fields)| *fields)
    }

    /// An input of one of the types that this file knows.
    pub(crate) fn framework_value(&mut self, ty: TypeId, name: &str) -> Result<Option<Input>, Gap> {
        let universe = Rc::clone(&self.universe);
        let (t, parts) = (&mut self.terms, &mut self.inputs.parts);
        let fields: Vec<(&str, Term)> = match universe.type_name(ty).as_str() {
            "System.DateTime" => {
                let ticks = at_most(t, parts, Part::Ticks, &format!("{name}.Ticks"), 62, MAX_TICKS);
                // Unspecified, UTC and local; the fourth is made by the runtime alone.
                let kind = at_most(t, parts, Part::Number, &format!("{name}.Kind"), 2, 2);
                vec![("_dateData", t.concat(kind, ticks))]
            }
            "System.DateOnly" => {
                let day = at_most(t, parts, Part::Day, &format!("{name}.DayNumber"), 22, MAX_DAY);
                vec![("_dayNumber", t.zext(day, 32))]
            }
            "System.TimeOnly" => {
                let ticks = at_most(t, parts, Part::Time, &format!("{name}.Ticks"), 40, MAX_TIME);
                vec![("_ticks", t.zext(ticks, 64))]
            }
            "System.Decimal" => {
                let sign = free(t, parts, Part::Number, &format!("{name}.sign"), Sort::Bv(1));
                let scale = at_most(t, parts, Part::Number, &format!("{name}.scale"), 5, MAX_SCALE);
                let (high, low) = (t.bv(10, 0), t.bv(16, 0));
                let upper = t.concat(high, scale);
                let upper = t.concat(sign, upper);
                let flags = t.concat(upper, low);
                let hi32 = free(t, parts, Part::Number, &format!("{name}.hi"), Sort::Bv(32));
                let lo64 = free(t, parts, Part::Number, &format!("{name}.lo"), Sort::Bv(64));
                vec![("_flags", flags), ("_hi32", hi32), ("_lo64", lo64)]
            }
            "System.DateTimeOffset" => {
                let ticks = at_most(t, parts, Part::Ticks, &format!("{name}.UtcTicks"), 62, MAX_TICKS);
                let ticks = t.zext(ticks, 64);
                let minutes = at_most(t, parts, Part::Zone, &format!("{name}.Offset"), 11, 2 * MAX_OFFSET);
                let (minutes, most) = (t.zext(minutes, 64), t.bv(64, MAX_OFFSET));
                let minutes = t.sub(minutes, most);
                // The local time has to be in range as well.
                let per_minute = t.bv(64, TICKS_PER_MINUTE);
                let offset = t.mul(minutes, per_minute);
                let (local, last) = (t.add(ticks, offset), t.bv(64, MAX_TICKS));
                let (is_date, zero) = (t.ule(local, last), t.bv(64, 0));
                let minutes = t.ite(is_date, minutes, zero);
                let bits = 8 * self.offset_minutes_size(ty)?;
                let t = &mut self.terms;
                vec![("_dateTime", ticks), ("_offsetMinutes", t.extract(minutes, bits - 1, 0))]
            }
            "System.Text.Rune" => {
                let value = at_most(t, parts, Part::Number, &format!("{name}.Value"), 21, 0x10_ffff);
                let (first, last) = (t.bv(21, 0xd800), t.bv(21, 0xdfff));
                let (above, below) = (t.uge(value, first), t.ule(value, last));
                let surrogate = t.and(above, below);
                let folded = t.sub(value, first);
                let value = t.ite(surrogate, folded, value);
                vec![("_value", t.zext(value, 32))]
            }
            "System.Numerics.BigInteger" => {
                let free = free(t, parts, Part::Number, &format!("{name}.value"), Sort::Bv(32));
                let (least, zero) = (t.bv(32, 1 << 31), t.bv(32, 0));
                let is_least = t.eq(free, least);
                let value = t.ite(is_least, zero, free);
                let detail = "numbers of type System.Numerics.BigInteger beyond 32 bits are not tried";
                self.inputs.limit(Gap::bound(detail));
                vec![("_sign", value)]
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

    /// It was a short integer in earlier versions.
    fn offset_minutes_size(&self, ty: TypeId) -> Result<u32, Gap> {
        let field = self.universe.find_field(ty, "_offsetMinutes")?;
        let size = field.map(|field| self.universe.size_of(self.universe.field_type(field)?)).transpose()?;
        Ok(size.unwrap_or(4))
    }
}

/// A free number of the given width, folded into `0..=max`. `max` is at least half of what the width holds.
fn at_most(terms: &mut Terms, parts: &mut Parts, part: Part, name: &str, width: u32, max: u128) -> Term {
    let free = free(terms, parts, part, name, Sort::Bv(width));
    let most = terms.bv(width, max);
    let half = terms.bv(width, 1 << (width - 1));
    let beyond = terms.ugt(free, most);
    let folded = terms.sub(free, half);
    terms.ite(beyond, folded, free)
}

/// A free symbol of which it is known what it counts.
fn free(terms: &mut Terms, parts: &mut Parts, part: Part, name: &str, sort: Sort) -> Term {
    let free = terms.fresh(name, sort);
    if let Node::Var(symbol) = terms.node(free) {
        parts.insert(*symbol, part);
    }
    free
}
