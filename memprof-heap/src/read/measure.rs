//! Measurements of what one piece of work allocated, and of what a value holds whose type hides its
//! memory.

use crate::read::recorded::NotInstalled;
use crate::record::level::Level;
use crate::record::operation::RunningMeasurement;
use crate::record::running::Flow;
use crate::record::switch::{self, is_installed, level};
use crate::record::threads;
use core::fmt;
use core::ops::Deref;
use memprof_core::tree::{LeafKind, OpaqueReason};
use memprof_core::walk::{Position, Walk};
use memprof_profile::MemoryProfile;
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
    switch_counting_on()?;
    let Some(local) = threads::local() else { return Err(NotInstalled(())) };
    let measurement = RunningMeasurement::begin(local).ok_or(NotInstalled(()))?;
    let value = work();
    Ok((value, measurement.end().into()))
}

/// Switches counting on, if it is off.
pub(crate) fn switch_counting_on() -> Result<(), NotInstalled> {
    if !is_installed() {
        return Err(NotInstalled(()));
    }
    switch::at_least_counters();
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
/// allocator still counts what such a value allocates while it is made:
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
/// The size is that of the moment when the value was made. A profile counts it as `[opaque]` bytes
/// and marks it as [measured](OpaqueReason::Measured). If the value allocates later, for example as
/// a cache does behind a shared reference, the size is out of date. [`update`](Self::update)
/// changes the value and its size.
///
/// # Limits
/// The size is what *this thread* allocated less what it freed while the value was made:
/// - Memory that another thread allocated is missing.
/// - Memory allocated earlier is missing, for example the text that a closure moves into the value.
///   If the closure frees it, the size is too small.
/// - Memory that the closure keeps elsewhere is included. Examples are a cache, a thread-local
///   value, or any value created on first use.
///
/// In these cases the size is unknown, and the profile marks it as
/// [not measured](OpaqueReason::NotMeasured):
/// - [`Allocator`](crate::Allocator) isn't the global allocator.
/// - The level is [`Off`](crate::Level::Off) before or after the value is made. Unlike
///   [`measure`](crate::measure()), this type never sets the level.
/// - More was freed than allocated.
///
/// Without the feature `heap` of memprof, the type exists and every size is unknown.
///
/// # Cost
/// The type adds three words to the value. Making a value costs as much as
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
    /// Makes a value and records what `make` left on the heap.
    ///
    /// # Panics
    /// Panics if `make` panics.
    pub fn new(make: impl FnOnce() -> T) -> Self {
        let (value, change) = count(make);
        Self { value, heap: change.and_then(|change| HeapUse::NONE.after(change)) }
    }

    /// Makes a value like [`new`](Self::new), with a function that can fail.
    ///
    /// # Errors
    /// Returns the error of `make`.
    ///
    /// # Panics
    /// Panics if `make` panics.
    pub fn try_new<E>(make: impl FnOnce() -> Result<T, E>) -> Result<Self, E> {
        let Measured { value, heap } = Measured::new(make);
        value.map(|value| Self { value, heap })
    }

    /// Changes the value, and adds to its size what `change` allocates less what it frees.
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

    /// Returns the bytes that making the value left on the heap, or `None` if they are unknown. The
    /// value's own bytes are not among them.
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
