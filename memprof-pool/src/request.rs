//! The requests to a memory resource, and the addresses that it returns.

use super::{AllocationError, DeallocationError};
use core::fmt;

/// An address in the memory of a resource. Only the host or a device that can access this memory
/// may dereference the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#x}", self.0)
    }
}

/// A stream of a device. Work in one stream runs in order. On CUDA, the stream's number contains
/// the bits of a `CUstream`.
///
/// 0 is CUDA's legacy default stream, even in a program compiled with a default stream for each
/// thread. 2 is `CU_STREAM_PER_THREAD`, the default stream of the thread that makes the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Stream(pub u64);

impl Stream {
    /// The default stream. A resource without streams has only this one.
    pub const DEFAULT: Self = Self(0);
}

/// The size, the alignment and the stream of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers construct it, so a new field is a breaking change"
)]
pub struct Request {
    /// The size in bytes.
    pub bytes: u64,
    /// The alignment: a power of two.
    pub alignment: u64,
    /// The stream whose work uses the memory first.
    pub stream: Stream,
}

impl Request {
    /// The alignment of CUDA's allocators, which is enough for any type of the host.
    pub const ALIGNMENT: u64 = 256;

    /// Creates a request for `bytes` bytes in the default stream, with the default alignment.
    pub const fn new(bytes: u64) -> Self {
        Self { bytes, alignment: Self::ALIGNMENT, stream: Stream::DEFAULT }
    }

    /// Sets the alignment, which must be a power of two.
    pub const fn aligned(self, alignment: u64) -> Self {
        Self { alignment, ..self }
    }

    /// Sets the stream.
    pub const fn on(self, stream: Stream) -> Self {
        Self { stream, ..self }
    }

    /// Checks that the alignment is a power of two of at most `largest`.
    pub(super) const fn check_alignment(self, largest: u64) -> Result<(), AllocationError> {
        if self.alignment.is_power_of_two() && self.alignment <= largest {
            return Ok(());
        }
        Err(AllocationError::Alignment { request: self, largest })
    }

    /// Checks that size and alignment equal those of the allocation. The streams may differ.
    pub(super) fn check_same(
        self,
        allocated: Self,
        address: Address,
    ) -> Result<(), DeallocationError> {
        if (self.bytes, self.alignment) == (allocated.bytes, allocated.alignment) {
            return Ok(());
        }
        Err(DeallocationError::Mismatch { address, allocated, deallocated: self })
    }
}
