//! A timer of a device's work, by the device's own clock.

use super::caches::Displacing;
use super::functions::Handle;
use super::{CudaError, CudaStream, DeviceContext};
use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A timer of the work in one stream. The timer records events around the work, and reads their
/// times once the work is done.
///
/// The timer uses the device's clock, with a resolution of about 0.5 µs according to CUDA's
/// documentation. The time between two events includes all that the device did or waited for. It
/// also includes the time in which the host had not yet submitted work to the stream.
///
/// ```no_run
/// use memprof::gpu::cuda::{Cuda, CudaStream, DeviceContext, EventTimer};
///
/// let cuda = Cuda::load()?;
/// cuda.initialise()?;
/// let timer = EventTimer::in_context(&DeviceContext::retain(&cuda, 0)?, CudaStream::DEFAULT)?;
/// timer.prepare(2)?;
/// let before = timer.record()?;
/// // … work that is put into the stream …
/// let after = timer.record()?;
/// timer.synchronize()?;
/// println!("{:?}", timer.elapsed(&before, &after)?);
/// # Ok::<(), memprof::gpu::cuda::CudaError>(())
/// ```
pub struct EventTimer {
    events: Arc<Events>,
    stream: CudaStream,
    displacing: Mutex<Option<Displacing>>,
}

/// A recorded event of a timer. Dropping a `TimerEvent` returns the event to the timer for reuse.
pub struct TimerEvent {
    events: Arc<Events>,
    event: Handle,
}

/// The events of a timer. `unused` contains the events that no [`TimerEvent`] uses.
struct Events {
    context: DeviceContext,
    unused: Mutex<Vec<Handle>>,
}

/// `CU_EVENT_DEFAULT`, for an event with a clock. A thread that waits for the event does not sleep.
const WITH_CLOCK: u32 = 0;

impl EventTimer {
    /// Creates a timer of a stream. Call [`DeviceContext::adopt_stream`] for a stream of other code.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`] if the stream is not registered with the context.
    pub fn in_context(context: &DeviceContext, stream: CudaStream) -> Result<Self, CudaError> {
        context.stream(stream)?;
        let events = Events { context: context.clone(), unused: Mutex::default() };
        Ok(Self { events: Arc::new(events), stream, displacing: Mutex::default() })
    }

    /// Creates events until `count` are unused, so that no measurement includes their creation.
    ///
    /// # Errors
    /// Returns [`CudaError`] if the driver can't create an event.
    pub fn prepare(&self, count: usize) -> Result<(), CudaError> {
        let missing = count.saturating_sub(self.events.unused().len());
        for _ in 0..missing {
            let event = self.events.context.new_event(WITH_CLOCK)?;
            self.events.unused().push(event);
        }
        Ok(())
    }

    /// Records an event behind all work that is in the stream now.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`] if the stream is no longer registered with the context,
    /// or the driver's error.
    ///
    /// # Cost
    /// The call makes one driver call that records the event, and the calls that make the context
    /// current. If the timer has no unused event, one more call creates an event.
    /// [Prepared](Self::prepare) events and events of dropped `TimerEvent`s are unused.
    pub fn record(&self) -> Result<TimerEvent, CudaError> {
        let stream = self.events.context.stream(self.stream)?;
        let unused = self.events.unused().pop();
        let event = match unused {
            Some(event) => event,
            None => self.events.context.new_event(WITH_CLOCK)?,
        };
        let recorded = TimerEvent { events: Arc::clone(&self.events), event };
        self.events.context.record(event, stream)?;
        Ok(recorded)
    }

    /// Displaces the contents of the device's caches before the work that comes next in the stream.
    ///
    /// For this purpose, the device writes 256 MiB of zeros.
    ///
    /// # Errors
    /// Returns [`CudaError`] if the device has too little memory, or the driver's error.
    ///
    /// # Cost
    /// The first call allocates 256 MiB of device memory, which are freed when the timer is
    /// dropped. Each call only submits the work; the device writes the zeros later, before the next
    /// work in the stream.
    pub fn displace_caches(&self) -> Result<(), CudaError> {
        let context = &self.events.context;
        let mut displacing = self.displacing.lock().unwrap_or_else(PoisonError::into_inner);
        let displacing = match &mut *displacing {
            Some(displacing) => displacing,
            none => none.insert(Displacing::new(context)?),
        };
        displacing.overwrite(self.stream)
    }

    /// Waits until all work in the stream is done.
    ///
    /// # Errors
    /// Returns the error of the failed work.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        self.events.context.synchronize(self.stream)
    }

    /// Returns the time that passed on the device between two events.
    ///
    /// # Errors
    /// Returns [`CudaError::NotReady`] before the work is done, [`CudaError::EventsSwapped`] if
    /// `to` was passed before `from`, and [`CudaError::UnknownEvent`] if one of them belongs to a
    /// context that is not a clone of the timer's.
    pub fn elapsed(&self, from: &TimerEvent, to: &TimerEvent) -> Result<Duration, CudaError> {
        let context = &self.events.context;
        for recorded in [from, to] {
            if !recorded.events.context.is(context) {
                return Err(CudaError::UnknownEvent(recorded.event as u64));
            }
        }
        let mut milliseconds = 0.0_f32;
        let (from, to) = (from.event, to.event);
        // The v2 function came with CUDA 12.8, and a later version may remove the first one.
        let (call, elapsed) = match context.functions().cuEventElapsedTime_v2() {
            Ok(elapsed) => ("cuEventElapsedTime_v2", elapsed),
            Err(_) => ("cuEventElapsedTime", context.functions().cuEventElapsedTime()?),
        };
        context.inside(|| {
            // SAFETY: both events exist as long as their `TimerEvent`s, and the pointer is valid
            // for writing the number.
            let code = unsafe { elapsed(&raw mut milliseconds, from, to) };
            context.cuda().check(call, code)
        })?;
        // Only a negative time can fail to convert here.
        Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3)
            .map_err(|_| CudaError::EventsSwapped)
    }
}

impl Events {
    fn unused(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TimerEvent {
    fn drop(&mut self) {
        self.events.unused().push(self.event);
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        for event in self.unused.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
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

impl fmt::Debug for TimerEvent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("TimerEvent").field("event", &self.event).finish_non_exhaustive()
    }
}
