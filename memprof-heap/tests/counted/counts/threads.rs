//! Every thread counts its own allocations, to the byte.

use super::{block, figures, measured};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;

const THREADS: usize = 16;

/// Rounds of allocations per thread.
const ROUNDS: u64 = if cfg!(miri) { 20 } else { 20_000 };

#[test]
fn sixteen_threads_count_their_own_allocations() {
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                let (kept, all) = measured(|| {
                    let mut kept = Box::new(0_u64);
                    for _ in 0..ROUNDS {
                        let mut grown = block(thread);
                        grown.reserve_exact(3 * thread);
                        *kept += grown.capacity() as u64;
                    }
                    kept
                });
                let size = thread as u64;
                assert_eq!(*kept, ROUNDS * 3 * size);
                let [allocated, freed] = [8 + ROUNDS * 4 * size, ROUNDS * 4 * size];
                let [new, gone] = [1 + ROUNDS * 2, ROUNDS * 2];
                assert_eq!(figures(all), [allocated, new, freed, gone, 8 + 3 * size]);
            });
        }
    });
}

#[test]
fn memory_freed_elsewhere_counts_where_it_is_freed() {
    let ((), here) = measured(|| {
        let large = block(1 << 20);
        let there = on_a_thread(move || measured(|| drop(large)).1);
        assert_eq!(figures(there), [0, 0, 1 << 20, 1, 0]);
        assert_eq!(there.net_bytes(), -(1 << 20));
    });
    // The thread itself keeps a few bytes, depending on the platform.
    assert!(here.net_bytes() >= 1 << 20);
}

#[test]
fn a_peak_is_exact_on_a_thread_with_negative_live_bytes() {
    let large = block(1 << 30);
    let there = on_a_thread(move || {
        drop(large);
        measured(|| drop(block(24))).1
    });
    assert_eq!(figures(there), [24, 1, 24, 1, 24]);
}

#[test]
fn producers_and_consumers_balance() {
    const PRODUCERS: u64 = 3;
    let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(64);
    let made: Vec<_> = (1..=PRODUCERS)
        .map(|size| {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut made = 0;
                for _ in 0..ROUNDS {
                    let (made_now, all) = measured(|| block(size as usize * 16));
                    made += all.net_bytes();
                    sender.send(made_now).expect("somebody receives");
                }
                made
            })
        })
        .collect();
    drop(sender);
    let mut freed = 0;
    for received in receiver {
        let ((), all) = measured(|| drop(received));
        freed -= all.net_bytes();
    }
    let made: i64 = made.into_iter().map(|thread| thread.join().expect("no panic")).sum();
    assert_eq!(made.cast_unsigned(), ROUNDS * 16 * (1 + 2 + 3));
    assert_eq!(made, freed);
}

#[test]
fn a_handle_shared_by_threads_is_freed_by_the_last() {
    let shared = Arc::new([0_u8; 1000]);
    let there = Arc::clone(&shared);
    let (before, after) = on_a_thread(move || {
        let start = measured(|| ()).1;
        (start, measured(|| drop(there)).1)
    });
    assert_eq!(before, after);
    let ((), here) = measured(|| drop(shared));
    let counts = 2 * size_of::<usize>() as u64;
    assert_eq!(figures(here), [0, 0, 1000 + counts, 1, 0]);
}

fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    thread::spawn(work).join().expect("the thread does not panic")
}
