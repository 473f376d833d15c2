//! The bytes and blocks that the process and its threads have allocated and freed.

use crate::read::recorded::{self, NotRecorded};
use crate::record::counted::{self, Counted};
use crate::record::shard::Shard;
use crate::record::system::Since;
use crate::record::{process, system, threads};
use core::fmt;
use memprof_profile::text::signed;
use memprof_profile::views::Units;

/// The bytes and blocks that all threads allocated and freed since counting began. The counts are
/// exact.
///
/// ```
/// use memprof::heap::{totals, Level, Since};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
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
    /// The time since which the process counts.
    pub since: Since,
    /// Bytes allocated, as requested. A reallocation adds its new size.
    pub allocated_bytes: u64,
    /// The number of allocations, including reallocations.
    pub allocated_blocks: u64,
    /// Bytes freed. A reallocation adds its old size.
    pub freed_bytes: u64,
    /// The number of blocks freed, including reallocations.
    pub freed_blocks: u64,
    /// The part of the live bytes that profilers allocated for [their own
    /// work](crate::hooks::unrecorded). Never negative.
    pub profiler_bytes: i64,
    /// The profilers' part of these counts.
    pub profilers: ProfilerTotals,
    /// The maximum of live bytes, without bytes of profilers.
    pub peak: Peak,
}

/// Counts of what profilers allocated and freed for [their own work](crate::hooks::unrecorded)
/// since counting began.
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
    /// The maximum of live bytes. The figure may be too low by 64 KiB for each thread that works
    /// for a profiler.
    pub peak_bytes: u64,
    /// Bytes of the tables of threads, stacks and operations. memprof takes them from the system,
    /// not through the allocator, and they are in no other figure here. They include pages that
    /// were never touched, although the system provides no memory for those.
    pub table_bytes: u64,
}

/// The maximum of the live bytes of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peak {
    /// Bytes above the bytes that were live when counting began. This amount was found when all
    /// threads were read. The true peak may be higher by `error_bytes`.
    pub bytes: u64,
    /// The maximum by which the true peak may be higher: 96 KiB, times the maximum number of
    /// threads that counted at the same time. The peak is not exact because threads are not read at
    /// every allocation.
    pub error_bytes: u64,
}

impl ThreadTotals {
    /// Returns bytes allocated less bytes freed. The result may be negative on a thread that frees
    /// what other threads allocated.
    pub fn live_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    fn of(shard: &Shard) -> Option<Self> {
        let read =
            |shard: &Shard| (shard.is_owned(), shard.owner_counts(), shard.owner_peak().max(0));
        let (thread, (runs, counts, peak)) = shard.read_owner(read)?;
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
    /// Returns bytes allocated less bytes freed. The result is exactly the live bytes, if counted
    /// [since the start](Since::Start). Otherwise it is the change of live bytes since counting
    /// began.
    pub fn live_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    /// Returns the live bytes without the bytes of profilers.
    pub fn program_bytes(&self) -> i64 {
        self.live_bytes().wrapping_sub(self.profiler_bytes)
    }

    /// Returns the live blocks without the blocks of profilers.
    pub fn program_blocks(&self) -> i64 {
        self.live_blocks().wrapping_sub(self.profilers.live_blocks())
    }

    /// Returns the bytes allocated, without the bytes of profilers.
    pub fn program_allocated_bytes(&self) -> u64 {
        self.allocated_bytes.saturating_sub(self.profilers.allocated_bytes)
    }

    /// Returns the number of allocations, without the allocations of profilers.
    pub fn program_allocated_blocks(&self) -> u64 {
        self.allocated_blocks.saturating_sub(self.profilers.allocated_blocks)
    }

    /// Returns the bytes freed, without the bytes of profilers.
    pub fn program_freed_bytes(&self) -> u64 {
        self.freed_bytes.saturating_sub(self.profilers.freed_bytes)
    }

    /// Returns the blocks freed, without the blocks of profilers.
    pub fn program_freed_blocks(&self) -> u64 {
        self.freed_blocks.saturating_sub(self.profilers.freed_blocks)
    }

    /// Returns blocks allocated less blocks freed.
    pub fn live_blocks(&self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }
}

impl ProfilerTotals {
    /// Returns blocks allocated less blocks freed.
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

/// The counts of one thread since it first allocated.
///
/// A thread that frees what other threads allocated may free more than it allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadTotals {
    /// The number of the thread: threads are numbered from 1 in the order in which they first
    /// counted.
    pub thread: u32,
    /// True if the thread still runs. A thread that ended is listed until another thread takes over
    /// its counters.
    pub runs: bool,
    /// Bytes allocated, as requested.
    pub allocated_bytes: u64,
    /// The number of allocations, including reallocations.
    pub allocated_blocks: u64,
    /// Bytes freed.
    pub freed_bytes: u64,
    /// The number of blocks freed, including reallocations.
    pub freed_blocks: u64,
    /// The maximum of live bytes: the high-water mark. It is 0 on a thread that only frees.
    pub peak_bytes: u64,
}

/// Returns what the process allocated and freed since counting began.
///
/// # Errors
/// Returns an error if nothing is counted: the level is off, or another allocator is the global
/// one.
///
/// # Cost
/// The call takes a few loads for the counters of each thread. When a thread ends, a later thread
/// takes over its counters. If the system interrupted a thread in the few instructions that change
/// its counts, the call waits at most some milliseconds for that thread.
pub fn totals() -> Result<Totals, NotRecorded> {
    recorded::counted()?;
    let Counted { start, program, profilers } = counted::read();
    let since = Since::of(start.moment);
    let program = program.since(start.program).settled(since == Since::Start);
    let profilers = profilers.since(start.profilers).settled(true);
    let all = program.and(profilers);
    let peak = process::raised_peak().wrapping_sub(start.live);
    let profilers_peak = process::profilers_peak().wrapping_sub(start.profilers_live);
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
            table_bytes: system::table_bytes(),
        },
        peak: Peak { bytes: peak.max(0).cast_unsigned(), error_bytes: process::peak_error() },
    })
}

/// Returns the counts of each thread. Running threads come first, then those that have ended. Each
/// group is sorted by number.
///
/// # Errors
/// Returns an error in the same cases as [`totals`].
pub fn threads() -> Result<Vec<ThreadTotals>, NotRecorded> {
    recorded::counted()?;
    let mut all: Vec<_> = threads::all().filter_map(ThreadTotals::of).collect();
    all.sort_by_key(|totals| (!totals.runs, totals.thread));
    Ok(all)
}

/// Returns the counts of the current thread since it first allocated. Returns `None` if nothing is
/// counted, or on a thread that is ending.
///
/// ```
/// use memprof::heap::{current_thread, Level};
/// use memprof::Allocator;
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
    recorded::counted().ok()?;
    let local = threads::local().filter(|local| !local.is_unlisted())?;
    ThreadTotals::of(local.shard())
}

/// Restarts the peak of the process from what is live now.
///
/// # Errors
/// Returns an error in the same cases as [`totals`].
pub fn reset_peak() -> Result<(), NotRecorded> {
    recorded::counted()?;
    process::reset_peak();
    Ok(())
}
