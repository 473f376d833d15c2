//! Processes on Linux that run out of memory.
#![expect(unsafe_code, reason = "limits are the system's")]

use super::{block, set};
use crate::own_process::{role, run_as};
use memprof_heap::operation::OperationSite;
use memprof_heap::{Level, measure, operations, set_level, totals};

static GROWS: OperationSite = OperationSite::new("grows", file!(), line!());

/// The address space that the process may still take.
const LEFT: u64 = 256 << 20;

/// Limits the address space to the present size plus `LEFT`.
#[allow(clippy::useless_conversion, reason = "the types differ between systems")]
fn limit() {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("it can be read");
    let pages: u64 = pages.split(' ').next().and_then(|n| n.parse().ok()).expect("it is a number");
    let most = (pages * 4096 + LEFT).try_into().expect("the system has limits of that size");
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the pointer to the limit is valid.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

/// Grows until an allocation is refused, and then continues to work.
fn grow() {
    let mut bytes: Vec<u8> = block(1 << 20);
    let refused = loop {
        let before = totals().ok();
        let more = bytes.capacity();
        if bytes.try_reserve_exact(2 * more).is_err() {
            break before;
        }
    };
    assert!(bytes.capacity() >= 32 << 20, "{}", bytes.capacity());
    assert!(Vec::<u64>::new().try_reserve_exact(usize::MAX / 32).is_err());
    // Refused growth and refused allocations have left no trace.
    assert_eq!(totals().ok().map(|all| all.live_bytes()), refused.map(|all| all.live_bytes()));
    let bytes = {
        let _grows = GROWS.enter();
        bytes.shrink_to(100);
        bytes
    };
    drop(bytes);
    let mut small: Vec<Vec<u8>> = Vec::new();
    while small.len() < 1_000_000 {
        let mut next = Vec::new();
        if next.try_reserve_exact(10_000).is_err() || small.try_reserve(1).is_err() {
            break;
        }
        small.push(next);
    }
    // The system has no memory left, neither for a block nor for memprof's own tables.
    let _operation = GROWS.enter();
    drop(small);
    let (kept, measured) = measure(|| block(1000)).expect("it is installed");
    assert_eq!(measured.allocated_bytes, 1000);
    drop(kept);
}

#[test]
fn a_process_without_memory_goes_on_at_each_level() {
    match role() {
        None => {
            for role in ["off", "counters", "sampled"] {
                let status = run_as(role);
                assert!(status.success(), "{role}: {status}");
            }
        }
        Some(role) => {
            match role.as_str() {
                "off" => set_level(Level::Off),
                "counters" => set(Level::Counters),
                _ => set(Level::Sampled),
            }
            limit();
            grow();
            if role != "off" {
                let all = operations().expect("it counts");
                assert!(all.find("grows").expect("it ended once").freed_bytes >= 30 << 20);
            }
        }
    }
}
