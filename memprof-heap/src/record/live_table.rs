//! The table of live samples, and the filter of addresses that may have one. Neither has a lock.
//!
//! A sample is in one of the 16 slots of its address's group or, if these are taken, in one of the
//! next group. With 4,096 samples in 512 groups, a second group is needed for about one sample in
//! 400, and both are full for fewer than one in a billion.
//!
//! Most frees read only the filter, not the table. Each address maps to one of many counters of four
//! bits. A counter is the number of samples whose addresses map to it. If it is 0, the address has
//! no sample. A counter at 15 accepts no further sample, so none ever overflows. With counters of
//! two bits in half the memory, one sample in some ten thousand found its counter full.
//!
//! Only one thread frees a block. A thread that hands a block to another thread makes its earlier
//! writes visible to that thread. So the thread that frees a sampled block finds the block's
//! sample. Readers see only complete samples: they read the words of a slot between two reads of
//! its address and generation.

use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU64, AtomicUsize, fence};

pub(crate) struct Filter<const WORDS: usize> {
    pub words: [AtomicU64; WORDS],
}

const COUNTER: u64 = 0xF;

impl<const WORDS: usize> Filter<WORDS> {
    /// Returns the word of a counter, and the counter's shift in it.
    #[inline(always)]
    fn place(hash: u64) -> (usize, u32) {
        ((hash >> 53) as usize % WORDS, (hash >> 47) as u32 & 0x3C)
    }

    #[inline(always)]
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        let (word, shift) = Self::place(hash);
        (self.words[word].load(Relaxed) >> shift) & COUNTER != 0
    }

    pub(crate) fn add(&self, hash: u64) -> bool {
        let (word, shift) = Self::place(hash);
        let one_more = |word: u64| {
            let is_full = (word >> shift) & COUNTER == COUNTER;
            (!is_full).then(|| word.wrapping_add(1 << shift))
        };
        self.words[word].fetch_update(Relaxed, Relaxed, one_more).is_ok()
    }

    pub(crate) fn remove(&self, hash: u64) {
        let (word, shift) = Self::place(hash);
        self.words[word].fetch_sub(1 << shift, Relaxed);
    }
}

pub(crate) const LANES: usize = 16;

/// A sampled block that is live according to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub address: usize,
    pub size: u64,
    /// The mean distance of marked bytes when the sample was taken or last thinned.
    pub mean: u64,
    pub site: u32,
    pub operation: u32,
    /// The number of the sampling run in which the sample was taken.
    pub sampling_run: u32,
    /// The number of the thread that allocated the block.
    pub thread: u32,
    /// The time at which the sample was taken, in milliseconds of the clock.
    pub allocated_at: u64,
}

pub(crate) struct Table<const GROUPS: usize, const WORDS: usize> {
    pub filter: Filter<WORDS>,
    pub slots: [[Slot; LANES]; GROUPS],
    pub count: AtomicU64,
}

/// The number of words of a sample besides its address.
pub(crate) const WORDS: usize = 5;

const MEAN: usize = 1;

impl Sample {
    fn words(self) -> [u64; WORDS] {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let (who, when) = (pair(self.site, self.operation), pair(self.sampling_run, self.thread));
        [self.size, self.mean, who, when, self.allocated_at]
    }

    fn of(address: usize, words: [u64; WORDS]) -> Self {
        let [size, mean, who, when, allocated_at] = words;
        let (low, high) = (|word: u64| word as u32, |word: u64| (word >> 32) as u32);
        Self {
            address,
            size,
            mean,
            site: low(who),
            operation: high(who),
            sampling_run: low(when),
            thread: high(when),
            allocated_at,
        }
    }
}

/// One slot, which fills a cache line.
#[repr(align(64))]
pub(crate) struct Slot {
    pub address: AtomicUsize,
    pub words: [AtomicU64; WORDS],
    /// The number of samples that the slot has had.
    pub generation: AtomicU64,
}

pub(crate) const EMPTY: usize = 0;
/// The address while a sample is written or taken out; no block is at this address.
const RESERVED: usize = 1;

/// Returns the hash of an address. Most addresses are multiples of 16. The upper bits of the
/// product depend on all bits that differ. With the golden ratio as the multiplier, blocks at
/// regular distances would share slots.
#[inline(always)]
fn hash(address: usize) -> u64 {
    (address as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl<const GROUPS: usize, const WORDS: usize> Table<GROUPS, WORDS> {
    /// If no sample has this address, this returns true in at most one of eight cases.
    #[inline(always)]
    pub(crate) fn may_have(&self, address: usize) -> bool {
        self.filter.may_have(hash(address))
    }

    /// Returns the slots in which an address may be: those of its group and of the next one.
    fn slots_of(&self, address: usize) -> impl Iterator<Item = &Slot> {
        let group = (hash(address) >> 40) as usize % GROUPS;
        // A table of one group, as in the models, has no next one.
        let next = if GROUPS > 1 { LANES } else { 0 };
        self.slots[group].iter().chain(self.slots[(group + 1) % GROUPS].iter().take(next))
    }

    pub(crate) fn insert(&self, sample: Sample) -> bool {
        // Count the sample before it is published, because another thread may take it at once. If a
        // counter were decremented before it is incremented, it would borrow from its neighbours
        // and hide their samples.
        if !self.filter.add(hash(sample.address)) {
            return false;
        }
        for slot in self.slots_of(sample.address) {
            if slot.claim(EMPTY) {
                self.count.fetch_add(1, Relaxed);
                slot.write(sample);
                return true;
            }
        }
        self.filter.remove(hash(sample.address));
        false
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn take(&self, address: usize) -> Option<Sample> {
        let slot = self.slots_of(address).find(|slot| slot.claim(address))?;
        let sample = slot.read(address);
        self.leave(slot, address);
        Some(sample)
    }

    /// Releases a slot that was claimed.
    fn leave(&self, slot: &Slot, address: usize) {
        self.filter.remove(hash(address));
        self.count.fetch_sub(1, Relaxed);
        slot.address.store(EMPTY, Release);
    }

    /// Samples that are inserted or removed during the call may be visited or not.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Sample)) {
        for slot in self.slots.iter().flatten() {
            if let Some((sample, _)) = slot.look() {
                visit(sample);
            }
        }
    }

    /// Keeps the samples for which `keep` returns a mean, with that mean.
    pub(crate) fn retain(&self, keep: impl Fn(Sample) -> Option<u64>) {
        for slot in self.slots.iter().flatten() {
            let Some((sample, generation)) = slot.look() else { continue };
            let Some(mean) = keep(sample) else {
                if slot.claim(sample.address) {
                    self.leave(slot, sample.address);
                }
                continue;
            };
            // Another sample may still take the slot before the store. That sample was taken with
            // this mean, or with the mean that was in effect a moment ago, so the store changes
            // little.
            if mean != sample.mean && slot.generation.load(Relaxed) == generation {
                slot.words[MEAN].store(mean, Relaxed);
            }
        }
    }
}

impl Slot {
    /// Claims the slot for the current thread, if its address is `from`.
    fn claim(&self, from: usize) -> bool {
        self.address.load(Relaxed) == from
            && self.address.compare_exchange(from, RESERVED, Acquire, Relaxed).is_ok()
    }

    /// Writes a sample into a slot that was claimed, and publishes it.
    fn write(&self, sample: Sample) {
        // A thread that reads this generation also reads that the slot was claimed.
        self.generation.fetch_add(1, Release);
        // A thread that reads a word written below then reads this generation too.
        fence(Release);
        for (word, value) in self.words.iter().zip(sample.words()) {
            word.store(value, Relaxed);
        }
        self.address.store(sample.address, Release);
    }

    fn read(&self, address: usize) -> Sample {
        Sample::of(address, self.words.each_ref().map(|word| word.load(Relaxed)))
    }

    /// Returns the sample and its generation, if the slot did not change while it was read.
    fn look(&self) -> Option<(Sample, u64)> {
        // Read the generation first: it could be that of the next sample with the same address.
        let generation = self.generation.load(Acquire);
        let address = self.address.load(Acquire);
        if address == EMPTY || address == RESERVED {
            return None;
        }
        let sample = self.read(address);
        fence(Acquire);
        let same =
            self.address.load(Relaxed) == address && self.generation.load(Relaxed) == generation;
        same.then_some((sample, generation))
    }
}
