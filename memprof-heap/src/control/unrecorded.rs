//! A profiler's own work, which should not appear in the records.

use crate::sampling;
use crate::thread::profiler_work;

/// Runs a profiler's own work. Its allocations are not sampled, and they are counted separately.
///
/// So [`sites`](crate::sites()), [`largest`](crate::largest()), the retained bytes of operations
/// and the [`Peak`](crate::Peak) of the process do not include them. [`totals`](crate::totals())
/// includes them, because they are live memory too;
/// [`profiler_bytes`](crate::Totals::profiler_bytes) is their share.
///
/// ```
/// use memprof::heap::hooks::unrecorded;
/// use memprof::heap::{set_level, set_rate, sites, Level, Rate};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
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
/// The call writes to one thread-local word twice.
pub fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    sampling::unsampled(|| profiler_work::run(work))
}

/// Runs the work of a thread that belongs to a profiler from its start to its end.
///
/// This does the same as [`unrecorded`]. In addition, what the thread counted before this call
/// belongs to the profiler. So does what the thread frees after `work`, when its closure and its
/// handle are dropped. Call it first in a thread's closure, and start the thread within
/// [`unrecorded`] work, so that both the allocation and the free of the thread's own blocks count
/// for the profiler.
///
/// ```
/// use memprof::heap::hooks::{unrecorded, unrecorded_thread};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
/// use std::thread;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let before = totals()?.program_bytes();
/// let work = || unrecorded_thread(|| drop(vec![0_u8; 1_000_000]));
/// unrecorded(|| thread::spawn(work).join()).expect("it doesn't panic");
/// assert_eq!(totals()?.program_bytes(), before);
/// # Ok(())
/// # }
/// ```
pub fn unrecorded_thread<T>(work: impl FnOnce() -> T) -> T {
    profiler_work::adopt_current_thread();
    sampling::unsampled(work)
}

/// Runs work of the program within [`unrecorded`] work. The allocations of the inner work are
/// sampled, and its allocations and frees count for the program.
///
/// A profiler uses this to drop a value of the program or to call its code.
///
/// ```
/// use memprof::heap::hooks::{recorded, unrecorded};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// let value = vec![0_u8; 1_000_000];
/// unrecorded(|| recorded(|| drop(value)));
/// assert!(totals()?.profiler_bytes < 10_000);
/// # Ok(())
/// # }
/// ```
pub fn recorded<T>(work: impl FnOnce() -> T) -> T {
    profiler_work::pause(|| sampling::sampled_again(work))
}

/// Runs memprof's own work and returns its result as memory of the caller.
///
/// The caller frees the result. So the caller gets a copy that was not allocated as a profiler's
/// memory.
pub(crate) fn for_caller<T: Clone>(work: impl FnOnce() -> T) -> T {
    sampling::unsampled(|| {
        let result = profiler_work::run(work);
        let copy = result.clone();
        profiler_work::run(|| drop(result));
        copy
    })
}
