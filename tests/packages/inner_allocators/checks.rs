//! Properties that hold for each inner allocator, at each level.
//!
//! They are one test, because the level and the samples belong to the entire process.

mod blocks;
mod sampled;

use memprof_heap::{Level, Measurement, level, measure, set_level, threads, totals};
use std::hint::black_box;
use std::thread;

#[test]
fn counts_are_exact_and_memory_is_as_requested_at_each_level() {
    assert_eq!(level(), Level::Off);
    assert!(totals().is_err());
    blocks::are_as_asked_for();
    for level in [Level::Counters, Level::Sampled, Level::Counters] {
        set_level(level);
        a_closure_is_measured();
        blocks::are_counted();
        memory_freed_by_another_thread_is_counted_there();
        many_threads_balance();
    }
    sampled::sites_have_files_and_lines();
    set_level(Level::Off);
    blocks::are_as_asked_for();
}

fn measured<T>(work: impl FnOnce() -> T) -> (T, Measurement) {
    measure(work).expect("the allocator is installed")
}

/// Returns allocated bytes and blocks, freed bytes and blocks, and the peak.
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

fn a_closure_is_measured() {
    let (kept, all) = measured(|| {
        drop(black_box(vec![1_u8; 1000]));
        black_box(Box::new(1_u64))
    });
    assert_eq!(figures(all), [1008, 2, 1000, 1, 1000]);
    let ((), all) = measured(|| drop(kept));
    assert_eq!(figures(all), [0, 0, 8, 1, 0]);
}

fn memory_freed_by_another_thread_is_counted_there() {
    let large = black_box(vec![1_u8; 1 << 20]);
    let there = thread::spawn(move || measured(|| drop(large)).1);
    let there = there.join().expect("the thread does not panic");
    assert_eq!(figures(there), [0, 0, 1 << 20, 1, 0]);
}

/// Checks that blocks which one thread allocates and another frees are live only in between.
fn many_threads_balance() {
    const THREADS: usize = 8;
    const BLOCKS: usize = 500;
    const BYTES: usize = 3000;
    let live = || totals().expect("counts are kept").live_bytes();
    let before = live();
    let made: Vec<Vec<Vec<u8>>> = thread::scope(|scope| {
        let make = || (0..BLOCKS).map(|_| black_box(vec![1_u8; BYTES])).collect();
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let [least, most] =
        [BYTES, BYTES + 100].map(|bytes| (THREADS * BLOCKS * bytes).cast_signed() as i64);
    assert!((least..most).contains(&(live() - before)), "{}", live() - before);
    assert!(threads().expect("counts are kept").iter().any(|thread| thread.runs));
    thread::scope(|scope| {
        for part in made {
            scope.spawn(move || drop(part));
        }
    });
    // The threads themselves leave a few live bytes, which depend on the platform.
    assert!((live() - before).abs() < 100_000, "{}", live() - before);
}
