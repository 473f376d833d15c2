//! The watch that a program keeps on its heap.

use super::ages::Aged;
use super::places::Places;
use super::record::{Observed, Record, Row, rows};
use super::report::{self, Leaks};
use crate::control::not_recorded::NotRecorded;
use crate::control::not_recorded::sampled;
use crate::results::totals::totals;
use crate::sampling;
use crate::thread::profiler_work;
use core::fmt;
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Watches from a moment on what keeps growing, and tells where it is allocated.
///
/// Start one when the program has all it needs to begin its work; [observe](Self::observe) as often
/// as you like, each minute or each request; and [ask](Self::leaks) when you want to know. What was
/// there before never counts, and what is merely alive is no leak: a suspect has grown, still does,
/// and keeps what it allocated.
///
/// ```
/// use memprof_heap::{Allocator, LeakWatch, Level, set_level};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// set_level(Level::Sampled);
/// let watch = LeakWatch::start()?;
///
/// let mut sessions = Vec::new();
/// for request in 0..20 {
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
/// Threads can share a watch. Several don't disturb each other.
///
/// # Limits
/// - Sites are known from samples. Growth below about ten times the [mean](crate::Rate::mean_bytes) of
///   the rate, 512 KiB unless you [set another](crate::set_rate), is not distinguished from chance.
/// - What begins to grow late is found after it has grown for about as long as the watch had
///   lasted before.
/// - One buffer that doubles when it is full is a suspect after three of its steps: once it has grown
///   to 8 times its size since the watch started, at a steady pace.
/// - What is replaced once in the time watched wanders, and is called a leak in up to one case of
///   five. Watch for longer than your caches take to be replaced.
/// - If samples were not taken before the watch started, old blocks that are replaced by new ones
///   look like growth until all are replaced: [the report](Leaks) says whether the process grows.
/// - Setting another level ends what is known: the watch starts again when samples are taken, and
///   the report says so.
///
/// # Cost
/// At most 20 MiB of memory, which is neither sampled nor reported. Where fewer than 1,000 call stacks
/// hold live blocks, at most 5 MiB. See [`observe`](Self::observe).
pub struct LeakWatch {
    watched: Mutex<Watched>,
    /// Apart, as names take longer to find than an observation to make.
    places: Mutex<Places>,
}

/// What was observed since the baseline.
struct Watched {
    began: Instant,
    /// Milliseconds of the clock that samples are stamped with.
    born: u64,
    session: u32,
    /// Bytes live in the process, without the watch's own.
    live: i64,
    /// What sites held at the baseline.
    baseline: Vec<Row>,
    record: Record,
    observations: u64,
    /// Ages of blocks at the last observation.
    ages: Vec<Aged>,
    restarted: bool,
}

impl LeakWatch {
    /// Takes the baseline: what is live now never counts.
    ///
    /// # Errors
    /// If the level isn't [`Sampled`](crate::Level::Sampled).
    ///
    /// # Cost
    /// That of an observation, and at least a millisecond, so that no block of the program's is as
    /// old as the baseline.
    pub fn start() -> Result<Self, NotRecorded> {
        sampled()?;
        Ok(own_work(|| Self {
            watched: Mutex::new(Watched::start()),
            places: Mutex::new(Places::default()),
        }))
    }

    /// Records what each site and operation holds now of what was allocated since the baseline.
    ///
    /// Some hundred observations are kept: with more, every other one is dropped, and of the next
    /// ones as many.
    ///
    /// # Errors
    /// If the level isn't [`Sampled`](crate::Level::Sampled).
    ///
    /// # Cost
    /// A look at each live sample, of which there are at most some thousand, and no look-up of
    /// names: some 0.1 ms.
    pub fn observe(&self) -> Result<(), NotRecorded> {
        sampled()?;
        let mut watched = lock(&self.watched);
        own_work(|| watched.observe());
        Ok(())
    }

    /// What grows, as far as the observations tell.
    ///
    /// # Cost
    /// That of [`sites`](crate::sites) for names that were not looked up before, and the statistics
    /// of each series. Observations can be made meanwhile.
    pub fn leaks(&self) -> Leaks {
        sampling::unsampled(|| {
            let watched = lock(&self.watched);
            let seen = report::Seen {
                watched: watched.began.elapsed(),
                baseline: watched.baseline.clone(),
                observed: watched.record.observations(),
                ages: watched.ages.clone(),
                observations: watched.observations,
                restarted: watched.restarted,
            };
            drop(watched);
            let mut places = lock(&self.places);
            // What is remembered is the watch's, what is handed out the caller's.
            profiler_work::run(|| {
                let sites = seen.sites();
                places.keep_only(&sites);
                for site in sites {
                    drop(places.location(site));
                }
            });
            let leaks = seen.report(&mut places);
            places.put_away();
            leaks
        })
    }
}

impl Watched {
    fn start() -> Self {
        let born = sampling::milliseconds();
        let new = Self {
            began: Instant::now(),
            born,
            session: sampling::session(),
            live: live(),
            baseline: rows(&sampling::live_samples(), born, 0),
            record: Record::default(),
            observations: 0,
            ages: Vec::new(),
            restarted: false,
        };
        // Until the clock goes on, blocks would be as old as the baseline.
        while sampling::milliseconds() == new.born {
            std::thread::sleep(Duration::from_millis(1));
        }
        new
    }

    fn observe(&mut self) {
        if self.session != sampling::session() {
            *self = Self { restarted: true, ..Self::start() };
            return;
        }
        let net = live() - self.live;
        let samples = sampling::live_samples();
        let now = sampling::milliseconds();
        let watched = now.saturating_sub(self.born);
        self.observations += 1;
        let ages = samples.iter().filter_map(|sample| Aged::of(sample, now, watched));
        self.ages = ages.collect();
        self.record.push(Observed {
            seconds: self.began.elapsed().as_secs_f64(),
            number: self.observations,
            net,
            rows: rows(&samples, now, watched),
        });
    }
}

/// Bytes live in the process, but for those of profilers, from a start that changes only with the
/// level.
fn live() -> i64 {
    totals().map_or(0, |totals| totals.program_bytes())
}

/// Work of the watch's own, whose memory is no program's.
fn own_work<T>(work: impl FnOnce() -> T) -> T {
    sampling::unsampled(|| profiler_work::run(work))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for LeakWatch {
    /// What is freed was counted as the watch's.
    fn drop(&mut self) {
        own_work(|| {
            let watched = self.watched.get_mut().unwrap_or_else(PoisonError::into_inner);
            (watched.baseline, watched.ages, watched.record) = Default::default();
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
