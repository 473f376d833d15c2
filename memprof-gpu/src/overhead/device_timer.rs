//! The clock of a CUDA device as a timer of the harness.

use super::Timer;
use crate::cuda::{CudaError, EventMark, EventTimer};
use core::time::Duration;

impl Timer for EventTimer {
    type Mark = EventMark;
    type Error = CudaError;

    fn mark(&mut self) -> Result<EventMark, CudaError> {
        Self::mark(self)
    }

    fn elapsed(&mut self, from: &EventMark, to: &EventMark) -> Result<Duration, CudaError> {
        match Self::elapsed(self, from, to) {
            Err(CudaError::NotReady) => {
                self.synchronize()?;
                Self::elapsed(self, from, to)
            }
            Err(CudaError::MarksSwapped) => Ok(Duration::ZERO),
            elapsed => elapsed,
        }
    }

    fn sync(&mut self) -> Result<(), CudaError> {
        self.synchronize()
    }

    fn flush(&mut self) -> Result<(), CudaError> {
        self.displace_caches()
    }
}
