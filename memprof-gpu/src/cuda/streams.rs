//! The order of a device's streams, by events without a clock.

use super::context::PER_THREAD;
use super::functions::Handle;
use super::{CudaError, DeviceContext};
use crate::resource::{AllocationError, Mark, Stream, Streams};

/// `CU_EVENT_DISABLE_TIMING`: an event that only tells whether it was passed is cheaper.
const WITHOUT_CLOCK: u32 = 2;

/// Marks are events of the driver. Those that nobody released go with the context.
impl Streams for DeviceContext {
    fn mark(&self, stream: Stream) -> Result<Mark, AllocationError> {
        let stream = self.stream(stream)?;
        let event = self.new_event(WITHOUT_CLOCK)?;
        if let Err(error) = self.record(event, stream) {
            self.destroy_event(event);
            return Err(error.into());
        }
        self.marks().insert(event as u64);
        Ok(Mark(event as u64))
    }

    fn has_passed(&self, mark: &Mark) -> Result<bool, AllocationError> {
        let query = self.functions().cuEventQuery()?;
        let marks = self.marks();
        let event = marks.get(&mark.0).ok_or(CudaError::UnknownMark(mark.0))?;
        let passed = self.inside(|| {
            // SAFETY: the event is one of the context's, and the lock keeps it.
            let code = unsafe { query(*event as Handle) };
            self.cuda().check("cuEventQuery", code)
        });
        match passed {
            Ok(()) => Ok(true),
            Err(CudaError::NotReady) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn wait(&self, stream: Stream, mark: &Mark) -> Result<(), AllocationError> {
        let stream = self.stream(stream)?;
        let wait = self.functions().cuStreamWaitEvent()?;
        let marks = self.marks();
        let event = marks.get(&mark.0).ok_or(CudaError::UnknownMark(mark.0))?;
        self.inside(|| {
            // SAFETY: the stream is known, the event is one of the context's, and the lock keeps it.
            let code = unsafe { wait(stream, *event as Handle, 0) };
            self.cuda().check("cuStreamWaitEvent", code)
        })?;
        Ok(())
    }

    fn release(&self, mark: Mark) {
        let mut marks = self.marks();
        if marks.remove(&mark.0) {
            self.destroy_event(mark.0 as Handle);
        }
    }

    fn mark_again(&self, mark: Mark, stream: Stream) -> Result<Mark, AllocationError> {
        let put = self.put_again(&mark, stream);
        match put {
            Ok(()) => Ok(mark),
            Err(error) => {
                self.release(mark);
                Err(error.into())
            }
        }
    }

    fn is_per_thread(&self, stream: Stream) -> bool {
        stream == PER_THREAD
    }
}

impl DeviceContext {
    /// Records the event of a mark again, which its former work need not have passed.
    fn put_again(&self, mark: &Mark, stream: Stream) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let marks = self.marks();
        let event = marks.get(&mark.0).ok_or(CudaError::UnknownMark(mark.0))?;
        self.record(*event as Handle, stream)
    }

    /// A new event, which whoever asked for it destroys.
    pub(super) fn new_event(&self, flags: u32) -> Result<Handle, CudaError> {
        // Without it the event could never be given back.
        self.functions().cuEventDestroy_v2()?;
        let create = self.functions().cuEventCreate()?;
        self.inside(|| {
            let mut event = 0;
            // SAFETY: there is room for the handle.
            let code = unsafe { create(&raw mut event, flags) };
            self.cuda().check("cuEventCreate", code)?;
            Ok(event)
        })
    }

    /// Puts the event behind all that is in the stream.
    pub(super) fn record(&self, event: Handle, stream: Handle) -> Result<(), CudaError> {
        let record = self.functions().cuEventRecord()?;
        self.inside(|| {
            // SAFETY: the event was made here and not destroyed; the stream is known.
            let code = unsafe { record(event, stream) };
            self.cuda().check("cuEventRecord", code)
        })
    }

    /// Destroys an event that [`new_event`](Self::new_event) made, once.
    pub(super) fn destroy_event(&self, event: Handle) {
        if let Ok(destroy) = self.functions().cuEventDestroy_v2() {
            let _ = self.inside(|| {
                // SAFETY: the event was made here and not destroyed before.
                self.cuda().check("cuEventDestroy_v2", unsafe { destroy(event) })
            });
        }
    }
}

impl From<CudaError> for AllocationError {
    fn from(error: CudaError) -> Self {
        Self::Failed(Box::new(error))
    }
}
