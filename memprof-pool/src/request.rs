//! What is asked of a memory resource, and what it answers with.

use super::{AllocationError, DeallocationError};
use core::fmt;

/// An address in the memory of a resource; nobody but that memory's device may read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#x}", self.0)
    }
}

/// A stream of a device: work in one stream is done in order. On CUDA, the bits of a `CUstream`.
///
/// 0 is CUDA's legacy default stream, also in a program that is compiled with a default stream for
/// each thread. `CU_STREAM_PER_THREAD`, 2, is the default stream of the thread that makes the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stream(pub u64);

impl Stream {
    /// The default stream; the only one where there are none.
    pub const DEFAULT: Self = Self(0);
}

/// How much memory, aligned to what, in the order of which stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Request {
    /// Bytes.
    pub bytes: u64,
    /// A power of two that the address is a multiple of.
    pub alignment: u64,
    /// The stream whose work uses the memory first.
    pub stream: Stream,
}

impl Request {
    /// What CUDA's allocators align to, and enough for any type of the host.
    pub const ALIGNMENT: u64 = 256;

    /// So many bytes, for the default stream.
    pub const fn new(bytes: u64) -> Self {
        Self { bytes, alignment: Self::ALIGNMENT, stream: Stream::DEFAULT }
    }

    /// The same, aligned to another power of two.
    pub const fn aligned(self, alignment: u64) -> Self {
        Self { alignment, ..self }
    }

    /// The same in another stream.
    pub const fn on(self, stream: Stream) -> Self {
        Self { stream, ..self }
    }

    /// Whether the alignment is a power of two of at most that.
    pub(super) const fn check_alignment(self, largest: u64) -> Result<(), AllocationError> {
        if self.alignment.is_power_of_two() && self.alignment <= largest {
            return Ok(());
        }
        Err(AllocationError::Alignment { request: self, largest })
    }

    /// Whether what is deallocated so was allocated so; the streams may differ.
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
