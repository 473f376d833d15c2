//! The words that operations need on each thread: the type of the thread's slot.
#![expect(unsafe_code, reason = "the slot is untyped")]

use super::events::kept::Events;
use super::records::Records;
use super::stack::Activations;
use crate::base::sync::{AtomicI64, own};
use crate::thread::counters::add;
use crate::thread::shard::{LocalShard, Shard};
use core::sync::atomic::Ordering::Relaxed;

/// The state of operations on one thread. All zero bytes mean that nothing runs and nothing was
/// counted.
#[repr(C)]
pub(crate) struct PerThread {
    pub(super) activations: Activations,
    pub(crate) records: Records,
    pub(super) events: Events,
    /// Bytes of tensors that the thread reported as created, less those dropped.
    tensors: AtomicI64,
}

impl PerThread {
    /// Returns the words of the thread that owns a shard.
    #[inline(always)]
    pub(crate) fn of(shard: &Shard) -> &Self {
        // SAFETY: no other code reads this slot as another type. Its fields are numbers, and
        // pointers that may be null.
        unsafe { shard.operations().as_ref() }
    }
}

impl LocalShard {
    #[inline(always)]
    pub(super) fn activations(self) -> &'static Activations {
        &PerThread::of(self.shard()).activations
    }

    pub(super) fn records(self) -> &'static Records {
        &PerThread::of(self.shard()).records
    }

    pub(super) fn events(self) -> &'static Events {
        &PerThread::of(self.shard()).events
    }

    /// Returns the bytes of tensors that the thread reported as created, less those dropped.
    pub(super) fn tensors(self) -> i64 {
        own(&PerThread::of(self.shard()).tensors)
    }

    pub(super) fn add_tensors(self, bytes: i64) {
        add(&PerThread::of(self.shard()).tensors, bytes, Relaxed);
    }
}
