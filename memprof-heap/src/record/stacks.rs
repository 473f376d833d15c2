//! Call stacks of samples, each stored once, with the amounts that each stack allocated.
//!
//! A stack is found by its hash of 48 bits. With 61,440 stacks, the probability that any two have
//! the same hash is one in 149,000. The table grows by segments, each with space for twice the stacks
//! of the one before it, because most programs need only the first.
//!
//! A stack has addresses, without names.
#![expect(unsafe_code, reason = "arrays in memory from the system, and walks without a lock")]

use crate::record::estimate::{Estimate, Lifetimes, probability};
use crate::record::stack_table::{Place, Stacks, hash};
use crate::record::sync::Ordering::{AcqRel, Acquire, Relaxed};
use crate::record::sync::{AtomicPtr, AtomicU32, AtomicU64};
use crate::record::system;
#[cfg(not(all(windows, target_pointer_width = "32")))]
use core::ffi::c_void;
use core::slice;
use memprof_profile::text::CUT_ADDRESS;
use std::alloc::Layout;

/// The number of stacks in the first segment. A stack takes 600 bytes on a 64-bit platform, 336 on
/// a 32-bit one.
const FIRST_PLACES: usize = 4096;

static TABLE: Segments<FIRST_PLACES> = Segments::new();

/// The amounts allocated at a stack's call site. All zero bytes mean that nothing was allocated.
#[repr(C)]
struct CallSite {
    samples: AtomicU64,
    bytes: AtomicU64,
    /// The variance of the bytes, in units of 16 bytes squared.
    bytes_variance: AtomicU64,
    /// The blocks, in units of 1/65,536 of a block.
    blocks: AtomicU64,
    /// The variance of the blocks, as the bits of an `f64`. For blocks above the mean, a sample adds
    /// less than one. For tiny ones, it adds so much that the sum has no room for parts in 64 bits.
    blocks_variance: AtomicU64,
    /// Samples whose blocks were freed.
    freed: AtomicU64,
    /// The sum of their ages in milliseconds, and the sum of the squares: bits of floats.
    ages: AtomicU64,
    squares_of_ages: AtomicU64,
}

/// The unit of bytes whose square is the unit of the variance. With it, the sum fits into 64 bits.
const VARIANCE_UNIT: f64 = 16.0;
const BLOCK_PARTS: f64 = 65_536.0;

impl CallSite {
    const fn new() -> Self {
        Self {
            samples: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            bytes_variance: AtomicU64::new(0),
            blocks: AtomicU64::new(0),
            blocks_variance: AtomicU64::new(0),
            freed: AtomicU64::new(0),
            ages: AtomicU64::new(0),
            squares_of_ages: AtomicU64::new(0),
        }
    }

    fn words(&self) -> [&AtomicU64; 8] {
        let Self { samples, bytes, bytes_variance, blocks, blocks_variance, .. } = self;
        let Self { freed, ages, squares_of_ages, .. } = self;
        [samples, bytes, bytes_variance, blocks, blocks_variance, freed, ages, squares_of_ages]
    }
}

/// The amounts allocated at a call site since sampling began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteCounts {
    pub bytes: Estimate,
    pub blocks: Estimate,
    pub lifetimes: Lifetimes,
}

impl SiteCounts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.bytes.add(other.bytes);
        self.blocks.add(other.blocks);
        self.lifetimes.add(other.lifetimes);
    }
}

/// Returns the number of a stack, and assigns one to a new stack.
pub(crate) fn site_of(stack: &Stack) -> u32 {
    TABLE.number_of(stack.frames())
}

/// Adds a sample to the amounts of a call site.
pub(crate) fn count(site: u32, block: u64, mean: u64) {
    let site = TABLE.site(site);
    let bytes = Estimate::of_bytes(block, mean);
    let blocks = Estimate::of_blocks(block, mean);
    site.samples.fetch_add(1, Relaxed);
    site.bytes.fetch_add(bytes.value.round() as u64, Relaxed);
    let variance = bytes.variance / (VARIANCE_UNIT * VARIANCE_UNIT);
    site.bytes_variance.fetch_add(variance.round() as u64, Relaxed);
    site.blocks.fetch_add((BLOCK_PARTS / probability(block, mean)).round() as u64, Relaxed);
    add(&site.blocks_variance, blocks.variance);
}

/// Adds the age at which the block of a sample was freed.
pub(crate) fn count_freed(site: u32, milliseconds: u64) {
    let site = TABLE.site(site);
    let age = milliseconds as f64;
    site.freed.fetch_add(1, Relaxed);
    add(&site.ages, age);
    add(&site.squares_of_ages, age * age);
}

/// Adds to a word that has the bits of an `f64`.
fn add(word: &AtomicU64, more: f64) {
    let sum = |bits| Some((f64::from_bits(bits) + more).to_bits());
    // The closure always returns a value, so there is no error.
    let _ = word.fetch_update(Relaxed, Relaxed, sum);
}

/// Returns the amounts allocated at a call site since sampling began.
pub(crate) fn call_site_counts(site: u32) -> SiteCounts {
    let site = TABLE.site(site);
    let samples = site.samples.load(Relaxed);
    let (bytes, mean) = (site.bytes.load(Relaxed) as f64, super::sample::mean() as f64);
    let blocks = site.blocks.load(Relaxed) as f64 / BLOCK_PARTS;
    SiteCounts {
        bytes: Estimate {
            value: bytes,
            variance: site.bytes_variance.load(Relaxed) as f64 * VARIANCE_UNIT * VARIANCE_UNIT,
            samples,
            unseen: mean,
        },
        blocks: Estimate {
            value: blocks,
            variance: f64::from_bits(site.blocks_variance.load(Relaxed)),
            samples,
            // As many blocks of the mean size as have the mean may exist without a sample.
            unseen: mean * blocks / bytes.max(1.0),
        },
        lifetimes: Lifetimes {
            samples: site.freed.load(Relaxed),
            sum: f64::from_bits(site.ages.load(Relaxed)),
            squares: f64::from_bits(site.squares_of_ages.load(Relaxed)),
        },
    }
}

/// Returns the call sites that have samples.
pub(crate) fn used() -> impl Iterator<Item = u32> {
    TABLE.sites().filter(|(_, site)| site.samples.load(Relaxed) > 0).map(|(number, _)| number)
}

/// Returns the stack of a call site; empty for `OTHER`.
pub(crate) fn frames_of(site: u32) -> Vec<usize> {
    TABLE.frames_of(site)
}

/// Sets the amounts of all call sites to zero; the stacks stay.
pub(crate) fn clear() {
    for (_, site) in TABLE.sites() {
        for word in site.words() {
            // Words that are zero are not written, so that untouched pages of the table stay
            // untouched.
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
    }
}

/// The maximum number of segments. With 4,096 stacks in the first one, they hold 61,440 stacks in 37
/// MB on a 64-bit platform.
const SEGMENTS: usize = 4;

/// The number that all stacks without a place share.
pub(crate) const OTHER: u32 = 0;

/// The segments. The first one has `FIRST` places.
struct Segments<const FIRST: usize> {
    /// The memory of each segment; null until the segment is needed.
    segments: [AtomicPtr<u8>; SEGMENTS],
    /// The call site of `OTHER`.
    other: CallSite,
}

/// A segment that is allocated.
#[derive(Clone, Copy)]
struct Segment {
    stacks: Stacks<'static>,
    sites: &'static [CallSite],
}

impl<const FIRST: usize> Segments<FIRST> {
    const fn new() -> Self {
        let segments = [const { AtomicPtr::new(core::ptr::null_mut()) }; SEGMENTS];
        Self { segments, other: CallSite::new() }
    }

    /// Returns the number of a stack, and assigns one to a new stack. Returns `OTHER` if no segment
    /// has a place for it, or the system has no memory.
    fn number_of(&self, frames: &[usize]) -> u32 {
        let hash = hash(frames);
        for index in 0..SEGMENTS {
            let Some(segment) = self.segment(index).or_else(|| self.allocate(index)) else { break };
            if let Some(place) = segment.stacks.place_of(hash, frames) {
                return (first_number(FIRST, index) + place) as u32;
            }
        }
        OTHER
    }

    /// Returns the stack of a number; empty for `OTHER`, and until the stack is written.
    pub(crate) fn frames_of(&self, number: u32) -> Vec<usize> {
        let of = |(segment, place): (Segment, usize)| segment.stacks.frames_of(place);
        self.find(number).map(of).unwrap_or_default()
    }

    /// Returns the call site of a number that this table assigned.
    pub(crate) fn site(&self, number: u32) -> &CallSite {
        self.find(number).map_or(&self.other, |(segment, place)| &segment.sites[place])
    }

    /// Returns all call sites with their numbers.
    fn sites(&self) -> impl Iterator<Item = (u32, &CallSite)> {
        let segments = (0..SEGMENTS).map_while(|index| Some((index, self.segment(index)?)));
        let own = segments.flat_map(|(index, segment)| {
            let first = first_number(FIRST, index) as u32;
            (first..).zip(segment.sites)
        });
        core::iter::once((OTHER, &self.other)).chain(own)
    }

    /// Returns the segment and place of a number.
    fn find(&self, number: u32) -> Option<(Segment, usize)> {
        let place = (number as usize).checked_sub(1)?;
        let index = (place / FIRST + 1).ilog2() as usize;
        let segment = self.segment(index)?;
        Some((segment, place + 1 - first_number(FIRST, index)))
    }

    fn segment(&self, index: usize) -> Option<Segment> {
        let memory = self.segments.get(index)?.load(Acquire);
        // SAFETY: memory that is stored here is from `allocate` for the same index.
        (!memory.is_null()).then(|| unsafe { Segment::at(memory, FIRST << index) })
    }

    #[cold]
    fn allocate(&self, index: usize) -> Option<Segment> {
        let parts = Parts::of(FIRST << index)?;
        let memory = system::allocate_zeroed(parts.layout)?;
        let null = core::ptr::null_mut();
        let place = &self.segments[index];
        if place.compare_exchange(null, memory.as_ptr(), AcqRel, Acquire).is_err() {
            // SAFETY: it was allocated above, and never published: another thread was first.
            unsafe { system::free(memory, parts.layout) };
        }
        self.segment(index)
    }
}

/// Returns the number of a segment's first place. `OTHER` and the places of earlier segments have
/// the lower numbers.
fn first_number(first: usize, index: usize) -> usize {
    first * ((1 << index) - 1) + 1
}

/// The layout of a segment, and the offsets of its parts. The slots are first.
struct Parts {
    layout: Layout,
    used: usize,
    places: usize,
    sites: usize,
}

impl Parts {
    fn of(count: usize) -> Option<Self> {
        let slots = Layout::array::<AtomicU64>(count).ok()?;
        let (layout, used) = slots.extend(Layout::new::<AtomicU32>()).ok()?;
        let (layout, places) = layout.extend(Layout::array::<Place>(count).ok()?).ok()?;
        let (layout, sites) = layout.extend(Layout::array::<CallSite>(count).ok()?).ok()?;
        Some(Self { layout, used, places, sites })
    }
}

impl Segment {
    /// # Safety
    /// The memory was allocated zeroed with the layout of `count` places, and is never freed.
    unsafe fn at(memory: *mut u8, count: usize) -> Self {
        let Some(parts) = Parts::of(count) else { unreachable!("the memory has this layout") };
        // SAFETY: the arrays are in the memory at these offsets and don't overlap. All consist of
        // atomics, for which zero bytes are valid, and are written only as atomics.
        let slots = unsafe { array_at(memory, 0, count) };
        // SAFETY: as above.
        let used = unsafe { array_at(memory, parts.used, 1) };
        // SAFETY: as above.
        let places = unsafe { array_at(memory, parts.places, count) };
        // SAFETY: as above.
        let sites = unsafe { array_at(memory, parts.sites, count) };
        Self { stacks: Stacks { slots, used: &used[0], places }, sites }
    }
}

/// # Safety
/// The memory has `count` valid, aligned values at this offset. They are shared and never freed.
unsafe fn array_at<T>(memory: *const u8, offset: usize, count: usize) -> &'static [T] {
    // SAFETY: the caller guarantees that the memory is longer than the offset.
    let first = unsafe { memory.add(offset) }.cast();
    // SAFETY: the caller guarantees `count` values that are never freed.
    unsafe { slice::from_raw_parts(first, count) }
}

/// The numbers of frames that are kept of a deep stack. The innermost ones include those of the
/// allocator. The outermost ones have the user's code if a dependency's functions are recursive.
const INNERMOST: usize = 40;
const OUTERMOST: usize = 24;

/// The maximum number of frames in a stack. A deep one has `CUT_ADDRESS` between its two parts.
pub(crate) const MAX_FRAMES: usize = INNERMOST + 1 + OUTERMOST;

/// The maximum number of frames that are walked. The outermost frames of a deeper stack are not
/// found, so it keeps only the innermost ones. Otherwise, each depth of a recursion would have a
/// stack of its own.
const MAX_WALKED: usize = 1024;

/// A stack, from the innermost frame outwards.
pub(crate) struct Stack {
    frames: [usize; MAX_FRAMES],
    len: usize,
}

impl Stack {
    fn frames(&self) -> &[usize] {
        &self.frames[..self.len]
    }

    /// Adds the next frame outwards. The last `OUTERMOST` places are a ring. `len` is the number of
    /// frames that were added.
    #[cfg(any(test, not(all(windows, target_pointer_width = "32"))))]
    fn add(&mut self, frame: usize) {
        let ring = MAX_FRAMES - OUTERMOST;
        let index = if self.len < ring { self.len } else { ring + (self.len - ring) % OUTERMOST };
        self.frames[index] = frame;
        self.len += 1;
    }

    /// Marks the cut, if there is one. `len` is then the number of frames that are kept.
    fn finish(&mut self) {
        if self.len <= MAX_FRAMES {
            return;
        }
        self.frames[INNERMOST] = CUT_ADDRESS as usize;
        let ring = INNERMOST + 1;
        self.frames[ring..].rotate_left((self.len - ring) % OUTERMOST);
        self.len = if self.len < MAX_WALKED { MAX_FRAMES } else { ring };
    }
}

/// Walks the stack of the current thread by its unwind tables, in about 0.15 µs for each frame. After
/// the first call, it neither allocates nor waits.
///
/// On 32-bit Windows the stack is empty. There the walk uses `dbghelp`, which only one thread may
/// call at a time, and the hook must not wait for a lock.
#[inline(never)]
pub(crate) fn walk() -> Stack {
    let mut stack = Stack { frames: [0; MAX_FRAMES], len: 0 };
    fill(&mut stack);
    stack.finish();
    stack
}

#[cfg(all(windows, target_pointer_width = "32"))]
fn fill(_: &mut Stack) {}

#[cfg(not(all(windows, target_pointer_width = "32")))]
#[inline(always)]
fn fill(stack: &mut Stack) {
    let keep = |frame: &backtrace::Frame| {
        stack.add(frame.ip().cast::<c_void>().addr());
        stack.len < MAX_WALKED
    };
    // SAFETY: the lock that this call omits protects `dbghelp`. `backtrace` calls `dbghelp` only on
    // 32-bit Windows, where this function is not compiled. The other walks, by unwind tables or by
    // `RtlVirtualUnwind`, keep their state on the stack.
    unsafe { backtrace::trace_unsynchronized(keep) };
}

#[cfg(test)]
mod tests {
    use super::OTHER;
    use super::SEGMENTS;
    use super::Segments;
    use crate::record::sync::Ordering::Relaxed;
    use std::collections::BTreeSet;
    use std::thread;

    const FIRST: usize = 4;
    // The tables of these tests are statics, because their memory is never freed.

    fn stack(number: usize) -> [usize; 3] {
        [number, number * 7 + 1, 99]
    }

    #[test]
    fn stacks_past_the_first_segment_have_numbers_of_their_own() {
        static TABLE: Segments<FIRST> = Segments::new();
        let table = &TABLE;
        let numbers: Vec<u32> = (1..=FIRST * 5).map(|at| table.number_of(&stack(at))).collect();
        assert!(numbers.iter().copied().eq(1..=FIRST as u32 * 5), "numbers are given in order");
        for (at, number) in (1..).zip(numbers) {
            assert_eq!(table.frames_of(number), stack(at));
            assert_eq!(table.number_of(&stack(at)), number);
        }
    }

    #[test]
    fn stacks_past_the_last_segment_are_the_other_one() {
        const PLACES: usize = (1 << SEGMENTS) - 1;
        static TABLE: Segments<1> = Segments::new();
        let table = &TABLE;
        let numbers: BTreeSet<u32> =
            (1..=PLACES + 1).map(|at| table.number_of(&stack(at))).collect();
        // No segment has more slots than one search visits, so every place is taken.
        assert!(numbers.into_iter().eq(OTHER..=PLACES as u32));
        assert!(table.frames_of(OTHER).is_empty());
    }

    #[test]
    fn counts_of_a_site_are_found_by_its_number() {
        const OF_OTHER: usize = 1000;
        static TABLE: Segments<FIRST> = Segments::new();
        let table = &TABLE;
        table.site(OTHER).samples.store(OF_OTHER as u64, Relaxed);
        for at in 1..=FIRST * 5 {
            table.site(table.number_of(&stack(at))).samples.store(at as u64, Relaxed);
        }
        let mut seen = 0;
        for (number, site) in table.sites() {
            match site.samples.load(Relaxed) as usize {
                0 => assert!(table.frames_of(number).is_empty()),
                OF_OTHER => assert_eq!(number, OTHER),
                at => assert_eq!(table.frames_of(number), stack(at)),
            }
            seen += usize::from(site.samples.load(Relaxed) > 0);
        }
        assert_eq!(seen, FIRST * 5 + 1);
    }

    #[test]
    fn threads_that_come_with_the_same_stacks_get_the_same_numbers() {
        // A place for each call, because threads that store the same stack each take one.
        static TABLE: Segments<{ 4 * 40 }> = Segments::new();
        let numbers = || -> Vec<u32> { (1..=40).map(|at| TABLE.number_of(&stack(at))).collect() };
        let threads: Vec<_> = (0..3).map(|_| thread::spawn(numbers)).collect();
        let first = numbers();
        assert!(!first.contains(&OTHER));
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), first);
        }
    }
}

#[cfg(test)]
mod stack_tests {
    use super::CUT_ADDRESS;
    use super::INNERMOST;
    use super::MAX_FRAMES;
    use super::MAX_WALKED;
    use super::OUTERMOST;
    use super::Stack;

    #[test]
    fn a_deep_stack_keeps_its_innermost_and_its_outermost_frames() {
        let frames = |depth: usize| -> Vec<usize> { (100..100 + depth).collect() };
        for depth in [0, 1, 40, 41, 64, 65, 66, 89, 90, 200, 1023, 1024] {
            let mut stack = Stack { frames: [0; MAX_FRAMES], len: 0 };
            let all = frames(depth);
            for frame in &all {
                stack.add(*frame);
            }
            stack.finish();
            let mut expected = all.clone();
            if depth > MAX_FRAMES {
                let outermost = if depth < MAX_WALKED { OUTERMOST } else { 0 };
                expected = all[..INNERMOST].to_vec();
                expected.push(CUT_ADDRESS as usize);
                expected.extend(&all[depth - outermost..]);
            }
            assert_eq!(stack.frames(), expected, "{depth}");
        }
    }
}
