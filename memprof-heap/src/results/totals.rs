//! What the process and its threads have allocated and freed.

use crate::base::clock::Since;
use crate::base::own_memory;
use crate::control::not_recorded::{self, NotRecorded};
use crate::thread::counted::{self, Counted};
use crate::thread::shard::Shard;
use crate::thread::{process, profilers, shards, threads};
use core::fmt;
use memprof_profile::Units;
use memprof_profile::text::signed;

/// What all threads allocated and freed since counting began; exact.
///
/// ```
/// use memprof_heap::{Allocator, Level, Since, totals};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// let before = totals()?;
/// let names = vec![String::from("alpha"); 1000];
/// let after = totals()?;
/// assert_eq!(after.since, Since::Start);
/// assert!(after.live_bytes() >= before.live_bytes() + 1000 * (24 + 5));
/// assert!(after.peak.bytes + after.peak.error_bytes >= after.live_bytes().unsigned_abs());
/// # drop(names);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Since when.
    pub since: Since,
    /// Bytes allocated, as requested. A reallocation adds its new size.
    pub allocated_bytes: u64,
    /// Allocations, reallocations included.
    pub allocated_blocks: u64,
    /// Bytes freed. A reallocation adds its old size.
    pub freed_bytes: u64,
    /// Blocks freed, reallocations included.
    pub freed_blocks: u64,
    /// Of the bytes live, those that profilers allocated for [work of their own](crate::unrecorded).
    /// Never negative.
    pub profiler_bytes: i64,
    /// The part of these counts that is the profilers'.
    pub profilers: ProfilerTotals,
    /// The most bytes that were live at once, without those of profilers.
    pub peak: Peak,
}

/// Counts of what profilers allocated and freed for [work of their own](crate::unrecorded) since
/// counting began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfilerTotals {
    /// Bytes allocated.
    pub allocated_bytes: u64,
    /// Allocations.
    pub allocated_blocks: u64,
    /// Bytes freed.
    pub freed_bytes: u64,
    /// Blocks freed.
    pub freed_blocks: u64,
    /// The most bytes that were live at once. It may be too low by 64 KiB for each thread that
    /// works for a profiler.
    pub peak_bytes: u64,
    /// Bytes of the tables of threads, stacks and operations, which memprof takes from the system and
    /// not through the allocator. They are in no other figure here. Pages that were never touched are
    /// included, though the system gives no memory for them.
    pub table_bytes: u64,
}

/// The most bytes that were live at once, of all threads together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peak {
    /// Bytes above those that were live when counting began. So many were live at a moment: all
    /// threads were asked. The peak may have been higher by `error_bytes`.
    pub bytes: u64,
    /// By how much it may have been higher: 96 KiB for each thread that counted at once, as they
    /// are not asked at every allocation.
    pub error_bytes: u64,
}

impl ThreadTotals {
    /// Bytes allocated less bytes freed: negative on a thread that frees what others allocated.
    pub fn live_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    fn of(shard: &Shard) -> Option<Self> {
        let read = |shard: &Shard| {
            (shard.is_taken(), shard.counts_of_tenant(), shard.peak_of_tenant().max(0))
        };
        let (thread, (runs, counts, peak)) = shard.of_tenant(read)?;
        Some(Self {
            thread,
            runs,
            allocated_bytes: counts.allocated_bytes,
            allocated_blocks: counts.allocated_blocks,
            freed_bytes: counts.freed_bytes,
            freed_blocks: counts.freed_blocks,
            peak_bytes: peak.cast_unsigned(),
        })
    }
}

impl Totals {
    /// Bytes allocated and not freed: exactly what is live, if counted [since the
    /// start](Since::Start); else how much more is live than when counting began.
    pub fn live_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    /// Bytes live without those of profilers.
    pub fn program_bytes(&self) -> i64 {
        self.live_bytes().wrapping_sub(self.profiler_bytes)
    }

    /// Blocks live without those of profilers.
    pub fn program_blocks(&self) -> i64 {
        self.live_blocks().wrapping_sub(self.profilers.live_blocks())
    }

    /// Bytes allocated without those of profilers.
    pub fn program_allocated_bytes(&self) -> u64 {
        self.allocated_bytes.saturating_sub(self.profilers.allocated_bytes)
    }

    /// Allocations without those of profilers.
    pub fn program_allocated_blocks(&self) -> u64 {
        self.allocated_blocks.saturating_sub(self.profilers.allocated_blocks)
    }

    /// Bytes freed without those of profilers.
    pub fn program_freed_bytes(&self) -> u64 {
        self.freed_bytes.saturating_sub(self.profilers.freed_bytes)
    }

    /// Blocks freed without those of profilers.
    pub fn program_freed_blocks(&self) -> u64 {
        self.freed_blocks.saturating_sub(self.profilers.freed_blocks)
    }

    /// Blocks allocated and not freed.
    pub fn live_blocks(&self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }
}

impl ProfilerTotals {
    /// Blocks allocated and not freed.
    pub fn live_blocks(&self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = |is_one| if is_one { "block" } else { "blocks" };
        let live = signed(self.live_bytes().into(), Units::Iec);
        let [allocated, freed, peak, error] =
            [self.allocated_bytes, self.freed_bytes, self.peak.bytes, self.peak.error_bytes]
                .map(|bytes| Units::Iec.show(bytes));
        write!(
            out,
            "{live} live in {} {}, peak {peak} (at most {error} more), allocated {allocated} in {} \
             {}, freed {freed} in {}",
            self.live_blocks(),
            noun(self.live_blocks() == 1),
            self.allocated_blocks,
            noun(self.allocated_blocks == 1),
            self.freed_blocks,
        )
    }
}

/// What one thread counted since it first allocated.
///
/// A thread that frees what others allocated frees more than it allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadTotals {
    /// Threads are numbered in the order in which they first counted, from 1.
    pub thread: u32,
    /// Whether it still runs. Of those that ended, one is shown for each place that no other
    /// thread has taken since.
    pub runs: bool,
    /// Bytes allocated, as requested.
    pub allocated_bytes: u64,
    /// Allocations, reallocations included.
    pub allocated_blocks: u64,
    /// Bytes freed.
    pub freed_bytes: u64,
    /// Blocks freed, reallocations included.
    pub freed_blocks: u64,
    /// The most bytes that were live at once: its high-water mark. 0 on a thread that only frees.
    pub peak_bytes: u64,
}

/// What the process allocated and freed since counting began.
///
/// # Errors
/// If nothing counts: the level is off, or another allocator is the global one.
///
/// # Cost
/// A few loads for each thread that ever ran at the same time as others; and some milliseconds of
/// waiting for one that the system interrupted in the few instructions in which its counts don't
/// belong together.
pub fn totals() -> Result<Totals, NotRecorded> {
    not_recorded::counted()?;
    let Counted { start, program, profilers } = counted::read();
    let since = Since::of(start.moment);
    let program = program.since(start.program).settled(since == Since::Start);
    let profilers = profilers.since(start.profilers).settled(true);
    let all = program.and(profilers);
    let peak = process::peak().wrapping_sub(start.live);
    let profilers_peak = profilers::peak().wrapping_sub(start.profilers_live);
    Ok(Totals {
        since,
        allocated_bytes: all.allocated_bytes,
        allocated_blocks: all.allocated_blocks,
        freed_bytes: all.freed_bytes,
        freed_blocks: all.freed_blocks,
        profiler_bytes: profilers.live(),
        profilers: ProfilerTotals {
            allocated_bytes: profilers.allocated_bytes,
            allocated_blocks: profilers.allocated_blocks,
            freed_bytes: profilers.freed_bytes,
            freed_blocks: profilers.freed_blocks,
            peak_bytes: profilers_peak.max(profilers.live()).max(0).cast_unsigned(),
            table_bytes: own_memory::bytes(),
        },
        peak: Peak {
            // What is live now was live at once, whatever the threads have told.
            bytes: peak.max(program.live()).max(0).cast_unsigned(),
            error_bytes: process::peak_error(),
        },
    })
}

/// What each thread counted, those that run first, then by number.
///
/// # Errors
/// As [`totals`].
pub fn threads() -> Result<Vec<ThreadTotals>, NotRecorded> {
    not_recorded::counted()?;
    let mut all: Vec<_> = shards::all().filter_map(ThreadTotals::of).collect();
    all.sort_by_key(|totals| (!totals.runs, totals.thread));
    Ok(all)
}

/// What the current thread counted since it first allocated; `None` where nothing counts, and on a
/// thread that ends.
///
/// ```
/// use memprof_heap::{Allocator, Level, current_thread};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// let before = current_thread().expect("it counts");
/// let kept = vec![0_u8; 1000];
/// let after = current_thread().expect("it counts");
/// assert_eq!(after.live_bytes() - before.live_bytes(), 1000);
/// # drop(kept);
/// # }
/// ```
pub fn current_thread() -> Option<ThreadTotals> {
    not_recorded::counted().ok()?;
    let mine = threads::mine().filter(|mine| !mine.is_late())?;
    ThreadTotals::of(mine.shard())
}

/// Forgets the process's peak: from here on it is that of what comes.
///
/// # Errors
/// As [`totals`].
pub fn reset_peak() -> Result<(), NotRecorded> {
    not_recorded::counted()?;
    process::reset_peak();
    Ok(())
}
