//! Times and sizes as people write them.

use std::time::Duration;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

/// `30`, `1.5s`, `500ms`, `5m`, `1h`; a bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds_per_unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write a time as 30s, 500ms, 5m or 1h".to_owned()),
    };
    let seconds = positive(number)? * seconds_per_unit;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|d| !d.is_zero() && *d <= Duration::from_secs(366 * 86_400))
        .ok_or_else(|| "a time must be longer than nothing and at most a year".to_owned())
}

/// `512M`, `4G`, `1.5GiB`; a bare number is bytes.
pub fn parse_size(text: &str) -> Result<ByteSize, String> {
    let (number, unit) = split(text);
    let scale = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("write a size as 512M or 4G".to_owned()),
    };
    const LEAST: f64 = 16.0 * 1024.0 * 1024.0;
    let bytes = positive(number)? * scale;
    if bytes < LEAST {
        return Err("nothing can be done with less than 16M".to_owned());
    }
    Ok(ByteSize(bytes as u64))
}

/// `NAME=value`
pub fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write a variable as NAME=value".to_owned()),
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number.trim(), unit)
}

fn positive(number: &str) -> Result<f64, String> {
    let digits_only = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    match number.parse::<f64>() {
        Ok(value) if digits_only && value.is_finite() => Ok(value),
        _ => Err(format!("`{number}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("5m"), Ok(Duration::from_secs(300)));
        for wrong in ["", "s", "-1", "0", "1d", "nan", "inf", "1e3", "9999999h", "5 minutes"] {
            assert!(parse_duration(wrong).is_err(), "{wrong:?} was accepted");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512M"), Ok(ByteSize(512 << 20)));
        assert_eq!(parse_size("2GiB"), Ok(ByteSize(2 << 30)));
        assert_eq!(parse_size("1.5g"), Ok(ByteSize(3 << 29)));
        for wrong in ["", "1", "-4G", "4X", "G", "nan"] {
            assert!(parse_size(wrong).is_err(), "{wrong:?} was accepted");
        }
    }
}
