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
            "{} are needed and {} of memory available; choose --dtype f16, a smaller --context or \
             --shape tiny, or see --dry-run",
            Units::Iec.show(needed),
            Units::Iec.show(available)
        )),
        _ => Ok(()),
    }
}

/// What the kernel says is available, or what is left below the limit of the process's group.
fn available() -> Option<u64> {
    let host = fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(in_meminfo);
    let bytes = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = bytes("/sys/fs/cgroup/memory.max");
    let left = limit.zip(bytes("/sys/fs/cgroup/memory.current"));
    let left = left.map(|(limit, used)| limit.saturating_sub(used));
    host.into_iter().chain(left).min()
}

/// `MemAvailable:   23456789 kB`, where a kB is 1024 bytes.
fn in_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{BESIDES, fits, in_meminfo};

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
        assert_eq!(in_meminfo(text), Some(24 * 1024));
        assert_eq!(in_meminfo("MemTotal: 100 kB\n"), None);
        assert_eq!(in_meminfo("MemAvailable: much\n"), None);
    }
}
