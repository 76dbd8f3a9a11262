//! How a figure is printed for `cargo xtask bench`, and what the system says of this process.

use std::fmt::Display;
use std::time::Instant;

/// A figure: what, how much, of what unit.
pub fn figure(what: impl Display, value: impl Display, unit: &str) {
    println!("{what}\t{value}\t{unit}");
}

/// A figure that must not exceed a limit.
pub fn limited(what: impl Display, value: impl Display, unit: &str, most: impl Display) {
    println!("{what}\t{value}\t{unit}\t{most}");
}

pub fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// A line of what Linux says of this process, in megabytes: `VmHWM` is the most that was resident, `RssAnon` what is
/// resident now without mapped files. Elsewhere there is no figure.
pub fn resident_megabytes(line: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':'))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Processor time of this process where the system tells it, otherwise time that passed.
pub struct Clock {
    processor: Option<f64>,
    started: Instant,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { processor: processor_time(), started: Instant::now() }
    }

    pub fn seconds(&self) -> f64 {
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => now - before,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
