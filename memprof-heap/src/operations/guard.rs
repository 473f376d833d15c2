//! The guard of an operation.
#![expect(
    unsafe_code,
    reason = "an impl of `Send` that holds for no type makes the compiler print advice"
)]

use super::activations::{enter, leave};
use super::site::OperationSite;
use super::stack::Place;
use core::marker::PhantomData;

/// An operation that runs until this is dropped. [`operation!`](macro@crate::operation) creates it.
///
/// The guard belongs to the thread that made it. Guards may be dropped in any order. Until the
/// outer one is dropped, it also counts everything that the inner one counts. An operation whose
/// guard is forgotten runs until its thread ends.
#[derive(Debug)]
#[must_use = "the operation ends when the guard is dropped: `let _operation = …`"]
pub struct OperationGuard {
    end: OnOneThread,
}

/// A pointer to the end of the operation's entry on its thread's stack. It is not `Send`, because
/// the entry stays on its thread. If code sends the guard, the compiler's message states what to do
/// instead.
#[derive(Debug)]
struct OnOneThread<T = ()>(Place, PhantomData<*const T>);

// SAFETY: no type implements the bound, and no type outside this module can. So nothing becomes
// `Send`.
unsafe impl<T: OperationAcrossAwait> Send for OnOneThread<T> {}

/// A bound that no type meets. It exists only for the compiler's message.
#[diagnostic::on_unimplemented(
    message = "the guard of `operation!` cannot be held over an `.await` or sent to another thread",
    label = "a guard counts what its own thread allocates",
    note = "to count an `async fn`, put `#[memprof::track]` on it; to count another future, call `.track(…)` of `memprof::heap::operation::TrackFuture` on it"
)]
pub(crate) trait OperationAcrossAwait {}

impl OperationSite {
    /// Begins the operation on the current thread. It does the same as
    /// [`operation!`](macro@crate::operation), but for this site.
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
