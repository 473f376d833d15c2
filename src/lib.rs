//! Names every byte a Rust value owns.

pub use memprof_core::*;

#[cfg(feature = "derive")]
#[doc = include_str!("../docs/derive.md")]
pub use memprof_derive::MemoryProfile;

#[doc(hidden)]
pub use memprof_core::__private;
