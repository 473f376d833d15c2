//! Work of whoever records, which should not show in what is recorded.

use crate::sampling;
use crate::thread::profiler_work;

/// Runs work of a profiler's own: what it allocates is not sampled, and counted apart.
///
/// So it shows neither in [`sites`](crate::sites()) and [`largest`](crate::largest()) nor in what
/// operations retain, nor in the process's [`Peak`](crate::Peak). It is live all the same:
/// [`totals`](crate::totals()) has it, and says how much of it there is
/// ([`profiler_bytes`](crate::Totals::profiler_bytes)).
///
/// ```
/// use memprof_heap::{Allocator, Level, Rate, set_level, set_rate, sites, unrecorded};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// set_rate(Rate::EACH_BLOCK);
/// set_level(Level::Sampled);
/// let snapshot = unrecorded(|| vec![0_u8; 1_000_000]);
/// assert!(sites()?.live.value < 1_000_000.0);
/// # drop(snapshot);
/// # Ok(())
/// # }
/// ```
///
/// # Cost
/// Two writes to a word of the thread.
pub fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    sampling::unsampled(|| profiler_work::run(work))
}

/// Runs the work of a thread that is a profiler's for all its life.
///
/// As [`unrecorded`], and besides: what the thread counted before this call is the profiler's, and so
/// is what it frees after `work`, when its closure and its handle are dropped. Call it first in a
/// thread's closure, and start the thread in [`unrecorded`] work: then no block changes sides.
///
/// ```
/// use memprof_heap::{Allocator, Level, totals, unrecorded, unrecorded_thread};
/// use std::thread;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// let before = totals()?.program_bytes();
/// let work = || unrecorded_thread(|| drop(vec![0_u8; 1_000_000]));
/// unrecorded(|| thread::spawn(work).join()).expect("it doesn't panic");
/// assert_eq!(totals()?.program_bytes(), before);
/// # Ok(())
/// # }
/// ```
pub fn unrecorded_thread<T>(work: impl FnOnce() -> T) -> T {
    profiler_work::adopt_this_thread();
    sampling::unsampled(work)
}

/// Runs work of the program's within [`unrecorded`] work: what it allocates is sampled, and what it
/// frees is the program's.
///
/// A profiler that drops a value of the program, or calls code of it, does so in this.
///
/// ```
/// use memprof_heap::{Allocator, Level, recorded, totals, unrecorded};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// let value = vec![0_u8; 1_000_000];
/// unrecorded(|| recorded(|| drop(value)));
/// assert!(totals()?.profiler_bytes < 10_000);
/// # Ok(())
/// # }
/// ```
pub fn recorded<T>(work: impl FnOnce() -> T) -> T {
    profiler_work::pause(|| sampling::sampled_again(work))
}

/// Runs work of memprof's own whose result a caller gets: the result alone is the caller's memory.
///
/// The caller frees what it gets, so it gets a copy that was not allocated as a profiler's.
pub(crate) fn for_caller<T: Clone>(work: impl FnOnce() -> T) -> T {
    sampling::unsampled(|| {
        let result = profiler_work::run(work);
        let copy = result.clone();
        profiler_work::run(|| drop(result));
        copy
    })
}
