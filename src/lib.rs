#![doc = include_str!("../README.md")]

pub use memprof_core::*;

#[cfg(feature = "derive")]
#[doc = include_str!("../docs/derive.md")]
pub use memprof_derive::MemoryProfile;

#[cfg(feature = "heap")]
#[doc(inline)]
pub use memprof_heap as heap;
#[cfg(feature = "heap")]
pub use memprof_heap::{Allocator, assert_exact, assert_no_leak, operation};

// Pages to read, which have examples that need the derive.
#[cfg(all(any(doc, doctest), feature = "derive"))]
pub mod guide;

#[doc(hidden)]
#[path = "testing/mod.rs"]
pub mod __testing;

#[doc(hidden)]
pub use memprof_core::__private;
