//! How long the work of a device takes, by the device's own clock.

use super::caches::Displacing;
use super::functions::Handle;
use super::{Cuda, CudaError, CudaStream, DeviceContext};
use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A timer of the work in one stream: marks are put between it, and read when all of it is done.
///
/// The clock is the device's, with a resolution of about half a microsecond as CUDA's documentation
/// has it. What is between two marks is everything that the device did or waited for there, also the
/// time in which the host had not yet put anything into the stream.
///
/// ```no_run
/// use memprof_gpu::cuda::{Cuda, CudaStream, DeviceContext, EventTimer};
///
/// let cuda = Cuda::load()?;
/// cuda.initialise()?;
/// let timer = EventTimer::in_context(&DeviceContext::retain(&cuda, 0)?, CudaStream::DEFAULT)?;
/// timer.prepare(2)?;
/// let before = timer.mark()?;
/// // … work that is put into the stream …
/// let after = timer.mark()?;
/// timer.synchronize()?;
/// println!("{:?}", timer.elapsed(&before, &after)?);
/// # Ok::<(), memprof_gpu::cuda::CudaError>(())
/// ```
pub struct EventTimer {
    events: Arc<Events>,
    stream: CudaStream,
    displacing: Mutex<Option<Displacing>>,
}

/// A moment in a stream; its event goes back to the timer when this is dropped.
pub struct EventMark {
    events: Arc<Events>,
    event: Handle,
}

/// The events of a timer, those without a mark kept for the next one.
struct Events {
    context: DeviceContext,
    spare: Mutex<Vec<Handle>>,
}

/// `CU_EVENT_DEFAULT`: with a clock, and waiting for it does not sleep.
const WITH_CLOCK: u32 = 0;

impl EventTimer {
    /// A timer of that stream.
    ///
    /// # Errors
    /// [`CudaError::UnknownStream`] if the context does not know it.
    pub fn in_context(context: &DeviceContext, stream: CudaStream) -> Result<Self, CudaError> {
        context.stream(stream)?;
        let events = Events { context: context.clone(), spare: Mutex::default() };
        Ok(Self { events: Arc::new(events), stream, displacing: Mutex::default() })
    }

    /// A timer of that stream, as whoever made it has its bits; retains the device's primary context,
    /// which the stream most likely did before.
    ///
    /// # Errors
    /// As [`DeviceContext::retain`].
    ///
    /// # Safety
    /// The stream is one of the device, and is not destroyed before the timer.
    pub unsafe fn on_stream(
        cuda: &Cuda,
        ordinal: u16,
        stream: CudaStream,
    ) -> Result<Self, CudaError> {
        let context = DeviceContext::retain(cuda, ordinal)?;
        // SAFETY: the caller says so, and nobody else has the context.
        unsafe { context.adopt_stream(stream) };
        Self::in_context(&context, stream)
    }

    /// Makes events for so many marks, so that making them is not measured.
    ///
    /// # Errors
    /// If the driver makes none.
    pub fn prepare(&self, marks: usize) -> Result<(), CudaError> {
        let missing = marks.saturating_sub(self.events.spare().len());
        for _ in 0..missing {
            let event = self.events.context.new_event(WITH_CLOCK)?;
            self.events.spare().push(event);
        }
        Ok(())
    }

    /// A mark behind all that is in the stream now.
    ///
    /// # Errors
    /// If the driver refuses it, or the stream was forgotten.
    ///
    /// # Cost
    /// One call of the driver that records, besides those that make the context current; one more
    /// that makes an event, where none was [prepared](Self::prepare) or given back.
    pub fn mark(&self) -> Result<EventMark, CudaError> {
        let stream = self.events.context.stream(self.stream)?;
        let spare = self.events.spare().pop();
        let event = match spare {
            Some(event) => event,
            None => self.events.context.new_event(WITH_CLOCK)?,
        };
        let mark = EventMark { events: Arc::clone(&self.events), event };
        self.events.context.record(event, stream)?;
        Ok(mark)
    }

    /// Has work of the stream that comes after this find the device's caches full of something else:
    /// 256 MiB of zeros.
    ///
    /// # Errors
    /// If the device has no room for them, or the driver refuses.
    ///
    /// # Cost
    /// That much of the device's memory from the first time on, as long as the timer is there; each
    /// time what the device takes to write it.
    pub fn displace_caches(&self) -> Result<(), CudaError> {
        let context = &self.events.context;
        let stream = context.stream(self.stream)?;
        let mut displacing = self.displacing.lock().unwrap_or_else(PoisonError::into_inner);
        let displacing = match &mut *displacing {
            Some(displacing) => displacing,
            none => none.insert(Displacing::new(context)?),
        };
        displacing.overwrite(stream)
    }

    /// Waits until all that is in the stream is done.
    ///
    /// # Errors
    /// What went wrong on the device, if anything did.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        self.events.context.synchronize(self.stream)
    }

    /// How long it took the device from one mark to the other.
    ///
    /// # Errors
    /// [`CudaError::NotReady`] before the work is done; [`CudaError::MarksSwapped`];
    /// [`CudaError::UnknownMark`] if one is another context's.
    pub fn elapsed(&self, from: &EventMark, to: &EventMark) -> Result<Duration, CudaError> {
        let context = &self.events.context;
        for mark in [from, to] {
            if !mark.events.context.is(context) {
                return Err(CudaError::UnknownMark(mark.event as u64));
            }
        }
        let mut milliseconds = 0.0_f32;
        let (from, to) = (from.event, to.event);
        // The second form came with CUDA 12.8, and the first may go one day.
        let (call, elapsed) = match context.functions().cuEventElapsedTime_v2() {
            Ok(elapsed) => ("cuEventElapsedTime_v2", elapsed),
            Err(_) => ("cuEventElapsedTime", context.functions().cuEventElapsedTime()?),
        };
        context.inside(|| {
            // SAFETY: both events are there as long as their marks; there is room for the number.
            let code = unsafe { elapsed(&raw mut milliseconds, from, to) };
            context.cuda().check(call, code)
        })?;
        // Nothing but a negative time can't be a duration here.
        Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3)
            .map_err(|_| CudaError::MarksSwapped)
    }
}

impl Events {
    fn spare(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for EventMark {
    fn drop(&mut self) {
        self.events.spare().push(self.event);
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        for event in self.spare.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            self.context.destroy(event);
        }
    }
}

impl fmt::Debug for EventTimer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("EventTimer")
            .field("context", &self.events.context)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for EventMark {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("EventMark").field("event", &self.event).finish_non_exhaustive()
    }
}
