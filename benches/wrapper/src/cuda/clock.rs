//! A stream of cudarc for memprof's event timer.

#![expect(unsafe_code, reason = "a stream is named by its bits")]

use super::CudaDevice;
use crate::backend::Failure;
use cudarc::driver::CudaStream as CudarcStream;
use memprof::gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext, EventTimer};
use std::sync::Arc;

/// A stream whose work is timed.
#[derive(Debug)]
pub struct Clock {
    context: DeviceContext,
    stream: CudaStream,
    _stream: Arc<CudarcStream>,
}

impl Clock {
    /// Returns the clock of the device's stream.
    ///
    /// # Errors
    /// Returns an error if the driver cannot be loaded a second time or has no context.
    pub fn new(device: &CudaDevice) -> Result<Self, Failure> {
        let raw_stream = Arc::clone(&device.stream);
        let stream = CudaStream(raw_stream.cu_stream() as u64);
        let cuda = Cuda::load()?;
        cuda.initialise()?;
        let context = DeviceContext::retain(&cuda, device.number)?;
        // SAFETY: the stream belongs to that device, and `_stream` keeps it alive as long as the
        // clock.
        unsafe { context.adopt_stream(stream) };
        Ok(Self { context, stream, _stream: raw_stream })
    }

    /// Returns a timer of the stream.
    ///
    /// # Errors
    /// Returns the same errors as [`EventTimer::in_context`].
    pub fn timer(&self) -> Result<EventTimer, CudaError> {
        EventTimer::in_context(&self.context, self.stream)
    }

    /// Waits until all work in the stream is done.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn synchronize(&self) -> Result<(), Failure> {
        Ok(self.context.synchronize(self.stream)?)
    }
}
