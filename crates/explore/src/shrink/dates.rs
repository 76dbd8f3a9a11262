//! Round dates: the first of a year, midnight, whole hours, minutes and seconds.

const SECOND: u128 = 10_000_000;
const MINUTE: u128 = 60 * SECOND;
const HOUR: u128 = 60 * MINUTE;
const DAY: u128 = 24 * HOUR;
const LAST_DAY: u128 = 3_652_058;
/// Years that people write, the first one first.
const YEARS: [u128; 9] = [2000, 2001, 2010, 2020, 2025, 2030, 1970, 2100, 1900];
/// The last moment that there is.
const LAST: u128 = (LAST_DAY + 1) * DAY - 1;

/// Rounder moments than this one, in ticks since the year 1.
pub(super) fn ticks(now: u128) -> Vec<u128> {
    let mut found = vec![0];
    found.extend(YEARS.map(|year| first_day(year) * DAY));
    found.extend(years(now / DAY).into_iter().map(|day| day * DAY));
    found.extend(rounded(now, &[DAY, HOUR]));
    // `DateTime.MaxValue` says more than some minute before it.
    found.extend((now / DAY == LAST_DAY).then_some(LAST));
    found.extend(rounded(now, &[MINUTE, SECOND]));
    found
}

/// Rounder days, counted since the year 1.
pub(super) fn days(now: u128) -> Vec<u128> {
    let mut found = vec![0];
    found.extend(YEARS.map(first_day));
    found.extend(years(now));
    // `DateOnly.MaxValue` says more than some day before it.
    found.extend((now >= first_day(9999)).then_some(LAST_DAY));
    found
}

/// Rounder times of a day.
pub(super) fn times(now: u128) -> Vec<u128> {
    let mut found = vec![0, 12 * HOUR];
    found.extend(rounded(now, &[HOUR, MINUTE, SECOND]));
    found
}

/// Down and up to whole units; what is beyond the last day no date is.
fn rounded(now: u128, units: &[u128]) -> Vec<u128> {
    let both = units.iter().flat_map(|unit| [now / unit * unit, (now / unit + 1) * unit]);
    both.filter(|ticks| *ticks <= LAST).collect()
}

/// The first days of the year of a day and of the next.
fn years(day: u128) -> Vec<u128> {
    // At most one too many, since a year has at most 366 days.
    let mut year = day / 366 + 1;
    while first_day(year + 1) <= day && year < 9999 {
        year += 1;
    }
    [year, year + 1].into_iter().filter(|year| *year <= 9999).map(first_day).collect()
}

/// The first of January of a year, which is 1 at least.
fn first_day(year: u128) -> u128 {
    let before = year - 1;
    before * 365 + before / 4 - before / 100 + before / 400
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first of January 2000, counted from the first of January of the year 1.
    const DAY_OF_2000: u128 = 730_119;

    #[test]
    fn years_begin_where_the_calendar_says() {
        assert_eq!(first_day(1), 0);
        assert_eq!(first_day(2000), DAY_OF_2000);
        assert_eq!(first_day(10_000), LAST_DAY + 1);
        assert_eq!(years(DAY_OF_2000 + 365), [first_day(2000), first_day(2001)]);
        assert_eq!(years(LAST_DAY), [first_day(9999)]);
    }

    #[test]
    fn a_moment_is_rounded_to_years_days_and_hours() {
        let noon = DAY_OF_2000 * DAY + 12 * HOUR + 5;
        let found = ticks(noon);
        assert_eq!(found.first(), Some(&0));
        assert!(found.contains(&(DAY_OF_2000 * DAY)) && found.contains(&(noon - 5)), "{found:?}");
        assert!(ticks(LAST - 1).contains(&LAST));
        assert!(ticks(LAST - 1).iter().all(|ticks| *ticks <= LAST));
    }
}
