//! Blocks of a profiler's threads count for the profiler when they are allocated and when they are
//! freed.

use memprof_heap::hooks::{unrecorded, unrecorded_thread};
use memprof_heap::{Allocator, Level, totals};
use std::hint::black_box;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

#[global_allocator]
static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);

/// Starts a thread of a profiler, as a session does for each look-up of names.
fn one_thread() {
    let (done, answer) = unrecorded(channel);
    let work = move || {
        unrecorded_thread(move || {
            drop(black_box(vec![0_u8; 3 << 20]));
            let _ = done.send(black_box(vec![1_u8; 5000]));
        });
    };
    unrecorded(|| {
        let thread = thread::Builder::new().name("a profiler's".to_owned()).spawn(work);
        let thread = thread.expect("the system has threads");
        drop(answer.recv().expect("it answers"));
        drop(answer);
        thread.join().expect("it doesn't panic");
    });
}

#[test]
fn a_thousand_threads_of_a_profiler_leave_the_counts_unchanged() {
    // Allocate now what is allocated only once.
    (0..10).for_each(|_| one_thread());
    // The harness's own thread allocates when it begins to wait. After this time it is idle.
    thread::sleep(Duration::from_millis(100));
    let before = totals().expect("it counts");
    (0..1000).for_each(|_| one_thread());
    let after = totals().expect("it counts");
    assert_eq!(after.program_bytes(), before.program_bytes());
    assert_eq!(after.program_blocks(), before.program_blocks());
    let allocated = after.program_allocated_bytes() - before.program_allocated_bytes();
    assert_eq!(allocated, 0, "what a profiler allocates is not the program's");
    assert_eq!(after.profiler_bytes, before.profiler_bytes);
    let peak = after.profilers.peak_bytes;
    assert!(((3 << 20)..(4 << 20)).contains(&peak), "{peak}");
}
