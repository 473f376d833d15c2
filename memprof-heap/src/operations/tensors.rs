//! Bytes of tensors that threads report while operations run.

use crate::thread::threads;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

static REPORTED: AtomicBool = AtomicBool::new(false);

/// Adds bytes of tensors to the current thread's sum: positive if created, negative if dropped.
pub(crate) fn report_tensors(bytes: i64) {
    if let Some(local) = threads::local() {
        local.add_tensors(bytes);
    }
    // The word is not written each time, because all threads read it.
    if !REPORTED.load(Relaxed) {
        REPORTED.store(true, Relaxed);
    }
}

/// Returns true if tensors were ever reported, on any thread.
pub(crate) fn tensors_were_reported() -> bool {
    REPORTED.load(Relaxed)
}
