//! The errors of allocating and freeing memory, and the checks of requests that return them.

use super::{Address, Memory, Request, Stream};
use core::fmt;
use memprof_profile::text::WithCauses;
use std::error::Error;

/// The reason why memory was not allocated.
#[non_exhaustive]
pub enum AllocationError {
    /// There is too little memory.
    OutOfMemory {
        /// The request that failed.
        request: Request,
        /// The kind of memory.
        memory: Memory,
        /// The largest free block. `None` if unknown.
        largest_free: Option<u64>,
        /// Bytes taken from the upstream. `None` if unknown.
        reserved: Option<u64>,
        /// Reserved bytes that are not in use. `None` if unknown.
        cached: Option<u64>,
        /// The limit on reserved or allocated bytes. `None` without a limit.
        limit: Option<u64>,
    },
    /// The allocation would exceed a limit.
    OverLimit {
        /// The request that failed.
        request: Request,
        /// The kind of memory.
        memory: Memory,
        /// Bytes that are allocated.
        allocated: u64,
        /// The limit on allocated bytes.
        limit: u64,
    },
    /// The alignment is not a power of two, or is larger than the resource supports.
    Alignment {
        /// The request that failed.
        request: Request,
        /// The largest supported alignment.
        largest: u64,
    },
    /// A graph captures the stream. The memory would be part of each replay of the graph, and the
    /// pool could give it to other work.
    Capturing(Stream),
    /// The resource can't free the memory of a [`Buffer`](crate::Buffer) in the order of a stream
    /// that is a different one in each thread.
    PerThread(Stream),
    /// The device or its driver failed.
    Failed(Box<dyn Error + Send + Sync>),
}

/// The reason why memory was not freed.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeallocationError {
    /// No live allocation begins at the address, and no remembered free has this address.
    Foreign(Address),
    /// The memory was freed before.
    Twice(Address),
    /// The memory was allocated with another size or alignment.
    Mismatch {
        /// The address of the memory.
        address: Address,
        /// The request of the allocation.
        allocated: Request,
        /// The request of the deallocation.
        deallocated: Request,
    },
    /// A graph captures the stream in whose order the memory would be freed.
    Capturing(Address, Stream),
    /// The driver refused to free the memory, with this error code.
    Refused(Address, i32),
}

impl AllocationError {
    /// Creates an out-of-memory error without further data.
    pub(super) const fn out_of(memory: Memory, request: Request) -> Self {
        let (largest_free, reserved, cached, limit) = (None, None, None, None);
        Self::OutOfMemory { request, memory, largest_free, reserved, cached, limit }
    }

    /// Returns `true` if there is too little memory, so the same request may succeed later.
    pub const fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::OutOfMemory { .. } | Self::OverLimit { .. })
    }
}

impl Request {
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

impl fmt::Display for AllocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory { request, memory, largest_free, reserved, cached, limit } => {
                write!(out, "out of {memory} memory: {} bytes were requested", request.bytes)?;
                let display_or_unknown = [
                    ("largest free block", largest_free),
                    ("reserved", reserved),
                    ("cached", cached),
                    ("limit", limit),
                ];
                for (name, bytes) in display_or_unknown {
                    if let Some(bytes) = bytes {
                        write!(out, ", {name} {bytes}")?;
                    }
                }
                Ok(())
            }
            Self::OverLimit { request, memory, allocated, limit } => write!(
                out,
                "out of {memory} memory: {} bytes were requested, allocated {allocated}, limit \
                 {limit}",
                request.bytes
            ),
            Self::Alignment { request, largest } => write!(
                out,
                "unsupported alignment {}: expected a power of two of at most {largest}",
                request.alignment
            ),
            Self::Capturing(stream) => write!(
                out,
                "a graph capture of stream {:#x} is active: allocate before the capture begins",
                stream.0
            ),
            Self::PerThread(stream) => write!(
                out,
                "a buffer can't use stream {:#x}, which is a different one in each thread: create a \
                 stream, or free the memory with `deallocate` on the same thread",
                stream.0
            ),
            Self::Failed(_) => out.write_str("the device failed"),
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for AllocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for AllocationError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}

impl fmt::Display for DeallocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(address) => {
                write!(out, "{address} was not allocated by this resource")
            }
            Self::Twice(address) => write!(out, "{address} was already deallocated"),
            Self::Mismatch { address, allocated, deallocated } => write!(
                out,
                "{address} was allocated as {} bytes aligned to {} and deallocated as {} aligned \
                 to {}",
                allocated.bytes, allocated.alignment, deallocated.bytes, deallocated.alignment
            ),
            Self::Capturing(address, stream) => write!(
                out,
                "a graph capture of stream {:#x} is active: free {address} after the capture ends",
                stream.0
            ),
            Self::Refused(address, code) => {
                write!(out, "the driver refused to free {address}: error {code}")
            }
        }
    }
}

/// Prints the text of `Display`, because `main` and `unwrap` print this form.
impl fmt::Debug for DeallocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for DeallocationError {}
