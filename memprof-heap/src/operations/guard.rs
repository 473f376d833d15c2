//! The guard of an operation.

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
    end: Place,
    /// Not `Send`, as pointers aren't.
    stays: PhantomData<*const ()>,
}

impl OperationSite {
    /// Begins the operation on the current thread: [`operation!`](crate::operation) without a
    /// place of its own.
    #[inline]
    pub fn enter(&'static self) -> OperationGuard {
        OperationGuard { end: enter(self), stays: PhantomData }
    }
}

impl Drop for OperationGuard {
    #[inline]
    fn drop(&mut self) {
        leave(self.end);
    }
}
