//! Why memory was not given out, or not taken back.

use super::{Address, Memory, Request};
use core::fmt;
use std::error::Error;

/// Why memory was not given out.
#[non_exhaustive]
pub enum AllocationError {
    /// There is not enough.
    OutOfMemory {
        /// What was asked for.
        request: Request,
        /// Of which memory.
        memory: Memory,
        /// The largest free block; `None` if that isn't known.
        largest_free: Option<u64>,
        /// Bytes taken from upstream; `None` if that isn't known.
        reserved: Option<u64>,
        /// Bytes of them that nobody uses; `None` if that isn't known.
        cached: Option<u64>,
        /// The most that may be reserved or allocated; `None` without a limit.
        limit: Option<u64>,
    },
    /// More would be allocated than a limit allows.
    OverLimit {
        /// What was asked for.
        request: Request,
        /// Of which memory.
        memory: Memory,
        /// Bytes that are allocated.
        allocated: u64,
        /// The most that may be.
        limit: u64,
    },
    /// The alignment is no power of two, or more than the resource can give.
    Alignment {
        /// What was asked for.
        request: Request,
        /// The largest that can be.
        largest: u64,
    },
    /// The device or its driver failed.
    Failed(Box<dyn Error + Send + Sync>),
}

/// Why memory was not taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeallocationError {
    /// No memory that is allocated begins there, and none did that the resource remembers.
    Foreign(Address),
    /// It was deallocated before.
    Twice(Address),
    /// It was allocated with another size or alignment.
    Mismatch {
        /// Where.
        address: Address,
        /// What it was allocated with.
        allocated: Request,
        /// What it was deallocated with.
        deallocated: Request,
    },
    /// The device's driver refused it, with this number.
    Refused(Address, i32),
}

impl AllocationError {
    /// There is not enough, and nothing else is known.
    pub(super) const fn out_of(memory: Memory, request: Request) -> Self {
        let (largest_free, reserved, cached, limit) = (None, None, None, None);
        Self::OutOfMemory { request, memory, largest_free, reserved, cached, limit }
    }

    /// Whether there is not enough: what is asked for might be given out at another time.
    pub const fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::OutOfMemory { .. } | Self::OverLimit { .. })
    }
}

impl fmt::Display for AllocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory { request, memory, largest_free, reserved, cached, limit } => {
                write!(out, "out of {memory} memory: {} bytes were asked for", request.bytes)?;
                let known = [
                    ("largest free block", largest_free),
                    ("reserved", reserved),
                    ("cached", cached),
                    ("limit", limit),
                ];
                for (what, bytes) in known {
                    if let Some(bytes) = bytes {
                        write!(out, ", {what} {bytes}")?;
                    }
                }
                Ok(())
            }
            Self::OverLimit { request, memory, allocated, limit } => write!(
                out,
                "out of {memory} memory: {} bytes were asked for, allocated {allocated}, limit {limit}",
                request.bytes
            ),
            Self::Alignment { request, largest } => write!(
                out,
                "an alignment of {} can't be: expected a power of two of at most {largest}",
                request.alignment
            ),
            Self::Failed(_) => out.write_str("the device failed"),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for AllocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
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
            Self::Twice(address) => write!(out, "{address} was deallocated before"),
            Self::Mismatch { address, allocated, deallocated } => write!(
                out,
                "{address} was allocated as {} bytes aligned to {} and deallocated as {} aligned \
                 to {}",
                allocated.bytes, allocated.alignment, deallocated.bytes, deallocated.alignment
            ),
            Self::Refused(address, code) => {
                write!(out, "the driver refused to free {address}: error {code}")
            }
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for DeallocationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for DeallocationError {}
