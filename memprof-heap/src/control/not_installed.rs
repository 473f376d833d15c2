//! The error of a query for counts in a program that does not use memprof's allocator.

use core::fmt;
use std::error::Error;

/// Nothing is counted, because the global allocator is not [`Allocator`](crate::Allocator).
///
/// The message, which `unwrap` prints too, has the lines to add:
///
/// ```
/// let error = memprof::heap::measure(|| ()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "memprof's allocator is not installed; add to the program or to the test file:\n\
///      #[global_allocator]\n\
///      static ALLOC: memprof::Allocator = memprof::Allocator::system();"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NotInstalled(pub(crate) ());

impl fmt::Display for NotInstalled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(
            "memprof's allocator is not installed; add to the program or to the test file:\n\
             #[global_allocator]\n\
             static ALLOC: memprof::Allocator = memprof::Allocator::system();",
        )
    }
}

/// Prints the same text as `Display`, because `unwrap` and `main` print `Debug`. The text shows the
/// lines to add to the program.
impl fmt::Debug for NotInstalled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for NotInstalled {}
