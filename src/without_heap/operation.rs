//! Operations that are named in the code but not counted.
#![expect(
    unsafe_code,
    reason = "an impl of `Send` that holds for no type makes the compiler print advice"
)]

use core::marker::PhantomData;

/// An operation of the program: its name, and its place in the source.
#[derive(Debug)]
pub struct OperationSite {
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl OperationSite {
    /// Returns an operation with this name at a place in the source.
    pub const fn new(name: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, file, line }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the file that contains the operation.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// Returns the line of the operation.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Begins the operation on the current thread, if the feature `heap` is on.
    #[inline]
    pub fn enter(&'static self) -> OperationGuard {
        OperationGuard { stays: OnOneThread(PhantomData) }
    }
}

/// A guard. With the feature `heap`, the operation runs until the guard is dropped.
///
/// # Cost
/// There is no cost: the guard has no size, and dropping it does nothing.
#[derive(Debug)]
#[must_use = "the operation ends when the guard is dropped: `let _operation = …`"]
pub struct OperationGuard {
    #[expect(dead_code, reason = "keeps the guard from being `Send`")]
    stays: OnOneThread,
}

/// A field type that makes its struct not `Send`, and makes the compiler suggest what to do, as in
/// `memprof-heap`.
#[derive(Debug)]
struct OnOneThread<T = ()>(PhantomData<*const T>);

// SAFETY: no type implements the bound, and none outside this module can, so nothing becomes
// `Send`.
unsafe impl<T: OperationAcrossAwait> Send for OnOneThread<T> {}

/// A bound that no type meets. It exists only for the compiler's message.
#[diagnostic::on_unimplemented(
    message = "the guard of `operation!` cannot be held across an `.await` or sent to another thread",
    label = "a guard counts what its own thread allocates",
    note = "to count an `async fn`, put `#[memprof::track]` on it; to count another future, call `.track(…)` of `memprof::heap::operation::TrackFuture` on it"
)]
pub(crate) trait OperationAcrossAwait {}

// With this impl, `drop(guard)` causes no warning, as in `memprof-heap`.
impl Drop for OperationGuard {
    #[inline]
    fn drop(&mut self) {}
}

/// Names the work from here to the end of the scope. With the feature `heap`, its allocations are
/// counted.
///
/// # Cost
/// None.
#[macro_export]
macro_rules! operation {
    ($name:expr $(,)?) => {{
        static OPERATION: $crate::heap::operation::OperationSite =
            $crate::heap::operation::OperationSite::new($name, ::core::file!(), ::core::line!());
        OPERATION.enter()
    }};
}
