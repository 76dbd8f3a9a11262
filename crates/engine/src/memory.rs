//! How much memory this process uses and how much it may use.

/// Bytes resident in memory, where the system tells.
pub fn resident() -> Option<u64> {
    let pages = read_number("/proc/self/statm", |text| text.split_whitespace().nth(1))?;
    Some(pages * 4096)
}

/// Half of the machine, at most 4 GiB.
pub fn default_limit() -> u64 {
    const MOST: u64 = 4 << 30;
    let total = read_number("/proc/meminfo", |text| {
        text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.split_whitespace().next()
    });
    total.map_or(MOST, |kilobytes| (kilobytes * 1024 / 2).min(MOST))
}

fn read_number(path: &str, pick: impl Fn(&str) -> Option<&str>) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    pick(&text)?.parse().ok()
}
