//! The counts of measurements.

mod layouts;
mod nested;
mod realloc;
mod refused;
mod teardown;
mod threads;
mod zeroed;

use crate::block;
use memprof_heap::{Measurement, measure};

/// Returns the result of the work, and what the work allocated and freed.
fn measured<T>(work: impl FnOnce() -> T) -> (T, Measurement) {
    measure(work).expect("the allocator is installed")
}

/// Returns bytes and blocks allocated, bytes and blocks freed, and the peak.
fn figures(measured: Measurement) -> [u64; 5] {
    let Measurement {
        allocated_bytes,
        allocated_blocks,
        freed_bytes,
        freed_blocks,
        peak_bytes,
        ..
    } = measured;
    [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks, peak_bytes]
}

#[test]
fn the_allocator_is_seen_to_be_installed() {
    assert!(memprof_heap::is_installed());
}

#[test]
fn blocks_and_bytes_are_those_requested() {
    let (kept, all) = measured(|| {
        drop(block(1000));
        (Box::new(1_u64), Vec::<u16>::with_capacity(7))
    });
    assert_eq!(figures(all), [1000 + 8 + 14, 3, 1000, 1, 1000]);
    assert_eq!((all.net_bytes(), all.net_blocks()), (22, 2));
    let ((), all) = measured(|| drop(kept));
    assert_eq!(figures(all), [0, 0, 22, 2, 0]);
    assert_eq!((all.net_bytes(), all.net_blocks()), (-22, -2));
}

#[test]
fn work_that_allocates_nothing_counts_nothing() {
    let (sum, all) = measured(|| (0..1000_u64).sum::<u64>());
    assert_eq!(sum, 499_500);
    assert_eq!(all, Measurement::default());
}
