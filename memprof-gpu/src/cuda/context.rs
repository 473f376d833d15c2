//! A device's primary context, to which memory, streams and events belong; its streams and memory.

use super::driver::{DeviceHandle, Functions, Handle, written};
use super::{Cuda, CudaError, MemoryInfo};
use core::ffi::{c_int, c_uint, c_void};
use core::fmt;
use core::ptr::with_exposed_provenance_mut;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A stream of a device, as the bits of a `CUstream`. Work in one stream runs in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct CudaStream(pub u64);

impl CudaStream {
    /// The legacy default stream, even in a program compiled with a default stream for each thread.
    pub const DEFAULT: Self = Self(0);
    /// `CU_STREAM_LEGACY`, another name for the default stream.
    pub const LEGACY: Self = Self(1);
    /// `CU_STREAM_PER_THREAD`, the default stream of the thread that makes the call. The stream
    /// exists as long as both the thread and the context.
    pub const PER_THREAD: Self = Self(2);
}

/// A device's primary context, retained while this value or a clone of it exists.
///
/// The CUDA runtime and most libraries use the same context. Calls make the context current only
/// while they run, so the current context of a thread stays the same.
///
/// A stream is a raw handle, which the driver dereferences. Calls accept the default streams, those
/// of [`create_stream`](Self::create_stream), and those that [`adopt_stream`](Self::adopt_stream)
/// registered. Calls with other streams return an error.
#[derive(Clone)]
pub struct DeviceContext {
    retained: Arc<Retained>,
}

struct Retained {
    cuda: Cuda,
    ordinal: u16,
    device: DeviceHandle,
    context: Handle,
    total_bytes: u64,
    streams: Mutex<Streams>,
}

#[derive(Default)]
struct Streams {
    /// The streams that calls accept, besides the default streams.
    registered: HashSet<u64>,
    own: Vec<Handle>,
}

impl DeviceContext {
    /// Retains the primary context of a device. If the context does not exist, the driver creates
    /// it.
    ///
    /// # Errors
    /// Returns [`CudaError::NotInitialised`] before [`Cuda::initialise`],
    /// [`CudaError::NoSuchDevice`] if no device has this number, [`CudaError::MissingSymbol`] if
    /// the driver lacks a function, or the driver's error.
    ///
    /// # Cost
    /// A new context takes a few hundred MiB of the device's memory, and a good part of a second.
    pub fn retain(cuda: &Cuda, ordinal: u16) -> Result<Self, CudaError> {
        let device = cuda.device_handle(ordinal)?;
        let total_bytes = cuda.total_bytes(device)?;
        // Without this function, the context could never be released.
        cuda.functions.cuDevicePrimaryCtxRelease_v2.required()?;
        // SAFETY: the driver returned the device's handle, and the pointer is valid for writing the
        // context's handle.
        let context = written(|context| unsafe { cuda.cuDevicePrimaryCtxRetain(context, device) })?;
        let (cuda, streams) = (cuda.clone(), Mutex::default());
        let retained = Retained { cuda, ordinal, device, context, total_bytes, streams };
        Ok(Self { retained: Arc::new(retained) })
    }

    /// Returns the device's number in CUDA.
    pub fn ordinal(&self) -> u16 {
        self.retained.ordinal
    }

    /// Returns the memory of the device, which all processes share.
    ///
    /// # Errors
    /// Returns the driver's error.
    pub fn memory_info(&self) -> Result<MemoryInfo, CudaError> {
        self.inside(Cuda::memory_info)
    }

    /// Returns the total memory of the device, without the part that the driver keeps for itself.
    pub fn total_bytes(&self) -> u64 {
        self.retained.total_bytes
    }

    /// Creates a stream that does not synchronise with the legacy default stream. It is destroyed
    /// with the last handle of the context.
    ///
    /// # Errors
    /// Returns the driver's error.
    pub fn create_stream(&self) -> Result<CudaStream, CudaError> {
        /// `CU_STREAM_NON_BLOCKING`.
        const NON_BLOCKING: c_uint = 1;

        // Without this function, the stream could never be destroyed.
        self.functions().cuStreamDestroy_v2.required()?;
        let stream: Handle = self.inside(|cuda| {
            // SAFETY: the pointer is valid for writing the handle.
            written(|stream| unsafe { cuda.cuStreamCreate(stream, NON_BLOCKING) })
        })?;
        let mut streams = self.streams();
        streams.own.push(stream);
        streams.registered.insert(stream as u64);
        Ok(CudaStream(stream as u64))
    }

    /// Registers a stream. From then on, all calls that take a stream accept it.
    ///
    /// # Safety
    /// The caller promises:
    ///
    /// - The stream belongs to this device.
    /// - The stream is not destroyed before [`forget_stream`](Self::forget_stream), nor while a
    ///   call that names the stream still runs.
    /// - A stream that has freed memory to memory pools is not destroyed until each of these pools
    ///   has retired the stream without an error, or is dropped.
    pub unsafe fn adopt_stream(&self, stream: CudaStream) {
        self.streams().registered.insert(stream.0);
    }

    /// Removes a stream. From then on, calls with it return [`CudaError::UnknownStream`].
    pub fn forget_stream(&self, stream: CudaStream) {
        self.streams().registered.remove(&stream.0);
    }

    /// Returns the driver of the device.
    pub fn cuda(&self) -> &Cuda {
        &self.retained.cuda
    }

    pub(super) fn functions(&self) -> &Functions {
        &self.retained.cuda.functions
    }

    /// Returns `true` if `self` and `other` are clones of one retained context.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.retained, &other.retained)
    }

    /// Returns the driver's handle of a registered or default stream that no graph captures.
    ///
    /// [`CudaStream::PER_THREAD`] means the default stream of the thread that calls the driver.
    pub(super) fn stream(&self, stream: CudaStream) -> Result<Handle, CudaError> {
        if self.is_capturing(stream)? {
            return Err(CudaError::StreamIsCapturing(stream.0));
        }
        Ok(stream.0 as Handle)
    }

    /// Returns `true` if a graph captures the stream. For the legacy default stream, returns `true`
    /// if a graph captures any stream that synchronises with it.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the driver's error.
    pub fn is_capturing(&self, stream: CudaStream) -> Result<bool, CudaError> {
        let defaults = [CudaStream::DEFAULT, CudaStream::LEGACY, CudaStream::PER_THREAD];
        if !defaults.contains(&stream) && !self.streams().registered.contains(&stream.0) {
            return Err(CudaError::UnknownStream(stream.0));
        }
        let status = self.inside(|cuda| {
            // SAFETY: the stream is registered with the context, which is current, and the pointer
            // is valid for writing the status.
            written(|status| unsafe { cuda.cuStreamIsCapturing(stream.0 as Handle, status) })
        });
        match status {
            // Drivers without the function have no graphs.
            Err(CudaError::MissingSymbol("cuStreamIsCapturing")) => Ok(false),
            Err(error) if error.code() == CudaError::CAPTURE_IMPLICIT => Ok(true),
            status => Ok(status? != 0),
        }
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.retained.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` with the context current on this thread, and then restores the previous context.
    pub(super) fn inside<R>(
        &self,
        work: impl FnOnce(&Cuda) -> Result<R, CudaError>,
    ) -> Result<R, CudaError> {
        let _current = Current::new(&self.retained)?;
        work(self.cuda())
    }

    /// Calls within `work` that allocate, free or query do not end graph captures of other threads.
    pub(super) fn beside_captures<R>(
        &self,
        work: impl FnOnce(&Cuda) -> Result<R, CudaError>,
    ) -> Result<R, CudaError> {
        /// `CU_STREAM_CAPTURE_MODE_RELAXED`.
        const RELAXED: c_int = 2;

        let mut mode = RELAXED;
        // SAFETY: the pointer is valid for reads and writes of the mode. The mode belongs to this
        // thread, and the second call restores it.
        let mut exchange =
            || unsafe { self.cuda().cuThreadExchangeStreamCaptureMode(&raw mut mode) };
        let is_relaxed = exchange().is_ok();
        let result = self.inside(work);
        if is_relaxed {
            let _ = exchange();
        }
        result
    }

    /// Waits until all work in the stream is done.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::StreamIsCapturing`], or the error of the
    /// failed work.
    pub fn synchronize(&self, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        // SAFETY: the context is current, and the stream belongs to the context's device.
        self.inside(|cuda| unsafe { cuda.cuStreamSynchronize(stream) })
    }
}

/// `CU_MEMHOSTALLOC_PORTABLE`, without `WRITECOMBINED`, which the host reads very slowly.
const FOR_ALL_CONTEXTS: u32 = 1;

/// Allocations and frees. The driver aligns addresses to 256 bytes and refuses requests for 0
/// bytes. It destroys the memory of a context together with the last handle of the context.
///
/// An allocation fails if the driver lacks the function that would free it.
impl DeviceContext {
    /// Allocates device memory with `cuMemAlloc` and returns the address.
    ///
    /// # Errors
    /// Returns the driver's error. [`CudaError::is_out_of_memory`] is `true` if there is too little
    /// memory.
    pub fn allocate(&self, bytes: usize) -> Result<u64, CudaError> {
        self.functions().cuMemFree_v2.required()?;
        self.beside_captures(|cuda| {
            // SAFETY: the pointer is valid for writing the address.
            let address = written(|address| unsafe { cuda.cuMemAlloc_v2(address, bytes) })?;
            Ok(address as u64)
        })
    }

    /// Frees device memory with `cuMemFree`, which usually waits for all work on the device.
    ///
    /// # Errors
    /// Returns the driver's error. The memory then stays allocated.
    ///
    /// # Safety
    /// [`allocate`](Self::allocate) returned the address, it has not been freed since, and no work
    /// uses the memory.
    pub unsafe fn free(&self, address: u64) -> Result<(), CudaError> {
        // SAFETY: the caller promises that the driver returned the address and that no work uses
        // the memory.
        self.beside_captures(|cuda| unsafe { cuda.cuMemFree_v2(address as usize) })
    }

    /// Allocates device memory in stream order with `cuMemAllocAsync` and returns the address.
    ///
    /// The memory comes from the device's current pool.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the errors of [`allocate`](Self::allocate).
    pub fn allocate_async(&self, bytes: usize, stream: CudaStream) -> Result<u64, CudaError> {
        self.functions().cuMemFreeAsync.required()?;
        let stream = self.stream(stream)?;
        self.inside(|cuda| {
            // SAFETY: the pointer is valid for writing the address, and the stream is registered
            // with the context.
            let address =
                written(|address| unsafe { cuda.cuMemAllocAsync(address, bytes, stream) })?;
            Ok(address as u64)
        })
    }

    /// Frees memory in stream order with `cuMemFreeAsync`, after all work currently in the stream.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the driver's error. The memory then stays
    /// allocated.
    ///
    /// # Safety
    /// [`allocate_async`](Self::allocate_async) returned the address, it has not been freed since,
    /// and only work that comes earlier in the stream uses the memory.
    pub unsafe fn free_async(&self, address: u64, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        // SAFETY: the caller promises that the driver returned the address; the stream is registered
        // with the context.
        self.inside(|cuda| unsafe { cuda.cuMemFreeAsync(address as usize, stream) })
    }

    /// Submits work to the stream that sets each byte of the memory.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the driver's error.
    ///
    /// # Safety
    /// The memory is device memory or pinned memory of `bytes` bytes, allocated until the work is
    /// done, and no other work uses it at the same time.
    pub unsafe fn fill(
        &self,
        address: u64,
        byte: u8,
        bytes: usize,
        stream: CudaStream,
    ) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        // SAFETY: the caller promises that the memory has these bytes; the stream is registered with
        // the context.
        self.inside(|cuda| unsafe { cuda.cuMemsetD8Async(address as usize, byte, bytes, stream) })
    }

    /// Allocates pinned host memory with `cuMemHostAlloc` and returns the address.
    ///
    /// All devices can read and write the memory directly. The provenance of the address is
    /// exposed.
    ///
    /// # Errors
    /// Returns the same errors as [`allocate`](Self::allocate).
    pub fn allocate_pinned(&self, bytes: usize) -> Result<u64, CudaError> {
        self.functions().cuMemFreeHost.required()?;
        self.beside_captures(|cuda| {
            let mut memory = core::ptr::null_mut();
            // SAFETY: the pointer is valid for writing the address.
            unsafe { cuda.cuMemHostAlloc(&raw mut memory, bytes, FOR_ALL_CONTEXTS) }?;
            Ok(memory.expose_provenance() as u64)
        })
    }

    /// Frees pinned memory with `cuMemFreeHost`.
    ///
    /// # Errors
    /// Returns the driver's error. The memory then stays allocated.
    ///
    /// # Safety
    /// [`allocate_pinned`](Self::allocate_pinned) returned the address, it has not been freed
    /// since, and neither the host nor a device uses the memory.
    pub unsafe fn free_pinned(&self, address: u64) -> Result<(), CudaError> {
        let memory = with_exposed_provenance_mut::<c_void>(address as usize);
        // SAFETY: the caller promises that the driver returned the address and that nothing uses the
        // memory.
        self.beside_captures(|cuda| unsafe { cuda.cuMemFreeHost(memory) })
    }
}

/// A guard that keeps a context current on this thread until it is dropped.
struct Current<'c>(&'c Retained);

impl<'c> Current<'c> {
    fn new(retained: &'c Retained) -> Result<Self, CudaError> {
        // Without this function, the context would stay current.
        retained.cuda.functions.cuCtxPopCurrent_v2.required()?;
        // SAFETY: the context stays retained while `retained` is borrowed.
        unsafe { retained.cuda.cuCtxPushCurrent_v2(retained.context) }?;
        Ok(Self(retained))
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        // SAFETY: the pointer is valid for writing the handle, and `new` pushed the popped context
        // on this thread.
        let _ = written(|context| unsafe { self.0.cuda.cuCtxPopCurrent_v2(context) });
    }
}

impl Drop for Retained {
    fn drop(&mut self) {
        let streams = self.streams.get_mut().unwrap_or_else(PoisonError::into_inner);
        let own = std::mem::take(&mut streams.own);
        if !own.is_empty()
            && let Ok(_current) = Current::new(self)
        {
            for stream in own {
                // SAFETY: this context created the stream, and nothing destroyed it before. The
                // driver finishes the stream's work first.
                let _ = unsafe { self.cuda.cuStreamDestroy_v2(stream) };
            }
        }
        // SAFETY: the context was retained once and is released once. At the end of the process,
        // the driver may be shut down already. The call then returns an error, which needs no
        // handling.
        let _ = unsafe { self.cuda.cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

impl fmt::Debug for DeviceContext {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("DeviceContext")
            .field("ordinal", &self.retained.ordinal)
            .field("total_bytes", &self.retained.total_bytes)
            .finish_non_exhaustive()
    }
}
