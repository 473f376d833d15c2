//! The functions that are called when the inner allocator refuses.

use super::installed::is_installed;
use crate::base::party::Party;
use crate::hook::refusal::{ON_REFUSAL, Refusal};

/// Sets the function that is called when the inner allocator refuses, or none.
///
/// Called on the thread that asked, when all is counted, before the program sees null: it may be
/// the last that runs, as most programs abort then. Some refusals are expected, as those that
/// `Vec::try_reserve` hands on. At [`Level::Off`](crate::Level::Off) nobody is told: there, the
/// answer is passed on without a look.
///
/// The function must not allocate, as there is no memory; it may call
/// [`totals`](crate::totals()), which doesn't, and write to what is open already. It runs inside
/// an allocation, so it waits for no lock that is held around one. What is refused on the same
/// thread while it runs isn't told again. If it panics, the process is aborted.
///
/// ```
/// use memprof_heap::{Allocator, Level, set_on_refusal};
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static REFUSED: AtomicU64 = AtomicU64::new(0);
///
/// # fn main() {
/// set_on_refusal(Some(|refusal| REFUSED.store(refusal.requested_bytes, Relaxed)));
/// let mut bytes: Vec<u8> = Vec::new();
/// assert!(bytes.try_reserve_exact(isize::MAX as usize).is_err());
/// assert_eq!(REFUSED.load(Relaxed), isize::MAX as u64);
/// # }
/// ```
///
/// A [recorder](crate::recorder) has a function of its own, which is called first.
pub fn set_on_refusal(function: Option<fn(Refusal)>) {
    set(Party::Program, function);
}

pub(crate) fn set(party: Party, function: Option<fn(Refusal)>) {
    // Looked at now, as it allocates the first time: `totals` does then no more.
    is_installed();
    ON_REFUSAL.of(party).set(function);
}
