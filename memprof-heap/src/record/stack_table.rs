//! A table of call stacks. The first thread that looks up a stack stores it, in one place.
//!
//! A search reads slots with hashes, usually one cache line. There are two slots for each stack, so a
//! free one is near even if the table is full. Places are taken in the order in which stacks are first
//! seen, so few stacks use few pages of memory, however large the table is.

use crate::record::sync::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// The maximum number of frames that are kept of a stack.
const MAX_FRAMES: usize = crate::record::stacks::MAX_FRAMES;

/// The number that all stacks without a place share.
pub(crate) const OTHER: u32 = 0;

/// The bits of a slot that contain the number of a stack. The other bits are the hash.
const NUMBER_BITS: u64 = 0xFFFF;

/// A table of `N` numbers, at most 65,536. All zero bytes are an empty table.
#[repr(C)]
pub(crate) struct Table<const N: usize> {
    /// The hash of a stack, and its number. A slot is 0 while it is free.
    pub slots: [[AtomicU64; 2]; N],
    /// The number of stacks that got a number. It may exceed the numbers that there are, if several
    /// threads try to take the last one at once.
    pub used: AtomicU32,
    /// The stack of each number. `OTHER` has none.
    pub places: [Place; N],
}

/// One stack. All zero bytes mean that there is no stack.
#[repr(C)]
pub(crate) struct Place {
    /// 0 until the frames are written.
    pub len: AtomicU32,
    pub frames: [AtomicUsize; MAX_FRAMES],
}

impl<const N: usize> Table<N> {
    /// Returns the number of a stack, and assigns one to a new stack. Returns `OTHER` if all numbers
    /// are taken. They are never released, so later calls for this stack return `OTHER` too.
    ///
    /// If two threads store the same stack at the same time, one of the two numbers that they take
    /// stays without a stack. If only one was left, the other thread gets `OTHER`.
    pub(crate) fn number_of(&self, frames: &[usize]) -> u32 {
        let (hash, slots) = (hash(frames), self.slots.as_flattened());
        let mut taken = None;
        for probe in 0..slots.len() {
            let slot = &slots[(hash as usize).wrapping_add(probe) % slots.len()];
            let mut found = slot.load(Acquire);
            if found == 0 {
                let Some(number) = taken.or_else(|| self.take_number()) else { return OTHER };
                taken = Some(number);
                let own = (hash & !NUMBER_BITS) | u64::from(number);
                match slot.compare_exchange(0, own, AcqRel, Acquire) {
                    Ok(_) => {
                        self.places[number as usize].write(frames);
                        return number;
                    }
                    Err(other) => found = other,
                }
            }
            if (found ^ hash) & !NUMBER_BITS == 0 {
                return (found & NUMBER_BITS) as u32;
            }
        }
        OTHER
    }

    /// Takes the next number, if there is one.
    fn take_number(&self) -> Option<u32> {
        // Without this check, the count would overflow in the end.
        if self.numbers().end as usize == N {
            return None;
        }
        let number = self.used.fetch_add(1, Relaxed) + 1;
        ((number as usize) < N).then_some(number)
    }

    /// Returns all numbers that were taken, and `OTHER`.
    pub(crate) fn numbers(&self) -> core::ops::Range<u32> {
        OTHER..(self.used.load(Relaxed) + 1).min(N as u32)
    }

    /// Returns the stack of a number; empty until it is written, and for `OTHER`.
    pub(crate) fn frames_of(&self, number: u32) -> Vec<usize> {
        let Some(place) = self.places.get(number as usize) else { return Vec::new() };
        let len = place.len.load(Acquire) as usize;
        place.frames.iter().take(len).map(|frame| frame.load(Relaxed)).collect()
    }
}

impl Place {
    /// Writes the stack whose slot has this place, and publishes it.
    fn write(&self, frames: &[usize]) {
        for (place, frame) in self.frames.iter().zip(frames) {
            place.store(*frame, Relaxed);
        }
        self.len.store(frames.len() as u32, Release);
    }
}

/// Returns the hash of a stack.
fn hash(frames: &[usize]) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    frames.iter().fold(frames.len() as u64, |hash, frame| {
        (hash ^ *frame as u64).wrapping_mul(MULTIPLIER).rotate_left(26)
    })
}
