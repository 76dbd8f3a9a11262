//! Dates in native memory: days since the end of 1899 as a floating-point number, of which the fraction is the time of day
//! whatever the sign.

const TICKS_PER_MILLISECOND: i64 = 10_000;
const MILLISECONDS_PER_DAY: i64 = 24 * 60 * 60 * 1000;
const TICKS_PER_DAY: i64 = MILLISECONDS_PER_DAY * TICKS_PER_MILLISECOND;
/// 1899-12-30.
const OFFSET: i64 = 693_593 * TICKS_PER_DAY;
/// The year 100.
const FIRST: i64 = (36_524 - 365) * TICKS_PER_DAY;
/// The kind of a `DateTime` is in the bits above its ticks.
const TICKS: u64 = 0x3fff_ffff_ffff_ffff;

/// The number for the bits of a `DateTime`; none if there is none.
pub(crate) fn from_date(bits: u64) -> Option<f64> {
    let mut ticks = (bits & TICKS).cast_signed();
    if ticks == 0 {
        return Some(0.0);
    }
    // A time without a date is one of the first day.
    if ticks < TICKS_PER_DAY {
        ticks += OFFSET;
    }
    if ticks < FIRST {
        return None;
    }
    let mut milliseconds = (ticks - OFFSET) / TICKS_PER_MILLISECOND;
    if milliseconds < 0 {
        let fraction = milliseconds % MILLISECONDS_PER_DAY;
        if fraction != 0 {
            milliseconds -= (MILLISECONDS_PER_DAY + fraction) * 2;
        }
    }
    Some(milliseconds as f64 / MILLISECONDS_PER_DAY as f64)
}

/// The bits of the `DateTime` for a number; none if there is none.
pub(crate) fn to_date(number: f64) -> Option<u64> {
    if !(number > -657_435.0 && number < 2_958_466.0) {
        return None;
    }
    let half = if number >= 0.0 { 0.5 } else { -0.5 };
    let mut milliseconds = (number * MILLISECONDS_PER_DAY as f64 + half) as i64;
    if milliseconds < 0 {
        milliseconds -= (milliseconds % MILLISECONDS_PER_DAY) * 2;
    }
    let milliseconds = milliseconds + OFFSET / TICKS_PER_MILLISECOND;
    u64::try_from(milliseconds * TICKS_PER_MILLISECOND).ok()
}
