//! The error of a program that asks for counts and has no allocator that counts.

use core::fmt;
use std::error::Error;

/// Nothing is counted, as the global allocator is another one.
///
/// Shown, also by `unwrap`, it has the lines to add:
///
/// ```
/// let error = memprof_heap::measure(|| ()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "nothing counts allocations here; add to the program, or to the file of the test:\n\
///      #[global_allocator]\n\
///      static ALLOC: memprof::Allocator = memprof::Allocator::system();"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NotInstalled(pub(crate) ());

impl fmt::Display for NotInstalled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "nothing counts allocations here; add to the program, or to the file of the test:\n\
             #[global_allocator]\n\
             static ALLOC: memprof::Allocator = memprof::Allocator::system();",
        )
    }
}

/// As shown: it is what `unwrap` and `main` print, and the lines to add are what helps.
impl fmt::Debug for NotInstalled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for NotInstalled {}
