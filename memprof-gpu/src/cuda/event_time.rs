//! A criterion measurement of device time.

use super::{CudaError, EventTimer, TimerEvent};
use core::time::Duration;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// A criterion measurement of the time that a device takes for the work in a stream.
///
/// A sample is the time between two events, one before and one after the work of the sample's
/// iterations. This time includes the time in which the device waits for the host.
///
/// ```no_run
/// use criterion::Criterion;
/// use memprof::gpu::cuda::{Cuda, CudaStream, DeviceContext, EventTime, EventTimer};
///
/// let cuda = Cuda::load()?;
/// cuda.initialise()?;
/// let timer = EventTimer::in_context(&DeviceContext::retain(&cuda, 0)?, CudaStream::DEFAULT)?;
/// let mut criterion = Criterion::default().with_measurement(EventTime::new(timer)?);
/// criterion.bench_function("kernel", |bencher| {
///     bencher.iter(|| { /* put work into the stream */ });
/// });
/// # Ok::<(), memprof::gpu::cuda::CudaError>(())
/// ```
///
/// # Panics
/// A measurement panics if the driver refuses an event or the device fails.
#[derive(Debug)]
pub struct EventTime {
    timer: EventTimer,
    displaces_caches: bool,
}

impl EventTime {
    /// Creates a measurement of the work in the timer's stream.
    ///
    /// # Errors
    /// Returns [`CudaError`] if the driver can't create events.
    pub fn new(timer: EventTimer) -> Result<Self, CudaError> {
        timer.prepare(2)?;
        Ok(Self { timer, displaces_caches: false })
    }

    /// Overwrites the device's caches before each sample.
    ///
    /// The device overwrites them while the host submits the sample's work, so the device waits
    /// less for the host.
    ///
    /// # Errors
    /// Returns the same errors as [`EventTimer::displace_caches`].
    pub fn displacing_caches(self) -> Result<Self, CudaError> {
        self.timer.displace_caches()?;
        Ok(Self { displaces_caches: true, ..self })
    }

    /// Returns the timer.
    pub fn timer(&self) -> &EventTimer {
        &self.timer
    }

    fn elapsed(&self, start: &TimerEvent) -> Result<Duration, CudaError> {
        let end = self.timer.record()?;
        self.timer.synchronize()?;
        self.timer.elapsed(start, &end)
    }
}

impl Measurement for EventTime {
    type Intermediate = TimerEvent;
    type Value = Duration;

    fn start(&self) -> TimerEvent {
        if self.displaces_caches {
            self.timer.displace_caches().expect("the device overwrites its caches");
        }
        self.timer.record().expect("the driver records an event")
    }

    fn end(&self, start: TimerEvent) -> Duration {
        self.elapsed(&start).expect("the device did the work")
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, time: &Duration) -> f64 {
        WallTime.to_f64(time)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        // `WallTime` also measures in nanoseconds, so its formatter fits.
        static WALL_TIME: WallTime = WallTime;
        WALL_TIME.formatter()
    }
}
