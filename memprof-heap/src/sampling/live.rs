//! The samples whose blocks are live, found by address: without a lock, in memory of fixed size.
//!
//! Each sample has a slot, and each slot a byte in `tags`: 0 if nothing is there, else eight bits
//! of the address's hash, which for one address in 256 are 0 too. A free looks at the 16 tags of
//! its address's group, in one line of cache, and as a rule is done. Tags of all slots are 8 KiB: with 32, the lines that frees
//! go through push too much of the program's own memory out.
//!
//! Nobody else frees the block that a thread is about to free, and whoever hands a block to
//! another thread makes its own writes visible to it. So the thread that frees a sampled block
//! sees its sample.

use super::estimate::{Estimate, probability};
use super::gap::Random;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

/// Twice as many as there may be live samples; then in 16 slots there are more than 16 in one
/// group of 1,400, and one sample in 20,000 finds no place.
pub(crate) const SLOTS: usize = GROUPS * LANES;
const GROUPS: usize = 512;
const LANES: usize = 16;

static TABLE: Table<GROUPS> = Table::new();

/// A block that was sampled and, as far as the table knows, is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) address: usize,
    pub(crate) size: u64,
    /// Bytes between marked ones, as it was taken or last thinned.
    pub(crate) mean: u64,
    pub(crate) site: u32,
    pub(crate) operation: u32,
    /// The time that sampling was switched on for, by its number.
    pub(crate) session: u32,
    /// Milliseconds since sampling was first asked for.
    pub(crate) born: u32,
}

impl Sample {
    /// Bytes that it stands for.
    pub(crate) fn bytes(&self) -> Estimate {
        Estimate::of_bytes(self.size, self.mean)
    }

    /// Blocks that it stands for.
    pub(crate) fn blocks(&self) -> Estimate {
        Estimate::of_blocks(self.size, self.mean)
    }
}

struct Table<const N: usize> {
    tags: [[AtomicU64; LANES / 8]; N],
    slots: [[Slot; LANES]; N],
    count: AtomicU64,
}

/// A cache line.
#[repr(align(64))]
struct Slot {
    /// The block's address; or `NOBODY`, or `SOMEBODY`.
    address: AtomicUsize,
    size: AtomicU64,
    mean: AtomicU64,
    site: AtomicU32,
    operation: AtomicU32,
    session: AtomicU32,
    born: AtomicU32,
    /// Counts the samples that the slot had.
    turn: AtomicU64,
}

const NOBODY: usize = 0;
/// While a sample is written or taken out; no block is at this address.
const SOMEBODY: usize = 1;

pub(crate) fn insert(sample: Sample) -> bool {
    TABLE.insert(sample)
}

#[inline(always)]
pub(crate) fn may_have(address: usize) -> bool {
    TABLE.may_have(address)
}

#[inline]
pub(crate) fn take(address: usize) -> Option<Sample> {
    if TABLE.may_have(address) { TABLE.take(address) } else { None }
}

pub(crate) fn count() -> u64 {
    TABLE.count.load(Relaxed)
}

pub(crate) fn for_each(visit: impl FnMut(Sample)) {
    TABLE.for_each(visit);
}

pub(crate) fn clear() {
    TABLE.retain(|_| None);
}

/// Drops samples, at random, as if all had been taken with this mean, or a larger one of theirs.
pub(crate) fn thin(mean: u64, random: &Random) {
    TABLE.retain(|sample| {
        let (was, wanted) = (probability(sample.size, sample.mean), probability(sample.size, mean));
        if wanted >= was {
            Some(sample.mean)
        } else {
            (random.unit() <= wanted / was).then_some(mean)
        }
    });
}

/// Where an address belongs: its group, and its tag in each byte of a word.
#[inline(always)]
fn place(address: usize, groups: usize) -> (usize, u64) {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
    // Blocks are 16 bytes apart as a rule: the product's upper bits depend on all that differ.
    let hash = (address as u64).wrapping_mul(MULTIPLIER);
    let group = (hash >> 40) as usize % groups;
    (group, (hash >> 56).wrapping_mul(EACH_BYTE))
}

/// Bytes of `word` that are 0: their upper bit. One above a byte that is 0 may be taken for one.
#[inline(always)]
fn zero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    word.wrapping_sub(LOW) & !word & HIGH
}

impl<const N: usize> Table<N> {
    const fn new() -> Self {
        Self {
            tags: [const { [const { AtomicU64::new(0) }; LANES / 8] }; N],
            slots: [const { [const { Slot::new() }; LANES] }; N],
            count: AtomicU64::new(0),
        }
    }

    /// False if there is no sample of this address; in one of ten cases true although there is
    /// none.
    #[inline(always)]
    fn may_have(&self, address: usize) -> bool {
        let (group, tag) = place(address, N);
        let words = &self.tags[group];
        let [low, high] = [words[0].load(Relaxed) ^ tag, words[1].load(Relaxed) ^ tag];
        zero_bytes(low) | zero_bytes(high) != 0
    }

    fn insert(&self, sample: Sample) -> bool {
        let (group, tag) = place(sample.address, N);
        for (lane, slot) in self.slots[group].iter().enumerate() {
            if slot.claim(NOBODY) {
                // Before others see the sample, who may take it out, tag and all.
                self.set_tag(group, lane, tag, u64::wrapping_add);
                slot.write(sample);
                self.count.fetch_add(1, Relaxed);
                return true;
            }
        }
        false
    }

    /// A slot's byte is changed by whoever has claimed the slot, so no other byte is touched.
    fn set_tag(&self, group: usize, lane: usize, tag: u64, change: fn(u64, u64) -> u64) {
        let byte = (tag & 0xFF) << (lane % 8 * 8);
        let word = &self.tags[group][lane / 8];
        let signed = change(0, byte);
        word.fetch_add(signed, Relaxed);
    }

    #[cold]
    #[inline(never)]
    fn take(&self, address: usize) -> Option<Sample> {
        let (group, tag) = place(address, N);
        for (lane, slot) in self.slots[group].iter().enumerate() {
            if slot.claim(address) {
                let sample = slot.read(address);
                self.leave(group, lane, tag);
                return Some(sample);
            }
        }
        None
    }

    /// Gives back a slot that was claimed.
    fn leave(&self, group: usize, lane: usize, tag: u64) {
        self.set_tag(group, lane, tag, u64::wrapping_sub);
        self.count.fetch_sub(1, Relaxed);
        self.slots[group][lane].address.store(NOBODY, Release);
    }

    /// Samples that stay where they are meanwhile are seen once, others perhaps.
    fn for_each(&self, mut visit: impl FnMut(Sample)) {
        for slot in self.slots.iter().flatten() {
            if let Some((sample, _)) = slot.look() {
                visit(sample);
            }
        }
    }

    /// Keeps the samples for which there is a mean, with that mean.
    fn retain(&self, keep: impl Fn(Sample) -> Option<u64>) {
        for (group, slots) in self.slots.iter().enumerate() {
            for (lane, slot) in slots.iter().enumerate() {
                let Some((sample, turn)) = slot.look() else { continue };
                let Some(mean) = keep(sample) else {
                    if slot.claim(sample.address) {
                        self.leave(group, lane, place(sample.address, N).1);
                    }
                    continue;
                };
                // Where another sample took the slot just now, that one has this mean or one that
                // was in force a moment ago.
                if mean != sample.mean && slot.turn.load(Relaxed) == turn {
                    slot.mean.store(mean, Relaxed);
                }
            }
        }
    }
}

impl Slot {
    const fn new() -> Self {
        Self {
            address: AtomicUsize::new(NOBODY),
            size: AtomicU64::new(0),
            mean: AtomicU64::new(0),
            site: AtomicU32::new(0),
            operation: AtomicU32::new(0),
            session: AtomicU32::new(0),
            born: AtomicU32::new(0),
            turn: AtomicU64::new(0),
        }
    }

    /// Makes the slot the current thread's, if it is that of this address or of nobody.
    fn claim(&self, from: usize) -> bool {
        self.address.load(Relaxed) == from
            && self.address.compare_exchange(from, SOMEBODY, Acquire, Relaxed).is_ok()
    }

    /// Writes a sample into a slot that was claimed, and lets others see it.
    fn write(&self, sample: Sample) {
        self.turn.fetch_add(1, Relaxed);
        self.size.store(sample.size, Relaxed);
        self.mean.store(sample.mean, Relaxed);
        self.site.store(sample.site, Relaxed);
        self.operation.store(sample.operation, Relaxed);
        self.session.store(sample.session, Relaxed);
        self.born.store(sample.born, Relaxed);
        self.address.store(sample.address, Release);
    }

    fn read(&self, address: usize) -> Sample {
        Sample {
            address,
            size: self.size.load(Relaxed),
            mean: self.mean.load(Relaxed),
            site: self.site.load(Relaxed),
            operation: self.operation.load(Relaxed),
            session: self.session.load(Relaxed),
            born: self.born.load(Relaxed),
        }
    }

    /// The sample, if it stayed the same while it was read, and its turn.
    fn look(&self) -> Option<(Sample, u64)> {
        let address = self.address.load(Acquire);
        if address == NOBODY || address == SOMEBODY {
            return None;
        }
        let turn = self.turn.load(Relaxed);
        let sample = self.read(address);
        core::sync::atomic::fence(Acquire);
        let same = self.address.load(Relaxed) == address && self.turn.load(Relaxed) == turn;
        same.then_some((sample, turn))
    }
}

#[cfg(test)]
mod tests;
