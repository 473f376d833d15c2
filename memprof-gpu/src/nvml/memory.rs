//! A device's memory counters, from the first of three interfaces that reports them.

#![expect(unsafe_code, reason = "the old form of the counters has no safe wrapper")]

use super::reason;
use crate::{Counter, MemoryCounters, MemorySource, Unavailable};
use nvml_wrapper::Device;
use nvml_wrapper_sys::bindings::nvmlMemory_t;

/// Products that share the host's memory.
const UNIFIED: &[&str] = &["GB10", "Orin", "Thor", "Xavier"];

pub(super) fn read(device: &Device<'_>, name: Option<&str>) -> Counter<MemoryCounters> {
    let second = match device.memory_info() {
        Ok(info) => {
            let (total, free, reserved) = (info.total, info.free, Some(info.reserved));
            return MemoryCounters::balanced(total, free, reserved, MemorySource::NvmlV2);
        }
        Err(error) => reason::of(&error),
    };
    if matches!(second, Unavailable::Lost | Unavailable::NoPermission) {
        return Err(second);
    }
    match first(device) {
        Ok(memory) => {
            MemoryCounters::balanced(memory.total, memory.free, None, MemorySource::NvmlV1)
        }
        Err(Unavailable::NotSupported) if is_unified(name) => host(),
        // The newer counter's error explains more than the older counter's error.
        Err(Unavailable::MissingSymbol) => Err(second),
        Err(error) => Err(error),
    }
}

/// Reads the v1 counters, for drivers before R510 and for WSL.
fn first(device: &Device<'_>) -> Counter<nvmlMemory_t> {
    let function = device.nvml().lib().nvmlDeviceGetMemoryInfo.as_ref();
    let function = function.map_err(|_| Unavailable::MissingSymbol)?;
    let mut memory = nvmlMemory_t { total: 0, free: 0, used: 0 };
    // SAFETY: the handle is only passed on to the library that created it.
    let handle = unsafe { device.handle() };
    // SAFETY: the handle belongs to a device of this library, which stays open while `device`
    // borrows it. The struct has the type that the function fills.
    let code = unsafe { function(handle, &raw mut memory) };
    reason::of_code(code).map(|()| memory)
}

fn is_unified(name: Option<&str>) -> bool {
    // The comparison uses whole words, because a GB102 is not a GB10.
    name.is_some_and(|name| name.split([' ', '-']).any(|word| UNIFIED.contains(&word)))
}

/// Reads the host's memory as Linux reports it.
fn host() -> Counter<MemoryCounters> {
    let text = std::fs::read_to_string("/proc/meminfo").map_err(|_| Unavailable::NotSupported)?;
    parse_meminfo(&text).ok_or(Unavailable::NotSupported)?
}

fn parse_meminfo(text: &str) -> Option<Counter<MemoryCounters>> {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let (total, free) = (value("MemTotal:")?, value("MemAvailable:")?);
    Some(MemoryCounters::balanced(total, free, None, MemorySource::HostUnified))
}

#[cfg(test)]
mod tests {
    use super::{is_unified, parse_meminfo};
    use crate::MemorySource;

    #[test]
    fn the_counters_of_unified_memory_are_the_hosts() {
        let text = "MemTotal:       1000 kB\nMemFree: 100 kB\nMemAvailable:    400 kB\n";
        let memory = parse_meminfo(text).expect("both are there").expect("they are possible");
        assert_eq!((memory.total, memory.free, memory.used), (1_024_000, 409_600, 614_400));
        assert_eq!(memory.source, MemorySource::HostUnified);
        assert!(parse_meminfo("MemTotal: 1 kB\n").is_none());
        for (name, expected) in [
            (Some("NVIDIA GB10"), true),
            (Some("Orin (nvgpu)"), true),
            (Some("NVIDIA H100"), false),
            (Some("NVIDIA GB102"), false),
            (None, false),
        ] {
            assert_eq!(is_unified(name), expected, "{name:?}");
        }
    }
}
