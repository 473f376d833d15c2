//! The adaptive rate gets coarser in a burst of allocations, and returns to its first mean
//! afterwards.

use memprof_heap::{Allocator, Level, Rate, set_level, set_rate, sites};
use std::hint::black_box;
use std::thread;
use std::time::Duration;

#[global_allocator]
static ALLOC: Allocator = Allocator::system();

/// Allocates and frees blocks, of which most are samples.
fn allocate(blocks: usize) {
    for _ in 0..blocks {
        drop(black_box(Vec::<u8>::with_capacity(4 << 20)));
    }
}

fn mean() -> u64 {
    sites().expect("samples are taken").mean_bytes
}

#[test]
fn the_mean_of_before_a_burst_comes_back_after_it() {
    // The mean rises above 64 samples per second, which a busy machine exceeds too.
    set_rate(Rate::adaptive(512 * 1024, 64));
    set_level(Level::Sampled);
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
        thread::sleep(Duration::from_millis(4_500));
        allocate(10);
    }
    assert_eq!(mean(), before, "in the burst {burst}");
}
