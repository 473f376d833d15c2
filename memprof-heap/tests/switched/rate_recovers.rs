//! The adaptive rate gets coarser in a burst of allocations, and returns to its first mean
//! afterwards.

use crate::{alone, block};
use memprof_heap::__private::judge_rate_earlier;
use memprof_heap::{Level, Rate, sites};
use std::time::Duration;

/// Allocates and frees blocks, of which most are samples.
fn allocate(blocks: usize) {
    for _ in 0..blocks {
        drop(block(4 << 20));
    }
}

fn mean() -> u64 {
    sites().expect("samples are taken").mean_bytes
}

#[test]
fn the_mean_returns_to_its_start_after_a_burst() {
    // The mean rises above 64 samples per second, which a busy machine exceeds too.
    let _alone = alone(Level::Sampled, Rate::adaptive(512 * 1024, 64));
    let before = mean();
    // The mean doubles after every 1,024 samples of a burst.
    let mut burst = before;
    for _ in 0..60 {
        if burst < 4 * before {
            allocate(256);
            burst = mean();
        }
    }
    assert!(burst >= 4 * before, "{before} {burst}");
    // The first judgement still counts the last samples of the burst. The mean falls below 16
    // samples per second.
    for _ in 0..2 {
        judge_rate_earlier(Duration::from_millis(4_500));
        allocate(10);
    }
    assert_eq!(mean(), before, "in the burst {burst}");
}
