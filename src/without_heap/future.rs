//! Futures that are named in the code but not counted.

use super::OperationSite;

/// Names the work of futures. With the feature `heap` it is counted.
///
/// # Cost
/// None: the future is returned unchanged.
pub trait TrackFuture: Future + Sized {
    /// With the feature `heap`, counts this future as a call of the operation.
    #[must_use = "futures do nothing unless they are awaited"]
    fn track(self, _: &'static OperationSite) -> Tracked<Self> {
        self
    }

    /// With the feature `heap`, counts the polls of this future for the operation that runs now.
    #[must_use = "futures do nothing unless they are awaited"]
    fn in_current_operation(self) -> Tracked<Self> {
        self
    }
}

impl<F: Future> TrackFuture for F {}

/// A future whose polls are counted with the feature `heap`. Without it, the future itself.
pub type Tracked<F> = F;
