//! The functions that are called when the inner allocator refuses a request.

use super::installed::is_installed;
use crate::base::party::Party;
use crate::base::pin::pin;
use crate::hook::refusal::{ON_REFUSAL, Refusal};

/// Sets or removes the function that is called when the inner allocator refuses a request.
///
/// The allocator calls it on the requesting thread, before the program gets null. At that time the
/// counts are up to date; they do not include the refused request. Most programs abort when they
/// get null, so it may be the last function that runs. Some refusals are expected, for example
/// those that `Vec::try_reserve` returns as errors. At [`Level::Off`](crate::Level::Off) the
/// function is never called, because results are passed on unchecked.
///
/// The function must not allocate, because there is no memory. It may call
/// [`totals`](crate::totals()), which doesn't allocate, and write to files that are open already.
/// It runs inside an allocation, so it must not wait for a lock that is held during allocations.
/// Further refusals on the same thread while it runs are not reported. If it panics, the process is
/// aborted.
///
/// ```
/// use memprof::heap::hooks::set_on_refusal;
/// use memprof::heap::Level;
/// use memprof::Allocator;
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
    // On its first call, `is_installed` allocates, and `pin` takes the loader's lock. Call them now,
    // so that `totals` need not do that later.
    is_installed();
    pin();
    ON_REFUSAL.of(party).set(function);
}
