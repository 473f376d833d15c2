//! Whether the requested data was recorded, and the errors if not.

use crate::record::fork;
use crate::record::level::Level;
use crate::record::switch::{is_installed, level};
use crate::record::system::pin;
use core::fmt;
use std::error::Error;

/// The requested data was not recorded. It is unknown, not zero.
///
/// ```
/// use memprof::heap::{sites, NotRecorded};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() {
/// let error = sites().unwrap_err();
/// assert_eq!(error, NotRecorded::Samples);
/// assert_eq!(
///     error.to_string(),
///     "no samples are taken; call `memprof::heap::set_level(memprof::heap::Level::Sampled)` \
///      first, or start at that level: `Allocator::system().starting_at(Level::Sampled)`"
/// );
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRecorded {
    /// The global allocator is not [`Allocator`](crate::Allocator).
    NotInstalled(NotInstalled),
    /// The level is [`Off`](Level::Off).
    Counts,
    /// The level is below [`Sampled`](Level::Sampled).
    Samples,
    /// This process was forked while another thread of its parent took a sample. That thread may
    /// have held a lock that a sample needs, so this process takes none.
    Forked,
}

impl NotRecorded {
    /// Returns the reason why there are no counts.
    fn counts() -> Self {
        if is_installed() { Self::Counts } else { Self::NotInstalled(NotInstalled(())) }
    }
}

/// Returns an error unless allocations are counted.
pub(crate) fn counted() -> Result<(), NotRecorded> {
    fork::check();
    // The hook may not pin the library of an allocator that starts at a level.
    pin();
    if level() >= Level::Counters && is_installed() { Ok(()) } else { Err(NotRecorded::counts()) }
}

/// Returns an error unless samples are taken.
pub(crate) fn sampled() -> Result<(), NotRecorded> {
    fork::check();
    if !is_installed() {
        return Err(NotRecorded::NotInstalled(NotInstalled(())));
    }
    match level() {
        Level::Sampled => Ok(()),
        _ if fork::samples_are_lost() => Err(NotRecorded::Forked),
        _ => Err(NotRecorded::Samples),
    }
}

impl fmt::Display for NotRecorded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, level) = match self {
            Self::NotInstalled(error) => return error.fmt(out),
            Self::Counts => ("nothing is counted", "Counters"),
            Self::Samples => ("no samples are taken", "Sampled"),
            Self::Forked => {
                return out.write_str(
                    "this process takes no samples, because it was forked while another thread \
                     took one; fork again, or fork before samples are taken",
                );
            }
        };
        write!(
            out,
            "{what}; call `memprof::heap::set_level(memprof::heap::Level::{level})` first, or \
             start at that level: `Allocator::system().starting_at(Level::{level})`"
        )
    }
}

/// Prints the same text as `Display`: `main` and `unwrap` print it.
impl fmt::Debug for NotRecorded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for NotRecorded {}

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
