//! Processes that fork while other threads allocate.
#![expect(unsafe_code, reason = "to fork is unsafe")]

use super::{block, set};
use crate::own_process::in_own_process;
use memprof_heap::event::{drain_operation_events, set_operation_events};
use memprof_heap::operation::OperationSite;
use memprof_heap::{
    Level, NotRecorded, Rate, operations, request_level, set_level, set_rate, sites, threads,
    totals,
};
use memprof_test_support::{rounds, wait_until};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

static IN_CHILD: OperationSite = OperationSite::new("in the child", file!(), line!());
static IN_PARENT: OperationSite = OperationSite::new("in the parent", file!(), line!());

/// Does the work of a child. The exit status shows what went wrong.
fn child() -> i32 {
    let Ok(before) = totals() else { return 1 };
    let operation = IN_CHILD.enter();
    let mut kept = Vec::with_capacity(300);
    for size in 1..=300 {
        kept.push(block(size));
    }
    drop(kept.split_off(200));
    drop(operation);
    let Ok(after) = totals() else { return 2 };
    if after.live_bytes() - before.live_bytes() < 20_100 || after.live_bytes() < 0 {
        return 3;
    }
    if !operations().is_ok_and(|all| all.find("in the child").is_some_and(|of| of.calls == 1)) {
        return 4;
    }
    if !threads().is_ok_and(|all| !all.is_empty()) {
        return 5;
    }
    // The child also takes samples. It starts no thread: std's `thread::spawn` takes a lock that
    // another thread of the parent may have held at the fork.
    set(Level::Sampled);
    let more: Vec<_> = (0..100).map(|size| block(1 + size * 10)).collect();
    drop((kept, more));
    if totals().is_ok_and(|all| all.live_bytes() >= 0) { 0 } else { 6 }
}

/// Returns true in a child that was forked while a thread took a sample for too long.
fn samples_are_lost() -> bool {
    sites().is_err_and(|error| error == NotRecorded::Forked)
}

/// Waits for a child, but not for ever.
pub(super) fn status_of(child: libc::pid_t) -> Option<i32> {
    let end = Instant::now() + Duration::from_mins(1);
    let mut status = 0;
    while Instant::now() < end {
        // SAFETY: the pointer to the status is valid.
        if unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == child {
            return Some(status);
        }
        thread::sleep(Duration::from_micros(200));
    }
    for file in ["status", "syscall", "wchan"] {
        let state = std::fs::read_to_string(format!("/proc/{child}/{file}"));
        println!("{file} of the child that hangs: {state:?}");
    }
    // SAFETY: it is a child of this process that has not been waited for.
    unsafe { libc::kill(child, libc::SIGKILL) };
    // SAFETY: as above.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    None
}

/// The number of threads of the parent.
const THREADS: usize = 8;

/// Forks while threads allocate, free, and run operations.
fn fork_many(level: Level, forks: usize) {
    set(level);
    let done = AtomicBool::new(false);
    let running = Barrier::new(THREADS + 1);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                running.wait();
                while !done.load(Relaxed) {
                    let _operation = IN_PARENT.enter();
                    for size in 1..300 {
                        let mut bytes = block(size * 7);
                        bytes.reserve_exact(size * 20);
                    }
                }
            });
        }
        running.wait();
        for number in 0..forks {
            // SAFETY: the child only does what a child of a process with threads may do if the
            // system's `malloc` works across forks. It exits without returning to the test.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                let status = child();
                // SAFETY: this only ends the child.
                unsafe { libc::_exit(status) };
            }
            let status = status_of(pid);
            if status != Some(0) {
                done.store(true, Relaxed);
                panic!("child {number} at {level:?}: {status:?}, none if it hangs");
            }
        }
        done.store(true, Relaxed);
    });
}

#[test]
fn children_forked_while_threads_count_count_on() {
    in_own_process(|| {
        fork_many(Level::Counters, rounds(30, 200));
    });
}

#[test]
fn children_forked_while_threads_take_samples_take_their_own() {
    in_own_process(|| {
        fork_many(Level::Sampled, rounds(30, 200));
    });
}

#[test]
fn children_forked_while_a_thread_switches_levels_switch_theirs() {
    in_own_process(|| {
        set(Level::Counters);
        let done = AtomicBool::new(false);
        let running = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                running.wait();
                while !done.load(Relaxed) {
                    drop(request_level(Level::Sampled).with_rate(Rate::EACH_BLOCK));
                }
            });
            running.wait();
            let hangs = (0..rounds(20, 100)).find(|_| {
                // SAFETY: as above.
                let pid = unsafe { libc::fork() };
                if pid == 0 {
                    set(Level::Off);
                    set(Level::Sampled);
                    let kept = block(50_000_000);
                    let live = memprof_heap::__private::estimates().live.value;
                    drop(kept);
                    // The question is last, because it looks up names, which takes a second.
                    let is_as_expected = live >= 5e7 || (live == 0.0 && samples_are_lost());
                    // SAFETY: this only ends the child.
                    unsafe { libc::_exit(i32::from(!is_as_expected)) };
                }
                status_of(pid) != Some(0)
            });
            done.store(true, Relaxed);
            assert_eq!(hangs, None, "a child hangs, or takes no samples");
        });
    });
}

/// Forks while threads count. A thread that the fork stopped in the middle of a change never goes
/// on in the child, so a child must not wait for it each time it reads the counts.
#[test]
fn children_forked_while_threads_count_read_totals_without_waiting() {
    in_own_process(|| {
        set(Level::Counters);
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    while !done.load(Relaxed) {
                        drop(block(100_000));
                    }
                });
            }
            let slow = (0..rounds(200, 1000)).find(|_| {
                // SAFETY: as above.
                let pid = unsafe { libc::fork() };
                if pid == 0 {
                    let start = Instant::now();
                    let is_counted = (0..50).all(|_| totals().is_ok());
                    // Fifty calls that each wait for a thread took nine seconds.
                    let is_fast = start.elapsed() < Duration::from_secs(2);
                    // SAFETY: this only ends the child.
                    unsafe { libc::_exit(i32::from(!is_counted || !is_fast)) };
                }
                status_of(pid) != Some(0)
            });
            done.store(true, Relaxed);
            assert_eq!(slow, None, "a child waits for a thread that it does not have");
        });
    });
}

#[test]
fn children_draw_random_numbers_of_their_own() {
    in_own_process(|| {
        set_rate(Rate::every(64 << 10));
        set_level(Level::Sampled);
        drop(block(1 << 20));
        // Each child returns the number of its samples.
        let samples = |_| {
            // SAFETY: as above.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                let kept: Vec<_> = (0..10_000).map(|_| block(1000)).collect();
                let samples = memprof_heap::__private::estimates().live.samples;
                drop(kept);
                // SAFETY: this only ends the child.
                unsafe { libc::_exit((samples % 251) as i32) };
            }
            status_of(pid).expect("the child ends")
        };
        let counts: Vec<i32> = (0..5).map(samples).collect();
        assert!(counts.iter().any(|count| *count != counts[0]), "all siblings: {counts:?}");
    });
}

#[test]
fn a_child_forked_while_a_thread_takes_events_takes_its_own() {
    in_own_process(|| {
        set(Level::Counters);
        set_operation_events(true);
        for _ in 0..2 {
            drop(IN_PARENT.enter());
        }
        let (is_taking, done) = (AtomicBool::new(false), AtomicBool::new(false));
        let status = thread::scope(|scope| {
            scope.spawn(|| {
                drain_operation_events(|_| {
                    is_taking.store(true, Relaxed);
                    wait_until("the child has ended", || done.load(Relaxed));
                })
            });
            wait_until("the thread takes events", || is_taking.load(Relaxed));
            // SAFETY: as above.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                drop(IN_CHILD.enter());
                // The event that the parent's thread has not taken yet, and the child's own.
                let taken = drain_operation_events(|_| ()).taken;
                // SAFETY: this only ends the child.
                unsafe { libc::_exit(i32::from(taken != 2)) };
            }
            let status = status_of(pid);
            done.store(true, Relaxed);
            status
        });
        set_operation_events(false);
        assert_eq!(status, Some(0), "the child takes no events");
    });
}
