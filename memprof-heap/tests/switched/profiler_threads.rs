//! Blocks of a profiler's threads count for the profiler when they are allocated and when they are
//! freed.

use crate::own_process::in_own_process;
use memprof_heap::hooks::{unrecorded, unrecorded_thread};
use memprof_heap::{Level, Totals, set_level, totals};
use std::hint::black_box;
use std::sync::mpsc::channel;
use std::thread;

/// Starts a thread of a profiler, as a session does for each lookup of names.
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

/// The counts that threads of a profiler must leave unchanged.
#[derive(Debug, PartialEq)]
struct Counts {
    live_bytes: i64,
    live_blocks: i64,
    allocated_bytes: u64,
    profiler_bytes: i64,
}

impl Counts {
    fn of(totals: &Totals) -> Self {
        Self {
            live_bytes: totals.program_bytes(),
            live_blocks: totals.program_blocks(),
            allocated_bytes: totals.program_allocated_bytes(),
            profiler_bytes: totals.profiler_bytes,
        }
    }
}

#[test]
fn a_thousand_threads_of_a_profiler_leave_the_counts_unchanged() {
    in_own_process(|| {
        set_level(Level::Counters);
        // Allocate now what is allocated only once.
        (0..10).for_each(|_| one_thread());
        // The harness's own thread allocates once, when it begins to wait. A busy machine may delay this
        // by any time, so a comparison that it disturbed is repeated.
        let mut rounds = 0;
        let peak = loop {
            let before = totals().expect("it counts");
            (0..1000).for_each(|_| one_thread());
            let after = totals().expect("it counts");
            let (counts, unchanged) = (Counts::of(&after), Counts::of(&before));
            rounds += 1;
            if counts == unchanged || rounds == 3 {
                assert_eq!(counts, unchanged);
                break after.profilers.peak_bytes;
            }
        };
        assert!(((3 << 20)..(4 << 20)).contains(&peak), "{peak}");
    });
}
