//! Work of whoever records, which should not show in what is recorded.

use crate::sampling;

/// Runs work of a profiler's own: what it allocates is not sampled.
///
/// So it shows neither in [`sites`](crate::sites()) and [`largest`](crate::largest()) nor in what operations
/// retain. It is counted: [`totals`](crate::totals()) and the thread's own
/// [`current_thread`](crate::current_thread) have it, and that is what recording costs.
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
    sampling::unsampled(work)
}
