//! The counts at the moment when counting last began: one record, replaced as a whole.
//!
//! There are two records. A switch writes the unused one, and then publishes it. A reader that was
//! overtaken by a switch reads again. So no thread waits, and no reader sees half of a record.

use crate::sync::Ordering::{Acquire, Relaxed, Release};
use crate::sync::{AtomicI64, AtomicU64, fence};

/// Nanoseconds of the clock of `level`, or this: counting began with the program.
pub(crate) const AT_START: u64 = 0;

/// The counts when counting began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CountingStart {
    pub(crate) moment: u64,
    pub(crate) allocated_bytes: u64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_bytes: u64,
    pub(crate) freed_blocks: u64,
    /// Bytes live then, without those of profilers.
    pub(crate) live: i64,
    pub(crate) profilers: ProfilersStart,
}

/// The same of profilers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProfilersStart {
    pub(crate) allocated_bytes: u64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_bytes: u64,
    pub(crate) freed_blocks: u64,
    /// Bytes live then, as the threads had reported.
    pub(crate) live: i64,
}

pub(super) struct Records {
    /// The number of times that counting began. Its last bit selects the record.
    pub(super) version: AtomicU64,
    pub(super) records: [Record; 2],
}

pub(super) struct Record {
    pub(super) words: [AtomicU64; 5],
    pub(super) live: AtomicI64,
    pub(super) profilers: [AtomicU64; 4],
    pub(super) profilers_live: AtomicI64,
}

impl Records {
    /// The record, and its version.
    pub(super) fn read(&self) -> (CountingStart, u64) {
        loop {
            let version = self.version.load(Acquire);
            let record = &self.records[(version & 1) as usize];
            let [moment, allocated_bytes, allocated_blocks, freed_bytes, freed_blocks] =
                record.words.each_ref().map(|word| word.load(Relaxed));
            let live = record.live.load(Relaxed);
            let profilers = record.profilers();
            fence(Acquire);
            if self.version.load(Relaxed) == version {
                let start = CountingStart {
                    moment,
                    allocated_bytes,
                    allocated_blocks,
                    freed_bytes,
                    freed_blocks,
                    live,
                    profilers,
                };
                return (start, version);
            }
        }
    }

    /// Bytes live when counting began. For the hook: one word, so it need not be read again.
    pub(super) fn live(&self) -> i64 {
        self.records[(self.version.load(Acquire) & 1) as usize].live.load(Relaxed)
    }

    /// Shows another record. One thread at a time.
    pub(super) fn replace(&self, start: CountingStart) {
        let version = self.version.load(Relaxed);
        let next = &self.records[(version.wrapping_add(1) & 1) as usize];
        // A reader of a word that is written below then sees the version that made it unused.
        fence(Release);
        let CountingStart {
            moment,
            allocated_bytes,
            allocated_blocks,
            freed_bytes,
            freed_blocks,
            ..
        } = start;
        let values = [moment, allocated_bytes, allocated_blocks, freed_bytes, freed_blocks];
        for (word, value) in next.words.iter().zip(values) {
            word.store(value, Relaxed);
        }
        next.live.store(start.live, Relaxed);
        next.replace_profilers(start.profilers);
        self.version.store(version.wrapping_add(1), Release);
    }
}

impl Record {
    fn profilers(&self) -> ProfilersStart {
        let [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks] =
            self.profilers.each_ref().map(|word| word.load(Relaxed));
        let live = self.profilers_live.load(Relaxed);
        ProfilersStart { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks, live }
    }

    fn replace_profilers(&self, start: ProfilersStart) {
        let ProfilersStart { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks, live } =
            start;
        let values = [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks];
        for (word, value) in self.profilers.iter().zip(values) {
            word.store(value, Relaxed);
        }
        self.profilers_live.store(live, Relaxed);
    }
}
