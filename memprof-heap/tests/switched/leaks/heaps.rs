//! Heaps that look like leaks and have none.

use super::{Xorshift, alone, block, function, functions, watched};
use memprof_heap::leak::{Doubt, Verdict};
use memprof_heap::{Level, Rate, set_level};
use std::collections::VecDeque;
use std::hint::black_box;

#[test]
fn a_steady_heap_has_no_leak() {
    let _alone = alone(Rate::every(64 * 1024));
    let mut random = Xorshift(1);
    let mut pool = vec![Vec::new(); 2000];
    let leaks = watched(100, |_| {
        for _ in 0..1000 {
            let place = random.below(pool.len());
            pool[place] = block(random.below(2000));
        }
    });
    assert!(leaks.verdict() == Verdict::NothingGrows, "{leaks}");
}

#[test]
fn blocks_older_than_the_watch_are_no_leaks() {
    let _alone = alone(Rate::every(64 * 1024));
    let old: Vec<Vec<u8>> = (0..1000).map(|_| block(20_000)).collect();
    let leaks = watched(30, |_| drop(block(100_000)));
    assert!(leaks.is_empty(), "{leaks}");
    assert!(leaks.process_bytes.abs() < 100_000, "{leaks}");
    drop(old);
}

#[test]
fn a_full_cache_has_no_leak() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut cache = Vec::with_capacity(100);
    let leaks = watched(60, |round| {
        if round < 15 {
            cache.push(block(100_000));
        }
        drop(block(10_000));
    });
    assert!(leaks.is_empty(), "{leaks}");
    assert!(!leaks.process_grows, "{leaks}");
}

#[inline(never)]
fn refreshed(bytes: usize) -> Vec<u8> {
    black_box(vec![1; bytes])
}

#[test]
fn a_cache_that_replaces_its_entries_has_no_leak() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut cache: VecDeque<Vec<u8>> = (0..100).map(|_| block(50_000)).collect();
    // All new blocks stay till the end, and the same number of earlier blocks is freed.
    let leaks = watched(50, |_| {
        cache.pop_front();
        cache.push_back(block(50_000));
    });
    assert!(leaks.is_empty(), "{leaks}");
}

#[test]
fn a_cache_that_was_filled_before_sampling_began_is_listed_apart() {
    let _alone = alone(Rate::every(16 * 1024));
    set_level(Level::Counters);
    let mut cache: VecDeque<Vec<u8>> = (0..200).map(|_| block(50_000)).collect();
    set_level(Level::Sampled);
    let leaks = watched(100, |_| {
        cache.pop_front();
        cache.push_back(block(50_000));
    });
    assert_eq!((leaks.verdict(), leaks.is_empty()), (Verdict::NothingGrows, true), "{leaks}");
    let replaced: Vec<_> = leaks.replaced().map(|leak| leak.doubt).collect();
    assert_eq!(replaced, [Some(Doubt::Replaced)], "{leaks}");
    assert!(leaks.to_string().contains("replaced (the process grew less): "), "{leaks}");
}

#[test]
fn a_cache_that_another_line_refreshes_is_listed_apart() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut cache: VecDeque<Vec<u8>> = (0..200).map(|_| block(50_000)).collect();
    let leaks = watched(100, |_| {
        cache.pop_front();
        cache.push_back(refreshed(50_000));
    });
    assert_eq!((leaks.verdict(), leaks.is_empty()), (Verdict::NothingGrows, true), "{leaks}");
    let replaced: Vec<_> = leaks.replaced().map(function).collect();
    assert_eq!(replaced, ["refreshed"], "{leaks}");
}

#[test]
fn a_leak_is_found_after_the_program_freed_what_it_needed_to_start() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut loaded: Vec<Vec<u8>> = (0..400).map(|_| block(50_000)).collect();
    let mut kept = Vec::with_capacity(100);
    let leaks = watched(100, |round| {
        if round == 30 {
            loaded.clear();
        }
        kept.push(refreshed(50_000));
    });
    assert_eq!(functions(&leaks), ["refreshed"], "{leaks}");
}

#[test]
fn a_buffer_that_is_filled_and_cleared_has_no_leak() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut buffer = Vec::with_capacity(100);
    let leaks = watched(60, |round| {
        if round % 15 == 0 {
            buffer.clear();
        }
        buffer.push(block(100_000));
    });
    assert!(leaks.is_empty(), "{leaks}");
}

#[test]
fn a_busier_program_has_no_leak() {
    let _alone = alone(Rate::every(16 * 1024));
    let mut requests = Vec::with_capacity(100);
    // Each round holds more than the previous round, but first frees the blocks of that round.
    let leaks = watched(40, |round| {
        requests.clear();
        requests.extend((0..=round).map(|_| block(50_000)));
    });
    assert!(leaks.is_empty(), "{:?} {leaks}", functions(&leaks));
    assert!(leaks.process_grows, "{leaks}");
}
