//! The trait of memory resources, and the order of the streams of their devices.

use crate::{Address, AllocationError, DeallocationError, Request, Stream};
use core::fmt;
use memprof_profile::Device;

/// Where the memory of a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Memory {
    /// The host's, which may be paged out.
    Host,
    /// The host's, pinned: devices read and write it themselves.
    PinnedHost,
    /// A device's.
    Device(Device),
    /// Addresses without memory behind them.
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
    /// The memory that profiles count its bytes to. Mere addresses count to the host.
    pub fn device(self) -> Device {
        match self {
            Self::Device(device) => device,
            Self::Host | Self::PinnedHost | Self::AddressSpace => Device::Cpu,
        }
    }
}

/// Something that gives out memory and takes it back.
///
/// Who implements it puts `#[track_caller]` on both methods, so that the place of who asked goes through
/// adaptors, and through a `dyn MemoryResource` as well.
///
/// # Safety
/// Until it is deallocated, memory that was allocated is valid for reads and writes of its whole size
/// by whatever reaches [`memory`](Self::memory), aligned as requested, and overlaps no other that is
/// allocated. Memory of [`Memory::AddressSpace`] is only addresses: those don't overlap.
pub unsafe trait MemoryResource: Send + Sync {
    /// Where its memory is.
    fn memory(&self) -> Memory;

    /// Whether devices can read and write its memory in the host without a copy in between.
    fn is_pinned(&self) -> bool {
        self.memory() == Memory::PinnedHost
    }

    /// How much memory there is at most, used or not; `None` if that isn't known.
    fn capacity(&self) -> Option<u64> {
        None
    }

    /// Memory of that size and alignment, for use in the order of the request's stream. No bytes have
    /// an address of their own, too.
    ///
    /// # Errors
    /// If there is not enough, or what is asked for can't be.
    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError>;

    /// Takes memory back, which may be given out again to work that comes later in its stream.
    ///
    /// # Errors
    /// If it is not memory of this resource, as far as the resource can tell; nothing is freed then.
    ///
    /// # Safety
    /// The memory was allocated by this resource with the same request but for its stream, was not
    /// deallocated since, and is not used any more, but by work that comes earlier in that stream.
    /// Of a resource that keeps books on each address ([`Tracking`], [`CachingPool`]), all that must
    /// hold is that nobody uses the memory: the rest it checks.
    ///
    /// [`Tracking`]: crate::Tracking
    /// [`CachingPool`]: crate::CachingPool
    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError>;

    /// The order of its streams, if it has any.
    fn streams(&self) -> Option<&dyn Streams> {
        None
    }
}

/// The order of work in the streams of a device. None of it blocks.
pub trait Streams: Send + Sync {
    /// A mark behind all work that is in the stream now.
    ///
    /// # Errors
    /// If the device refuses it.
    fn mark(&self, stream: Stream) -> Result<Mark, AllocationError>;

    /// Whether all work before the mark is done.
    ///
    /// # Errors
    /// If the device can't tell, as it failed.
    fn has_passed(&self, mark: &Mark) -> Result<bool, AllocationError>;

    /// Lets work that is put into the stream from now on wait for the mark; does not block.
    ///
    /// # Errors
    /// If the device refuses it.
    fn wait(&self, stream: Stream, mark: &Mark) -> Result<(), AllocationError>;

    /// Gives the mark back.
    fn release(&self, mark: Mark);

    /// Puts a mark that no thread needs any more behind all work that is in the stream now. Work that
    /// waits for the mark already still waits for what was before it.
    ///
    /// # Errors
    /// If the device refuses it; the mark is given back then.
    fn mark_again(&self, mark: Mark, stream: Stream) -> Result<Mark, AllocationError> {
        self.release(mark);
        self.mark(stream)
    }

    /// Returns `true` if the handle names a different stream in each thread, as CUDA's
    /// `CU_STREAM_PER_THREAD` does. The other methods then mean the calling thread's stream.
    fn is_per_thread(&self, stream: Stream) -> bool {
        let _ = stream;
        false
    }
}

/// A mark in a stream, as its device numbers it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Mark(pub u64);
