//! A moment as people write it, in the units of .NET's clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// Hundreds of nanoseconds since the first of January of the year 1, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTime(pub u64);

const PER_SECOND: u64 = 10_000_000;
/// Days from the first of January of the year 1 to 1970.
const DAYS_TO_1970: u64 = 719_162;
const WRONG: &str = "write a time as 2024-01-01 or 2024-01-01T12:30:00Z, between the years 1 and 9999";

/// `2024-01-01`, `2024-01-01T12:30`, `2024-01-01T12:30:00.5Z`, `2024-01-01T12:30:00+02:00`, `now`.
pub fn parse_clock(text: &str) -> Result<ClockTime, String> {
    if text == "now" {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
        let ticks = DAYS_TO_1970 * 86_400 * PER_SECOND + since.as_nanos() as u64 / 100;
        return Ok(ClockTime(ticks));
    }
    parse(text).map(ClockTime).ok_or_else(|| WRONG.to_owned())
}

fn parse(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let mut date = date.splitn(3, '-');
    let (year, month, day) = (number(date.next()?, 4)?, number(date.next()?, 2)?, number(date.next()?, 2)?);
    let (time, ahead) = zone(time)?;
    let mut time = time.splitn(3, ':');
    let (hour, minute) = (number(time.next()?, 2)?, number(time.next()?, 2)?);
    let (second, fraction) = time.next().map_or(Some((0, 0)), seconds)?;
    let valid = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !valid {
        return None;
    }
    let whole = ((days_before(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
    let moment = whole.checked_add_signed(-ahead)?;
    Some(moment * PER_SECOND + fraction)
}

/// The time without its zone, and how many seconds the zone is ahead of UTC.
fn zone(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix('Z') {
        return Some((time, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else { return Some((time, 0)) };
    let (time, zone) = time.split_at(at);
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let ahead = (number(hours, 2)? * 3600 + number(minutes, 2)? * 60).cast_signed();
    Some((time, if zone.starts_with('-') { -ahead } else { ahead }))
}

fn seconds(text: &str) -> Option<(u64, u64)> {
    let (second, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = fraction.len();
    let fraction = match digits {
        0 => 0,
        1..=7 => number(fraction, digits)? * 10_u64.pow(7 - digits as u32),
        _ => return None,
    };
    Some((number(second, 2)?, fraction))
}

fn number(text: &str, digits: usize) -> Option<u64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the first of January of the year 1 to the first of this month.
fn days_before(year: u64, month: u64) -> u64 {
    let past = year - 1;
    let months: u64 = (1..month).map(|month| days_in(year, month)).sum();
    past * 365 + past / 4 - past / 100 + past / 400 + months
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        let ticks = |text: &str| parse_clock(text).map(|time| time.0);
        assert_eq!(ticks("0001-01-01"), Ok(0));
        assert_eq!(ticks("2000-01-01T12:00:00Z"), Ok(630_823_248_000_000_000));
        assert_eq!(ticks("1970-01-01"), Ok(621_355_968_000_000_000));
        assert_eq!(ticks("2024-02-29T23:59:59.9999999Z"), Ok(638_448_479_999_999_999));
        assert_eq!(ticks("2024-01-01T02:00+02:00"), ticks("2024-01-01"));
        assert_eq!(ticks("2023-12-31T19:00:00-05:00"), ticks("2024-01-01"));
        for wrong in
            ["", "2024", "2024-13-01", "2023-02-29", "24-1-1", "2024-01-01T25:00", "2024-01-01T1:00", "then"]
        {
            assert!(ticks(wrong).is_err(), "{wrong:?} was accepted");
        }
        assert!(ticks("now") > ticks("2024-01-01"));
    }
}
