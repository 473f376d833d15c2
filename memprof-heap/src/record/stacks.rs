//! Call stacks of samples, each stored once, with the amounts that each stack allocated.
//!
//! A stack is found by its hash of 48 bits. With 61,440 stacks, the probability that any two have
//! the same hash is one in 149,000. The table has space for all of them from the start: the system
//! provides the memory page by page, so stacks that never come cost only addresses. Segments, each
//! twice as large as the one before it, took the same memory and more code.
//!
//! A stack has addresses, without names.
#![expect(unsafe_code, reason = "a table in memory from the system, and walks without a lock")]

use crate::record::estimate::{Estimate, Lifetimes};
use crate::record::numbers::{Numbers, Value, hash};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};
use crate::record::system;
#[cfg(not(all(windows, target_pointer_width = "32")))]
use core::ffi::c_void;
use memprof_profile::text::CUT_ADDRESS;

/// Includes `OTHER`. A stack takes 600 bytes on 64-bit platforms, 336 on 32-bit ones.
const NUMBERS: usize = 61_441;

/// The number that all stacks share for which there is no other.
pub(crate) const OTHER: u32 = 0;

/// The stacks and the amounts of each. All zero bytes are an empty table.
#[repr(C)]
struct CallSites {
    stacks: Numbers<Frames, { OTHER + 1 }, NUMBERS>,
    amounts: [CallSite; NUMBERS],
}

#[repr(C)]
struct Frames {
    len: AtomicU32,
    frames: [AtomicUsize; MAX_FRAMES],
}

impl Frames {
    fn all(&self) -> impl Iterator<Item = usize> {
        let len = self.len.load(Relaxed) as usize;
        self.frames.iter().take(len).map(|frame| frame.load(Relaxed))
    }
}

/// Null until samples are first taken, and if the system had no memory. Never freed.
static TABLE: AtomicPtr<CallSites> = AtomicPtr::new(core::ptr::null_mut());

fn table() -> Option<&'static CallSites> {
    // SAFETY: null, or memory of this layout that was all zero, which is never freed.
    unsafe { TABLE.load(Acquire).as_ref() }
}

/// Allocates the table, if there is none. The caller holds the switch lock.
pub(crate) fn prepare() {
    if table().is_none()
        && let Some(memory) = system::reserve::<CallSites>()
    {
        TABLE.store(memory.as_ptr(), Release);
    }
}

pub(crate) fn used_bytes() -> u64 {
    let stack = size_of::<[AtomicU64; 2]>() + size_of::<Value<Frames>>() + size_of::<CallSite>();
    table().map_or(0, |table| u64::from(table.stacks.all().end) * stack as u64)
}

/// Returns the bytes of the table that no stack has used, so the system has given no memory for them.
pub(crate) fn unused_bytes() -> u64 {
    table().map_or(0, |_| (size_of::<CallSites>() as u64).saturating_sub(used_bytes()))
}

/// The amounts allocated at a stack's call site. All zero bytes mean that nothing was allocated.
#[repr(C)]
struct CallSite {
    samples: AtomicU64,
    /// Samples whose blocks were freed.
    freed: AtomicU64,
    /// The bits of floats, for which all zero bits are 0: the bytes and their variance, the blocks
    /// and their variance.
    amounts: [AtomicU64; 4],
    /// The sum of the ages of freed blocks in milliseconds, and the sum of the squares: as above.
    ages: [AtomicU64; 2],
}

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

impl CallSites {
    fn amounts(&self, number: u32) -> Option<&CallSite> {
        self.amounts.get(number as usize)
    }

    fn all(&self) -> impl Iterator<Item = (u32, &CallSite)> {
        (OTHER..self.stacks.all().end).zip(&self.amounts)
    }

    /// Returns the number of a stack, and assigns one to a new stack. Returns `OTHER` if none is left.
    fn number_of(&self, frames: &[usize]) -> u32 {
        let hash = frames.iter().fold(frames.len() as u64, |all, frame| hash(all, *frame as u64));
        let write = |stack: &Frames| {
            stack.len.store(frames.len() as u32, Relaxed);
            for (word, frame) in stack.frames.iter().zip(frames) {
                word.store(*frame, Relaxed);
            }
        };
        self.stacks.number_of(hash, |_| true, write).unwrap_or(OTHER)
    }

    /// Returns the stack of a number; empty until it is written, and for `OTHER`.
    fn frames_of(&self, number: u32) -> impl Iterator<Item = usize> {
        self.stacks.get(number).into_iter().flat_map(Frames::all)
    }
}

/// Returns the amounts of a call site. Returns `None` if the system had no memory for the table.
fn amounts(site: u32) -> Option<&'static CallSite> {
    table()?.amounts(site)
}

pub(crate) fn site_of(stack: &Stack) -> u32 {
    table().map_or(OTHER, |table| table.number_of(stack.frames()))
}

pub(crate) fn count(site: u32, block: u64, mean: u64) {
    let Some(site) = amounts(site) else { return };
    let (bytes, blocks) = (Estimate::of_bytes(block, mean), Estimate::of_blocks(block, mean));
    site.samples.fetch_add(1, Relaxed);
    add(&site.amounts, [bytes.value, bytes.variance, blocks.value, blocks.variance]);
}

pub(crate) fn count_freed(site: u32, milliseconds: u64) {
    let Some(site) = amounts(site) else { return };
    let age = milliseconds as f64;
    site.freed.fetch_add(1, Relaxed);
    add(&site.ages, [age, age * age]);
}

/// Adds to words that have the bits of floats.
fn add<const N: usize>(words: &[AtomicU64; N], more: [f64; N]) {
    for (word, more) in words.iter().zip(more) {
        let sum = |bits| Some((f64::from_bits(bits) + more).to_bits());
        // The closure always returns a value, so there is no error.
        let _ = word.fetch_update(Relaxed, Relaxed, sum);
    }
}

fn load<const N: usize>(words: &[AtomicU64; N]) -> [f64; N] {
    words.each_ref().map(|word| f64::from_bits(word.load(Relaxed)))
}

pub(crate) fn call_site_counts(site: u32) -> SiteCounts {
    let Some(site) = amounts(site) else { return SiteCounts::default() };
    let (samples, mean) = (site.samples.load(Relaxed), super::sample::mean() as f64);
    let [bytes, bytes_variance, blocks, blocks_variance] = load(&site.amounts);
    let [sum, squares] = load(&site.ages);
    // As many blocks of the mean size as have the mean may exist without a sample.
    let unseen = mean * blocks / bytes.max(1.0);
    SiteCounts {
        bytes: Estimate { value: bytes, variance: bytes_variance, samples, unseen: mean },
        blocks: Estimate { value: blocks, variance: blocks_variance, samples, unseen },
        lifetimes: Lifetimes { samples: site.freed.load(Relaxed), sum, squares },
    }
}

pub(crate) fn used() -> impl Iterator<Item = u32> {
    let all = table().into_iter().flat_map(CallSites::all);
    all.filter(|(_, site)| site.samples.load(Relaxed) > 0).map(|(number, _)| number)
}

pub(crate) fn frames_of(site: u32) -> impl Iterator<Item = usize> {
    table().into_iter().flat_map(move |table| table.frames_of(site))
}

/// Sets the amounts of all call sites to zero; the stacks stay.
pub(crate) fn clear() {
    let all = table().into_iter().flat_map(CallSites::all);
    for (_, CallSite { samples, freed, amounts, ages }) in all {
        let words = [samples, freed].into_iter().chain(amounts).chain(ages);
        words.for_each(|word| word.store(0, Relaxed));
    }
}

/// The numbers of frames that are kept of a deep stack. The innermost ones include those of the
/// allocator. The outermost ones have the user's code if a dependency's functions are recursive.
const INNERMOST: usize = 40;
const OUTERMOST: usize = 24;

/// The maximum number of frames in a stack. A deep one has `CUT_ADDRESS` between its two parts.
const MAX_FRAMES: usize = INNERMOST + 1 + OUTERMOST;

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

    /// The last `OUTERMOST` places are a ring. `len` is the number of frames that were added.
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

/// Walks the stack of the current thread by its unwind tables, in about 0.15 µs per frame. After
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
    use super::{CallSites, NUMBERS, OTHER, system};
    use crate::record::sync::Ordering::Relaxed;
    use std::collections::BTreeSet;
    use std::sync::Mutex;
    use std::thread;

    fn stack(number: usize) -> [usize; 3] {
        [number, number * 7 + 1, 99]
    }

    /// Returns an empty table, which is never freed and stays reachable.
    fn table() -> &'static CallSites {
        static ALL: Mutex<Vec<&CallSites>> = Mutex::new(Vec::new());
        let memory = system::reserve::<CallSites>().expect("the system has memory");
        // SAFETY: the memory has this layout and is all zero.
        let table = unsafe { memory.as_ref() };
        ALL.lock().expect("no panic").push(table);
        table
    }

    #[test]
    fn counts_and_frames_of_a_site_are_found_by_its_number() {
        let table = table();
        table.amounts(OTHER).expect("each number has amounts").samples.store(1000, Relaxed);
        for at in 1..=20 {
            let number = table.number_of(&stack(at));
            assert_eq!(number as usize, at, "numbers are given in order");
            assert_eq!(table.number_of(&stack(at)), number);
            table.amounts(number).expect("as above").samples.store(at as u64, Relaxed);
        }
        for (number, site) in table.all() {
            let frames: Vec<_> = table.frames_of(number).collect();
            match site.samples.load(Relaxed) as usize {
                1000 => assert!(number == OTHER && frames.is_empty()),
                at => assert_eq!(frames, stack(at)),
            }
        }
        assert_eq!(table.all().count(), 21);
    }

    #[test]
    #[cfg_attr(miri, ignore = "stores stacks by the 10,000")]
    fn stacks_past_the_last_number_are_the_other_one() {
        let table = table();
        let numbers: BTreeSet<u32> = (1..=NUMBERS).map(|at| table.number_of(&stack(at))).collect();
        assert!(numbers.into_iter().eq(OTHER..NUMBERS as u32));
        assert!(table.frames_of(NUMBERS as u32 - 1).eq(stack(NUMBERS - 1)));
        assert_eq!(table.frames_of(OTHER).count(), 0);
    }

    #[test]
    fn threads_that_come_with_the_same_stacks_get_the_same_numbers() {
        let stacks = table();
        let numbers = || -> Vec<u32> { (1..=40).map(|at| stacks.number_of(&stack(at))).collect() };
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
