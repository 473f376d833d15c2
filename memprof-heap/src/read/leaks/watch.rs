//! The leak watch of a program, and its stored observations: what each call site held.
//!
//! The memory of the observations is bounded: a long record is thinned evenly, and one of many call
//! sites has fewer observations.

use crate::read::frame::Names;
use crate::read::leaks::growth::Held;
use crate::read::leaks::report::{Leaks, Seen};
use crate::read::leaks::series::{Aged, Places};
use crate::read::operations::calls;
use crate::read::recorded::{NotRecorded, sampled};
use crate::read::totals::totals;
use crate::record::estimate::Estimate;
use crate::record::live_table::Sample;
use crate::record::{hooks, rate, sample};
use core::fmt;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
        hooks::run(|| {
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
    sample::unsampled(|| hooks::run(work))
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

/// The maximum number of observations that are stored. With more, every other one is dropped.
const MAX_OBSERVATIONS: usize = 256;

/// The maximum number of rows in all observations. A row has 104 bytes, so they take 1.6 MiB. A
/// program that allocates at hundreds of call sites has several hundred rows in each observation.
const MAX_ROWS: usize = 16 * 1024;

/// The number of observations that are kept even if they exceed `MAX_ROWS`, because a trend needs
/// them. At most 4,096 samples are live, so such observations have at most 64 Ki rows.
const MIN_STORED: usize = 16;

/// The live memory at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    /// Seconds since the baseline.
    pub(crate) seconds: f64,
    /// The number of the observation, from 1.
    pub(crate) number: u64,
    /// Exact change of the process's live bytes since the baseline.
    pub(crate) net: i64,
    /// Shared by the record and by reports.
    pub(crate) rows: Arc<[Row]>,
}

/// The amounts that the samples of one call site and operation represent, in few bytes: errors,
/// ages and numbers of blocks have seven digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) site: u32,
    pub(crate) operation: u32,
    /// The number of calls of the operation that have ended.
    pub(crate) calls: u64,
    largest: u64,
    younger: Amount,
    older: Amount,
    younger_squares: f32,
    older_squares: f32,
    ages: f32,
    age_squares: f32,
    blocks: f32,
    blocks_variance: f32,
    blocks_unseen: f32,
}

/// An estimate in few bytes.
#[derive(Clone, Copy, Debug)]
struct Amount {
    value: f64,
    variance: f32,
    unseen: f32,
    samples: u32,
}

/// Returns the amounts that samples represent, by call site and operation. `watched` is the time
/// since the baseline. Times are in milliseconds.
pub(crate) fn rows(samples: &[Sample], now: u64, watched: u64) -> Vec<Row> {
    let mut all: HashMap<(u32, u32), (Held, Estimate)> = HashMap::new();
    for sample in samples {
        let (held, blocks) = all.entry((sample.operation, sample.site)).or_default();
        let bytes = sample.bytes();
        let age = now.saturating_sub(sample.allocated_at);
        held.largest = held.largest.max(sample.size);
        if age >= watched {
            held.older.add(bytes);
            held.older_squares += bytes.value.powi(2);
            continue;
        }
        let seconds = age as f64 / 1000.0;
        held.younger.add(bytes);
        held.younger_squares += bytes.value.powi(2);
        held.ages += bytes.value * seconds;
        held.age_squares += bytes.value * seconds.powi(2);
        blocks.add(sample.blocks());
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(key, _)| *key);
    let calls = calls();
    let row = |((operation, site), (held, blocks)): &(_, _)| {
        let calls = calls.get(*operation as usize).copied().unwrap_or_default();
        Row::new(*site, *operation, calls, held, blocks)
    };
    all.iter().map(row).collect()
}

impl Row {
    fn new(site: u32, operation: u32, calls: u64, held: &Held, blocks: &Estimate) -> Self {
        Self {
            site,
            operation,
            calls,
            largest: held.largest,
            younger: Amount::of(&held.younger),
            older: Amount::of(&held.older),
            younger_squares: held.younger_squares as f32,
            older_squares: held.older_squares as f32,
            ages: held.ages as f32,
            age_squares: held.age_squares as f32,
            blocks: blocks.value as f32,
            blocks_variance: blocks.variance as f32,
            blocks_unseen: blocks.unseen as f32,
        }
    }

    /// Returns the live bytes.
    pub(crate) fn held(&self) -> Held {
        Held {
            younger: self.younger.estimate(),
            older: self.older.estimate(),
            younger_squares: self.younger_squares.into(),
            older_squares: self.older_squares.into(),
            ages: self.ages.into(),
            age_squares: self.age_squares.into(),
            largest: self.largest,
        }
    }

    /// Returns the live blocks that were allocated since the baseline.
    pub(crate) fn younger_blocks(&self) -> Estimate {
        let all = [self.blocks, self.blocks_variance, self.blocks_unseen];
        let [value, variance, unseen] = all.map(f64::from);
        Estimate { value, variance, samples: self.younger.samples.into(), unseen }
    }
}

impl Amount {
    fn of(estimate: &Estimate) -> Self {
        let Estimate { value, variance, samples, unseen } = *estimate;
        let samples = u32::try_from(samples).unwrap_or(u32::MAX);
        Self { value, variance: variance as f32, unseen: unseen as f32, samples }
    }

    fn estimate(self) -> Estimate {
        let (variance, unseen) = (self.variance.into(), self.unseen.into());
        Estimate { value: self.value, variance, samples: self.samples.into(), unseen }
    }
}

/// The stored observations, evenly spread over all that were made.
#[derive(Debug, Default)]
pub(crate) struct Record {
    kept: Vec<Observed>,
    /// The number of times that every other observation was dropped. With `n` halvings, one in 2ⁿ
    /// observations is stored.
    halvings: u32,
    /// The last observation, even if it is not in `kept`.
    latest: Option<Observed>,
    /// The observation before the last one, even if it is not in `kept`.
    before_latest: Option<Observed>,
}

impl Record {
    pub(crate) fn push(&mut self, observed: Observed) {
        if observed.number.trailing_zeros() >= self.halvings {
            self.kept.push(observed.clone());
            self.thin();
        }
        self.before_latest = self.latest.replace(observed);
    }

    fn thin(&mut self) {
        let rows = |kept: &[Observed]| kept.iter().map(|one| one.rows.len()).sum::<usize>();
        while self.kept.len() > MAX_OBSERVATIONS
            || self.kept.len() > MIN_STORED && rows(&self.kept) > MAX_ROWS
        {
            self.halvings += 1;
            self.kept.retain(|one| one.number.trailing_zeros() >= self.halvings);
        }
    }

    /// Returns the stored observations, and the last one.
    pub(crate) fn observations(&self) -> Vec<Observed> {
        self.until(self.latest.as_ref())
    }

    /// Returns the stored observations before the last one.
    pub(crate) fn observations_before_last(&self) -> Vec<Observed> {
        self.until(self.before_latest.as_ref())
    }

    /// Returns the stored observations up to this one.
    fn until(&self, end: Option<&Observed>) -> Vec<Observed> {
        let Some(end) = end else { return Vec::new() };
        let earlier = self.kept.iter().filter(|one| one.number < end.number);
        earlier.chain([end]).cloned().collect()
    }

    /// Returns the last observation.
    pub(crate) fn latest(&self) -> Option<&Observed> {
        self.latest.as_ref()
    }
}

#[cfg(test)]
mod tests;
