//! A device's clock: events in its stream.

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, CudaSlice, CudaStream, DriverError};
use memprof::gpu::overhead::Timer;
use std::sync::Arc;
use std::time::Duration;

/// More than any device's last cache holds.
const DISPLACING: usize = 256 << 20;

/// Times the work of a stream by events that are put into it.
#[derive(Debug)]
pub struct EventTimer {
    stream: Arc<CudaStream>,
    displacing: Option<CudaSlice<u8>>,
}

impl EventTimer {
    /// Of that stream.
    pub fn new(stream: &Arc<CudaStream>) -> Self {
        Self { stream: Arc::clone(stream), displacing: None }
    }
}

impl Timer for EventTimer {
    type Mark = CudaEvent;
    type Error = DriverError;

    fn mark(&mut self) -> Result<CudaEvent, DriverError> {
        self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))
    }

    /// Events have a resolution of about half a microsecond.
    fn elapsed(&mut self, from: &CudaEvent, to: &CudaEvent) -> Result<Duration, DriverError> {
        let milliseconds = f64::from(from.elapsed_ms(to)?.max(0.0));
        Ok(Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default())
    }

    fn sync(&mut self) -> Result<(), DriverError> {
        self.stream.synchronize()
    }

    /// Writes 256 MiB. While the device does, the host submits what comes next, so that the device
    /// need not wait for it.
    fn flush(&mut self) -> Result<(), DriverError> {
        if self.displacing.is_none() {
            self.displacing = Some(self.stream.alloc_zeros(DISPLACING)?);
        }
        self.displacing.as_mut().map_or(Ok(()), |bytes| self.stream.memset_zeros(bytes))
    }
}
