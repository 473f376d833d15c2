//! Who watches a walk: may end it early, and is told where the memory is.

/// Watches a walk: may end it early, and is told where the blocks are that it meets.
///
/// What a walk that was ended did not visit is marked [`OutOfTime`](crate::Opaque::OutOfTime). The
/// walk has no clock: the observer decides.
///
/// ```
/// use memprof_core::{Observer, Opaque};
/// use memprof_profile::Profile;
/// use std::time::{Duration, Instant};
///
/// /// So long may a walk take.
/// struct Budget { end: Instant }
///
/// impl Observer for Budget {
///     fn stops(&mut self) -> bool {
///         Instant::now() >= self.end
///     }
/// }
///
/// let names = vec![String::from("alpha"), String::from("beta")];
/// let mut budget = Budget { end: Instant::now() };
/// let profile = Profile::observed("names", &names, &mut budget);
/// assert!(!profile.is_exact());
/// assert_eq!(profile.total_bytes(), 24 + 2 * 24);
/// assert!(profile.root().opaque().eq([(Opaque::OutOfTime, 2)]));
/// ```
pub trait Observer {
    /// Asked once in 256 values or more often: whether to visit no more. Once it said so, it is not
    /// asked again.
    ///
    /// Some more values may be visited after it said so: those left of the 256 of each slice that
    /// the walk is in.
    fn stops(&mut self) -> bool {
        false
    }

    /// Whether addresses are wanted; asked once, when the walk begins.
    ///
    /// # Cost
    /// Addresses are told one by one, so that such a walk takes some times as long as another.
    fn wants_blocks(&self) -> bool {
        false
    }

    /// An address in an allocation that the walk counts: its start, or inside it.
    ///
    /// One block may be told several times, by several addresses.
    fn block(&mut self, address: usize) {
        let _ = address;
    }
}
