//! Bytes and blocks that an operation counted, or a part of it.

use super::records::Record;
use super::stack::Activation;
use crate::hook::counters::{add, add_unsigned};
use crate::hook::process;
use crate::hook::shard::Mine;
use core::sync::atomic::Ordering::Relaxed;

/// What was counted from one moment to another, on one thread.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) allocated_bytes: i64,
    pub(crate) freed_bytes: i64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed_blocks: u64,
    /// The most bytes live, above what was live when it began.
    pub(crate) peak: i64,
    /// Bytes live on the thread at the end.
    pub(super) live: i64,
}

impl Flow {
    #[inline(always)]
    pub(super) fn since(mine: Mine, start: &Activation) -> Self {
        let allocated_bytes = mine.allocated_bytes().wrapping_sub(start.allocated_bytes);
        let live = mine.live();
        let net = live.wrapping_sub(start.live);
        Self {
            allocated_bytes,
            freed_bytes: allocated_bytes.wrapping_sub(net),
            allocated_blocks: mine.allocated_blocks().wrapping_sub(start.allocated_blocks),
            freed_blocks: mine.freed_blocks().wrapping_sub(start.freed_blocks),
            peak: mine.ceiling().max(live).wrapping_sub(start.live),
            live,
        }
    }

    #[inline(always)]
    pub(super) fn net(self) -> i64 {
        self.allocated_bytes.wrapping_sub(self.freed_bytes)
    }

    #[inline(always)]
    pub(super) fn add_to(self, record: &Record) {
        add(&record.allocated_bytes, self.allocated_bytes, Relaxed);
        add(&record.freed_bytes, self.freed_bytes, Relaxed);
        add_unsigned(&record.allocated_blocks, self.allocated_blocks, Relaxed);
        add_unsigned(&record.freed_blocks, self.freed_blocks, Relaxed);
    }

    /// Counts a call, and notes what it was at most.
    #[inline(always)]
    pub(super) fn note_call(self, record: &Record) {
        add_unsigned(&record.calls, 1, Relaxed);
        if self.net() > record.largest.load(Relaxed) {
            note_largest(record, self.net());
        }
        if self.peak > record.peak.load(Relaxed) {
            record.peak.store(self.peak, Relaxed);
        }
    }

    /// Adds what was counted later, perhaps on another thread.
    pub(super) fn then(&mut self, part: Self) {
        // Bytes that earlier parts left are live while this one runs.
        self.peak = self.peak.max(self.net().wrapping_add(part.peak));
        self.allocated_bytes = self.allocated_bytes.wrapping_add(part.allocated_bytes);
        self.freed_bytes = self.freed_bytes.wrapping_add(part.freed_bytes);
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
