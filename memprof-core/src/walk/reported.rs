//! Values whose bytes another crate's trait reports.
//!
//! A type of another crate may implement `get_size2::GetSize` and not
//! [`MemoryProfile`](trait@crate::MemoryProfile). A wrapper of this module makes it a part of a
//! profile. Its owned bytes are an estimate, because the trait reports a single number. The number
//! may exclude excess capacity, and may count shared memory several times.

pub use crate::impls::get_size2_011::GetSize2;
