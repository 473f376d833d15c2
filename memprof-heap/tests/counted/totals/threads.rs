//! The counts of each thread.

use super::block::Block;
use crate::own_process::in_own_process;
use memprof_heap::{ThreadTotals, threads};
use memprof_test_support::wait_until;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

/// The counts of a thread before its work, after it, and after the thread's end.
struct Counted {
    before: ThreadTotals,
    running: ThreadTotals,
    /// `None` if the test runner just then started a thread that took over the same shard.
    ended: Option<ThreadTotals>,
}

/// Runs work on a thread that does nothing else between the first two reads of its counts.
fn on_a_thread(work: impl FnOnce() + Send + 'static) -> Counted {
    const STARTING: u32 = 0;
    const READY: u32 = 1;
    const WORKING: u32 = 2;
    const DONE: u32 = 3;
    const ENDING: u32 = 4;
    // Channels would allocate.
    static STEP: AtomicU32 = AtomicU32::new(STARTING);
    let wait_for = |step| wait_until("the next step", || STEP.load(SeqCst) == step);
    STEP.store(STARTING, SeqCst);
    let thread = thread::spawn(move || {
        STEP.store(READY, SeqCst);
        wait_for(WORKING);
        work();
        STEP.store(DONE, SeqCst);
        wait_for(ENDING);
    });
    wait_for(READY);
    let before = threads().expect("the level is Counters");
    STEP.store(WORKING, SeqCst);
    wait_for(DONE);
    let running = threads().expect("the level is Counters");
    STEP.store(ENDING, SeqCst);
    thread.join().expect("it does not panic");
    let ended = threads().expect("the level is Counters");
    // The new thread did the most work in this time, because the others wait.
    let work_of = |thread: &ThreadTotals| {
        let start = before.iter().find(|start| start.thread == thread.thread);
        let all = |of: &ThreadTotals| of.allocated_bytes + of.freed_bytes;
        (thread.runs, all(thread) - start.map_or(0, all))
    };
    let number = running.iter().max_by_key(|thread| work_of(thread)).expect("it runs").thread;
    let [before, running, ended] = [before, running, ended]
        .map(|threads| threads.into_iter().find(|thread| thread.thread == number));
    let has_entry = "it has an entry while it runs";
    Counted { before: before.expect(has_entry), running: running.expect(has_entry), ended }
}

/// Returns bytes and blocks allocated, then bytes and blocks freed.
fn figures(of: &ThreadTotals) -> [u64; 4] {
    [of.allocated_bytes, of.allocated_blocks, of.freed_bytes, of.freed_blocks]
}

#[test]
fn a_thread_has_the_figures_of_its_own_work() {
    in_own_process(|| {
        let all = on_a_thread(|| {
            drop(Block::new(1000));
            drop(Block::new(1000));
            drop(Block::new(500_000));
            Block::new(1000).leave();
        });
        let [before, running] = [&all.before, &all.running].map(figures);
        let ended = all.ended.as_ref().map_or(running, figures);
        let work = [0, 1, 2, 3].map(|figure| running[figure] - before[figure]);
        assert_eq!(work, [503_000, 4, 502_000, 3]);
        // The end of the thread frees a few bytes.
        assert!(ended.iter().zip(running).all(|(end, run)| (run..run + 10_000).contains(end)));
    });
}

#[test]
fn a_thread_that_frees_what_others_allocated_frees_more_than_it_allocates() {
    in_own_process(|| {
        let block = Block::new(1_000_000);
        let all = on_a_thread(move || drop(block));
        let work = all.running.freed_bytes - all.before.freed_bytes;
        assert_eq!((work, all.running.peak_bytes), (1_000_000, all.before.peak_bytes));
        assert_eq!(all.running.allocated_bytes, all.before.allocated_bytes);
    });
}

#[test]
fn totals_state_whether_a_thread_runs() {
    in_own_process(|| {
        let all = on_a_thread(|| drop(Block::new(100_000)));
        assert!(all.before.runs && all.running.runs);
        assert!(all.ended.is_none_or(|ended| !ended.runs));
    });
}

/// Asserts that work holds at most `bytes`, above what the thread held already.
fn assert_peak(bytes: u64, work: impl FnOnce() + Send + 'static) {
    let all = on_a_thread(work);
    let held = all.before.allocated_bytes.wrapping_sub(all.before.freed_bytes);
    let running = all.running.peak_bytes;
    let peaks = [running, all.ended.map_or(running, |ended| ended.peak_bytes)];
    assert_eq!(peaks.map(|peak| peak.wrapping_sub(held)), [bytes; 2], "while it runs, after");
}

#[test]
fn a_large_peak_stays_exact_after_its_free() {
    in_own_process(|| {
        assert_peak(3_000_000, || drop(Block::new(3_000_000)));
    });
}

#[test]
fn a_small_peak_stays_exact_after_its_free() {
    in_own_process(|| {
        assert_peak(40_000, || drop(Block::new(40_000)));
    });
}

#[test]
fn a_peak_stays_when_its_thread_reads_totals() {
    in_own_process(|| {
        assert_peak(40_000, || {
            drop(Block::new(40_000));
            let _totals = memprof_heap::totals();
        });
    });
}

#[test]
fn a_peak_of_many_blocks_is_exact() {
    in_own_process(|| {
        assert_peak(1_000_000, || {
            let mut blocks: [Option<Block>; 100] = [const { None }; 100];
            for _ in 0..3 {
                for block in &mut blocks {
                    *block = Some(Block::new(10_000));
                }
                for block in &mut blocks {
                    *block = None;
                }
            }
        });
    });
}

#[test]
fn a_measurement_does_not_reset_the_peak_of_its_thread() {
    in_own_process(|| {
        assert_peak(50_000, || {
            drop(Block::new(50_000));
            let _measured = memprof_heap::measure(|| drop(Block::new(20_000)));
        });
    });
}

#[test]
fn a_new_thread_starts_without_the_counts_of_an_ended_one() {
    in_own_process(|| {
        let coming = thread::spawn(|| {
            for _ in 0..2000 {
                // The next thread gets the shard of this thread, which has counted much by then.
                thread::spawn(|| Block::new(100_000)).join().map(drop).expect("it does not panic");
            }
        });
        let mut seen = HashMap::new();
        while !coming.is_finished() {
            for now in threads().expect("the level is Counters") {
                let before = seen.insert(now.thread, now.allocated_bytes).unwrap_or(0);
                assert!(
                    before <= now.allocated_bytes,
                    "thread {} had {before} bytes, and then {}",
                    now.thread,
                    now.allocated_bytes
                );
            }
        }
        coming.join().expect("it does not panic");
    });
}
