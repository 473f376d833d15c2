//! A device's primary context, to which memory, streams and events belong; and its streams.

use super::functions::{DeviceHandle, Functions, Handle};
use super::{Cuda, CudaError, MemoryInfo};
use core::ffi::{c_int, c_uint};
use core::fmt;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A stream of a device, as the bits of a `CUstream`. Work in one stream runs in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct CudaStream(pub u64);

impl CudaStream {
    /// The legacy default stream, even in a program compiled with a default stream for each thread.
    pub const DEFAULT: Self = Self(0);
    /// `CU_STREAM_LEGACY`, another name of the default stream.
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
    streams: Mutex<HashSet<u64>>,
    /// The streams that the context created.
    own_streams: Mutex<Vec<Handle>>,
    events: Mutex<HashSet<u64>>,
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
    /// A new context takes a few hundred MiB of the device's memory, and a large part of a second.
    pub fn retain(cuda: &Cuda, ordinal: u16) -> Result<Self, CudaError> {
        let device = cuda.device_handle(ordinal)?;
        let total_bytes = cuda.total_bytes(device)?;
        // Without this function, the context could never be released.
        cuda.functions.cuDevicePrimaryCtxRelease_v2()?;
        let retain = cuda.functions.cuDevicePrimaryCtxRetain()?;
        let mut context = 0;
        // SAFETY: the driver returned the device's handle, and the pointer is valid for writing the
        // context's handle.
        let code = unsafe { retain(&raw mut context, device) };
        cuda.check("cuDevicePrimaryCtxRetain", code)?;
        let retained = Retained {
            cuda: cuda.clone(),
            ordinal,
            device,
            context,
            total_bytes,
            streams: Mutex::default(),
            own_streams: Mutex::default(),
            events: Mutex::default(),
        };
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
        self.inside(|| self.cuda().memory_info())
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
        self.functions().cuStreamDestroy_v2()?;
        let create = self.functions().cuStreamCreate()?;
        let stream = self.inside(|| {
            let mut stream = 0;
            // SAFETY: the pointer is valid for writing the handle.
            let code = unsafe { create(&raw mut stream, NON_BLOCKING) };
            self.cuda().check("cuStreamCreate", code)?;
            Ok(stream)
        })?;
        let own = &self.retained.own_streams;
        own.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
        self.streams().insert(stream as u64);
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
        self.streams().insert(stream.0);
    }

    /// Removes a stream. From then on, calls with it return [`CudaError::UnknownStream`].
    pub fn forget_stream(&self, stream: CudaStream) {
        self.streams().remove(&stream.0);
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
        if !defaults.contains(&stream) && !self.streams().contains(&stream.0) {
            return Err(CudaError::UnknownStream(stream.0));
        }
        // Drivers without the function have no graphs.
        let Ok(is_capturing) = self.functions().cuStreamIsCapturing() else { return Ok(false) };
        self.inside(|| {
            let mut status = 0;
            // SAFETY: the stream is registered with the context, which is current, and the pointer
            // is valid for writing the status.
            let code = unsafe { is_capturing(stream.0 as Handle, &raw mut status) };
            if code == CudaError::CAPTURE_IMPLICIT {
                return Ok(true);
            }
            self.cuda().check("cuStreamIsCapturing", code)?;
            Ok(status != 0)
        })
    }

    /// Returns the events without a clock that are not destroyed.
    ///
    /// A caller that passes one of them to the driver must hold the lock, so that no other thread
    /// destroys the event during the call.
    pub(super) fn events(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.retained.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn streams(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.retained.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` with the context current on this thread, and then restores the previous context.
    pub(super) fn inside<R>(
        &self,
        work: impl FnOnce() -> Result<R, CudaError>,
    ) -> Result<R, CudaError> {
        let _current = Current::new(&self.retained)?;
        work()
    }

    /// Runs `work` as [`inside`](Self::inside) does. Calls that allocate, free or query do not end
    /// the graph captures of other threads.
    pub(super) fn beside_captures<R>(
        &self,
        work: impl FnOnce() -> Result<R, CudaError>,
    ) -> Result<R, CudaError> {
        /// `CU_STREAM_CAPTURE_MODE_RELAXED`.
        const RELAXED: c_int = 2;

        let Ok(exchange) = self.functions().cuThreadExchangeStreamCaptureMode() else {
            return self.inside(work);
        };
        let mut mode = RELAXED;
        // SAFETY: the pointer is valid for reads and writes of the mode. The mode belongs to this
        // thread, and the second call restores it.
        let is_relaxed = unsafe { exchange(&raw mut mode) } == 0;
        let result = self.inside(work);
        if is_relaxed {
            // SAFETY: as above.
            let _ = unsafe { exchange(&raw mut mode) };
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
        let synchronise = self.functions().cuStreamSynchronize()?;
        self.inside(|| {
            // SAFETY: the context is current, and the stream belongs to the context's device.
            let code = unsafe { synchronise(stream) };
            self.cuda().check("cuStreamSynchronize", code)
        })
    }
}

/// A guard that keeps a context current on this thread until it is dropped.
struct Current<'c> {
    pop: unsafe extern "system" fn(*mut Handle) -> super::functions::Code,
    _context: &'c Retained,
}

impl<'c> Current<'c> {
    fn new(retained: &'c Retained) -> Result<Self, CudaError> {
        let cuda = &retained.cuda;
        let pop = cuda.functions.cuCtxPopCurrent_v2()?;
        let push = cuda.functions.cuCtxPushCurrent_v2()?;
        // SAFETY: the context stays retained while `retained` is borrowed.
        cuda.check("cuCtxPushCurrent_v2", unsafe { push(retained.context) })?;
        Ok(Self { pop, _context: retained })
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        let mut context = 0;
        // SAFETY: the pointer is valid for writing the handle, and `new` pushed the popped context
        // on this thread.
        let _ = unsafe { (self.pop)(&raw mut context) };
    }
}

impl Drop for Retained {
    fn drop(&mut self) {
        let events = std::mem::take(self.events.get_mut().unwrap_or_else(PoisonError::into_inner));
        let streams = self.own_streams.get_mut().unwrap_or_else(PoisonError::into_inner);
        let streams = std::mem::take(streams);
        if !(events.is_empty() && streams.is_empty())
            && let Ok(_current) = Current::new(self)
        {
            if let Ok(destroy) = self.cuda.functions.cuEventDestroy_v2() {
                for event in events {
                    // SAFETY: this context created the event, and nothing destroyed it before.
                    let _ = unsafe { destroy(event as Handle) };
                }
            }
            if let Ok(destroy) = self.cuda.functions.cuStreamDestroy_v2() {
                for stream in streams {
                    // SAFETY: as above. The driver finishes the stream's work first.
                    let _ = unsafe { destroy(stream) };
                }
            }
        }
        if let Ok(release) = self.cuda.functions.cuDevicePrimaryCtxRelease_v2() {
            // SAFETY: the context was retained once and is released once. At the end of the
            // process, the driver may be shut down already. The call then returns an error, which
            // needs no handling.
            let _ = unsafe { release(self.device) };
        }
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
