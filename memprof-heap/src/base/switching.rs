//! The order in which the level and the sampling epoch change.
//!
//! A thread takes samples while there is an epoch. A free removes a sample only while the level is
//! `Sampled`. A sample whose free does not remove it stays in the table for ever. So sampling begins with the
//! level, then the epoch, and ends with the epoch, then the level.
//!
//! A thread that reads the epoch with `Acquire` sees the level that was set before it. This thread
//! then inserts the sample, and hands the block to the thread that frees it. So that thread sees
//! this level too, or a later one.

use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{AtomicU64, AtomicUsize};

/// No epoch: no samples are taken.
pub(crate) const NO_EPOCH: u64 = 0;

/// The words that change. Only the thread that holds the switch lock writes them, except that the
/// level may go from one value that is no level to another.
pub(crate) struct Words {
    pub(crate) level: AtomicUsize,
    pub(crate) epoch: AtomicU64,
}

impl Words {
    /// Sets the level, after all that was prepared for it.
    pub(crate) fn set_level(&self, level: usize) {
        self.level.store(level, Release);
    }

    /// The sampling run, in the upper half, and the number of rate changes in it. A thread
    /// that reads an epoch sees the level that was set before it.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Acquire)
    }

    pub(crate) fn set_epoch(&self, epoch: u64) {
        self.epoch.store(epoch, Release);
    }

    /// Sets a level at which samples are taken, and the epoch. The tables are empty.
    pub(crate) fn begin_sampling(&self, level: usize, epoch: u64) {
        self.set_level(level);
        self.set_epoch(epoch);
    }

    /// Sets a level at which no samples are taken. The caller empties the tables afterwards; what a
    /// thread inserts later belongs to a run that is over, and is never read.
    pub(crate) fn end_sampling(&self, level: usize) {
        self.epoch.store(NO_EPOCH, Relaxed);
        self.set_level(level);
    }
}
