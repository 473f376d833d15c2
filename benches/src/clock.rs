//! CPU time, of this thread or of all, which other processes on the machine don't lengthen.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time that this thread has used so far.
///
/// # Panics
/// If the system's clock is out of its own range.
pub fn cpu_time() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// CPU time that all threads of the process have used so far, those that ended included.
///
/// # Panics
/// As [`cpu_time`].
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

/// CPU time of `work`, per call, over `calls` calls.
///
/// # Panics
/// If `calls` is 0.
pub fn cpu_time_of(calls: u32, mut work: impl FnMut()) -> Duration {
    let start = cpu_time();
    for _ in 0..calls {
        work();
    }
    cpu_time().saturating_sub(start) / calls
}
