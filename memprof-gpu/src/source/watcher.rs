//! The thread that reads devices, between snapshots and for them.

use super::Peak;
use super::pace::Pace;
use crate::{DeviceIdentity, DeviceReading, DeviceSampler, Unavailable, Wanted};
use core::fmt;
use std::error::Error;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a snapshot waits for a driver that is busy.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long it waits for the driver to answer, once it was asked.
const ANSWER: Duration = Duration::from_millis(250);
/// How long dropping it waits for the thread; a driver that hangs must not hang the program.
const FAREWELL: Duration = Duration::from_secs(1);

/// Reads devices in a thread, which ends when this is dropped. Nobody else calls the driver, so that
/// one that hangs holds up nobody else.
#[derive(Debug)]
pub(crate) struct Watcher {
    pub(crate) identities: Vec<DeviceIdentity>,
    latest: Arc<AllLatest>,
    /// Dropped, it ends the thread.
    ask: Option<Sender<Ask>>,
    done: Receiver<()>,
    /// The process that has the thread: one that is forked has none.
    pid: u32,
}

/// Asks the thread to read all there is: told that it begins, then that it is done. Whoever does not
/// wait any more is not read for.
type Ask = Sender<()>;

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

/// Why nobody reads any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gone {
    /// The thread is the other process's.
    Forked,
    Panicked,
}

/// What is known of all devices.
type AllLatest = Mutex<Vec<Latest>>;

/// What is known of a device.
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
        // What a snapshot finds that comes before the first answer.
        let silent = Unavailable::Failed("it did not answer yet".to_owned());
        let unread = |device| Latest {
            reading: DeviceReading::refused(device, Duration::ZERO, Wanted::ALL, &silent),
            read: Instant::now(),
            peak: Peak::default(),
            interval: memory_interval,
        };
        let latest = (0..identities.len()).map(unread).collect();
        let latest = Arc::new(Mutex::new(latest));
        let (ask, asked) = mpsc::channel();
        let (finished, done) = mpsc::channel();
        let reader = Reader { sampler, devices: identities.len(), latest: latest.clone(), asked };
        thread::Builder::new().name("memprof-gpu".into()).spawn(move || {
            reader.run(Pace::new(memory_interval), Pace::new(slow_interval));
            let _ = finished.send(());
        })?;
        let pid = std::process::id();
        Ok(Self { identities, latest, ask: Some(ask), done, pid })
    }

    /// Has all devices read now, and says what their peaks were since the last time.
    pub(crate) fn look(&mut self) -> Result<Vec<Seen>, Gone> {
        if self.is_forked() {
            return Err(Gone::Forked);
        }
        let is_fresh = self.ask()?;
        let mut latest = lock(&self.latest);
        let seen = |(identity, latest): (&DeviceIdentity, &mut Latest)| Seen {
            identity: identity.clone(),
            reading: latest.reading.clone(),
            peak: core::mem::take(&mut latest.peak),
            interval: latest.interval,
            age: (!is_fresh).then(|| latest.read.elapsed()),
        };
        Ok(self.identities.iter().zip(latest.iter_mut()).map(seen).collect())
    }

    /// Whether the driver answered in time.
    fn ask(&self) -> Result<bool, Gone> {
        let (answer, answered) = mpsc::channel();
        let ask = self.ask.as_ref().ok_or(Gone::Panicked)?;
        ask.send(answer).map_err(|_| Gone::Panicked)?;
        for patience in [PATIENCE, ANSWER] {
            match answered.recv_timeout(patience) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(false),
                Err(RecvTimeoutError::Disconnected) => return Err(Gone::Panicked),
            }
        }
        Ok(true)
    }

    fn is_forked(&self) -> bool {
        self.pid != std::process::id()
    }

    /// As a process that is forked would find it.
    #[cfg(test)]
    pub(crate) fn fork(&mut self) {
        self.pid = 0;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.ask.take());
        if !self.is_forked() {
            let _ = self.done.recv_timeout(FAREWELL);
        }
    }
}

/// What the thread has.
struct Reader {
    sampler: Box<dyn DeviceSampler>,
    devices: usize,
    latest: Arc<AllLatest>,
    asked: Receiver<Ask>,
}

impl Reader {
    /// Reads what is due and what is asked for, until nobody can ask any more.
    fn run(mut self, mut memory: Pace, mut slow: Pace) {
        let mut next = [(Instant::now(), Wanted::MEMORY), (Instant::now(), Wanted::SLOW)];
        loop {
            for (due, wanted) in &mut next {
                if *due > Instant::now() {
                    continue;
                }
                let pace = if *wanted == Wanted::MEMORY { &mut memory } else { &mut slow };
                pace.took(self.read_all(*wanted));
                *due = Instant::now() + pace.interval();
            }
            lock(&self.latest).iter_mut().for_each(|latest| latest.interval = memory.interval());
            let until = next[0].0.min(next[1].0);
            match self.asked.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(ask) => self.answer(&ask),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    /// Reads all devices, and says how long it took. Whoever asks is answered between two devices.
    fn read_all(&mut self, wanted: Wanted) -> Duration {
        let mut took = Duration::ZERO;
        for device in 0..self.devices {
            while let Ok(ask) = self.asked.try_recv() {
                self.answer(&ask);
            }
            took += self.read(device, wanted);
        }
        took
    }

    fn answer(&mut self, ask: &Ask) {
        // Whoever asked may have gone on without an answer.
        if ask.send(()).is_err() {
            return;
        }
        for device in 0..self.devices {
            self.read(device, Wanted::ALL);
        }
        let _ = ask.send(());
    }

    fn read(&mut self, device: usize, wanted: Wanted) -> Duration {
        let began = Instant::now();
        let read = self.sampler.sample(device, wanted);
        let took = began.elapsed();
        let mut latest = lock(&self.latest);
        let Some(latest) = latest.get_mut(device) else { return took };
        let reading = read.unwrap_or_else(|error| {
            let why = Unavailable::Failed(error.to_string());
            DeviceReading::refused(device, latest.reading.at, wanted, &why)
        });
        latest.peak.see(&reading);
        latest.reading.update(reading);
        latest.read = Instant::now();
        took
    }
}

fn lock(latest: &AllLatest) -> MutexGuard<'_, Vec<Latest>> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for Gone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Forked => {
                "this process was forked from the one that reads the GPUs: make a source of its own"
            }
            Self::Panicked => "the thread that reads the GPUs panicked",
        })
    }
}

impl Error for Gone {}
