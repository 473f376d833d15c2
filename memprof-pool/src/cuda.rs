//! Memory resources over the allocators of the CUDA driver. Each allocation makes one driver call.
//!
//! An [`Allocator`] is the pair of calls in which the upstreams differ. All else is said once, in
//! [`Home`].
//!
//! The driver destroys all memory of a context with the context, which is released with its last
//! handle. A pool that is dropped leaves allocated blocks to their users, so an upstream with live
//! memory must not release its context. [`Home`] counts the live allocations of all clones of an
//! upstream, and gives up its handle only at zero.

use crate::resource::forward;
use crate::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Stream,
    StreamEvent, Streams,
};
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicU64, Ordering};
use memprof_gpu::cuda::{Cuda, CudaError, CudaEvent, CudaStream, DeviceContext};
use memprof_profile::tree::Device;
use std::sync::Arc;

/// An allocator of the driver. `free` accepts only what `allocate` returned in the same context, once,
/// if only work that comes earlier in the stream uses the memory.
#[derive(Debug)]
struct Allocator {
    /// The kind of memory on the device with this number.
    memory: fn(u16) -> Memory,
    /// `true` if the memory comes from the driver's pool of the device.
    is_pooled: bool,
    allocate: fn(&DeviceContext, usize, CudaStream) -> Result<u64, CudaError>,
    free: unsafe fn(&DeviceContext, u64, CudaStream) -> Result<(), CudaError>,
}

const DEVICE: Allocator = Allocator {
    memory: |ordinal| Memory::Device(Device::Cuda(ordinal)),
    is_pooled: false,
    allocate: |context, bytes, _| context.allocate(bytes),
    free: |context, address, stream| {
        context.synchronize(stream)?;
        // SAFETY: `allocate` returned the address, and the work that uses the memory is done.
        unsafe { context.free(address) }
    },
};

const STREAM_ORDERED: Allocator = Allocator {
    memory: DEVICE.memory,
    is_pooled: true,
    allocate: DeviceContext::allocate_async,
    free: DeviceContext::free_async,
};

const PINNED: Allocator = Allocator {
    memory: |_| Memory::PinnedHost,
    is_pooled: false,
    allocate: |context, bytes, _| context.allocate_pinned(bytes),
    free: |context, address, stream| {
        context.synchronize(stream)?;
        // SAFETY: `allocate` returned the address, and the work that uses the memory is done.
        unsafe { context.free_pinned(address) }
    },
};

/// A context that is never released while memory of it is allocated, and the allocator of that memory.
#[derive(Debug)]
struct Home {
    context: ManuallyDrop<DeviceContext>,
    allocator: &'static Allocator,
    live: AtomicU64,
}

impl Home {
    fn out_of_memory(&self, request: Request) -> AllocationError {
        let mut error = AllocationError::out_of(self.memory(), request);
        if let AllocationError::OutOfMemory { reserved, cached, .. } = &mut error
            && self.allocator.is_pooled
            && let Ok(pool) = self.context.cuda().pool_statistics(self.context.ordinal())
        {
            *reserved = Some(pool.reserved);
            *cached = Some(pool.cached());
        }
        error
    }
}

// SAFETY: the driver's memory is valid for the device, or pinned memory for the host too, until it is
// freed, and overlaps no other: for the stream-ordered allocator, in the order of the stream. The
// alignment is checked.
unsafe impl MemoryResource for Home {
    fn memory(&self) -> Memory {
        (self.allocator.memory)(self.context.ordinal())
    }

    fn capacity(&self) -> Option<u64> {
        matches!(self.memory(), Memory::Device(_)).then(|| self.context.total_bytes())
    }

    /// If the address is not aligned as requested, the memory is freed and the call returns an
    /// error. The driver's documentation promises the alignment, but the contract of
    /// `MemoryResource` must not depend on that.
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        request.check_alignment(Request::ALIGNMENT)?;
        let stream = request.stream.into();
        let Ok(bytes) = usize::try_from(request.bytes) else {
            return Err(self.out_of_memory(request));
        };
        // A request for 0 bytes must return an address, but the driver refuses it.
        let address = match (self.allocator.allocate)(&self.context, bytes.max(1), stream) {
            Ok(address) => address,
            Err(error) if error.is_out_of_memory() => return Err(self.out_of_memory(request)),
            Err(error) => return Err(error.into()),
        };
        if !address.is_multiple_of(request.alignment) {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { (self.allocator.free)(&self.context, address, stream) }?;
            return Err(AllocationError::Alignment { request, largest: Request::ALIGNMENT });
        }
        self.live.fetch_add(1, Ordering::Relaxed);
        Ok(Address(address))
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let stream = request.stream;
        // SAFETY: the caller promises that the memory was allocated here, and that only work that
        // comes earlier in the stream uses it.
        let freed = unsafe { (self.allocator.free)(&self.context, address.0, stream.into()) };
        freed.map_err(|error| match error {
            CudaError::StreamIsCapturing(_) => DeallocationError::Capturing(address, stream),
            error => DeallocationError::Refused(address, error.code()),
        })?;
        // Memory that another upstream of the context allocated may be freed here.
        let less_one = |live: u64| Some(live.saturating_sub(1));
        let _ = self.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less_one);
        Ok(())
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&*self.context)
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
    ($(#[$documentation:meta])* $upstream:ident: $allocator:ident, $memory:literal) => {
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
                let (allocator, live) = (&$allocator, AtomicU64::new(0));
                Self { home: Arc::new(Home { context, allocator, live }) }
            }

            /// Returns the context.
            pub fn context(&self) -> &DeviceContext {
                &self.home.context
            }
        }

        // SAFETY: the upstream returns only memory of `Home`.
        unsafe impl MemoryResource for $upstream {
            forward!(self => self.home);
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
    DeviceUpstream: DEVICE, "device memory"
}

upstream! {
    /// Device memory from the driver's pool, allocated and freed in stream order.
    ///
    /// The pool is the device's current one, and [`Cuda::pool_statistics`] reads its statistics.
    /// Neither an allocation nor a free waits for the device. By default, free memory goes back to
    /// the device whenever the program synchronises: see [`Cuda::set_release_threshold`].
    StreamOrderedUpstream: STREAM_ORDERED, "device memory"
}

upstream! {
    /// Pinned host memory from `cuMemHostAlloc`, which all devices read and write directly. The host
    /// reads it as fast as other memory.
    ///
    /// # Cost
    /// The operating system pins each page, so an allocation or a deallocation may take
    /// milliseconds. A deallocation also waits for the work in its stream. A pool over this
    /// upstream avoids both costs.
    PinnedUpstream: PINNED, "pinned memory, used in the order of a device's streams"
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

impl Streams for DeviceContext {
    fn record(&self, stream: Stream) -> Result<Box<dyn StreamEvent>, AllocationError> {
        Ok(Box::new(self.record_event(stream.into())?))
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

impl StreamEvent for CudaEvent {
    fn has_passed(&self) -> Result<bool, AllocationError> {
        Ok(Self::has_passed(self)?)
    }

    fn delay(&self, stream: Stream) -> Result<(), AllocationError> {
        Ok(Self::delay(self, stream.into())?)
    }

    fn record_again(&mut self, stream: Stream) -> Result<(), AllocationError> {
        Ok(Self::record_again(self, stream.into())?)
    }
}
