//! What the process holds, as its threads have told, and the most it held.

use super::gate::WINDOW;
use core::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Bytes live, as told by all threads: behind the truth by at most a window for each of them.
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
/// The most threads that counted at once, since the peak was reset.
static UNTOLD: AtomicI64 = AtomicI64::new(0);

/// What threads counted that have no shard: they end, or there was no memory for one.
static LATE: Late = Late {
    allocated_bytes: AtomicU64::new(0),
    allocated_blocks: AtomicU64::new(0),
    freed_bytes: AtomicU64::new(0),
    freed_blocks: AtomicU64::new(0),
};

struct Late {
    allocated_bytes: AtomicU64,
    allocated_blocks: AtomicU64,
    freed_bytes: AtomicU64,
    freed_blocks: AtomicU64,
}

/// Takes over what a thread holds more than it had told.
pub(crate) fn tell(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    if live > PEAK.load(Relaxed) {
        PEAK.fetch_max(live, Relaxed);
    }
}

pub(crate) fn live() -> i64 {
    LIVE.load(Relaxed)
}

pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// From here on the peak is that of what comes.
pub(crate) fn reset_peak(live: i64, threads: i64) {
    UNTOLD.store(threads, Relaxed);
    PEAK.store(live, Relaxed);
}

/// So many threads count now.
pub(crate) fn threads_are(threads: i64) {
    UNTOLD.fetch_max(threads, Relaxed);
}

/// By how much the peak may be wrong, in either direction.
pub(crate) fn peak_error() -> u64 {
    UNTOLD.load(Relaxed).max(0).cast_unsigned().saturating_mul(WINDOW.cast_unsigned())
}

pub(crate) fn late_allocated(bytes: usize) {
    LATE.allocated_bytes.fetch_add(bytes as u64, Relaxed);
    LATE.allocated_blocks.fetch_add(1, Relaxed);
    tell(bytes.cast_signed() as i64);
}

pub(crate) fn late_freed(bytes: usize) {
    LATE.freed_bytes.fetch_add(bytes as u64, Relaxed);
    LATE.freed_blocks.fetch_add(1, Relaxed);
    tell((bytes.cast_signed() as i64).wrapping_neg());
}

/// Bytes and blocks freed, bytes and blocks allocated by threads without a shard.
pub(crate) fn late() -> [u64; 4] {
    [&LATE.freed_bytes, &LATE.freed_blocks, &LATE.allocated_bytes, &LATE.allocated_blocks]
        .map(|word| word.load(Relaxed))
}
