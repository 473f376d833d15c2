//! Whether what is expected fits into the memory that is available.

use memprof::Units;
use std::fs;

/// What the program itself, the profiler and the scratch space of products take besides.
const BESIDES: u64 = 64 << 20;

/// An error in one line if so many bytes, and some besides, are more than the host has available.
///
/// Where nobody says what is available, there is room.
pub(crate) fn check(expected: u64) -> Result<(), String> {
    fits(expected, available())
}

fn fits(expected: u64, available: Option<u64>) -> Result<(), String> {
    let needed = expected.saturating_add(BESIDES);
    match available {
        Some(available) if needed > available => Err(format!(
            "{} are needed and {} of memory available; choose a smaller --dtype, --context or \
             --shape, or see --dry-run",
            Units::Iec.show(needed),
            Units::Iec.show(available)
        )),
        _ => Ok(()),
    }
}

/// The least of what the kernel says is available, what is left below the limit of the process's
/// group, and what is left of the addresses that the process may use.
fn available() -> Option<u64> {
    let read = |path| fs::read_to_string(path).ok();
    let host = read("/proc/meminfo").and_then(|text| amount(&text, "MemAvailable:"));
    let bytes = |path| read(path)?.trim().parse::<u64>().ok();
    let limit = bytes("/sys/fs/cgroup/memory.max");
    let group = limit.zip(bytes("/sys/fs/cgroup/memory.current"));
    let limit = read("/proc/self/limits").and_then(|text| address_limit(&text));
    let addresses = limit.zip(read("/proc/self/status").and_then(|text| amount(&text, "VmSize:")));
    let left = [group, addresses].into_iter().flatten();
    let left = left.map(|(limit, used)| limit.saturating_sub(used));
    host.into_iter().chain(left).min()
}

/// `MemAvailable:   23456789 kB`, where a kB is 1024 bytes.
fn amount(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// `Max address space         2048000000           unlimited            bytes`, the first of the two.
fn address_limit(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{BESIDES, address_limit, amount, fits};

    #[test]
    fn what_does_not_fit_is_said_in_one_line_that_tells_what_to_do() {
        assert_eq!(fits(10 << 30, None), Ok(()));
        assert_eq!(fits(1 << 30, Some((1 << 30) + BESIDES)), Ok(()));
        let error = fits(1 << 30, Some(1 << 30)).unwrap_err();
        assert!(error.starts_with("1.1 GiB are needed and 1.0 GiB of memory available; choose"));
        assert_eq!(error.lines().count(), 1);
    }

    #[test]
    fn what_the_kernel_says_is_read() {
        let text = "MemTotal:       100 kB\nMemAvailable:    24 kB\nBuffers: 1 kB\n";
        assert_eq!(amount(text, "MemAvailable:"), Some(24 * 1024));
        assert_eq!(amount("MemTotal: 100 kB\n", "MemAvailable:"), None);
        assert_eq!(amount("MemAvailable: much\n", "MemAvailable:"), None);
        let limits = "Max core file size        0         unlimited   bytes     \n\
                      Max address space         2048000000           unlimited            bytes\n";
        assert_eq!(address_limit(limits), Some(2_048_000_000));
        assert_eq!(address_limit("Max address space   unlimited   unlimited   bytes\n"), None);
    }
}
