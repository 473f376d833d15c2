//! Memory that is freed when its owner is dropped.

use crate::{Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Stream};
use core::mem::ManuallyDrop;
use core::{fmt, ptr};
use memprof_profile::{At, MemoryProfile, Walk};

/// Memory of a resource that goes back to it when the buffer is dropped.
///
/// The resource may be a reference or an `Arc`, so that many buffers share one. A new buffer's contents
/// are undefined.
///
/// ```
/// use memprof_pool::{Buffer, CachingPool, HostUpstream, Request};
///
/// let pool = CachingPool::builder(HostUpstream).build()?;
/// let buffer = Buffer::new(&pool, Request::new(4096))?;
/// assert_eq!(pool.statistics().requested, 4096);
/// drop(buffer);
/// assert_eq!(pool.statistics().requested, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Streams
/// The memory goes back in the order of its [`stream`](Self::stream): work that was put into the stream
/// before the drop may still run and use it. Before the drop, all work in other streams must be done, or
/// the stream must wait for it. Code that hands the address to a device keeps to that; a drop does not
/// wait.
pub struct Buffer<R: MemoryResource> {
    resource: R,
    address: Address,
    request: Request,
}

impl<R: MemoryResource> Buffer<R> {
    /// Allocates memory for the request, in the order of its stream.
    ///
    /// # Errors
    /// As [`MemoryResource::allocate`].
    #[track_caller]
    pub fn new(resource: R, request: Request) -> Result<Self, AllocationError> {
        let address = resource.allocate(request)?;
        Ok(Self { resource, address, request })
    }

    /// Takes over memory that was allocated without a buffer.
    ///
    /// # Safety
    /// The resource allocated the address for that request, but for its stream. Nothing else frees it,
    /// and what [`MemoryResource::deallocate`] asks for holds when the buffer is dropped.
    pub const unsafe fn from_parts(resource: R, address: Address, request: Request) -> Self {
        Self { resource, address, request }
    }

    /// Returns the parts, of which the caller frees the memory. The request names the buffer's stream.
    pub fn into_parts(self) -> (R, Address, Request) {
        let buffer = ManuallyDrop::new(self);
        // SAFETY: the buffer is neither used nor dropped after this.
        let resource = unsafe { ptr::read(&raw const buffer.resource) };
        (resource, buffer.address, buffer.request)
    }

    /// Frees the memory now, and returns what a drop can't: why the resource refused it.
    ///
    /// # Errors
    /// As [`MemoryResource::deallocate`]. The memory stays allocated then.
    #[track_caller]
    pub fn free(self) -> Result<(), DeallocationError> {
        let (resource, address, request) = self.into_parts();
        // SAFETY: the buffer owned the memory, and only work that comes earlier in its stream uses it.
        unsafe { resource.deallocate(address, request) }
    }

    /// Where the memory begins, in the address space of [`memory`](Self::memory).
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Where the host finds the memory; `None` if the host can't read it.
    pub fn host_ptr(&self) -> Option<*mut u8> {
        match self.memory() {
            Memory::Host | Memory::PinnedHost => {
                Some(ptr::with_exposed_provenance_mut(self.address.0 as usize))
            }
            Memory::Device(_) | Memory::AddressSpace => None,
        }
    }

    /// Its size in bytes, as requested.
    pub const fn bytes(&self) -> u64 {
        self.request.bytes
    }

    /// Its alignment, as requested.
    pub const fn alignment(&self) -> u64 {
        self.request.alignment
    }

    /// The stream in whose order the memory goes back.
    pub const fn stream(&self) -> Stream {
        self.request.stream
    }

    /// Lets the memory go back in the order of another stream, which is to use it from now on. The other
    /// stream must wait for the work of the former one.
    pub const fn set_stream(&mut self, stream: Stream) {
        self.request.stream = stream;
    }

    /// The resource that the memory is of.
    pub const fn resource(&self) -> &R {
        &self.resource
    }

    /// Where the memory is.
    pub fn memory(&self) -> Memory {
        self.resource.memory()
    }
}

impl<R: MemoryResource> Drop for Buffer<R> {
    fn drop(&mut self) {
        // A drop can't return an error. Memory that the resource refuses to take back stays allocated.
        // SAFETY: the buffer owns the memory, and only work that comes earlier in its stream uses it.
        let _ = unsafe { self.resource.deallocate(self.address, self.request) };
    }
}

/// Its bytes, on the device whose memory it is.
impl<R: MemoryResource> MemoryProfile for Buffer<R> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        walk.bytes_on(
            at,
            self.memory().device(),
            usize::try_from(self.bytes()).unwrap_or(usize::MAX),
        );
    }
}

impl<R: MemoryResource> fmt::Debug for Buffer<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Buffer")
            .field("memory", &self.memory())
            .field("address", &self.address)
            .field("bytes", &self.bytes())
            .field("stream", &self.stream())
            .finish_non_exhaustive()
    }
}
