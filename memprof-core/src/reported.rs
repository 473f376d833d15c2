//! Values whose bytes another crate's trait reports.
//!
//! A type of another crate may implement `get_size2::GetSize` and not
//! [`MemoryProfile`](trait@crate::MemoryProfile). A wrapper of this module makes it a part of a
//! profile. Its owned bytes are an estimate, because the trait reports one number, and not whether
//! it includes excess capacity or counts shared memory once.

pub use crate::impls::get_size2_011::GetSize2;
