//! The counts at the moment when counting last began, in one record that is replaced as a whole.
//!
//! There are two records. A switch writes the unused one, and then publishes it. A reader that was
//! overtaken by a switch reads again. So no thread waits, and no reader sees half of a record.

use crate::record::counters::Counts;
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicI64, AtomicU64, fence};

/// The counts at the moment when counting began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CountingStart {
    /// Nanoseconds of the clock, or `AT_START` if counting began with the program.
    pub(crate) moment: u64,
    pub(crate) program: Counts,
    /// Bytes live at that moment, without those of profilers.
    pub(crate) live: i64,
    pub(crate) profilers: Counts,
    /// Live bytes of profilers at that moment, as flushed by their threads.
    pub(crate) profilers_live: i64,
}

pub(crate) struct Records {
    /// The number of times that counting began. Its last bit selects the record.
    pub(crate) version: AtomicU64,
    pub(crate) records: [Record; 2],
}

pub(crate) struct Record {
    pub(crate) moment: AtomicU64,
    pub(crate) program: [AtomicU64; 4],
    pub(crate) live: AtomicI64,
    pub(crate) profilers: [AtomicU64; 4],
    pub(crate) profilers_live: AtomicI64,
}

impl Records {
    /// Returns the record and its version.
    pub(crate) fn read(&self) -> (CountingStart, u64) {
        loop {
            let version = self.version.load(Acquire);
            let start = self.records[(version & 1) as usize].read();
            fence(Acquire);
            if self.version.load(Relaxed) == version {
                return (start, version);
            }
        }
    }

    /// Returns the bytes live when counting began. It is for the hook, because a reader of one word
    /// need not read the version again.
    pub(crate) fn live(&self) -> i64 {
        self.records[(self.version.load(Acquire) & 1) as usize].live.load(Relaxed)
    }

    /// Publishes a new record. Only one thread at a time may call this.
    pub(crate) fn replace(&self, start: CountingStart) {
        let version = self.version.load(Relaxed);
        let next = &self.records[(version.wrapping_add(1) & 1) as usize];
        // A reader that sees a word written below then also sees the version that made its record
        // unused.
        fence(Release);
        next.write(start);
        self.version.store(version.wrapping_add(1), Release);
    }
}

impl Record {
    fn read(&self) -> CountingStart {
        CountingStart {
            moment: self.moment.load(Relaxed),
            program: Counts::load(&self.program),
            live: self.live.load(Relaxed),
            profilers: Counts::load(&self.profilers),
            profilers_live: self.profilers_live.load(Relaxed),
        }
    }

    fn write(&self, start: CountingStart) {
        self.moment.store(start.moment, Relaxed);
        start.program.store(&self.program);
        self.live.store(start.live, Relaxed);
        start.profilers.store(&self.profilers);
        self.profilers_live.store(start.profilers_live, Relaxed);
    }
}
