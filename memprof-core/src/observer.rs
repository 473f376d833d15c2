//! The observer of a walk.

/// An observer of a walk, which can stop the walk and receive the addresses of blocks.
///
/// Values that a stopped walk did not visit are marked
/// [`Stopped`](crate::tree::OpaqueReason::Stopped). The walk has no clock, so the observer
/// decides when to stop. After it stopped the walk, shared allocations that the walk has not met are
/// marked too: a complete walk may count them at a value that was not visited.
///
/// ```
/// use memprof::tree::OpaqueReason;
/// use memprof::walk::Observer;
/// use memprof::Profile;
/// use std::time::{Duration, Instant};
///
/// /// A limit for the time of a walk.
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
/// assert!(profile.root().opaque().eq([(OpaqueReason::Stopped, 2)]));
/// ```
pub trait Observer {
    /// Returns `true` to stop the walk. The walk calls this at least once per 256 values, until it
    /// returns `true`.
    ///
    /// The walk may visit a few more values afterwards. These are the rest of the current 256
    /// values, in each slice that the walk has begun.
    fn stops(&mut self) -> bool {
        false
    }

    /// Returns whether the walk should report addresses. The walk calls this once, when it begins.
    ///
    /// # Cost
    /// The walk reports addresses one by one, so it takes several times as long.
    fn wants_blocks(&self) -> bool {
        false
    }

    /// Receives an address in an allocation that the walk counts. The address is the start of the
    /// allocation, or inside the allocation.
    ///
    /// The walk may report one block several times, with several addresses.
    fn block(&mut self, address: usize) {
        let _ = address;
    }
}
