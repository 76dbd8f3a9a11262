//! How much memory this process uses and how much it may use.

/// Bytes resident in memory, where the system tells.
pub fn resident() -> Option<u64> {
    let pages = read_number("/proc/self/statm", |text| text.split_whitespace().nth(1))?;
    Some(pages * 4096)
}

/// Returns memory that was freed to the system, which is who is asked how much there is.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)] // a call of libc without arguments to get wrong
pub fn give_back() {
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}

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
