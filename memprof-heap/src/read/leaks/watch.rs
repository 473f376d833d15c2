//! The leak watch of a program.

use crate::read::leaks::places::Places;
use crate::read::leaks::record::{Observed, Record, Row, rows};
use crate::read::leaks::report::{Leaks, Seen};
use crate::read::leaks::series::Aged;
use crate::read::names::Names;
use crate::read::recorded::{NotRecorded, sampled};
use crate::read::totals::totals;
use crate::record::{profiler, rate, sample};
use core::fmt;
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A watch for memory that keeps growing, and for the call sites that allocate it.
///
/// Start a watch when the program has all that it needs to begin its work. Then
/// [observe](Self::observe) regularly, for example each minute or at each request.
/// [`leaks`](Self::leaks) returns the result at any time. Earlier allocations never count, and
/// memory that is merely live is not a leak. A suspect has grown, still grows, and its blocks become
/// older.
///
/// ```
/// use memprof::heap::leak::LeakWatch;
/// use memprof::heap::{set_level, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_level(Level::Sampled);
/// let watch = LeakWatch::start()?;
///
/// let mut sessions = Vec::new();
/// for request in 0..40 {
///     let answer = vec![request; 500_000];
///     sessions.push(answer.clone()); // nobody ever takes it out
///     # std::thread::sleep(std::time::Duration::from_millis(2));
///     watch.observe()?;
/// }
///
/// let leaks = watch.leaks();
/// let leak = leaks.iter().next().expect("the sessions grow");
/// assert!(leak.growth.per_observation > 1_000_000.0);
/// assert!(leak.live.value > 10_000_000.0);
/// println!("{leaks}");
/// # Ok(())
/// # }
/// ```
///
/// Threads can share a watch. Several watches don't disturb each other.
///
/// # Limits
/// - Call sites are known from samples. The rate has a [mean](crate::Rate::mean_bytes) of 512 KiB,
///   or 64 KiB during a session, unless you [set another](crate::set_rate). A leak is found once it
///   has grown by about 30 times the mean, and a queue that is drained too slowly by 100 to 500
///   times. [`Leaks::smallest_found`] is the limit as a rate.
/// - Growth that begins late is found after it has lasted for an eighth of the watch.
/// - One buffer that doubles when it is full is a suspect after three steps. By then it has grown
///   to 8 times its size at the start of the watch.
/// - If samples were not taken before the watch started, old blocks that are replaced by new ones
///   look like growth until all old blocks are replaced. Such a call site is listed
///   [apart](Leaks::replaced) if it grew by more than the process.
/// - If the level falls below `Sampled`, the watch restarts: the first observation after samples
///   are taken again discards the earlier ones. The report states that.
///
/// # Cost
/// A watch takes at most 10 MiB of memory, which is neither sampled nor reported. If fewer than
/// 1,000 call stacks hold live blocks, it takes at most 2 MiB. See [`observe`](Self::observe).
pub struct LeakWatch {
    watched: Mutex<Watched>,
    /// The places have a lock of their own, because looking up names takes longer than an
    /// observation.
    places: Mutex<Places>,
}

/// The observations since the baseline.
struct Watched {
    began: Instant,
    /// The time at which the watch started, in milliseconds of the clock of samples.
    allocated_at: u64,
    sampling_run: u32,
    /// Live bytes of the process at the baseline, without bytes of profilers.
    live: i64,
    /// The amounts of call sites at the baseline.
    baseline: Vec<Row>,
    record: Record,
    observations: u64,
    /// The blocks at the last observation.
    blocks: Vec<Aged>,
    /// The blocks at the observation before the last one.
    blocks_before: Vec<Aged>,
    restarted: bool,
}

impl LeakWatch {
    /// Sets how far the frames of suspects are named in this process; the default is
    /// [`Names::Lines`].
    #[must_use]
    pub fn with_names(self, names: Names) -> Self {
        *lock(&self.places) = Places::new(names);
        self
    }

    /// Starts a watch and takes the baseline: memory that is live now never counts.
    ///
    /// # Errors
    /// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
    ///
    /// # Cost
    /// The call costs as much as an observation. It also waits for at least a millisecond, so that
    /// no later block has the same time as the baseline.
    pub fn start() -> Result<Self, NotRecorded> {
        sampled()?;
        Ok(own_work(|| Self {
            watched: Mutex::new(Watched::start()),
            places: Mutex::new(Places::default()),
        }))
    }

    /// Records how much of the memory allocated since the baseline each call site and operation
    /// holds now.
    ///
    /// Up to a few hundred observations are stored. With more, every other one is dropped, and
    /// later ones are stored half as often.
    ///
    /// # Errors
    /// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
    ///
    /// # Cost
    /// The call takes about 0.1 ms. It reads each of at most a few thousand live samples, and looks
    /// up no names.
    pub fn observe(&self) -> Result<(), NotRecorded> {
        sampled()?;
        let mut watched = lock(&self.watched);
        own_work(|| watched.observe());
        Ok(())
    }

    /// Returns the memory that grows, according to the observations.
    ///
    /// # Cost
    /// The call looks up names that are not cached yet, which costs as much as
    /// [`sites`](crate::sites), and computes the statistics of each series. Other threads can
    /// observe during this call.
    pub fn leaks(&self) -> Leaks {
        sample::unsampled(|| {
            let seen = lock(&self.watched).seen();
            self.report(&seen)
        })
    }

    /// Returns the memory that grew until the observation before the last one.
    ///
    /// Many programs stop their work and free their values before they end. If the last observation
    /// follows that, [`leaks`](Self::leaks) lacks what these values held. All figures are those of
    /// the observation before. [`Leak::was_freed`](crate::leak::Leak::was_freed) is true if more than half
    /// of a suspect's memory was freed at the last observation.
    ///
    /// # Cost
    /// The same as of [`leaks`](Self::leaks).
    pub fn leaks_before_last(&self) -> Leaks {
        sample::unsampled(|| {
            let (seen, last) = {
                let watched = lock(&self.watched);
                (watched.seen_before_last(), watched.record.latest().cloned())
            };
            let mut leaks = self.report(&seen);
            for leak in &mut leaks.suspects {
                let rows = last.iter().flat_map(|last| last.rows.iter());
                let its = rows.filter(|row| leak.sites.contains(&(row.site, row.operation)));
                let kept = its.map(|row| row.held().younger.value).sum::<f64>();
                leak.was_freed = kept < leak.live.value / 2.0;
            }
            leaks
        })
    }

    fn report(&self, seen: &Seen) -> Leaks {
        let mut places = lock(&self.places);
        // The memory of the cached names counts as the profiler's. The memory of the returned
        // names counts as the caller's.
        profiler::run(|| {
            let sites = seen.sites();
            places.keep_only(&sites);
            for site in sites {
                drop(places.place(site));
            }
        });
        let leaks = seen.report(&mut places);
        places.release_cache();
        leaks
    }
}

impl Watched {
    fn start() -> Self {
        let allocated_at = rate::milliseconds();
        let new = Self {
            began: Instant::now(),
            allocated_at,
            sampling_run: rate::sampling_run(),
            live: live(),
            baseline: rows(&sample::live_samples(), allocated_at, 0),
            record: Record::default(),
            observations: 0,
            blocks: Vec::new(),
            blocks_before: Vec::new(),
            restarted: false,
        };
        // Wait until the clock advances. Otherwise the baseline and new blocks would have the same
        // time.
        while rate::milliseconds() == new.allocated_at {
            std::thread::sleep(Duration::from_millis(1));
        }
        new
    }

    fn seen(&self) -> Seen {
        Seen {
            watched: self.began.elapsed(),
            since: self.allocated_at,
            baseline: self.baseline.clone(),
            observed: self.record.observations(),
            blocks: self.blocks.clone(),
            observations: self.observations,
            restarted: self.restarted,
        }
    }

    fn seen_before_last(&self) -> Seen {
        let observed = self.record.observations_before_last();
        let seconds = observed.last().map_or(0.0, |last| last.seconds);
        Seen {
            watched: Duration::from_secs_f64(seconds),
            since: self.allocated_at,
            baseline: self.baseline.clone(),
            blocks: self.blocks_before.clone(),
            observations: self.observations.saturating_sub(1),
            restarted: self.restarted,
            observed,
        }
    }

    fn observe(&mut self) {
        if self.sampling_run != rate::sampling_run() {
            *self = Self { restarted: true, ..Self::start() };
            return;
        }
        let net = live() - self.live;
        let samples = sample::live_samples();
        let now = rate::milliseconds();
        let watched = now.saturating_sub(self.allocated_at);
        self.observations += 1;
        let blocks = samples.iter().map(|sample| Aged::of(sample, now, watched)).collect();
        self.blocks_before = core::mem::replace(&mut self.blocks, blocks);
        self.record.push(Observed {
            seconds: self.began.elapsed().as_secs_f64(),
            number: self.observations,
            net,
            rows: rows(&samples, now, watched).into(),
        });
    }
}

/// Returns the live bytes of the process without the bytes of profilers. The bytes are counted from
/// the moment at which counting began. Only a change of the level changes that moment.
fn live() -> i64 {
    totals().map_or(0, |totals| totals.program_bytes())
}

/// Runs the watch's own work, whose memory does not count for the program.
fn own_work<T>(work: impl FnOnce() -> T) -> T {
    sample::unsampled(|| profiler::run(work))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for LeakWatch {
    /// Frees the memory of the watch as a profiler's, because it was counted as a profiler's.
    fn drop(&mut self) {
        own_work(|| {
            let watched = self.watched.get_mut().unwrap_or_else(PoisonError::into_inner);
            (watched.baseline, watched.record) = Default::default();
            (watched.blocks, watched.blocks_before) = Default::default();
            *self.places.get_mut().unwrap_or_else(PoisonError::into_inner) = Places::default();
        });
    }
}

impl fmt::Debug for LeakWatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let observations = lock(&self.watched).observations;
        out.debug_struct("LeakWatch").field("observations", &observations).finish_non_exhaustive()
    }
}
