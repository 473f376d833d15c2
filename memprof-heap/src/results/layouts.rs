//! The comparison of profiles of std's collections with the allocator's counts.

use crate::control::not_installed::NotInstalled;
use crate::results::measure::measure;
use core::fmt;
use std::error::Error;

/// Compares profiles of std's collections with the bytes that they requested from the allocator.
///
/// Profiles detect the layouts of std inside the process, and mark collections with unknown layouts
/// as estimated. This function goes further: it creates collections of several entries under
/// measurement. From then on, a collection whose profiles agree with the counts is exact, and one
/// whose profiles differ is an estimate. A test that calls this function certifies a new compiler.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() -> Result<(), memprof::heap::exact::LayoutError> {
/// memprof::heap::exact::check_layouts()?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if a collection differs, or if [`Allocator`](crate::Allocator) isn't the global
/// allocator.
pub fn check_layouts() -> Result<(), LayoutError> {
    measure(|| ()).map_err(LayoutError::NotInstalled)?;
    let mut requested = |make: &mut dyn FnMut()| {
        let net = measure(make).map_or(0, |((), measured)| measured.net_bytes());
        u64::try_from(net).unwrap_or(0)
    };
    memprof_core::layout_check::check(&mut requested).map_err(LayoutError::Differs)
}

/// The reason why layouts are not certified.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// Allocations are not counted, so nothing was compared.
    NotInstalled(NotInstalled),
    /// The first of std's types whose profiles differ from the allocator's counts.
    Differs(&'static str),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(error) => error.fmt(out),
            Self::Differs(name) => write!(
                out,
                "this compiler's `{name}` allocates sizes that memprof does not expect; its bytes \
                 are estimates until memprof is updated"
            ),
        }
    }
}

/// Prints the same text as `Display`, because `main` and `unwrap` print it.
impl fmt::Debug for LayoutError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for LayoutError {}
