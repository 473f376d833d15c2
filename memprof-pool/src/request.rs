//! The kinds of memory, the requests to a resource, and the addresses that it returns.

use core::fmt;
use memprof_profile::tree::Device;

/// The kind of memory of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Memory {
    /// Host memory, which may be paged out.
    Host,
    /// Pinned host memory, which devices read and write directly.
    PinnedHost,
    /// Device memory.
    Device(Device),
    /// Addresses without memory.
    AddressSpace,
}

impl fmt::Display for Memory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => out.pad("host"),
            Self::PinnedHost => out.pad("pinned host"),
            Self::Device(device) => out.pad(&device.to_string()),
            Self::AddressSpace => out.pad("address space"),
        }
    }
}

impl Memory {
    /// Returns the device to which profiles add the bytes. An address space counts as host memory.
    pub fn device(self) -> Device {
        match self {
            Self::Device(device) => device,
            Self::Host | Self::PinnedHost | Self::AddressSpace => Device::Cpu,
        }
    }
}

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
}
