//! A device's primary context, which memory, streams and events belong to.

use super::functions::{DeviceHandle, Functions, Handle};
use super::{Cuda, CudaError, CudaStream, MemoryInfo};
use core::fmt;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A device's primary context, kept as long as this or a clone of it is there.
///
/// It is the context that the CUDA runtime and most libraries use. The threads' current contexts are
/// left as they are: it is current only while something here calls the driver.
///
/// Streams are bits that programs get from elsewhere, and the driver follows them. So but for the
/// default ones each stream is made known once, by [`adopt_stream`](Self::adopt_stream); others are
/// refused.
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
    events: Mutex<HashSet<u64>>,
}

impl DeviceContext {
    /// The primary context of that device, which is made if it is not there.
    ///
    /// # Errors
    /// [`CudaError::NotInitialised`] before [`Cuda::initialise`]; [`CudaError::NoSuchDevice`]; what
    /// the driver says.
    ///
    /// # Cost
    /// A context that nobody had takes some hundred MiB of the device's memory, and a good part of a
    /// second.
    pub fn retain(cuda: &Cuda, ordinal: u16) -> Result<Self, CudaError> {
        let device = cuda.device_handle(ordinal)?;
        let total_bytes = cuda.total_bytes(device)?;
        // Without it the context could never be given back.
        cuda.functions.cuDevicePrimaryCtxRelease_v2()?;
        let retain = cuda.functions.cuDevicePrimaryCtxRetain()?;
        let mut context = 0;
        // SAFETY: the driver gave out the device's handle, and there is room for the context's.
        let code = unsafe { retain(&raw mut context, device) };
        cuda.check("cuDevicePrimaryCtxRetain", code)?;
        let retained = Retained {
            cuda: cuda.clone(),
            ordinal,
            device,
            context,
            total_bytes,
            streams: Mutex::default(),
            events: Mutex::default(),
        };
        Ok(Self { retained: Arc::new(retained) })
    }

    /// The number of the device.
    pub fn ordinal(&self) -> u16 {
        self.retained.ordinal
    }

    /// The memory of the device, of which every process has its part.
    ///
    /// # Errors
    /// What the driver says.
    pub fn memory_info(&self) -> Result<MemoryInfo, CudaError> {
        self.inside(|| self.cuda().memory_info())
    }

    /// The memory of the device in all, but what the driver keeps for itself.
    pub fn total_bytes(&self) -> u64 {
        self.retained.total_bytes
    }

    /// Makes a stream known, which all calls that take a stream may name from then on.
    ///
    /// # Safety
    /// It is a stream of this device. It is not destroyed before
    /// [`forget_stream`](Self::forget_stream), nor while a call that names it still runs, nor before
    /// each memory pool in which it freed memory has retired it without an error or is dropped.
    pub unsafe fn adopt_stream(&self, stream: CudaStream) {
        self.streams().insert(stream.0);
    }

    /// Has the stream refused from now on.
    pub fn forget_stream(&self, stream: CudaStream) {
        self.streams().remove(&stream.0);
    }

    /// The driver of the device.
    pub fn cuda(&self) -> &Cuda {
        &self.retained.cuda
    }

    pub(super) fn functions(&self) -> &Functions {
        &self.retained.cuda.functions
    }

    /// Whether both are one and the same, and not two that were retained apart.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.retained, &other.retained)
    }

    /// The driver's handle of a stream that is known; of [`CudaStream::PER_THREAD`] it means the stream
    /// of the thread that calls the driver.
    pub(super) fn stream(&self, stream: CudaStream) -> Result<Handle, CudaError> {
        let defaults = [CudaStream::DEFAULT, CudaStream::LEGACY, CudaStream::PER_THREAD];
        let is_default = defaults.contains(&stream);
        if is_default || self.streams().contains(&stream.0) {
            return Ok(stream.0 as Handle);
        }
        Err(CudaError::UnknownStream(stream.0))
    }

    /// The events without a clock that were not destroyed. A caller that gives one of them to the
    /// driver holds the lock, so that it is not destroyed meanwhile.
    pub(super) fn events(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.retained.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn streams(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.retained.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the work with the context current on this thread, and what was current before again
    /// afterwards.
    pub(super) fn inside<R>(
        &self,
        work: impl FnOnce() -> Result<R, CudaError>,
    ) -> Result<R, CudaError> {
        let _current = Current::new(&self.retained)?;
        work()
    }

    /// Waits until all that is in the stream is done.
    ///
    /// # Errors
    /// [`CudaError::UnknownStream`], or what went wrong on the device.
    pub fn synchronize(&self, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let synchronise = self.functions().cuStreamSynchronize()?;
        self.inside(|| {
            // SAFETY: the stream is known to be one of the device, whose context is current.
            let code = unsafe { synchronise(stream) };
            self.cuda().check("cuStreamSynchronize", code)
        })
    }
}

/// A context is current on this thread until this is dropped.
struct Current<'c> {
    pop: unsafe extern "system" fn(*mut Handle) -> super::functions::Code,
    _context: &'c Retained,
}

impl<'c> Current<'c> {
    fn new(retained: &'c Retained) -> Result<Self, CudaError> {
        let cuda = &retained.cuda;
        let pop = cuda.functions.cuCtxPopCurrent_v2()?;
        let push = cuda.functions.cuCtxPushCurrent_v2()?;
        // SAFETY: the context is retained as long as it is borrowed.
        cuda.check("cuCtxPushCurrent_v2", unsafe { push(retained.context) })?;
        Ok(Self { pop, _context: retained })
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        let mut context = 0;
        // SAFETY: there is room for the handle; what is popped was pushed by `new` on this thread.
        let _ = unsafe { (self.pop)(&raw mut context) };
    }
}

impl Drop for Retained {
    fn drop(&mut self) {
        let events = std::mem::take(self.events.get_mut().unwrap_or_else(PoisonError::into_inner));
        if !events.is_empty()
            && let Ok(destroy) = self.cuda.functions.cuEventDestroy_v2()
            && let Ok(_current) = Current::new(self)
        {
            for event in events {
                // SAFETY: the event was made here and not destroyed before.
                let _ = unsafe { destroy(event as Handle) };
            }
        }
        if let Ok(release) = self.cuda.functions.cuDevicePrimaryCtxRelease_v2() {
            // SAFETY: it was retained once and is released once. When the process ends the driver may
            // be gone before, which it says and nobody needs to know.
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
