//! Bytes and blocks that an operation or a part of a call counted.

use super::records::Record;
use super::stack::Activation;
use crate::base::sync::own;
use crate::thread::counters::{add, add_unsigned};
use crate::thread::process;
use crate::thread::shard::LocalShard;
use core::sync::atomic::Ordering::{Relaxed, Release};

/// The counts of one thread between two moments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) allocated_bytes: i64,
    /// Bytes allocated less bytes freed.
    pub(crate) net_bytes: i64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_blocks: u64,
    /// The maximum of live bytes, less the bytes live at the start. It may miss a peak at the very
    /// end; in that case, the peak is `net_bytes`.
    pub(super) noted_peak: i64,
}

impl Flow {
    #[inline(always)]
    pub(super) fn since(local: LocalShard, start: &Activation) -> Self {
        let noted_peak = local.high_water().wrapping_sub(start.live);
        let net_bytes = noted_peak.wrapping_sub(local.headroom());
        Self {
            allocated_bytes: local.allocated_since(start.unallocated_bytes),
            net_bytes,
            allocated_blocks: local.allocated_blocks().wrapping_sub(start.allocated_blocks),
            freed_blocks: local.freed_blocks().wrapping_sub(start.freed_blocks),
            noted_peak,
        }
    }

    pub(crate) fn freed_bytes(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.net_bytes)
    }

    /// Returns the maximum of live bytes, less the bytes live at the start.
    pub(crate) fn peak(self) -> i64 {
        self.noted_peak.max(self.net_bytes)
    }

    #[inline(always)]
    pub(super) fn add_to(self, record: &Record) {
        add(&record.allocated_bytes, self.allocated_bytes, Relaxed);
        add(&record.net_bytes, self.net_bytes, Release);
        add_unsigned(&record.allocated_blocks, self.allocated_blocks, Relaxed);
        add_unsigned(&record.freed_blocks, self.freed_blocks, Relaxed);
    }

    /// Returns true if a call increased live bytes more than any call before it, or had a higher
    /// peak. This is true for the first call and for all calls with the record `SLOW`.
    #[inline(always)]
    pub(super) fn is_most_of(self, record: &Record) -> bool {
        // `noted_peak` may miss a peak at the very end. The first comparison finds such a peak,
        // because a record's peak is never below its largest change.
        self.net_bytes > own(&record.largest) || self.noted_peak > own(&record.peak)
    }

    /// Counts a call, and updates the largest change and the peak.
    pub(super) fn note_call(self, record: &Record) {
        record.count_call();
        if self.net_bytes > record.largest.load(Relaxed) {
            note_largest(record, self.net_bytes);
        }
        if self.peak() > record.peak.load(Relaxed) {
            record.peak.store(self.peak(), Relaxed);
        }
    }

    /// Adds a later part of the call, perhaps from another thread.
    pub(super) fn then(&mut self, part: Self) {
        // Bytes that earlier parts kept are live while this part runs.
        self.noted_peak = self.peak().max(self.net_bytes.wrapping_add(part.peak()));
        self.allocated_bytes = self.allocated_bytes.wrapping_add(part.allocated_bytes);
        self.net_bytes = self.net_bytes.wrapping_add(part.net_bytes);
        self.allocated_blocks = self.allocated_blocks.wrapping_add(part.allocated_blocks);
        self.freed_blocks = self.freed_blocks.wrapping_add(part.freed_blocks);
    }
}

#[cold]
#[inline(never)]
fn note_largest(record: &Record, net: i64) {
    let after = process::exact_live();
    record.largest.store(net, Relaxed);
    record.before.store(after.wrapping_sub(net), Relaxed);
    record.after.store(after, Relaxed);
}
