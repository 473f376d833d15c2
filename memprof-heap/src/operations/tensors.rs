//! Bytes of tensors that threads report while operations run.

use crate::thread::threads;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

static REPORTED: AtomicBool = AtomicBool::new(false);

/// Adds bytes of tensors to those of the current thread: made, or dropped if negative.
pub(crate) fn report_tensors(bytes: i64) {
    if let Some(mine) = threads::mine() {
        mine.add_tensors(bytes);
    }
    // Not written each time: all threads read it.
    if !REPORTED.load(Relaxed) {
        REPORTED.store(true, Relaxed);
    }
}

/// Returns true if tensors were ever reported, on any thread.
pub(crate) fn tensors_were_reported() -> bool {
    REPORTED.load(Relaxed)
}
