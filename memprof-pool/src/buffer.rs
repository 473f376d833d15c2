//! Memory that is freed when its owner is dropped.

use crate::{Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Stream};
use core::mem::ManuallyDrop;
use core::{fmt, ptr};
use memprof_profile::MemoryProfile;
use memprof_profile::walk::{Position, Walk};

/// Memory from a resource, freed when the buffer is dropped.
///
/// The resource may be a reference or an `Arc`, so that many buffers share one. The contents of a
/// new buffer are undefined.
///
/// ```
/// use memprof::pool::{Buffer, CachingPool, HostUpstream, Request};
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
/// The memory is freed in the order of its [`stream`](Self::stream). Work that was submitted to the
/// stream before the drop may still run and use the memory. Before the drop, all work in other
/// streams must be done, or the buffer's stream must wait for it. A drop does not wait, so the code
/// that passes the address to a device must ensure this.
pub struct Buffer<R: MemoryResource> {
    resource: R,
    address: Address,
    request: Request,
}

impl<R: MemoryResource> Buffer<R> {
    /// Allocates memory for the request, in the order of its stream.
    ///
    /// # Errors
    /// Returns [`AllocationError::PerThread`] for CUDA's `CU_STREAM_PER_THREAD`, because another
    /// thread may drop the buffer, and the errors of [`MemoryResource::allocate`].
    #[track_caller]
    pub fn new(resource: R, request: Request) -> Result<Self, AllocationError> {
        check_stream(&resource, request.stream)?;
        let address = resource.allocate(request)?;
        Ok(Self { resource, address, request })
    }

    /// Creates a buffer that owns memory allocated without a buffer.
    ///
    /// # Safety
    /// The resource allocated the memory at the address for the request. The request is the one
    /// with which it was allocated, but may have another stream. Nothing else frees the memory. The
    /// conditions of [`MemoryResource::deallocate`] hold when the buffer is dropped.
    pub const unsafe fn from_parts(resource: R, address: Address, request: Request) -> Self {
        Self { resource, address, request }
    }

    /// Returns the resource, the address and the request. The caller must then free the memory. The
    /// request contains the buffer's stream.
    pub fn into_parts(self) -> (R, Address, Request) {
        let buffer = ManuallyDrop::new(self);
        // SAFETY: the buffer is neither used nor dropped after this.
        let resource = unsafe { ptr::read(&raw const buffer.resource) };
        (resource, buffer.address, buffer.request)
    }

    /// Frees the memory now and returns the resource's error, which a drop can't return.
    ///
    /// # Errors
    /// Returns the same errors as [`MemoryResource::deallocate`]. The memory then stays allocated.
    #[track_caller]
    pub fn free(self) -> Result<(), DeallocationError> {
        let (resource, address, request) = self.into_parts();
        // SAFETY: the buffer owned the memory, and only work that comes earlier in its stream uses
        // it.
        unsafe { resource.deallocate(address, request) }
    }

    /// Returns the address of the memory, in the address space of [`memory`](Self::memory).
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Returns a host pointer to the memory, or `None` if the host can't read it.
    ///
    /// ```
    /// use memprof::pool::{Buffer, HostUpstream, Request};
    ///
    /// let buffer = Buffer::new(HostUpstream, Request::new(16))?;
    /// let first = buffer.host_ptr().expect("it is memory of the host");
    /// // SAFETY: the buffer has 16 bytes, and nothing else uses them.
    /// unsafe { first.write_bytes(0, 16) };
    /// # Ok::<(), memprof::pool::AllocationError>(())
    /// ```
    pub fn host_ptr(&self) -> Option<*mut u8> {
        match self.memory() {
            Memory::Host | Memory::PinnedHost => {
                Some(ptr::with_exposed_provenance_mut(self.address.0 as usize))
            }
            Memory::Device(_) | Memory::AddressSpace => None,
        }
    }

    /// Returns the size in bytes, as requested.
    pub const fn bytes(&self) -> u64 {
        self.request.bytes
    }

    /// Returns the alignment, as requested.
    pub const fn alignment(&self) -> u64 {
        self.request.alignment
    }

    /// Returns the stream in whose order the memory is freed.
    pub const fn stream(&self) -> Stream {
        self.request.stream
    }

    /// Sets the stream that uses the memory from now on, and in whose order it is freed.
    ///
    /// The new stream must wait for the work of the former stream.
    ///
    /// # Errors
    /// Returns [`AllocationError::PerThread`] for a stream that is a different one in each thread.
    ///
    /// ```
    /// use memprof::pool::{Buffer, HostUpstream, Request, Stream};
    ///
    /// let (producer, consumer) = (Stream(1), Stream(2));
    /// let mut buffer = Buffer::new(HostUpstream, Request::new(16).on(producer))?;
    /// // … `producer` fills the buffer, and `consumer` waits for an event of `producer` …
    /// buffer.set_stream(consumer)?;
    /// assert_eq!(buffer.stream(), consumer);
    /// # Ok::<(), memprof::pool::AllocationError>(())
    /// ```
    pub fn set_stream(&mut self, stream: Stream) -> Result<(), AllocationError> {
        check_stream(&self.resource, stream)?;
        self.request.stream = stream;
        Ok(())
    }

    /// Returns the resource of the memory.
    pub const fn resource(&self) -> &R {
        &self.resource
    }

    /// Returns the kind of memory.
    pub fn memory(&self) -> Memory {
        self.resource.memory()
    }
}

/// Returns an error if the stream is a different one in each thread. If another thread dropped the
/// buffer, the memory would be freed in that thread's stream, before the work that uses it is done.
fn check_stream(resource: &impl MemoryResource, stream: Stream) -> Result<(), AllocationError> {
    match resource.streams() {
        Some(streams) if streams.is_per_thread(stream) => Err(AllocationError::PerThread(stream)),
        _ => Ok(()),
    }
}

impl<R: MemoryResource> Drop for Buffer<R> {
    fn drop(&mut self) {
        // A drop can't return an error. Memory that the resource refuses to free stays allocated.
        // SAFETY: the buffer owns the memory, and only work that comes earlier in its stream uses
        // it.
        let _ = unsafe { self.resource.deallocate(self.address, self.request) };
    }
}

/// Counts the buffer's bytes, on the device of its memory.
impl<R: MemoryResource> MemoryProfile for Buffer<R> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
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
