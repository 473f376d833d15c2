//! The leak watch of a program: its stored observations, grouped by call site and operation.
//!
//! - [`growth`]: the growth of one group, and whether it continues;
//! - [`paths`]: the groups of call stacks without names;
//! - [`trend`]: the test that exact values grow, for the process;
//! - [`report`]: the result.
//!
//! The memory of the observations is bounded: a long record is thinned evenly, and one of many call
//! sites has fewer observations. Call sites of one place in the source are one group. Their names are
//! looked up for a report, once.

mod growth;
mod paths;
mod report;
#[cfg(test)]
mod tests;
mod trend;

use crate::read::counts::{NotRecorded, require_samples, totals};
use crate::read::frame::{Frame, Names, Place, Symbols};
pub use crate::read::leaks::growth::{Doubt, Growth};
use crate::read::leaks::paths::Paths;
pub use crate::read::leaks::report::{Leak, Leaks, Verdict};
pub(crate) use crate::read::leaks::trend::Trend;
use crate::read::operations::calls;
use crate::record::estimate::Estimate;
use crate::record::live_table::Sample;
use crate::record::{process, sample};
use core::fmt;
use core::time::Duration;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A watch for memory that keeps growing, and for the call sites that allocate it.
///
/// Start a watch once the program has warmed up. Then [observe](Self::observe) regularly, for
/// example each minute or at each request. [`leaks`](Self::leaks) returns the result at any time.
/// Earlier allocations never count, and memory that is merely live is not a leak. A suspect has
/// grown, still grows, and its blocks become older.
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
///   [separately](Leaks::replaced) if it grew by more than the process.
/// - If the level falls below `Sampled`, the watch restarts: the first observation after samples
///   are taken again discards the earlier ones. The report states that.
///
/// # Cost
/// A watch takes at most 12 MiB of memory, which is neither sampled nor reported. If fewer than
/// 1,000 call stacks hold live blocks, it takes at most 3 MiB. See [`observe`](Self::observe).
pub struct LeakWatch {
    watched: Mutex<Watched>,
    /// Looking up names takes longer than an observation, so the places have their own lock.
    places: Mutex<Places>,
}

struct Watched {
    began: Instant,
    /// The time at which the watch started, in milliseconds of the clock of samples.
    allocated_at: u64,
    sampling_run: u32,
    /// Live bytes of the process at the baseline, without bytes of profilers.
    live: i64,
    baseline: Vec<Row>,
    record: Record,
    restarted: bool,
}

impl LeakWatch {
    /// Sets whether the frames of suspects are named in this process; the default is
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
        require_samples()?;
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
        require_samples()?;
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
            let seen = {
                let watched = lock(&self.watched);
                watched.seen(watched.record.latest.as_ref(), watched.began.elapsed())
            };
            self.report(&seen)
        })
    }

    /// Returns the memory that grew until the program ended its work.
    ///
    /// Many programs stop their work and free their values before they end, and the last observations
    /// follow that. If the suspects of the observation before hold more memory than those of the last
    /// one, all figures are those of the observation before. Without suspects, the growth of the
    /// process decides. [`Leak::was_freed`](crate::leak::Leak::was_freed) is true if more than half
    /// of a suspect's memory was freed after that observation.
    ///
    /// # Cost
    /// Twice that of [`leaks`](Self::leaks).
    pub fn leaks_at_end(&self) -> Leaks {
        let bytes = |leaks: &Leaks| {
            let grown = if leaks.process_grows { leaks.process_bytes } else { 0 };
            (leaks.iter().map(|leak| leak.live.value).sum::<f64>(), grown)
        };
        let (last, before) = (self.leaks(), self.leaks_before_end());
        if bytes(&before) > bytes(&last) { before } else { last }
    }

    fn leaks_before_end(&self) -> Leaks {
        sample::unsampled(|| {
            let (seen, last) = {
                let watched = lock(&self.watched);
                let end = watched.record.before_end.as_ref();
                let seconds = end.map_or(0.0, |end| end.observed.seconds);
                let last = watched.record.latest.as_ref().map(|last| last.observed.rows.clone());
                (watched.seen(end, Duration::from_secs_f64(seconds)), last.unwrap_or_default())
            };
            let mut leaks = self.report(&seen);
            for leak in leaks.suspects.iter_mut().chain(&mut leaks.wider) {
                let its = last.iter().filter(|row| leak.sites.contains(&(row.site, row.operation)));
                let kept = its.map(|row| row.held.younger.value).sum::<f64>();
                leak.was_freed = kept < leak.live.value / 2.0;
            }
            leaks
        })
    }

    fn report(&self, seen: &Seen) -> Leaks {
        let mut places = lock(&self.places);
        // The memory of the cached names counts as the profiler's. The memory of the returned
        // names counts as the caller's.
        process::as_profiler(|| {
            let sites = seen.sites();
            places.keep_only(&sites);
            for (site, _) in sites {
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
        let allocated_at = sample::milliseconds();
        let new = Self {
            began: Instant::now(),
            allocated_at,
            sampling_run: sample::sampling_run(),
            live: live(),
            baseline: rows(&sample::live_samples(), allocated_at, 0),
            record: Record::default(),
            restarted: false,
        };
        // Wait for the next tick, so that new blocks have a later time than the baseline.
        while sample::milliseconds() == new.allocated_at {
            std::thread::sleep(Duration::from_millis(1));
        }
        new
    }

    /// Without `end`, returns only the baseline. `watched` is the time since the baseline.
    fn seen(&self, end: Option<&Latest>, watched: Duration) -> Seen {
        let number = end.map_or(0, |end| end.observed.number);
        Seen {
            watched,
            since: self.allocated_at,
            baseline: self.baseline.clone(),
            observed: self.record.until(end),
            blocks: end.map(|end| end.blocks.clone()).unwrap_or_default(),
            observations: number,
            restarted: self.restarted,
        }
    }

    fn observe(&mut self) {
        if self.sampling_run != sample::sampling_run() {
            *self = Self { restarted: true, ..Self::start() };
            return;
        }
        let net = live() - self.live;
        let samples = sample::live_samples();
        let now = sample::milliseconds();
        let watched = now.saturating_sub(self.allocated_at);
        let seconds = self.began.elapsed().as_secs_f64();
        let rows = rows(&samples, now, watched).into();
        let number = self.record.latest.as_ref().map_or(0, |latest| latest.observed.number) + 1;
        self.record.push(Latest {
            observed: Observed { seconds, number, net, rows },
            blocks: blocks(&samples, self.allocated_at),
        });
    }
}

/// Counted since counting began, which only a change of the level restarts.
fn live() -> i64 {
    totals().map_or(0, |totals| totals.program_bytes())
}

/// Runs the watch's own work, whose memory does not count for the program.
fn own_work<T>(work: impl FnOnce() -> T) -> T {
    sample::unsampled(|| process::as_profiler(work))
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
            *self.places.get_mut().unwrap_or_else(PoisonError::into_inner) = Places::default();
        });
    }
}

impl fmt::Debug for LeakWatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let observations = lock(&self.watched).record.latest.as_ref().map(|it| it.observed.number);
        out.debug_struct("LeakWatch")
            .field("observations", &observations.unwrap_or_default())
            .finish_non_exhaustive()
    }
}

const MAX_OBSERVATIONS: usize = 256;

/// The maximum number of rows in all observations. A row has 152 bytes, so they take 2.4 MiB. A
/// program that allocates at hundreds of call sites has several hundred rows in each observation.
const MAX_ROWS: usize = 16 * 1024;

/// The number of observations that are kept even if they exceed `MAX_ROWS`, because a trend needs
/// them. At most 4,096 samples are live, so such observations have at most 64 Ki rows.
const MIN_STORED: usize = 16;

/// The share of the watch after which a program that frees memory is taken to end.
const NEAR_END: f64 = 0.875;

#[derive(Clone, Debug)]
struct Observed {
    /// Seconds since the baseline.
    seconds: f64,
    /// The number of the observation, from 1.
    number: u64,
    /// Exact change of the process's live bytes since the baseline.
    net: i64,
    rows: Arc<[Row]>,
}

/// Rows are sorted by operation and call site.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    site: u32,
    operation: u32,
    /// The number of calls of the operation that have ended.
    calls: u64,
    held: Held,
    /// The blocks that were allocated since the baseline.
    younger_blocks: Estimate,
}

/// Returns the amounts that samples represent, by call site and operation. `watched` is the time
/// since the baseline. Times are in milliseconds.
fn rows(samples: &[Sample], now: u64, watched: u64) -> Vec<Row> {
    let calls = calls();
    let mut all: HashMap<(u32, u32), Row> = HashMap::new();
    for sample in samples {
        let (site, operation) = (sample.site, sample.operation);
        let row = all.entry((operation, site)).or_insert_with(|| {
            let calls = calls.get(operation as usize).copied().unwrap_or_default();
            Row { site, operation, calls, ..Row::default() }
        });
        let (held, bytes) = (&mut row.held, sample.bytes());
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
        row.younger_blocks.add(sample.blocks());
    }
    let mut all: Vec<_> = all.into_values().collect();
    all.sort_by_key(Row::key);
    all
}

/// `since` is the time of the baseline, in milliseconds of the clock of samples.
fn blocks(samples: &[Sample], since: u64) -> Vec<Block> {
    let mut blocks: Vec<_> = samples.iter().map(|one| Block::new(one, since)).collect();
    blocks.sort_by_key(Block::key);
    blocks
}

impl Row {
    fn key(&self) -> (u32, u32) {
        (self.operation, self.site)
    }
}

#[derive(Debug)]
struct Latest {
    observed: Observed,
    /// Sorted by operation and call site.
    blocks: Vec<Block>,
}

/// The stored observations, evenly spread over all that were made.
#[derive(Debug, Default)]
struct Record {
    kept: Vec<Observed>,
    /// With `n` halvings, one in 2ⁿ observations is stored.
    halvings: u32,
    /// The last observation, even if it is not in `kept`.
    latest: Option<Latest>,
    /// The observation before the last one, or the one near the end at which the process held more:
    /// a program may free its values slowly.
    before_end: Option<Latest>,
}

impl Record {
    fn push(&mut self, latest: Latest) {
        if latest.observed.number.trailing_zeros() >= self.halvings {
            self.kept.push(latest.observed.clone());
            self.thin();
        }
        let near_end = NEAR_END * latest.observed.seconds;
        let Some(previous) = self.latest.replace(latest) else { return };
        let is_end = |before: &Latest| {
            previous.observed.net < before.observed.net && before.observed.seconds >= near_end
        };
        if !self.before_end.as_ref().is_some_and(is_end) {
            self.before_end = Some(previous);
        }
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

    fn until(&self, end: Option<&Latest>) -> Vec<Observed> {
        let Some(end) = end else { return Vec::new() };
        let earlier = self.kept.iter().filter(|one| one.number < end.observed.number);
        earlier.chain([&end.observed]).cloned().collect()
    }
}

struct Seen {
    watched: Duration,
    /// The time of the baseline, in milliseconds of the clock of samples.
    since: u64,
    baseline: Vec<Row>,
    observed: Vec<Observed>,
    blocks: Vec<Block>,
    observations: u64,
    restarted: bool,
}

impl Seen {
    /// Returns the call sites of all observations, each with an operation.
    fn sites(&self) -> BTreeSet<(u32, u32)> {
        let observed = self.observed.iter().flat_map(|one| one.rows.iter());
        self.baseline.iter().chain(observed).map(|row| (row.site, row.operation)).collect()
    }

    /// Returns the groups whose last observation has bytes that were allocated since the baseline.
    /// Others do not grow, and a program with many call sites has far more of them. Also returns the
    /// call paths of each operation with such bytes, for call sites without names.
    fn groups(&self, places: &mut Places) -> (Vec<Group>, Vec<Paths>) {
        let mut grown: HashMap<Place, BTreeSet<u32>> = HashMap::new();
        let mut unnamed: HashMap<u32, Vec<u32>> = HashMap::new();
        for row in self.last_rows().iter().filter(|row| row.held.younger.value > 0.0) {
            let place = places.place(row.site);
            if matches!(place, Place::Unnamed(_)) {
                unnamed.entry(row.operation).or_default();
            } else {
                grown.entry(place).or_default().insert(row.operation);
            }
        }
        let mut sites: HashMap<Place, BTreeSet<u32>> = HashMap::new();
        for (site, operation) in self.sites() {
            let place = places.place(site);
            if grown.contains_key(&place) {
                sites.entry(place).or_default().insert(site);
            } else if matches!(place, Place::Unnamed(_))
                && let Some(sites) = unnamed.get_mut(&operation)
            {
                sites.push(site);
            }
        }
        let groups = grown.into_iter().flat_map(|(place, operations)| {
            let sites = sites.remove(&place).unwrap_or_default();
            let group = move |operation| Group {
                place: Some(place.clone()),
                operation,
                sites: sites.clone(),
                shared_frames: None,
            };
            operations.into_iter().map(group)
        });
        let paths = unnamed.into_iter().map(|(operation, sites)| Paths::new(operation, sites));
        (groups.collect(), paths.collect())
    }

    fn last_rows(&self) -> &[Row] {
        self.observed.last().map_or(&[], |last| &last.rows)
    }

    fn seconds(&self) -> f64 {
        self.observed.last().map_or(0.0, |last| last.seconds)
    }
}

/// The ages of live blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Ages {
    /// The age of the oldest block.
    pub oldest: Duration,
    /// The median age of the bytes: half of them are at least this old.
    pub median: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Block {
    site: u32,
    operation: u32,
    /// Seconds from the baseline to the allocation; at most 0 for older blocks.
    born: f64,
    bytes: f64,
}

impl Block {
    /// `since` is the time of the baseline, in milliseconds of the clock of samples.
    fn new(sample: &Sample, since: u64) -> Self {
        let born = sample.allocated_at.saturating_sub(since) as f64 / 1000.0;
        let (site, operation, bytes) = (sample.site, sample.operation, sample.bytes().value);
        Self { site, operation, born, bytes }
    }

    fn key(&self) -> (u32, u32) {
        (self.operation, self.site)
    }
}

struct Group {
    /// `None` if its stacks have no names.
    place: Option<Place>,
    operation: u32,
    sites: BTreeSet<u32>,
    /// The number of innermost frames that its stacks share, if it has several stacks without
    /// names.
    shared_frames: Option<usize>,
}

impl Group {
    fn rows<'r>(&self, all: &'r [Row]) -> impl Iterator<Item = &'r Row> {
        let find = |site: &u32| all.binary_search_by_key(&(self.operation, *site), Row::key).ok();
        self.sites.iter().filter_map(find).map(|at| &all[at])
    }

    fn held(&self, all: &[Row]) -> Held {
        Held::of_all(self.rows(all))
    }

    fn blocks(&self, seen: &Seen) -> impl Iterator<Item = Block> {
        self.sites.iter().flat_map(|site| {
            let key = (self.operation, *site);
            let from = &seen.blocks[seen.blocks.partition_point(|block| block.key() < key)..];
            from.iter().copied().take_while(move |block| block.key() == key)
        })
    }

    fn younger(&self, seen: &Seen) -> impl Iterator<Item = Block> {
        self.blocks(seen).filter(|block| block.born > 0.0)
    }

    fn series(&self, seen: &Seen) -> Series {
        let point = |one: &Observed| Point {
            seconds: one.seconds,
            number: one.number,
            // Calls are the same for all rows of an operation.
            calls: self.rows(&one.rows).next().map_or(0, |row| row.calls),
            held: self.held(&one.rows),
        };
        Series {
            baseline: self.held(&seen.baseline),
            points: seen.observed.iter().map(point).collect(),
            blocks: self.blocks(seen).collect(),
        }
    }

    fn live_blocks(&self, seen: &Seen) -> Estimate {
        self.rows(seen.last_rows()).map(|row| row.younger_blocks).sum()
    }

    fn ages(&self, seen: &Seen) -> Ages {
        let mut sorted: Vec<_> = self.younger(seen).collect();
        sorted.sort_by(|a, b| a.born.total_cmp(&b.born));
        let half = sorted.iter().map(|block| block.bytes).sum::<f64>() / 2.0;
        let mut older = 0.0;
        let middle = sorted.iter().find(|block| {
            older += block.bytes;
            older >= half
        });
        let age = |block: Option<&Block>| {
            Duration::from_secs_f64(
                block.map_or(0.0, |block| (seen.seconds() - block.born).max(0.0)),
            )
        };
        Ages { oldest: age(sorted.first()), median: age(middle) }
    }

    /// Returns the bytes of each call site in blocks allocated since the baseline, largest first.
    fn live_sites(&self, seen: &Seen) -> Vec<(u32, f64)> {
        let mut sites: Vec<(u32, f64)> = Vec::new();
        for block in self.younger(seen) {
            match sites.last_mut().filter(|(site, _)| *site == block.site) {
                Some((_, bytes)) => *bytes += block.bytes,
                None => sites.push((block.site, block.bytes)),
            }
        }
        sites.sort_by(|a, b| b.1.total_cmp(&a.1));
        sites
    }
}

/// The bytes that a series held at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Held {
    younger: Estimate,
    older: Estimate,
    /// The sum of the squares of the bytes that each younger sample represents.
    younger_squares: f64,
    older_squares: f64,
    /// The sum of the younger bytes, each times its age in seconds.
    ages: f64,
    /// The same with the squares of the ages.
    age_squares: f64,
    largest: u64,
}

impl Held {
    fn of_all<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Self {
        let mut sum = Self::default();
        rows.into_iter().for_each(|row| sum.add(&row.held));
        sum
    }

    fn add(&mut self, other: &Self) {
        self.younger.add(other.younger);
        self.older.add(other.older);
        self.younger_squares += other.younger_squares;
        self.older_squares += other.older_squares;
        self.ages += other.ages;
        self.age_squares += other.age_squares;
        self.largest = self.largest.max(other.largest);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Point {
    seconds: f64,
    number: u64,
    /// Calls of the operation that had ended; not read, and 0, if the series held nothing.
    calls: u64,
    held: Held,
}

/// The observations of one place and operation.
#[derive(Clone, Debug, Default)]
struct Series {
    baseline: Held,
    points: Vec<Point>,
    blocks: Vec<Block>,
}

impl Series {
    /// Adds another series of the same operation and observations.
    fn add(&mut self, other: Self) {
        self.baseline.add(&other.baseline);
        self.blocks.extend(other.blocks);
        if self.points.is_empty() {
            self.points = other.points;
            return;
        }
        for (sum, point) in self.points.iter_mut().zip(other.points) {
            sum.calls = sum.calls.max(point.calls);
            sum.held.add(&point.held);
        }
    }
}

/// With all sites that the table of call sites can have, they take 8 MiB.
#[derive(Default)]
pub(crate) struct Places {
    symbols: Symbols,
    located: HashMap<u32, Place>,
    /// For each call site, true if it grows the buffer of output that a test harness captures.
    captures: HashMap<u32, bool>,
}

impl Places {
    fn new(names: Names) -> Self {
        Self { symbols: Symbols::new(names), ..Self::default() }
    }

    pub(crate) fn place(&mut self, site: u32) -> Place {
        if let Some(known) = self.located.get(&site) {
            return known.clone();
        }
        let frames = self.frames(site);
        let place = Place::of(&frames);
        // Don't keep an empty result: a stack may be half written while it is first sampled. Without
        // names there is nothing to look up.
        if !matches!(place, Place::Unnamed(_)) {
            self.located.insert(site, place.clone());
        }
        place
    }

    pub(crate) fn captures_output(&mut self, site: u32) -> bool {
        if let Some(known) = self.captures.get(&site) {
            return *known;
        }
        let frames = self.frames(site);
        let captures = captures_output(&frames);
        if !frames.is_empty() {
            self.captures.insert(site, captures);
        }
        captures
    }

    /// The call sites are the first numbers.
    fn keep_only(&mut self, sites: &BTreeSet<(u32, u32)>) {
        let is_kept = |site: u32| sites.range((site, 0)..=(site, u32::MAX)).next().is_some();
        self.located.retain(|site, _| is_kept(*site));
        self.captures.retain(|site, _| is_kept(*site));
        self.located.shrink_to_fit();
        self.captures.shrink_to_fit();
    }

    fn release_cache(&mut self) {
        self.symbols.release_cache();
    }

    /// Returns the stack of a call site, from the frame of its place outwards.
    pub(crate) fn stack(&mut self, site: u32) -> Vec<Frame> {
        let mut frames = self.frames(site);
        let own = frames.iter().position(Frame::is_yours).unwrap_or_default();
        frames.split_off(own)
    }

    fn frames(&mut self, site: u32) -> Vec<Frame> {
        self.symbols.of_site(site)
    }
}

/// `frames` begins with the innermost frame.
///
/// The result is true if `print!` or the panic hook is on the stack, and `std::io` allocates, not a
/// function of the program.
///
/// A `Display` implementation of the program may be between the two: `print!` calls this
/// implementation, which calls the writer.
fn captures_output(frames: &[Frame]) -> bool {
    let is_named = |frame: &Frame, names: &[&str]| {
        let function = frame.function.as_deref().unwrap_or_default();
        names.iter().any(|name| function.contains(name))
    };
    let inner = frames.iter().position(Frame::is_yours).unwrap_or(frames.len());
    let prints = ["std::io::stdio::", "std::panicking::default_hook"];
    frames[..inner].iter().any(|frame| is_named(frame, &["std::io::"]))
        && frames.iter().any(|frame| is_named(frame, &prints))
}
