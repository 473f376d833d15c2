//! The guard of an operation.
#![expect(unsafe_code, reason = "an impl of `Send` that holds for no type names the way out")]

use super::activations::{enter, leave};
use super::site::OperationSite;
use super::stack::Place;
use core::marker::PhantomData;

/// An operation that runs, until this is dropped; made by [`operation!`](crate::operation).
///
/// It belongs to the thread it was made on. Guards may be dropped in any order: what the inner one
/// counts is the outer one's too, until that is dropped. One that is forgotten runs
/// until its thread ends.
#[derive(Debug)]
#[must_use = "the operation ends when the guard is dropped: `let _operation = …`"]
pub struct OperationGuard {
    end: OnOneThread,
}

/// A place that belongs to its thread; makes the compiler say what to do instead of sending it.
#[derive(Debug)]
struct OnOneThread<T = ()>(Place, PhantomData<*const T>);

// SAFETY: no type implements the bound, and none outside this module can: nothing becomes `Send`.
unsafe impl<T: OperationAcrossAwait> Send for OnOneThread<T> {}

/// A bound that no type meets; it exists for the compiler's message alone.
#[diagnostic::on_unimplemented(
    message = "the guard of `operation!` cannot be held over an `.await` or sent to another thread",
    label = "a guard counts what its own thread allocates",
    note = "to count an `async fn`, put `#[memprof::track]` on it; to count another future, call `.track(…)` of `memprof::TrackFuture` on it"
)]
pub(crate) trait OperationAcrossAwait {}

impl OperationSite {
    /// Begins the operation on the current thread: [`operation!`](crate::operation) without a
    /// place of its own.
    #[inline]
    pub fn enter(&'static self) -> OperationGuard {
        OperationGuard { end: OnOneThread(enter(self), PhantomData) }
    }
}

impl Drop for OperationGuard {
    #[inline]
    fn drop(&mut self) {
        leave(self.end.0);
    }
}
