//! The segments of the table of call sites. Each has space for twice the stacks of the one before
//! it. A segment is allocated when no earlier segment has space for a stack.
#![expect(unsafe_code, reason = "arrays in memory from the system allocator")]

use super::CallSite;
use super::stacks::{Place, Stacks, hash};
use crate::base::own_memory;
use crate::base::sync::Ordering::{AcqRel, Acquire};
use crate::base::sync::{AtomicPtr, AtomicU32, AtomicU64};
use core::slice;
use std::alloc::Layout;

/// The maximum number of segments. With 4,096 stacks in the first one, they hold 61,440 stacks in 27
/// MB on a 64-bit platform.
const SEGMENTS: usize = 4;

/// The number that all stacks without a place share.
pub(crate) const OTHER: u32 = 0;

/// The segments. The first one has `FIRST` places.
pub(super) struct Segments<const FIRST: usize> {
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
    pub(super) const fn new() -> Self {
        let segments = [const { AtomicPtr::new(core::ptr::null_mut()) }; SEGMENTS];
        Self { segments, other: CallSite::new() }
    }

    /// Returns the number of a stack, and assigns one to a new stack. Returns `OTHER` if no segment
    /// has a place for it, or the system has no memory.
    pub(super) fn number_of(&self, frames: &[usize]) -> u32 {
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
    pub(super) fn frames_of(&self, number: u32) -> Vec<usize> {
        let of = |(segment, place): (Segment, usize)| segment.stacks.frames_of(place);
        self.find(number).map(of).unwrap_or_default()
    }

    /// Returns the call site of a number that this table assigned.
    pub(super) fn site(&self, number: u32) -> &CallSite {
        self.find(number).map_or(&self.other, |(segment, place)| &segment.sites[place])
    }

    /// Returns all call sites with their numbers.
    pub(super) fn sites(&self) -> impl Iterator<Item = (u32, &CallSite)> {
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
        let memory = own_memory::allocate_zeroed(parts.layout)?;
        let null = core::ptr::null_mut();
        let place = &self.segments[index];
        if place.compare_exchange(null, memory.as_ptr(), AcqRel, Acquire).is_err() {
            // SAFETY: it was allocated above, and never published: another thread was first.
            unsafe { own_memory::free(memory, parts.layout) };
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

#[cfg(test)]
mod tests {
    use super::{OTHER, SEGMENTS, Segments};
    use crate::base::sync::Ordering::Relaxed;
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
