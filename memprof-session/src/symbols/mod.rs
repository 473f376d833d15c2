//! The look-up of names: in the recorded process in bounded memory, and outside of it, from the
//! program's file or from separate debug files.

#[cfg(any(
    feature = "symbols",
    all(feature = "heap", any(target_os = "linux", target_os = "android"))
))]
mod apply;
#[cfg(all(feature = "heap", any(target_os = "linux", target_os = "android")))]
mod bounded;
#[cfg(all(feature = "heap", not(any(target_os = "linux", target_os = "android"))))]
mod bounded_absent;
#[cfg(any(
    feature = "symbols",
    all(feature = "heap", any(target_os = "linux", target_os = "android"))
))]
mod complete;
#[cfg(feature = "symbols")]
mod search;
#[cfg(any(
    feature = "symbols",
    all(feature = "heap", any(target_os = "linux", target_os = "android"))
))]
mod stacks;

#[cfg(all(feature = "heap", any(target_os = "linux", target_os = "android")))]
pub(crate) use bounded::BoundedNames;
#[cfg(all(feature = "heap", not(any(target_os = "linux", target_os = "android"))))]
pub(crate) use bounded_absent::BoundedNames;
#[cfg(feature = "symbols")]
pub use search::{MissingNames, SymbolSearch, Symbolized};
