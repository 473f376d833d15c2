//! Identities of frozen values, and counters of the changes to their numbers of handles.

use core::sync::atomic::{AtomicUsize, Ordering};

/// The number of counters. Two values whose identities differ by less than this number have
/// different counters.
const COUNTERS: usize = 1 << 16;

/// Counters of the clones and drops of handles, by identity.
///
/// A profiler remembers a value's number of handles together with its counter. While the counter
/// stays the same, so does the number. A profiler reads the counter without access to the value,
/// which may be reachable only through memory that the profiler does not visit. The counters are in
/// static memory, because a counter allocated for each value would add memory that the program did
/// not request.
///
/// If two values share a counter, a change of one makes the other seem changed too. This costs
/// time, but the profile stays right.
static COUNTS: [AtomicUsize; COUNTERS] = [const { AtomicUsize::new(0) }; COUNTERS];

/// Returns the counter of an identity. Values that were made one after the other have counters next
/// to each other, so that a profile reads few cache lines.
#[inline]
fn counter(identity: u64) -> &'static AtomicUsize {
    &COUNTS[identity as usize % COUNTERS]
}

/// Records that a handle was cloned or dropped. The caller calls this after the change.
#[inline]
pub(super) fn record(identity: u64) {
    // A thread that observes this addition also observes the change before it.
    counter(identity).fetch_add(1, Ordering::Release);
}

/// Returns a number that changes when handles of a value are cloned or dropped. Read it before the
/// number of handles.
#[inline]
pub(super) fn of(identity: u64) -> usize {
    counter(identity).load(Ordering::Acquire)
}

/// Returns an identity that no value has yet. Identities begin with 1.
#[cfg(target_has_atomic = "64")]
pub(super) fn next_identity() -> u64 {
    use core::sync::atomic::AtomicU64;

    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Returns an identity that no value has yet. Identities begin with 1.
///
/// A counter of 32 bits could repeat within hours, so targets without larger atomics use a lock.
#[cfg(not(target_has_atomic = "64"))]
pub(super) fn next_identity() -> u64 {
    use std::sync::{Mutex, PoisonError};

    static NEXT: Mutex<u64> = Mutex::new(1);
    let mut next = NEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let identity = *next;
    *next += 1;
    identity
}
