//! The events by which the streams of a device wait for each other.

use super::functions::Handle;
use super::{CudaError, CudaStream, DeviceContext};

/// An event without a clock, as the bits of a `CUevent`. Once the event is destroyed, the context
/// that recorded it returns an error for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct CudaEvent(pub u64);

/// `CU_EVENT_DISABLE_TIMING`: an event without a clock is cheaper.
const WITHOUT_CLOCK: u32 = 2;

/// Events. When the context is dropped, it destroys the remaining events.
impl DeviceContext {
    /// Records a new event behind all work that is in the stream now.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::StreamIsCapturing`], or the driver's error.
    pub fn record_event(&self, stream: CudaStream) -> Result<CudaEvent, CudaError> {
        let stream = self.stream(stream)?;
        let event = self.new_event(WITHOUT_CLOCK)?;
        if let Err(error) = self.record(event, stream) {
            self.destroy(event);
            return Err(error);
        }
        self.events().insert(event as u64);
        Ok(CudaEvent(event as u64))
    }

    /// Records an event again, at the end of the stream. The work before the event's former
    /// position may still run.
    ///
    /// Streams that already wait for the event still wait for that earlier work.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::UnknownEvent`], or the driver's error.
    pub fn record_event_again(
        &self,
        event: CudaEvent,
        stream: CudaStream,
    ) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let events = self.events();
        let event = events.get(&event.0).ok_or(CudaError::UnknownEvent(event.0))?;
        self.record(*event as Handle, stream)
    }

    /// Returns `true` if all work before the event is done. The call does not block.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownEvent`], or the error of the failed work.
    pub fn has_passed_event(&self, event: CudaEvent) -> Result<bool, CudaError> {
        let query = self.functions().cuEventQuery()?;
        let events = self.events();
        let event = events.get(&event.0).ok_or(CudaError::UnknownEvent(event.0))?;
        let passed = self.beside_captures(|| {
            // SAFETY: the event is one of the context's, and the lock prevents its destruction.
            let code = unsafe { query(*event as Handle) };
            self.cuda().check("cuEventQuery", code)
        });
        match passed {
            Ok(()) => Ok(true),
            Err(CudaError::NotReady) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes work that is submitted to the stream from now on wait for the event. The call does not
    /// block.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::UnknownEvent`], or the driver's error.
    pub fn wait_for_event(&self, stream: CudaStream, event: CudaEvent) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let wait = self.functions().cuStreamWaitEvent()?;
        let events = self.events();
        let event = events.get(&event.0).ok_or(CudaError::UnknownEvent(event.0))?;
        self.inside(|| {
            // SAFETY: the stream and the event are registered with the context, and the lock
            // prevents the event's destruction.
            let code = unsafe { wait(stream, *event as Handle, 0) };
            self.cuda().check("cuStreamWaitEvent", code)
        })
    }

    /// Destroys an event, unless it is already destroyed or belongs to another context.
    pub fn destroy_event(&self, event: CudaEvent) {
        let mut events = self.events();
        if events.remove(&event.0) {
            self.destroy(event.0 as Handle);
        }
    }

    /// Creates an event, which the caller must destroy.
    pub(super) fn new_event(&self, flags: u32) -> Result<Handle, CudaError> {
        // Without this function, the event could never be destroyed.
        self.functions().cuEventDestroy_v2()?;
        let create = self.functions().cuEventCreate()?;
        self.inside(|| {
            let mut event = 0;
            // SAFETY: the pointer is valid for writing the handle.
            let code = unsafe { create(&raw mut event, flags) };
            self.cuda().check("cuEventCreate", code)?;
            Ok(event)
        })
    }

    /// Records the event behind all work in the stream.
    pub(super) fn record(&self, event: Handle, stream: Handle) -> Result<(), CudaError> {
        let record = self.functions().cuEventRecord()?;
        self.inside(|| {
            // SAFETY: this context created the event and has not destroyed it, and the context
            // knows the stream.
            let code = unsafe { record(event, stream) };
            self.cuda().check("cuEventRecord", code)
        })
    }

    /// Destroys an event that [`new_event`](Self::new_event) created. Call it once for each event.
    pub(super) fn destroy(&self, event: Handle) {
        if let Ok(destroy) = self.functions().cuEventDestroy_v2() {
            let _ = self.inside(|| {
                // SAFETY: this context created the event and has not destroyed it.
                self.cuda().check("cuEventDestroy_v2", unsafe { destroy(event) })
            });
        }
    }
}
