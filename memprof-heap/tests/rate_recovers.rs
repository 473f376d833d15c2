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
    set_rate(Rate::ADAPTIVE);
    set_level(Level::Sampled);
    let before = mean();
    // 16,000 samples within a second double the mean at least twice.
    allocate(16_000);
    let burst = mean();
    assert!(burst >= 4 * before, "{before} {burst}");
    // The first judgement still counts the last samples of the burst.
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(4_500));
        allocate(200);
    }
    assert_eq!(mean(), before, "in the burst {burst}");
}
