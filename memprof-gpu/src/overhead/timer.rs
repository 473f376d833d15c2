//! Clocks that operations are timed with: the host's, and those of devices.

use core::convert::Infallible;
use core::error::Error;
use core::hint::black_box;
use std::time::{Duration, Instant};

/// A clock that can be marked, and that tells the time between two marks.
///
/// The clock of a device marks its stream: the mark is passed when the device gets there, and the time
/// between two of them is the device's, not that of whoever submitted the work.
///
/// ```
/// use memprof_gpu::overhead::{HostTimer, Timer};
///
/// let mut timer = HostTimer::new();
/// let start = timer.mark()?;
/// let end = timer.mark()?;
/// assert!(timer.elapsed(&start, &end)?.as_secs() < 60);
/// # Ok::<(), core::convert::Infallible>(())
/// ```
pub trait Timer {
    /// A moment.
    type Mark;
    /// Why the clock can't be read.
    type Error: Error + Send + Sync + 'static;

    /// Marks this moment or, on a device, the end of what was submitted so far.
    ///
    /// # Errors
    /// If the clock can't be read.
    fn mark(&mut self) -> Result<Self::Mark, Self::Error>;

    /// The time between two marks; zero if they are in the wrong order. May wait until the device has
    /// passed both.
    ///
    /// # Errors
    /// If the clock can't tell.
    fn elapsed(&mut self, from: &Self::Mark, to: &Self::Mark) -> Result<Duration, Self::Error>;

    /// Waits until all work that was submitted is done. Nothing to do where work is done at once.
    ///
    /// # Errors
    /// If the device failed.
    fn sync(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Displaces what caches hold, so that operations find their operands in memory. Does nothing
    /// unless the timer can.
    ///
    /// # Errors
    /// If the device refuses it.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The monotonic clock of the host.
#[derive(Clone, Debug, Default)]
pub struct HostTimer {
    displacing: Vec<u64>,
}

impl HostTimer {
    /// A timer whose [`flush`](Timer::flush) does nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// A timer whose [`flush`](Timer::flush) writes so many bytes: some times the size of the largest
    /// cache displaces all of it.
    ///
    /// # Cost
    /// It holds that many bytes.
    pub fn flushing(bytes: usize) -> Self {
        Self { displacing: vec![0; bytes / size_of::<u64>()] }
    }
}

impl Timer for HostTimer {
    type Mark = Instant;
    type Error = Infallible;

    #[inline]
    fn mark(&mut self) -> Result<Instant, Infallible> {
        Ok(Instant::now())
    }

    #[inline]
    fn elapsed(&mut self, from: &Instant, to: &Instant) -> Result<Duration, Infallible> {
        Ok(to.saturating_duration_since(*from))
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        self.displacing.iter_mut().for_each(|word| *word = word.wrapping_add(1));
        black_box(self.displacing.as_slice());
        Ok(())
    }
}

/// The timer of a device where there is none: it has no value.
#[derive(Clone, Copy, Debug)]
pub enum NoDevice {}

impl Timer for NoDevice {
    type Mark = Self;
    type Error = Infallible;

    fn mark(&mut self) -> Result<Self, Infallible> {
        match *self {}
    }

    fn elapsed(&mut self, _: &Self, _: &Self) -> Result<Duration, Infallible> {
        match *self {}
    }
}
