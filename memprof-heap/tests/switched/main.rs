//! A program that starts at the level `Off`. Its tests switch levels, rates and events, so they run
//! one at a time. Tests that read process-wide counts to the byte, or that fill tables which are
//! never emptied, run in processes of their own.

mod captured_output;
mod leaks;
mod level_requests;
mod lines;
mod live_samples;
mod many_stacks;
mod measured_level;
#[cfg(target_os = "linux")]
mod no_key_left;
mod no_leak;
mod operation_events;
mod operations;
mod other_threads;
#[path = "../shared/own_process.rs"]
mod own_process;
mod peak_watch;
mod profiler_threads;
mod queries;
#[path = "../shared/random.rs"]
mod random;
mod rate_recovers;
mod refusals;
#[path = "../shared/refusing.rs"]
mod refusing;
mod sampled;
mod switched_on_late;
mod tensors;
mod unrecorded;

use memprof_heap::event::{drain_operation_events, set_operation_events};
use memprof_heap::hooks::{set_wake, watch_peak};
use memprof_heap::operation::{Operation, set_wall_time};
use memprof_heap::{Allocator, Level, Rate, recorder, set_level, set_rate};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOC: Allocator<refusing::Refusing> = Allocator::new(refusing::Refusing);

/// A test that has the process for itself. At the end, everything is switched off.
struct Alone {
    _lock: MutexGuard<'static, ()>,
}

/// Waits until no other test switches, and begins a new period at a level and a rate.
fn alone(level: Level, rate: Rate) -> Alone {
    static ONE: Mutex<()> = Mutex::new(());
    let lock = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    set_rate(rate);
    set_level(level);
    Alone { _lock: lock }
}

impl Drop for Alone {
    fn drop(&mut self) {
        set_operation_events(false);
        drain_operation_events(|_| ());
        set_wall_time(false);
        set_wake(None);
        watch_peak(u64::MAX);
        recorder::set_wake(None);
        recorder::watch_live(u64::MAX);
        set_level(Level::Off);
    }
}

/// Returns a block that the compiler does not optimise away.
#[inline(never)]
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

fn find(path: &str) -> Operation {
    let all = memprof_heap::operations().expect("it counts");
    all.find(path).unwrap_or_else(|| panic!("no {path}")).clone()
}
