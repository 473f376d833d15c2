//! The measurement of one piece of work.

use crate::control::installed::is_installed;
use crate::control::level;
use crate::control::not_installed::NotInstalled;
use crate::operations::RunningMeasurement;
use crate::operations::flow::Flow;
use crate::thread::threads;
use core::fmt;
use memprof_profile::text::counted;
use memprof_profile::views::{Grouped, Units};

/// The calls of the allocator that the current thread made while some work ran.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() -> Result<(), memprof::heap::NotInstalled> {
/// let (sum, measured) = memprof::heap::measure(|| {
///     let large = vec![1_u8; 2048];
///     let small = vec![large.len(); 4];
///     drop(large);
///     small.iter().sum::<usize>()
/// })?;
/// assert_eq!(sum, 4 * 2048);
/// assert_eq!(
///     measured.to_string(),
///     "allocated 2.0 KiB in 2 blocks, freed 2.0 KiB in 2, peak 2.0 KiB"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measurement {
    /// Bytes allocated, as requested. A reallocation adds its new size.
    pub allocated_bytes: u64,
    /// The number of allocations, including reallocations.
    pub allocated_blocks: u64,
    /// Bytes freed, including bytes of older blocks. A reallocation adds its old size.
    pub freed_bytes: u64,
    /// The number of blocks freed, including reallocations.
    pub freed_blocks: u64,
    /// The maximum of live bytes, less the bytes live at the start. A reallocation never counts its
    /// old and its new block together, even if the allocator moved the block.
    pub peak_bytes: u64,
}

impl Measurement {
    /// Returns bytes allocated less bytes freed: the bytes that the work left behind, if it freed
    /// no older blocks.
    pub fn net_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    /// Returns blocks allocated less blocks freed.
    pub fn net_blocks(&self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [allocated, freed, peak] =
            [self.allocated_bytes, self.freed_bytes, self.peak_bytes].map(|b| Units::Iec.show(b));
        let (new, gone) = (counted(self.allocated_blocks, "block"), Grouped(self.freed_blocks));
        write!(out, "allocated {allocated} in {new}, freed {freed} in {gone}, peak {peak}")
    }
}

/// Runs `work` and returns what this thread allocated and freed during `work`, and its peak.
///
/// Other threads don't count: neither the threads of tests that run in parallel nor the threads
/// that `work` starts. Measurements nest: the outer one includes the inner one. An optimised build
/// may omit allocations that are never used; `std::hint::black_box` keeps them.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() -> Result<(), memprof::heap::NotInstalled> {
/// let mut numbers: Vec<u64> = Vec::with_capacity(1000);
/// let (_, measured) = memprof::heap::measure(|| numbers.extend(0..1000))?;
/// assert_eq!(measured.allocated_blocks, 0, "the capacity sufficed");
/// # Ok(())
/// # }
/// ```
///
/// If the level is [`Off`](crate::Level::Off), this call raises it to
/// [`Counters`](crate::Level::Counters), and it stays there. Setting it to `Off` during a
/// measurement ends the counting.
///
/// # Errors
/// Returns an error without running `work` if [`Allocator`](crate::Allocator) isn't the global
/// allocator.
///
/// # Cost
/// The call costs as much as [`is_installed`](crate::is_installed), and copies five words before
/// and after `work`.
pub fn measure<T>(work: impl FnOnce() -> T) -> Result<(T, Measurement), NotInstalled> {
    count()?;
    let Some(local) = threads::local() else { return Err(NotInstalled(())) };
    let measurement = RunningMeasurement::begin(local).ok_or(NotInstalled(()))?;
    let value = work();
    Ok((value, measurement.end().into()))
}

/// Switches counting on, if it is off.
pub(super) fn count() -> Result<(), NotInstalled> {
    if !is_installed() {
        return Err(NotInstalled(()));
    }
    level::at_least_counters();
    Ok(())
}

impl From<Flow> for Measurement {
    fn from(flow: Flow) -> Self {
        Self {
            allocated_bytes: flow.allocated_bytes.cast_unsigned(),
            allocated_blocks: flow.allocated_blocks,
            freed_bytes: flow.freed_bytes().cast_unsigned(),
            freed_blocks: flow.freed_blocks,
            peak_bytes: flow.peak().max(0).cast_unsigned(),
        }
    }
}
