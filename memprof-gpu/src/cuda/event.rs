//! Events, with which the streams of a device wait for each other, and a timer of a device's work
//! by the device's own clock.

use super::driver::{Handle, written};
use super::{CudaError, CudaStream, DeviceContext};
use core::fmt;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An event in a stream. Dropping it destroys it.
///
/// The event retains its context.
pub struct CudaEvent {
    context: DeviceContext,
    event: Handle,
}

impl DeviceContext {
    /// Records a new event after all work currently in the stream. The event records no time, which
    /// makes it cheaper.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::StreamIsCapturing`], or the driver's error.
    pub fn record_event(&self, stream: CudaStream) -> Result<CudaEvent, CudaError> {
        /// `CU_EVENT_DISABLE_TIMING`.
        const WITHOUT_CLOCK: u32 = 2;

        let event = CudaEvent::new(self, WITHOUT_CLOCK)?;
        event.record_again(stream)?;
        Ok(event)
    }
}

impl CudaEvent {
    fn new(context: &DeviceContext, flags: u32) -> Result<Self, CudaError> {
        // Without this function, the event could never be destroyed.
        context.cuda().functions.cuEventDestroy_v2.required()?;
        // SAFETY: the pointer is valid for writing the handle.
        let create = |event| context.inside(|cuda| unsafe { cuda.cuEventCreate(event, flags) });
        let event = written(create)?;
        Ok(Self { context: context.clone(), event })
    }

    /// Records the event again, at the end of a stream of its context. The work before the event's
    /// former position may still run.
    ///
    /// Streams that already wait for the event still wait for that earlier work.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::StreamIsCapturing`], or the driver's error.
    pub fn record_again(&self, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.context.stream(stream)?;
        // SAFETY: the event exists as long as `self`, and the stream is registered with the context.
        self.context.inside(|cuda| unsafe { cuda.cuEventRecord(self.event, stream) })
    }

    /// Returns `true` if all work before the event is done. The call does not block.
    ///
    /// # Errors
    /// Returns the error of the failed work.
    pub fn has_passed(&self) -> Result<bool, CudaError> {
        // SAFETY: the event exists as long as `self`.
        match self.context.beside_captures(|cuda| unsafe { cuda.cuEventQuery(self.event) }) {
            Ok(()) => Ok(true),
            Err(CudaError::NotReady) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes work that is submitted to the stream from now on wait for the event. The call does not
    /// block. The stream must be registered with the event's context.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], [`CudaError::StreamIsCapturing`], or the driver's error.
    pub fn delay(&self, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.context.stream(stream)?;
        // SAFETY: the event exists as long as `self`, and the stream is registered with the context.
        self.context.inside(|cuda| unsafe { cuda.cuStreamWaitEvent(stream, self.event, 0) })
    }
}

impl Drop for CudaEvent {
    fn drop(&mut self) {
        // SAFETY: `new` created the event, and nothing else destroys it.
        let _ = self.context.inside(|cuda| unsafe { cuda.cuEventDestroy_v2(self.event) });
    }
}

impl fmt::Debug for CudaEvent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CudaEvent").field("event", &self.event).finish_non_exhaustive()
    }
}

/// A timer for the work in one stream. The timer records events around the work, and reads their
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
#[derive(Debug)]
pub struct EventTimer {
    context: DeviceContext,
    stream: CudaStream,
    /// All events of the timer. An event is unused if no [`TimerEvent`] shares it.
    events: Mutex<Vec<Arc<CudaEvent>>>,
    displacing: Mutex<Option<Displacing>>,
}

/// A recorded event of a timer. Dropping a `TimerEvent` returns the event to the timer for reuse.
#[derive(Debug)]
pub struct TimerEvent(Arc<CudaEvent>);

/// `CU_EVENT_DEFAULT`, for an event with a clock. A thread that waits for the event does not sleep.
const WITH_CLOCK: u32 = 0;

impl EventTimer {
    /// Creates a timer for a stream. Call [`DeviceContext::adopt_stream`] for a stream from other
    /// code.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`] if the stream is not registered with the context.
    pub fn in_context(context: &DeviceContext, stream: CudaStream) -> Result<Self, CudaError> {
        context.stream(stream)?;
        let (events, displacing) = (Mutex::default(), Mutex::default());
        Ok(Self { context: context.clone(), stream, events, displacing })
    }

    /// Creates events until `count` are unused, so that no measurement includes their creation.
    ///
    /// # Errors
    /// Returns [`CudaError`] if the driver can't create an event.
    pub fn prepare(&self, count: usize) -> Result<(), CudaError> {
        let mut events = self.events();
        let unused = events.iter().filter(|event| is_unused(event)).count();
        for _ in unused..count {
            events.push(Arc::new(CudaEvent::new(&self.context, WITH_CLOCK)?));
        }
        Ok(())
    }

    /// Records an event after all work currently in the stream.
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
        let event = self.unused_event()?;
        event.record_again(self.stream)?;
        Ok(TimerEvent(event))
    }

    fn unused_event(&self) -> Result<Arc<CudaEvent>, CudaError> {
        let mut events = self.events();
        if let Some(unused) = events.iter().find(|event| is_unused(event)) {
            return Ok(Arc::clone(unused));
        }
        let event = Arc::new(CudaEvent::new(&self.context, WITH_CLOCK)?);
        events.push(Arc::clone(&event));
        Ok(event)
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
        let mut displacing = self.displacing.lock().unwrap_or_else(PoisonError::into_inner);
        let displacing = match &mut *displacing {
            Some(displacing) => displacing,
            none => none.insert(Displacing::new(&self.context)?),
        };
        displacing.overwrite(self.stream)
    }

    /// Waits until all work in the stream is done.
    ///
    /// # Errors
    /// Returns the error of the failed work.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        self.context.synchronize(self.stream)
    }

    /// Returns the time that passed on the device between two events.
    ///
    /// # Errors
    /// Returns [`CudaError::NotReady`] before the work is done, [`CudaError::EventsSwapped`] if
    /// `to` was passed before `from`, and [`CudaError::UnknownEvent`] if one of them belongs to a
    /// context that is not a clone of the timer's.
    pub fn elapsed(&self, from: &TimerEvent, to: &TimerEvent) -> Result<Duration, CudaError> {
        let (from, to) = (&self.own(from)?.event, &self.own(to)?.event);
        let elapsed = self.context.inside(|cuda| {
            // The v2 function came with CUDA 12.8, and a later version may remove the first one.
            // SAFETY: both events exist as long as their `TimerEvent`s, and the pointer is valid for
            // writing the number.
            match written(|time| unsafe { cuda.cuEventElapsedTime_v2(time, *from, *to) }) {
                Err(CudaError::MissingSymbol(_)) => {
                    // SAFETY: as above.
                    written(|time| unsafe { cuda.cuEventElapsedTime(time, *from, *to) })
                }
                elapsed => elapsed,
            }
        });
        let milliseconds: f32 = elapsed?;
        // Only a negative time can fail to convert here.
        Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3)
            .map_err(|_| CudaError::EventsSwapped)
    }

    /// Returns the event, or an error if it belongs to another context.
    fn own<'e>(&self, recorded: &'e TimerEvent) -> Result<&'e CudaEvent, CudaError> {
        let TimerEvent(event) = recorded;
        let is_own = event.context.is(&self.context);
        is_own.then_some(&**event).ok_or(CudaError::UnknownEvent(event.event as u64))
    }

    fn events(&self) -> MutexGuard<'_, Vec<Arc<CudaEvent>>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` if only the timer has the event.
fn is_unused(event: &Arc<CudaEvent>) -> bool {
    Arc::strong_count(event) == 1
}

/// The size of the buffer that displaces caches: several times the caches of a large device. An H100 has 50 MiB.
const BYTES: usize = 256 << 20;

/// Overwriting the buffer displaces the contents of the device's caches.
#[derive(Debug)]
struct Displacing {
    context: DeviceContext,
    address: u64,
}

impl Displacing {
    fn new(context: &DeviceContext) -> Result<Self, CudaError> {
        Ok(Self { context: context.clone(), address: context.allocate(BYTES)? })
    }

    /// Submits work to the stream that overwrites the whole buffer.
    fn overwrite(&self, stream: CudaStream) -> Result<(), CudaError> {
        // SAFETY: the buffer has `BYTES` bytes, only this type uses it, and the driver waits for the
        // work before it frees the buffer.
        unsafe { self.context.fill(self.address, 0, BYTES, stream) }
    }
}

impl Drop for Displacing {
    fn drop(&mut self) {
        // SAFETY: `new` allocated the buffer, and this call frees it once. The driver waits for
        // work that still overwrites the buffer.
        let _ = unsafe { self.context.free(self.address) };
    }
}
