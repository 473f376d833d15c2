//! The thread that reads devices between snapshots.

use super::Peak;
use super::pace::Pace;
use crate::{DeviceIdentity, DeviceReading, DeviceSampler, Unavailable, Wanted};
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a snapshot waits for a driver that is busy.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long dropping it waits for the thread; a driver that hangs must not hang the program.
const FAREWELL: Duration = Duration::from_secs(1);

/// Reads devices in a thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    pub(crate) identities: Vec<DeviceIdentity>,
    shared: Arc<Shared>,
    /// Dropped, it ends the thread.
    stop: Option<Sender<()>>,
    done: mpsc::Receiver<()>,
}

/// A device as a snapshot finds it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) identity: DeviceIdentity,
    pub(crate) reading: DeviceReading,
    /// The peak since the last snapshot, this reading included.
    pub(crate) peak: Peak,
    /// Time between two readings of the memory, as it is now.
    pub(crate) interval: Duration,
    /// How old the reading is, if the driver did not answer in time.
    pub(crate) age: Option<Duration>,
}

struct Shared {
    sampler: Mutex<Box<dyn DeviceSampler>>,
    latest: Mutex<Vec<Latest>>,
}

/// What is known of a device.
#[derive(Debug)]
struct Latest {
    reading: DeviceReading,
    read: Instant,
    peak: Peak,
    interval: Duration,
}

impl core::fmt::Debug for Shared {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Shared").field("latest", &self.latest).finish_non_exhaustive()
    }
}

impl Watcher {
    pub(crate) fn start(
        sampler: Box<dyn DeviceSampler>,
        memory_interval: Duration,
        slow_interval: Duration,
    ) -> io::Result<Self> {
        let identities = sampler.devices().to_vec();
        let unread = |device| Latest {
            reading: DeviceReading::unread(device, Duration::ZERO),
            read: Instant::now(),
            peak: Peak::default(),
            interval: memory_interval,
        };
        let latest = (0..identities.len()).map(unread).collect();
        let shared = Arc::new(Shared { sampler: Mutex::new(sampler), latest: Mutex::new(latest) });
        let (stop, stopped) = mpsc::channel();
        let (finished, done) = mpsc::channel();
        let watched = shared.clone();
        thread::Builder::new().name("memprof-gpu".into()).spawn(move || {
            let mut memory = Pace::new(memory_interval);
            let mut slow = Pace::new(slow_interval);
            let mut next = [(Instant::now(), Wanted::MEMORY), (Instant::now(), Wanted::SLOW)];
            loop {
                for (due, wanted) in &mut next {
                    if *due > Instant::now() {
                        continue;
                    }
                    let pace = if *wanted == Wanted::MEMORY { &mut memory } else { &mut slow };
                    pace.took(watched.read_all(*wanted));
                    *due = Instant::now() + pace.interval();
                }
                watched.tell_interval(memory.interval());
                let until = next[0].0.min(next[1].0);
                let rest = until.saturating_duration_since(Instant::now());
                match stopped.recv_timeout(rest) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            drop(watched);
            let _ = finished.send(());
        })?;
        Ok(Self { identities, shared, stop: Some(stop), done })
    }

    /// Reads all devices now, and says what their peaks were since the last time.
    pub(crate) fn look(&mut self) -> Vec<Seen> {
        let is_fresh = self.shared.read_all_in_time();
        let mut latest = self.shared.latest();
        let seen = |(identity, latest): (&DeviceIdentity, &mut Latest)| Seen {
            identity: identity.clone(),
            reading: latest.reading.clone(),
            peak: core::mem::take(&mut latest.peak),
            interval: latest.interval,
            age: (!is_fresh).then(|| latest.read.elapsed()),
        };
        self.identities.iter().zip(latest.iter_mut()).map(seen).collect()
    }

    /// Whether nobody reads just now.
    #[cfg(test)]
    pub(crate) fn is_idle(&self) -> bool {
        self.shared.sampler.try_lock().is_ok()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.done.recv_timeout(FAREWELL);
    }
}

impl Shared {
    fn latest(&self) -> MutexGuard<'_, Vec<Latest>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads all devices, and says how long it took. Whoever waits for the sampler gets it between
    /// two devices.
    fn read_all(&self, wanted: Wanted) -> Duration {
        let mut took = Duration::ZERO;
        let devices = self.latest().len();
        for device in 0..devices {
            let mut sampler = self.sampler.lock().unwrap_or_else(PoisonError::into_inner);
            took += self.read(sampler.as_mut(), device, wanted);
        }
        took
    }

    /// Reads everything of all devices, unless the driver is busy for too long.
    fn read_all_in_time(&self) -> bool {
        const A_WHILE: Duration = Duration::from_millis(1);
        let began = Instant::now();
        let mut sampler = loop {
            match self.sampler.try_lock() {
                Ok(sampler) => break sampler,
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => return false,
                Err(TryLockError::WouldBlock) => thread::sleep(A_WHILE),
            }
        };
        let devices = self.latest().len();
        for device in 0..devices {
            self.read(sampler.as_mut(), device, Wanted::ALL);
        }
        true
    }

    fn read(&self, sampler: &mut dyn DeviceSampler, device: usize, wanted: Wanted) -> Duration {
        let began = Instant::now();
        let read = sampler.sample(device, wanted);
        let took = began.elapsed();
        let mut latest = self.latest();
        let Some(latest) = latest.get_mut(device) else { return took };
        match read {
            Ok(reading) => {
                latest.peak.see(&reading);
                latest.reading.update(reading);
                latest.read = Instant::now();
            }
            Err(error) => latest.reading.memory = Err(Unavailable::Failed(error.to_string())),
        }
        took
    }

    fn tell_interval(&self, interval: Duration) {
        self.latest().iter_mut().for_each(|latest| latest.interval = interval);
    }
}
