//! CPU time of this thread or of all threads, which other processes on the machine do not affect.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Returns the CPU time of this thread so far.
///
/// # Panics
/// Panics if the system's clock is out of its range.
pub fn cpu_time() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// Returns the CPU time of all threads of the process so far, including ended threads.
///
/// # Panics
/// Panics under the same condition as [`cpu_time`].
pub fn process_cpu_time() -> Duration {
    read(ClockId::ProcessCPUTime)
}

fn read(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(
        u64::try_from(now.tv_sec).expect("the clock counts from the start"),
        u32::try_from(now.tv_nsec).expect("nanoseconds are below a second"),
    )
}

/// Returns the CPU time per call of `work`, over `calls` calls.
///
/// # Panics
/// Panics if `calls` is 0.
pub fn cpu_time_of(calls: u32, mut work: impl FnMut()) -> Duration {
    let start = cpu_time();
    for _ in 0..calls {
        work();
    }
    cpu_time().saturating_sub(start) / calls
}
