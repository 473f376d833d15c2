//! A table of call stacks. The first thread that looks up a stack stores it, in one place.
//!
//! A search reads slots with hashes, at most eight cache lines. Places are taken in the order in
//! which stacks are first seen, so a table of few stacks uses few pages of memory.

use crate::record::sync::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// The maximum number of frames that are kept of a stack.
const MAX_FRAMES: usize = crate::record::stacks::MAX_FRAMES;

/// The number of slots that a search visits. If a table is four fifths full, about one stack in a
/// thousand has no slot.
const PROBES: usize = 64;

/// The bits of a slot that contain the number of a place, plus one. The other bits are the hash.
const PLACE_BITS: u64 = 0xFFFF;

/// Two arrays of the same length, at most 65,535: slots and places.
#[derive(Clone, Copy)]
pub(crate) struct Stacks<'t> {
    /// The hash of a stack, and its place. A slot is 0 while it is free.
    pub slots: &'t [AtomicU64],
    /// The number of places that were taken. It may exceed the number of places, if several threads
    /// try to take the last one at once.
    pub used: &'t AtomicU32,
    pub places: &'t [Place],
}

/// One stack. All zero bytes mean that there is no stack.
#[repr(C)]
pub(crate) struct Place {
    /// 0 until the frames are written.
    pub len: AtomicU32,
    pub frames: [AtomicUsize; MAX_FRAMES],
}

impl Stacks<'_> {
    /// Returns the place of a stack, and takes one for a new stack. Returns `None` if no visited
    /// slot is free, or all places are taken. Slots and places are never released, so later calls
    /// for this stack return `None` too.
    ///
    /// If two threads store the same stack at the same time, the place of one of them stays empty. If
    /// only one place was left, that thread gets `None`.
    pub(crate) fn place_of(self, hash: u64, frames: &[usize]) -> Option<usize> {
        let count = self.slots.len();
        let first = (hash & PLACE_BITS) as usize % count;
        let mut taken = None;
        for probe in 0..count.min(PROBES) {
            let slot = &self.slots[(first + probe) % count];
            let mut found = slot.load(Acquire);
            if found == 0 {
                let place = match taken {
                    Some(place) => place,
                    None => *taken.insert(self.take_place()?),
                };
                let own = (hash & !PLACE_BITS) | (place as u64 + 1);
                match slot.compare_exchange(0, own, AcqRel, Acquire) {
                    Ok(_) => {
                        self.places[place].write(frames);
                        return Some(place);
                    }
                    Err(other) => found = other,
                }
            }
            if (found ^ hash) & !PLACE_BITS == 0 {
                return Some((found & PLACE_BITS) as usize - 1);
            }
        }
        None
    }

    /// Takes the next place, if there is one.
    fn take_place(self) -> Option<usize> {
        let count = self.places.len();
        // Without this check, the count would overflow in the end.
        if self.used.load(Relaxed) as usize >= count {
            return None;
        }
        let place = self.used.fetch_add(1, Relaxed) as usize;
        (place < count).then_some(place)
    }

    /// Returns the stack in a place; empty until it is written.
    pub(crate) fn frames_of(self, place: usize) -> Vec<usize> {
        let place = &self.places[place];
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
pub(crate) fn hash(frames: &[usize]) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    frames.iter().fold(frames.len() as u64, |hash, frame| {
        (hash ^ *frame as u64).wrapping_mul(MULTIPLIER).rotate_left(26)
    })
}
