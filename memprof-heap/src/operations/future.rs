//! Futures as calls of operations. A future is counted while it is polled, on any thread.

use super::parts::Parts;
use super::paths;
use super::site::OperationSite;
use super::stack::Place;
use crate::thread::threads;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};
use pin_project_lite::pin_project;

/// An extension of futures that names their work as an operation.
///
/// ```
/// use memprof::heap::operation::{OperationSite, TrackFuture};
/// use memprof::heap::{operations, Level};
/// use memprof::Allocator;
/// # use std::{pin::pin, task::{Context, Waker}};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static ANSWER: OperationSite = OperationSite::new("answer", file!(), line!());
///
/// async fn answer() -> String {
///     async { "forty-two".repeat(100) }.track(&ANSWER).await
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// # let mut polled = pin!(answer());
/// # let _ = polled.as_mut().poll(&mut Context::from_waker(Waker::noop()));
/// let operations = operations()?;
/// assert!(operations.find("answer").expect("it ran").allocated_bytes >= 900);
/// # Ok(())
/// # }
/// ```
pub trait TrackFuture: Future + Sized {
    /// Counts this future as a call of the operation, within the operation that runs now.
    ///
    /// The call counts what its polls allocate and free, on any thread, and what dropping the
    /// future frees. It begins with the first poll and ends when the future is ready or dropped.
    /// Work that the future spawns is not included: track that work too, by
    /// [`in_current_operation`].
    ///
    /// [`in_current_operation`]: TrackFuture::in_current_operation
    fn track(self, operation: &'static OperationSite) -> Tracked<Self> {
        let within = threads::local().map_or(paths::ROOT, |local| local.activations().current());
        Tracked::new(self, paths::path_to(within, operation).0, true)
    }

    /// Counts the polls of this future, on any thread, for the operation that runs now. Use it for
    /// work that an operation spawns. The future is not a call of its own.
    fn in_current_operation(self) -> Tracked<Self> {
        let path = threads::local().map_or(paths::ROOT, |local| local.activations().current());
        Tracked::new(self, path, false)
    }
}

impl<F: Future> TrackFuture for F {}

pin_project! {
    /// A future whose polls are counted for an operation. [`TrackFuture`] creates it.
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct Tracked<F> {
        // `None` once the future is ready. It is dropped at that moment, so that the frees of the
        // future itself are counted too.
        #[pin]
        future: Option<F>,
        parts: Parts,
        is_call: bool,
    }

    impl<F> PinnedDrop for Tracked<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if this.future.is_none() {
                return;
            }
            let is_call = *this.is_call && this.parts.begun();
            let end = this.parts.enter();
            this.future.set(None);
            this.parts.leave(end);
            if is_call {
                this.parts.end();
            }
        }
    }
}

impl<F: Future> Tracked<F> {
    fn new(future: F, path: u32, is_call: bool) -> Self {
        Self { future: Some(future), parts: Parts::new(path), is_call }
    }
}

/// A part of the call. The part ends when this is dropped, even if the future panics.
struct Part<'a> {
    end: Place,
    parts: &'a mut Parts,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        self.parts.leave(self.end);
    }
}

impl<F: Future> Future for Tracked<F> {
    type Output = F::Output;

    /// # Panics
    /// Panics if the future is polled again after it was ready, like other futures.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let part = Part { end: this.parts.enter(), parts: &mut *this.parts };
        let future = this.future.as_mut().as_pin_mut().expect("a future is not polled when ready");
        let polled = future.poll(context);
        if polled.is_ready() {
            this.future.set(None);
            drop(part);
            if *this.is_call {
                this.parts.end();
            }
        }
        polled
    }
}

impl<F> fmt::Debug for Tracked<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = paths::path_of(self.parts.path());
        let names: Vec<_> = names.iter().map(|site| site.name()).collect();
        out.debug_struct("Tracked").field("operation", &names).finish_non_exhaustive()
    }
}
