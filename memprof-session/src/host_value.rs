//! A value of the program that passes through the session.

use super::heap;

/// A value of the program. Dropping it counts as work of the program, even within the profiler.
pub(crate) struct HostValue<T>(Option<T>);

impl<T> HostValue<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn as_ref(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Returns the value, which is present from [`new`](Self::new) on.
    pub(crate) fn take(mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T> Drop for HostValue<T> {
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            heap::as_program(|| drop(value));
        }
    }
}
