//! The list of all shards.
//!
//! A thread acquires a shard when it first allocates or frees, and releases it for the next thread
//! when it ends. So there are at most as many shards as threads existed at once. A shard's counts
//! continue from thread to thread, and their sum over all shards is what the process counted. No
//! count is ever moved, so none can be missed or read twice.

use super::shard::Shard;
use crate::base::list::List;
use crate::base::own_memory;
use crate::base::sync::Ordering::Relaxed;
use crate::base::sync::{AtomicI64, AtomicPtr};
use core::ptr;

/// A shard that other threads read, on cache lines of its own. Processors fetch two lines at a
/// time.
#[repr(align(128))]
pub(super) struct Apart(pub(super) Shard);

static SHARDS: List<Shard> = List { first: AtomicPtr::new(ptr::null_mut()) };
/// The number of threads that own a shard.
static TENANTS: AtomicI64 = AtomicI64::new(0);
/// The most threads that owned a shard at once, since the peak was reset.
static MOST_TENANTS: AtomicI64 = AtomicI64::new(0);

/// Takes a shard that no thread owns, or creates one. Returns `None` if the system has no memory.
pub(super) fn take() -> Option<&'static Shard> {
    SHARDS.take().or_else(add)
}

/// Appends a taken shard to the list.
fn add() -> Option<&'static Shard> {
    let Apart(shard) = own_memory::keep(Apart(Shard::stopping()))?;
    SHARDS.add(shard);
    Some(shard)
}

/// Counts a thread that has just acquired a shard.
pub(super) fn moved_in() {
    let tenants = TENANTS.fetch_add(1, Relaxed).wrapping_add(1);
    MOST_TENANTS.fetch_max(tenants, Relaxed);
}

/// Hands back the shard of a thread that ends.
pub(super) fn hand_back(shard: &Shard) {
    TENANTS.fetch_sub(1, Relaxed);
    shard.link.hand_back();
}

/// Returns all shards, of threads that run and of threads that ended.
pub(crate) fn all() -> impl Iterator<Item = &'static Shard> {
    SHARDS.all()
}

/// Returns how many threads own a shard now.
pub(super) fn tenants() -> i64 {
    TENANTS.load(Relaxed)
}

/// Returns the most threads that owned a shard at once, since `reset_most_tenants`.
pub(super) fn most_tenants() -> i64 {
    MOST_TENANTS.load(Relaxed)
}

pub(super) fn reset_most_tenants() {
    MOST_TENANTS.store(tenants(), Relaxed);
}
