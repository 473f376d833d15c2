//! The list of all shards.
//!
//! A thread acquires a shard when it first allocates or frees, and releases it for the next thread
//! when it ends. So the number of shards is at most the maximum number of threads that existed at
//! once. A shard's counts continue from thread to thread, and their sum over all shards is what the
//! process counted. No count is ever moved, so none can be missed or read twice.

use super::exit;
use super::shard::Shard;
use crate::base::fork::{self, Child};
use crate::base::list::{FREE, LEFT_BEHIND, List};
use crate::base::own_memory;
use crate::base::sync::Ordering::Relaxed;
use crate::base::sync::{AtomicI64, AtomicPtr};
use core::ptr;

/// A shard that other threads read, on cache lines of its own. It is aligned to two lines, because
/// processors fetch two lines at a time.
#[repr(align(128))]
pub(super) struct CachePadded(pub(super) Shard);

static SHARDS: List<Shard> = List { first: AtomicPtr::new(ptr::null_mut()) };
/// The number of threads that own a shard.
static OWNERS: AtomicI64 = AtomicI64::new(0);
/// The maximum number of threads that owned a shard at once, since the peak was reset.
static MAX_OWNERS: AtomicI64 = AtomicI64::new(0);

/// Acquires a shard that no thread owns.
pub(super) fn acquire(owner: u32) -> Option<&'static Shard> {
    SHARDS.acquire(owner)
}

/// Acquires the shard of a thread that ended without a notice.
pub(super) fn reclaim(owner: u32) -> Option<&'static Shard> {
    // In a child that has not noticed yet, the ids of threads are those of the parent.
    if !exit::misses_notices() || fork::is_unnoticed() {
        return None;
    }
    let is_orphaned = |owner| ![FREE, LEFT_BEHIND].contains(&owner) && exit::has_ended(owner);
    let shard = SHARDS.all().find(|shard| shard.link.replace_owner(is_orphaned, owner))?;
    OWNERS.fetch_sub(1, Relaxed);
    Some(shard)
}

/// Creates a shard. Returns `None` if the system has no memory.
pub(super) fn add(owner: u32) -> Option<&'static Shard> {
    let CachePadded(shard) = own_memory::keep(CachePadded(Shard::stopping(owner)))?;
    SHARDS.add(shard);
    Some(shard)
}

/// Repairs the shards of threads that a fork left behind. Only `own` and, in a late child, threads
/// of this process go on counting.
pub(super) fn leave_behind(child: Child, own: *const Shard) {
    let mut owners = 0;
    for shard in SHARDS.all().filter(|shard| shard.is_owned()) {
        let is_left_behind = |owner| child == Child::New || exit::has_ended(owner);
        if ptr::eq(shard, own) {
            // The thread has another id in the child.
            shard.link.replace_owner(|_| true, exit::owner());
        } else if shard.link.replace_owner(is_left_behind, LEFT_BEHIND) {
            shard.complete_changes();
            continue;
        }
        owners += 1;
    }
    OWNERS.store(owners, Relaxed);
}

/// Counts a thread that has just acquired a shard.
pub(super) fn count_owner() {
    let owners = OWNERS.fetch_add(1, Relaxed).wrapping_add(1);
    MAX_OWNERS.fetch_max(owners, Relaxed);
}

/// Releases the shard of a thread that ends.
pub(super) fn release(shard: &Shard) {
    OWNERS.fetch_sub(1, Relaxed);
    shard.link.release();
}

/// Returns all shards, of threads that run and of threads that ended.
pub(crate) fn all() -> impl Iterator<Item = &'static Shard> {
    SHARDS.all()
}

/// Returns the number of threads that own a shard now.
pub(super) fn owners() -> i64 {
    OWNERS.load(Relaxed)
}

/// Returns the maximum number of threads that owned a shard at once, since `reset_max_owners`.
pub(super) fn max_owners() -> i64 {
    MAX_OWNERS.load(Relaxed)
}

pub(super) fn reset_max_owners() {
    MAX_OWNERS.store(owners(), Relaxed);
}
