//! A table of call stacks. The first thread that looks up a stack stores it, in one slot.
//!
//! Hashes are stored separately from frames, so that a search reads at most eight cache lines.

use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// The maximum number of frames that are kept of a stack.
const MOST_FRAMES: usize = crate::sampling::stack::MOST_FRAMES;

/// The number of slots that a search visits. If a table is four fifths full, about one stack in a
/// thousand has no slot.
const PROBES: usize = 64;

/// Two arrays of the same length: hashes and stacks.
#[derive(Clone, Copy)]
pub(super) struct Stacks<'t> {
    /// The hash of the stack in each slot; 0 while the slot is free.
    pub(super) hashes: &'t [AtomicU64],
    pub(super) places: &'t [Place],
}

/// One stack. All zero bytes mean that there is no stack.
#[repr(C)]
pub(super) struct Place {
    /// 0 until the frames are written.
    pub(super) len: AtomicU32,
    pub(super) frames: [AtomicUsize; MOST_FRAMES],
}

impl Stacks<'_> {
    /// Returns the slot of a stack, and takes a free one for a new stack. Returns `None` if no
    /// visited slot is free. As no slot is ever released, later calls for this stack return `None`
    /// too.
    pub(super) fn place_of(self, hash: u64, frames: &[usize]) -> Option<usize> {
        let places = self.hashes.len();
        let first = (hash >> 32) as usize % places;
        for probe in 0..places.min(PROBES) {
            let number = (first + probe) % places;
            let place = &self.hashes[number];
            match place.load(Relaxed) {
                found if found == hash => return Some(number),
                0 => match place.compare_exchange(0, hash, Relaxed, Relaxed) {
                    Ok(_) => {
                        self.places[number].write(frames);
                        return Some(number);
                    }
                    Err(found) if found == hash => return Some(number),
                    Err(_) => {}
                },
                _ => {}
            }
        }
        None
    }

    /// Returns the stack in a slot; empty until it is written.
    pub(super) fn frames_of(self, place: usize) -> Vec<usize> {
        let place = &self.places[place];
        let len = place.len.load(Acquire) as usize;
        place.frames.iter().take(len).map(|frame| frame.load(Relaxed)).collect()
    }
}

impl Place {
    /// Writes the stack whose hash is in this slot, and publishes it.
    fn write(&self, frames: &[usize]) {
        for (place, frame) in self.frames.iter().zip(frames) {
            place.store(*frame, Relaxed);
        }
        self.len.store(frames.len() as u32, Release);
    }
}

/// Returns the hash of a stack; never 0.
pub(super) fn hash(frames: &[usize]) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    let hash = frames.iter().fold(frames.len() as u64, |hash, frame| {
        (hash ^ *frame as u64).wrapping_mul(MULTIPLIER).rotate_left(26)
    });
    hash | 1
}
