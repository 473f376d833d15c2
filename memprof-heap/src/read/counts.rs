//! The exact counts: of the process, of its threads, of a piece of work, and of a value whose type
//! hides its memory; and the errors if nothing is recorded.

use crate::record::level::Level;
use crate::record::process::Counted;
use crate::record::running::Flow;
use crate::record::running::RunningMeasurement;
use crate::record::switch::{at_least_counters, is_installed, level};
use crate::record::system::{self, Since};
use crate::record::threads::Shard;
use crate::record::{fork, process, stacks, threads};
use core::fmt;
use core::ops::Deref;
use memprof_core::tree::{LeafKind, OpaqueReason};
use memprof_core::walk::{Position, Walk};
use memprof_profile::MemoryProfile;
use memprof_profile::text::{self, signed};
use memprof_profile::views::{Grouped, Units};

/// The requested data was not recorded. It is unknown, not zero.
///
/// ```
/// use memprof::heap::{sites, NotRecorded};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() {
/// let error = sites().unwrap_err();
/// assert_eq!(error, NotRecorded::Samples);
/// assert_eq!(
///     error.to_string(),
///     "no samples are taken; call `memprof::heap::set_level(memprof::heap::Level::Sampled)` \
///      first, or start at that level: `Allocator::system().starting_at(Level::Sampled)`"
/// );
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRecorded {
    /// The global allocator is not [`Allocator`](crate::Allocator).
    NotInstalled(NotInstalled),
    /// The level is [`Off`](Level::Off).
    Counts,
    /// The level is below [`Sampled`](Level::Sampled).
    Samples,
    /// This process was forked while another thread of its parent took a sample. That thread may
    /// have held a lock that a sample needs, so this process takes none.
    Forked,
}

impl NotRecorded {
    fn counts() -> Self {
        if is_installed() { Self::Counts } else { Self::NotInstalled(NotInstalled(())) }
    }
}

pub(crate) fn require_counts() -> Result<(), NotRecorded> {
    fork::check();
    // The hook may not pin the library of an allocator that starts at a level.
    system::pin();
    if level() >= Level::Counters && is_installed() { Ok(()) } else { Err(NotRecorded::counts()) }
}

pub(crate) fn require_samples() -> Result<(), NotRecorded> {
    fork::check();
    if !is_installed() {
        return Err(NotRecorded::NotInstalled(NotInstalled(())));
    }
    match level() {
        Level::Sampled => Ok(()),
        _ if fork::samples_are_lost() => Err(NotRecorded::Forked),
        _ => Err(NotRecorded::Samples),
    }
}

impl fmt::Display for NotRecorded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, level) = match self {
            Self::NotInstalled(error) => return error.fmt(out),
            Self::Counts => ("nothing is counted", "Counters"),
            Self::Samples => ("no samples are taken", "Sampled"),
            Self::Forked => {
                return out.write_str(
                    "this process takes no samples, because it was forked while another thread was \
                     taking one; fork again, or fork before samples are taken",
                );
            }
        };
        write!(
            out,
            "{what}; call `memprof::heap::set_level(memprof::heap::Level::{level})` first, or \
             start at that level: `Allocator::system().starting_at(Level::{level})`"
        )
    }
}

error_shown_by_unwrap!(NotRecorded);

/// Nothing is counted, because the global allocator is not [`Allocator`](crate::Allocator).
///
/// The message, which `unwrap` prints too, has the lines to add:
///
/// ```
/// let error = memprof::heap::measure(|| ()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "memprof's allocator is not installed; add to the program or to the test file:\n\
///      #[global_allocator]\n\
///      static ALLOC: memprof::Allocator = memprof::Allocator::system();"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NotInstalled(pub(crate) ());

impl fmt::Display for NotInstalled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "memprof's allocator is not installed; add to the program or to the test file:\n\
             #[global_allocator]\n\
             static ALLOC: memprof::Allocator = memprof::Allocator::system();",
        )
    }
}

error_shown_by_unwrap!(NotInstalled);

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
    /// When the process began to count.
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
    /// The maximum of live bytes. It may be too low by 64 KiB per thread that works for a profiler.
    pub peak_bytes: u64,
    /// Bytes of the tables of threads, stacks and operations. memprof takes them from the system,
    /// not through the allocator, and no other field here includes them.
    pub table_bytes: u64,
    /// Bytes that the table of stacks reserves and has not used. They are allocated, but not resident.
    pub reserved_bytes: u64,
}

/// The maximum of the live bytes of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peak {
    /// Bytes above those that were live when counting began, as found when all threads were read.
    /// The true peak may be higher by `error_bytes`.
    pub bytes: u64,
    /// The maximum by which the true peak may be higher: 96 KiB, times the maximum number of
    /// threads that counted at the same time. The peak is not exact because threads are not read at
    /// every allocation.
    pub error_bytes: u64,
}

impl ThreadTotals {
    /// Returns bytes allocated minus bytes freed. The result may be negative on a thread that frees
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
    /// Returns bytes allocated minus bytes freed. The result is exactly the live bytes, if counted
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

    /// Returns blocks allocated minus blocks freed.
    pub fn live_blocks(&self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }
}

impl ProfilerTotals {
    /// Returns blocks allocated minus blocks freed.
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
    /// True if the thread is still running. A thread that ended is listed until another thread
    /// takes over its counters.
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
/// its counts, the call waits at most a few milliseconds for that thread.
pub fn totals() -> Result<Totals, NotRecorded> {
    require_counts()?;
    let Counted { start, program, profilers } = process::read_counts();
    let since = Since::of(start.moment);
    let program = program.since(start.program).settled(since == Since::Start);
    let profilers = profilers.since(start.profilers).settled(true);
    let all = program.and(profilers);
    let peak = process::raised_peak().wrapping_sub(start.program.live());
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
            table_bytes: system::table_bytes() + stacks::used_bytes(),
            reserved_bytes: stacks::unused_bytes(),
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
    require_counts()?;
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
    require_counts().ok()?;
    let local = threads::local().filter(|local| !local.is_unlisted())?;
    ThreadTotals::of(local.shard())
}

/// Restarts the peak of the process from what is live now.
///
/// # Errors
/// Returns an error in the same cases as [`totals`].
pub fn reset_peak() -> Result<(), NotRecorded> {
    require_counts()?;
    process::reset_peak();
    Ok(())
}

/// The allocator calls that the current thread made while some work ran.
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
    /// The maximum of live bytes, minus the bytes live at the start. A reallocation never counts
    /// its old and its new block together, even if the allocator moved the block.
    pub peak_bytes: u64,
}

impl Measurement {
    /// Returns bytes allocated minus bytes freed: the bytes that the work left behind, if it freed
    /// no older blocks.
    pub fn net_bytes(&self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes).cast_signed()
    }

    /// Returns blocks allocated minus blocks freed.
    pub fn net_blocks(&self) -> i64 {
        self.allocated_blocks.wrapping_sub(self.freed_blocks).cast_signed()
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [allocated, freed, peak] =
            [self.allocated_bytes, self.freed_bytes, self.peak_bytes].map(|b| Units::Iec.show(b));
        let (new, gone) =
            (text::counted(self.allocated_blocks, "block"), Grouped(self.freed_blocks));
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
/// The call copies five words before and after `work`.
pub fn measure<T>(work: impl FnOnce() -> T) -> Result<(T, Measurement), NotInstalled> {
    switch_counting_on()?;
    let Some(local) = threads::local() else { return Err(NotInstalled(())) };
    let measurement = RunningMeasurement::begin(local).ok_or(NotInstalled(()))?;
    let value = work();
    Ok((value, measurement.end().into()))
}

pub(crate) fn switch_counting_on() -> Result<(), NotInstalled> {
    if !is_installed() {
        return Err(NotInstalled(()));
    }
    at_least_counters();
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

/// A value whose type hides its memory, and the number of bytes that its construction left on the
/// heap.
///
/// Some types of other crates have no public fields, and no method returns their memory. The
/// allocator still counts what such a value allocates while it is created:
///
/// ```
/// # mod text {
/// #     pub struct Pattern { states: Vec<u32>, name: String }
/// #     impl Pattern {
/// #         pub fn new(name: &str) -> Result<Self, std::fmt::Error> {
/// #             Ok(Self { states: vec![0; 1000], name: name.to_owned() })
/// #         }
/// #         pub fn is_match(&self, text: &str) -> bool {
/// #             self.states.len() > 1 && text.contains(&self.name)
/// #         }
/// #     }
/// # }
/// use memprof::heap::{Level, Measured};
/// use memprof::{MemoryProfile, Profile};
///
/// #[global_allocator]
/// static ALLOC: memprof::Allocator =
///     memprof::Allocator::system().starting_at(Level::Counters);
///
/// #[derive(MemoryProfile)]
/// struct Filter {
///     pattern: Measured<text::Pattern>,
///     names: Vec<String>,
/// }
///
/// # fn main() -> Result<(), std::fmt::Error> {
/// let pattern = Measured::try_new(|| text::Pattern::new("alpha"))?;
/// assert!(pattern.is_match("alphabet"), "a `Measured` derefs to its value");
/// assert_eq!(pattern.bytes(), Some(4000 + 5));
///
/// let profile = Profile::of(&Filter { pattern, names: Vec::new() });
/// let own = size_of::<Measured<text::Pattern>>() as u64;
/// assert_eq!(profile.bytes_at("pattern"), Some(own + 4005));
/// assert!(!profile.is_exact(), "a measured size is of the past");
/// assert!(profile.to_string().contains("not exact: 1 measured"));
/// # Ok(())
/// # }
/// ```
///
/// The size is measured when the value is created. A profile counts it as `[opaque]` bytes and
/// marks it as [measured](OpaqueReason::Measured). If the value allocates later, for example as a
/// cache does behind a shared reference, the size is out of date. [`update`](Self::update) changes
/// the value and its size.
///
/// # Limits
/// The size is what *this thread* allocated minus what it freed while the value was created:
/// - Memory that another thread allocated is missing.
/// - Memory allocated earlier is missing, for example the text that a closure moves into the value.
///   If the closure frees it, the size is too small.
/// - Memory that the closure keeps elsewhere is included. Examples are a cache, a thread-local
///   value, or any value created on first use.
///
/// In these cases the size is unknown, and the profile marks it as
/// [not measured](OpaqueReason::NotMeasured):
/// - [`Allocator`](crate::Allocator) isn't the global allocator.
/// - The level is [`Off`](crate::Level::Off) before or after the value is created. Unlike
///   [`measure`](crate::measure()), this type never sets the level.
/// - More was freed than allocated.
///
/// Without the feature `heap` of memprof, the type exists and every size is unknown.
///
/// # Cost
/// The type adds three words to the value. Creating a value costs as much as
/// [`measure`](crate::measure()). Profiling it costs a few additions, however large it is.
#[derive(Debug)]
pub struct Measured<T> {
    value: T,
    heap: Option<HeapUse>,
}

/// The live bytes and blocks of a value, as far as they were counted.
#[derive(Clone, Copy, Debug)]
struct HeapUse {
    bytes: u64,
    blocks: u64,
}

impl HeapUse {
    const NONE: Self = Self { bytes: 0, blocks: 0 };

    /// Returns the sum, or `None` if more was freed than allocated.
    fn after(self, change: Measurement) -> Option<Self> {
        Some(Self {
            bytes: self.bytes.checked_add_signed(change.net_bytes())?,
            blocks: self.blocks.checked_add_signed(change.net_blocks())?,
        })
    }
}

impl<T> Measured<T> {
    /// Creates a value and records what `make` left on the heap.
    ///
    /// # Panics
    /// Panics if `make` panics.
    pub fn new(make: impl FnOnce() -> T) -> Self {
        let (value, change) = count(make);
        Self { value, heap: change.and_then(|change| HeapUse::NONE.after(change)) }
    }

    /// Creates a value like [`new`](Self::new), with a function that can fail.
    ///
    /// # Errors
    /// Returns the error from `make`.
    ///
    /// # Panics
    /// Panics if `make` panics.
    pub fn try_new<E>(make: impl FnOnce() -> Result<T, E>) -> Result<Self, E> {
        let Measured { value, heap } = Measured::new(make);
        value.map(|value| Self { value, heap })
    }

    /// Changes the value, and adds to its size what `change` allocates minus what it frees.
    ///
    /// ```
    /// use memprof::heap::{Level, Measured};
    ///
    /// #[global_allocator]
    /// static ALLOC: memprof::Allocator =
    ///     memprof::Allocator::system().starting_at(Level::Counters);
    ///
    /// # fn main() {
    /// let mut numbers: Measured<Vec<u64>> = Measured::new(|| Vec::with_capacity(10));
    /// let last = numbers.update(|numbers| {
    ///     numbers.reserve_exact(1000);
    ///     numbers.last().copied()
    /// });
    /// assert_eq!((last, numbers.bytes()), (None, Some(8000)));
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if `change` panics. The size is then unknown.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        let heap = self.heap.take();
        let (result, change) = count(|| change(&mut self.value));
        self.heap = heap.zip(change).and_then(|(heap, change)| heap.after(change));
        result
    }

    /// Returns the bytes that creating the value left on the heap, or `None` if they are unknown.
    /// The value's own bytes are not included.
    pub fn bytes(&self) -> Option<u64> {
        self.heap.map(|heap| heap.bytes)
    }

    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.value
    }
}

/// Runs `work`, and returns what this thread allocated and freed during `work`, if it was counted.
fn count<R>(work: impl FnOnce() -> R) -> (R, Option<Measurement>) {
    if level() == Level::Off || !is_installed() {
        return (work(), None);
    }
    let Some(running) = threads::local().and_then(RunningMeasurement::begin) else {
        return (work(), None);
    };
    let result = work();
    let change = Measurement::from(running.end());
    (result, (level() != Level::Off).then_some(change))
}

/// Returns the value. There is no `DerefMut`, because a change through it would not be counted.
impl<T> Deref for Measured<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Measures the clone too.
impl<T: Clone> Clone for Measured<T> {
    fn clone(&self) -> Self {
        Self::new(|| self.value.clone())
    }
}

impl<T> MemoryProfile for Measured<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let Some(HeapUse { bytes, blocks }) = self.heap else {
            walk.opaque(at, OpaqueReason::NotMeasured);
            return;
        };
        walk.leaf(at, LeafKind::Opaque, bytes as usize);
        walk.count_allocations(at, blocks as usize);
        walk.opaque(at, OpaqueReason::Measured);
    }
}
