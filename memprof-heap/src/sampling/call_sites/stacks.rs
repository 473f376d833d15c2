//! The table of call stacks: each is stored once, by the first thread that comes with it, and has one
//! number.
//!
//! Hashes stand apart from frames, so that a search reads at most eight cache lines.

use crate::sync::Ordering::{Acquire, Relaxed, Release};
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// Frames that are kept of a stack.
const MOST_FRAMES: usize = crate::sampling::stack::MOST_FRAMES;

/// Stands for all stacks that found no place.
pub(crate) const OTHER: u32 = 0;

/// Places that are searched for a stack. A table that is four fifths full then has no place for about one
/// stack in a thousand.
const PROBES: usize = 64;

/// `N - 1` places for stacks, and that of `OTHER`.
pub(super) struct Stacks<const N: usize> {
    /// That of the stack in each place; 0 while the place is free.
    pub(super) hashes: [AtomicU64; N],
    pub(super) places: [Place; N],
}

pub(super) struct Place {
    /// 0 until the frames are written.
    pub(super) len: AtomicU32,
    pub(super) frames: [AtomicUsize; MOST_FRAMES],
}

impl<const N: usize> Stacks<N> {
    /// The number of a stack: that it had, or the next place.
    pub(super) fn number_of(&self, frames: &[usize]) -> u32 {
        let hash = hash(frames);
        // Place 0 is `OTHER`'s.
        let mut number = (hash >> 32) as usize % (N - 1) + 1;
        for _ in 1..N.min(PROBES + 1) {
            let place = &self.hashes[number];
            match place.load(Relaxed) {
                found if found == hash => return number as u32,
                0 => match place.compare_exchange(0, hash, Relaxed, Relaxed) {
                    Ok(_) => {
                        self.places[number].write(frames);
                        return number as u32;
                    }
                    Err(found) if found == hash => return number as u32,
                    Err(_) => {}
                },
                _ => {}
            }
            number = if number + 1 == N { 1 } else { number + 1 };
        }
        OTHER
    }

    /// The stack of a number; empty for `OTHER`, and until it is written.
    pub(super) fn frames_of(&self, number: u32) -> Vec<usize> {
        let Some(place) = self.places.get(number as usize) else { return Vec::new() };
        let len = place.len.load(Acquire) as usize;
        place.frames.iter().take(len).map(|frame| frame.load(Relaxed)).collect()
    }
}

impl Place {
    /// Writes the stack whose hash has the place, and lets others see it.
    fn write(&self, frames: &[usize]) {
        for (place, frame) in self.frames.iter().zip(frames) {
            place.store(*frame, Relaxed);
        }
        self.len.store(frames.len() as u32, Release);
    }
}

fn hash(frames: &[usize]) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    let hash = frames.iter().fold(frames.len() as u64, |hash, frame| {
        (hash ^ *frame as u64).wrapping_mul(MULTIPLIER).rotate_left(26)
    });
    hash | 1
}
