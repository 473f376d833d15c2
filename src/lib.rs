#![doc = include_str!("../README.md")]

pub use memprof_core::*;

#[cfg(feature = "derive")]
#[doc = include_str!("../docs/derive.md")]
pub use memprof_derive::MemoryProfile;

#[doc(hidden)]
pub use memprof_core::__private;
