//! Memory resources over the allocators of the CUDA driver. Each allocation makes one driver call.
//!
//! The driver destroys all memory of a context with the context, which is released with its last
//! handle. A pool that is dropped leaves allocated blocks to their users, so an upstream with live
//! memory must not release its context. [`Home`] counts the live allocations of all clones of an
//! upstream, and gives up its handle only at zero.

use crate::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Stream,
    StreamEvent, Streams,
};
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicU64, Ordering};
use memprof_gpu::cuda::{Cuda, CudaError, CudaEvent, CudaStream, DeviceContext};
use memprof_profile::tree::Device;
use std::sync::Arc;

/// A context that is never released while memory of it is allocated.
#[derive(Debug)]
struct Home {
    context: ManuallyDrop<DeviceContext>,
    live: AtomicU64,
}

impl Home {
    /// Allocates memory for the request by one of the driver's functions.
    ///
    /// If the address is not aligned as requested, the memory is freed and the call returns an
    /// error. The driver's documentation promises the alignment, but the contract of
    /// `MemoryResource` must not depend on that.
    fn allocate(
        &self,
        memory: Memory,
        request: Request,
        allocate: impl FnOnce(&DeviceContext, usize) -> Result<u64, CudaError>,
        free: impl FnOnce(&DeviceContext, u64) -> Result<(), CudaError>,
    ) -> Result<Address, AllocationError> {
        request.check_alignment(Request::ALIGNMENT)?;
        let Ok(bytes) = usize::try_from(request.bytes) else {
            return Err(AllocationError::out_of(memory, request));
        };
        // A request for 0 bytes must return an address, but the driver refuses it.
        let address = match allocate(&self.context, bytes.max(1)) {
            Ok(address) => address,
            Err(error) if error.is_out_of_memory() => {
                return Err(AllocationError::out_of(memory, request));
            }
            Err(error) => return Err(error.into()),
        };
        if !address.is_multiple_of(request.alignment) {
            free(&self.context, address)?;
            return Err(AllocationError::Alignment { request, largest: Request::ALIGNMENT });
        }
        self.live.fetch_add(1, Ordering::Relaxed);
        Ok(Address(address))
    }

    fn deallocate(
        &self,
        address: Address,
        stream: Stream,
        free: impl FnOnce(&DeviceContext) -> Result<(), CudaError>,
    ) -> Result<(), DeallocationError> {
        match free(&self.context) {
            Ok(()) => {
                // Memory that another upstream of the context allocated may be freed here.
                let less_one = |live: u64| Some(live.saturating_sub(1));
                let _ = self.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less_one);
                Ok(())
            }
            Err(CudaError::StreamIsCapturing(_)) => {
                Err(DeallocationError::Capturing(address, stream))
            }
            Err(error) => Err(DeallocationError::Refused(address, error.code())),
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if *self.live.get_mut() == 0 {
            // SAFETY: the context is neither used nor dropped after this.
            unsafe { ManuallyDrop::drop(&mut self.context) }
        }
    }
}

/// Defines an upstream with its constructors.
macro_rules! upstream {
    ($(#[$documentation:meta])* $upstream:ident: $memory:literal) => {
        $(#[$documentation])*
        #[derive(Clone, Debug)]
        pub struct $upstream {
            home: Arc<Home>,
        }

        impl $upstream {
            #[doc = concat!("Creates an upstream of ", $memory, ".")]
            ///
            /// The upstream retains the device's primary context until the upstream is dropped and
            /// all its memory is freed. A new context costs device memory.
            ///
            /// # Errors
            /// Returns the same errors as [`DeviceContext::retain`].
            pub fn new(cuda: &Cuda, ordinal: u16) -> Result<Self, CudaError> {
                DeviceContext::retain(cuda, ordinal).map(|context| Self::in_context(&context))
            }

            /// Creates an upstream in an existing context, for the streams that are registered with
            /// the context.
            pub fn in_context(context: &DeviceContext) -> Self {
                let context = ManuallyDrop::new(context.clone());
                Self { home: Arc::new(Home { context, live: AtomicU64::new(0) }) }
            }

            /// Returns the context.
            pub fn context(&self) -> &DeviceContext {
                &self.home.context
            }
        }
    };
}

upstream! {
    /// Device memory from `cuMemAlloc`, directly from the driver.
    ///
    /// ```no_run
    /// use memprof::gpu::cuda::Cuda;
    /// use memprof::pool::{DeviceUpstream, MemoryResource, Request};
    ///
    /// let cuda = Cuda::load()?;
    /// cuda.initialise()?;
    /// let memory = DeviceUpstream::new(&cuda, 0)?;
    /// let request = Request::new(1 << 20);
    /// let address = memory.allocate(request)?;
    /// // SAFETY: the memory was allocated with that request, and nothing uses it.
    /// unsafe { memory.deallocate(address, request)? };
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cost
    /// Each allocation makes one driver call. A deallocation waits for the work in its stream, and
    /// usually for all work on the device. A pool over this upstream avoids both waits.
    DeviceUpstream: "device memory"
}

// SAFETY: the driver's memory is valid for the device and overlaps no other; alignment is checked.
unsafe impl MemoryResource for DeviceUpstream {
    fn memory(&self) -> Memory {
        Memory::Device(Device::Cuda(self.context().ordinal()))
    }

    fn capacity(&self) -> Option<u64> {
        Some(self.context().total_bytes())
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        self.home.allocate(self.memory(), request, DeviceContext::allocate, |context, address| {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { context.free(address) }
        })
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        self.home.deallocate(address, request.stream, |context| {
            context.synchronize(request.stream.into())?;
            // SAFETY: the caller promises that the memory was allocated here, and the work of its
            // stream is done.
            unsafe { context.free(address.0) }
        })
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(self.context())
    }
}

upstream! {
    /// Device memory from the driver's pool, allocated and freed in stream order.
    ///
    /// The pool is the device's current one, and [`Cuda::pool_statistics`] reads its statistics.
    /// Neither an allocation nor a free waits for the device. By default, free memory goes back to
    /// the device whenever the program synchronises: see [`Cuda::set_release_threshold`].
    StreamOrderedUpstream: "device memory"
}

impl StreamOrderedUpstream {
    /// Adds the statistics of the driver's pool to an out-of-memory error, if they can be read.
    fn with_pool_bytes(&self, mut error: AllocationError) -> AllocationError {
        if let AllocationError::OutOfMemory { reserved, cached, .. } = &mut error
            && let Ok(pool) = self.context().cuda().pool_statistics(self.context().ordinal())
        {
            *reserved = Some(pool.reserved);
            *cached = Some(pool.cached());
        }
        error
    }
}

// SAFETY: the driver's memory is valid for the device and overlaps no other, in the order of the
// stream. The alignment is checked.
unsafe impl MemoryResource for StreamOrderedUpstream {
    fn memory(&self) -> Memory {
        Memory::Device(Device::Cuda(self.context().ordinal()))
    }

    fn capacity(&self) -> Option<u64> {
        Some(self.context().total_bytes())
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let stream = request.stream.into();
        let allocate = |context: &DeviceContext, bytes| context.allocate_async(bytes, stream);
        let allocated = self.home.allocate(self.memory(), request, allocate, |context, address| {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { context.free_async(address, stream) }
        });
        allocated.map_err(|error| self.with_pool_bytes(error))
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        self.home.deallocate(address, request.stream, |context| {
            // SAFETY: the caller promises that the memory was allocated here, and that only work
            // that comes earlier in the stream uses it.
            unsafe { context.free_async(address.0, request.stream.into()) }
        })
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(self.context())
    }
}

upstream! {
    /// Pinned host memory from `cuMemHostAlloc`, which all devices read and write directly. The host
    /// reads it as fast as other memory.
    ///
    /// # Cost
    /// The operating system pins each page, so an allocation or a deallocation may take
    /// milliseconds. A deallocation also waits for the work in its stream. A pool over this
    /// upstream avoids both costs.
    PinnedUpstream: "pinned memory, used in the order of a device's streams"
}

// SAFETY: the driver's memory is host memory, is valid until it is freed, and overlaps no other.
// The alignment is checked.
unsafe impl MemoryResource for PinnedUpstream {
    fn memory(&self) -> Memory {
        Memory::PinnedHost
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let allocate = DeviceContext::allocate_pinned;
        self.home.allocate(self.memory(), request, allocate, |context, address| {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { context.free_pinned(address) }
        })
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        self.home.deallocate(address, request.stream, |context| {
            context.synchronize(request.stream.into())?;
            // SAFETY: the caller promises that the memory was allocated here, and the work of its
            // stream is done.
            unsafe { context.free_pinned(address.0) }
        })
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(self.context())
    }
}

impl From<CudaStream> for Stream {
    fn from(stream: CudaStream) -> Self {
        Self(stream.0)
    }
}

impl From<Stream> for CudaStream {
    fn from(stream: Stream) -> Self {
        Self(stream.0)
    }
}

impl From<CudaError> for AllocationError {
    fn from(error: CudaError) -> Self {
        match error {
            CudaError::StreamIsCapturing(stream) => Self::Capturing(Stream(stream)),
            error => Self::Failed(Box::new(error)),
        }
    }
}

/// A [`StreamEvent`] is a CUDA event. The context destroys the events that were not released.
impl Streams for DeviceContext {
    fn record(&self, stream: Stream) -> Result<StreamEvent, AllocationError> {
        Ok(StreamEvent(self.record_event(stream.into())?.0))
    }

    fn has_passed(&self, event: &StreamEvent) -> Result<bool, AllocationError> {
        Ok(self.has_passed_event(CudaEvent(event.0))?)
    }

    fn wait(&self, stream: Stream, event: &StreamEvent) -> Result<(), AllocationError> {
        Ok(self.wait_for_event(stream.into(), CudaEvent(event.0))?)
    }

    fn release(&self, event: StreamEvent) {
        self.destroy_event(CudaEvent(event.0));
    }

    fn record_again(
        &self,
        event: StreamEvent,
        stream: Stream,
    ) -> Result<StreamEvent, AllocationError> {
        match self.record_event_again(CudaEvent(event.0), stream.into()) {
            Ok(()) => Ok(event),
            Err(error) => {
                self.release(event);
                Err(error.into())
            }
        }
    }

    fn is_per_thread(&self, stream: Stream) -> bool {
        CudaStream::from(stream) == CudaStream::PER_THREAD
    }

    fn is_capturing(&self, stream: Stream) -> bool {
        // No graph captures the default stream, and memory from the cache needs no driver call.
        stream != Stream::DEFAULT
            && matches!(DeviceContext::is_capturing(self, stream.into()), Ok(true))
    }
}
