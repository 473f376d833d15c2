//! The thread that reads devices, at intervals and for each snapshot. It chooses the intervals so that
//! readings take at most 1 % of the time.

use crate::{DeviceIdentity, DeviceReading, DeviceSampler, Unavailable, Wanted};
use core::fmt;
use std::error::Error;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum time that a snapshot waits for a busy driver.
const BEGIN_TIMEOUT: Duration = Duration::from_millis(100);
/// The maximum time that a snapshot waits for the reading after it has begun.
const READ_TIMEOUT: Duration = Duration::from_millis(250);
/// How long `drop` waits for the thread: a driver that hangs must not hang the program.
const DROP_TIMEOUT: Duration = Duration::from_secs(1);

/// A reader of devices in a thread, which ends when the watcher is dropped.
///
/// Only that thread calls the driver, so a call that hangs blocks no other thread.
#[derive(Debug)]
pub(crate) struct Watcher {
    pub(crate) identities: Vec<DeviceIdentity>,
    latest: Arc<AllLatest>,
    /// The sending end of the requests. Dropping it ends the thread.
    requests: Option<Sender<Request>>,
    done: Receiver<()>,
    /// The process that has the thread. A forked child has no such thread.
    pid: u32,
}

/// A request to the thread to read all counters of all devices.
///
/// The thread sends one message when it begins, and one when it is done. If the receiver was
/// dropped before the first message, the thread skips the request.
type Request = Sender<()>;

#[derive(Debug)]
pub(crate) struct DeviceSnapshot {
    pub(crate) identity: DeviceIdentity,
    pub(crate) reading: DeviceReading,
    /// The peak since the last snapshot, including this reading.
    pub(crate) peak: Peak,
    /// The present interval between two readings of the memory.
    pub(crate) interval: Duration,
    /// The age of the reading, if the driver did not answer in time.
    pub(crate) age: Option<Duration>,
}

/// The reason why no thread reads the devices any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReaderLost {
    /// This process was forked, and the thread runs in its parent.
    Forked,
    Panicked,
}

type AllLatest = Mutex<Vec<Latest>>;

#[derive(Debug)]
struct Latest {
    reading: DeviceReading,
    read: Instant,
    peak: Peak,
    interval: Duration,
}

impl Watcher {
    pub(crate) fn start(
        sampler: Box<dyn DeviceSampler>,
        memory_interval: Duration,
        slow_interval: Duration,
    ) -> io::Result<Self> {
        let identities = sampler.devices().to_vec();
        let pending = Unavailable::Pending;
        let unread = |device| Latest {
            reading: DeviceReading::refused(device, Duration::ZERO, Wanted::ALL, &pending),
            read: Instant::now(),
            peak: Peak::default(),
            interval: memory_interval,
        };
        let latest = (0..identities.len()).map(unread).collect();
        let latest = Arc::new(Mutex::new(latest));
        let (requests, receiver) = mpsc::channel();
        let (finished, done) = mpsc::channel();
        let reader = Reader {
            sampler,
            devices: identities.len(),
            latest: latest.clone(),
            requests: receiver,
        };
        thread::Builder::new().name("memprof-gpu".into()).spawn(move || {
            reader.run(Pace::new(memory_interval), Pace::new(slow_interval));
            let _ = finished.send(());
        })?;
        let pid = std::process::id();
        Ok(Self { identities, latest, requests: Some(requests), done, pid })
    }

    /// Each device has its peak since the last snapshot.
    pub(crate) fn snapshots(&mut self) -> Result<Vec<DeviceSnapshot>, ReaderLost> {
        if self.is_forked() {
            return Err(ReaderLost::Forked);
        }
        let is_fresh = self.request()?;
        let mut latest = lock(&self.latest);
        let snapshot = |(identity, latest): (&DeviceIdentity, &mut Latest)| DeviceSnapshot {
            identity: identity.clone(),
            reading: latest.reading.clone(),
            peak: core::mem::take(&mut latest.peak),
            interval: latest.interval,
            age: (!is_fresh).then(|| latest.read.elapsed()),
        };
        Ok(self.identities.iter().zip(latest.iter_mut()).map(snapshot).collect())
    }

    /// Requests a reading. Returns `true` if the driver answered in time.
    fn request(&self) -> Result<bool, ReaderLost> {
        let (request, replies) = mpsc::channel();
        let requests = self.requests.as_ref().ok_or(ReaderLost::Panicked)?;
        requests.send(request).map_err(|_| ReaderLost::Panicked)?;
        for timeout in [BEGIN_TIMEOUT, READ_TIMEOUT] {
            match replies.recv_timeout(timeout) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(false),
                Err(RecvTimeoutError::Disconnected) => return Err(ReaderLost::Panicked),
            }
        }
        Ok(true)
    }

    fn is_forked(&self) -> bool {
        self.pid != std::process::id()
    }

    #[cfg(test)]
    pub(crate) fn simulate_fork(&mut self) {
        self.pid = 0;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.requests.take());
        if !self.is_forked() {
            let _ = self.done.recv_timeout(DROP_TIMEOUT);
        }
    }
}

struct Reader {
    sampler: Box<dyn DeviceSampler>,
    devices: usize,
    latest: Arc<AllLatest>,
    requests: Receiver<Request>,
}

impl Reader {
    /// Reads devices at their intervals and on request, until the sender of requests is dropped.
    fn run(mut self, mut memory: Pace, mut slow: Pace) {
        let mut next = [(Instant::now(), Wanted::MEMORY), (Instant::now(), Wanted::SLOW)];
        loop {
            for (due, wanted) in &mut next {
                if *due > Instant::now() {
                    continue;
                }
                let pace = if *wanted == Wanted::MEMORY { &mut memory } else { &mut slow };
                pace.record(self.read_all(*wanted));
                *due = Instant::now() + pace.interval();
            }
            lock(&self.latest).iter_mut().for_each(|latest| latest.interval = memory.interval());
            let until = next[0].0.min(next[1].0);
            match self.requests.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(request) => self.serve(&request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    /// Reads all devices and returns the duration. Requests are served between two devices.
    fn read_all(&mut self, wanted: Wanted) -> Duration {
        let mut duration = Duration::ZERO;
        for device in 0..self.devices {
            while let Ok(request) = self.requests.try_recv() {
                self.serve(&request);
            }
            duration += self.read(device, wanted);
        }
        duration
    }

    fn serve(&mut self, request: &Request) {
        // The snapshot may have timed out and dropped its receiver.
        if request.send(()).is_err() {
            return;
        }
        for device in 0..self.devices {
            self.read(device, Wanted::ALL);
        }
        let _ = request.send(());
    }

    fn read(&mut self, device: usize, wanted: Wanted) -> Duration {
        let began = Instant::now();
        let read = self.sampler.sample(device, wanted);
        let duration = began.elapsed();
        let mut latest = lock(&self.latest);
        let Some(latest) = latest.get_mut(device) else { return duration };
        let reading = read.unwrap_or_else(|error| {
            let reason = Unavailable::Failed(error.to_string());
            DeviceReading::refused(device, latest.reading.at, wanted, &reason)
        });
        latest.peak.update(&reading);
        latest.reading.update(reading);
        latest.read = Instant::now();
        duration
    }
}

fn lock(latest: &AllLatest) -> MutexGuard<'_, Vec<Latest>> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for ReaderLost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Forked => {
                "this process is a fork of the one that reads the GPUs: create a source here"
            }
            Self::Panicked => "the thread that reads the GPUs panicked",
        })
    }
}

impl Error for ReaderLost {}

/// The peak of a device's used bytes between two snapshots, and the number of readings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peak {
    pub(crate) used: u64,
    pub(crate) readings: u64,
}

impl Peak {
    fn update(&mut self, reading: &DeviceReading) {
        if let Ok(memory) = &reading.memory {
            self.used = self.used.max(memory.used);
            self.readings += 1;
        }
    }
}

/// The interval between two readings. It doubles if the median reading takes more than 1 % of it,
/// and halves if the median takes less than 0.25 % of it.
#[derive(Debug)]
struct Pace {
    interval: Duration,
    /// The interval that the user set.
    shortest: Duration,
    durations: Vec<Duration>,
}

impl Pace {
    /// The median of this many readings is used, so that one slow reading has no effect.
    const WINDOW: usize = 15;
    const COST_DIVISOR: u32 = 100;
    /// The interval halves below a quarter of the limit. With half of it, it would oscillate.
    const HALVE_DIVISOR: u32 = 4;
    const MAX_INTERVAL: Duration = Duration::from_secs(60);

    fn new(interval: Duration) -> Self {
        Self { interval, shortest: interval, durations: Vec::with_capacity(Self::WINDOW) }
    }

    fn interval(&self) -> Duration {
        self.interval
    }

    fn record(&mut self, duration: Duration) {
        self.durations.push(duration);
        if self.durations.len() < Self::WINDOW {
            return;
        }
        self.durations.sort_unstable();
        let median = self.durations[Self::WINDOW / 2];
        self.durations.clear();
        if median * Self::COST_DIVISOR > self.interval {
            self.interval = (self.interval * 2).min(Self::MAX_INTERVAL.max(self.interval));
        } else if median * Self::COST_DIVISOR < self.interval / Self::HALVE_DIVISOR {
            self.interval = (self.interval / 2).max(self.shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use core::time::Duration;

    fn after(durations: impl IntoIterator<Item = u64>) -> Duration {
        let mut pace = Pace::new(Duration::from_millis(100));
        durations.into_iter().for_each(|micros| pace.record(Duration::from_micros(micros)));
        pace.interval()
    }

    #[test]
    fn the_interval_doubles_while_readings_take_over_1_percent_of_it() {
        assert_eq!(after([999; 1000]), Duration::from_millis(100));
        assert_eq!(after([1001; 15]), Duration::from_millis(200));
        assert_eq!(after([4500; 1000]), Duration::from_millis(800));
        assert_eq!(after([10_000_000; 1000]), Duration::from_secs(60));
    }

    #[test]
    fn the_interval_halves_again_once_readings_are_fast() {
        let slow = [10_000; 100];
        assert_eq!(after(slow), Duration::from_millis(1600));
        assert_eq!(after(slow.into_iter().chain([3_000; 1000])), Duration::from_millis(800));
        assert_eq!(after(slow.into_iter().chain([10; 1000])), Duration::from_millis(100));
    }

    #[test]
    fn a_reading_that_was_held_up_once_changes_nothing() {
        let durations = (0..1000).map(|at| if at % 15 < 7 { 1_000_000 } else { 10 });
        assert_eq!(after(durations), Duration::from_millis(100));
    }
}
