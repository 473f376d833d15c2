//! The order in which the level and the sampling epoch change.
//!
//! A thread takes samples while an epoch is set. A free removes a sample only while the level is
//! `Sampled`. A sample whose free does not remove it stays in the table for ever. So a switch sets
//! the level before the epoch when sampling begins, and clears the epoch before the level when it
//! ends.
//!
//! A thread that reads the epoch with `Acquire` sees the level that was set before it. That thread
//! inserts the sample and then hands the block to the thread that frees it. So the freeing thread
//! sees that level too, or a later one.

use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU64, AtomicUsize};

/// The epoch while no samples are taken.
pub(crate) const NO_EPOCH: u64 = 0;

pub(crate) struct Words {
    pub level: AtomicUsize,
    pub epoch: AtomicU64,
}

impl Words {
    /// Sets the level, and publishes all that was prepared for it.
    pub(crate) fn set_level(&self, level: usize) {
        self.level.store(level, Release);
    }

    /// Returns the sampling run in the upper half, and the number of rate changes within it in the
    /// lower half. A thread that reads an epoch sees the level that was set before it.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Acquire)
    }

    pub(crate) fn set_epoch(&self, epoch: u64) {
        self.epoch.store(epoch, Release);
    }

    /// Sets a level at which samples are taken, and then the epoch. The tables are empty.
    pub(crate) fn begin_sampling(&self, level: usize, epoch: u64) {
        self.set_level(level);
        self.set_epoch(epoch);
    }

    /// Sets a level at which no samples are taken. The caller empties the tables afterwards. A
    /// sample that a thread inserts later belongs to a run that is over, and is never read.
    pub(crate) fn end_sampling(&self, level: usize) {
        self.epoch.store(NO_EPOCH, Relaxed);
        self.set_level(level);
    }
}
