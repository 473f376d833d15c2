//! Futures that are named in the code but not counted.
//!
//! `docs/internal/unsafe.md` lists the unsafe code here and why it is sound.
#![expect(unsafe_code, reason = "a pinned future is polled through the struct that holds it")]

use super::operation::OperationSite;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

/// Methods that assign a future to an operation. With the feature `heap`, the future's allocations
/// are counted.
///
/// # Cost
/// There is no cost: a [`Tracked`] has the size of its future, and its poll is inlined.
pub trait TrackFuture: Future + Sized {
    /// Counts this future as a call of the operation, if the feature `heap` is on.
    fn track(self, _: &'static OperationSite) -> Tracked<Self> {
        Tracked { future: self }
    }

    /// Counts this future as a call of an operation named after the caller's line, if the feature
    /// `heap` is on.
    fn track_here(self) -> Tracked<Self> {
        Tracked { future: self }
    }

    /// Counts the polls of this future for the current operation, if the feature `heap` is on.
    fn in_current_operation(self) -> Tracked<Self> {
        Tracked { future: self }
    }
}

impl<F: Future> TrackFuture for F {}

/// A future whose polls are counted with the feature `heap`. The methods of [`TrackFuture`] return
/// it.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Tracked<F> {
    future: F,
}

impl<F: Future> Future for Tracked<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the field is pinned with the struct. The struct has no `Drop`, nothing moves the
        // field out of it, and it is `Unpin` only if the field is.
        let future = unsafe { self.map_unchecked_mut(|tracked| &mut tracked.future) };
        future.poll(context)
    }
}

impl<F> fmt::Debug for Tracked<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tracked").finish_non_exhaustive()
    }
}
