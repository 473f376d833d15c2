//! The level of the process and its rate: the highest level and the finest rate of those that are set
//! and requested.
//!
//! The first call of an allocator sets the level with which the allocator starts; all later switches
//! hold one lock. A switch first completes an earlier one that a fork interrupted, so it computes the
//! level from the requests and never from what an interrupted thread left.

use crate::record::fork::{self, Child};
use crate::record::level::{Level, LevelWord, SWITCH, WORDS};
use crate::record::sample::{self, Rate, RateWords};
use crate::record::switching::NO_EPOCH;
use crate::record::system::{AT_START, Since, nanoseconds, pin};
use crate::record::{process, running, threads};
use core::hint::black_box;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64};

/// Returns the current level: the highest of what [`set_level`] set and [`request_level`] requests.
///
/// ```
/// use memprof::heap::{level, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// assert_eq!(level(), Level::Counters);
/// # }
/// ```
pub fn level() -> Level {
    LevelWord::now_acquire().level()
}

/// Sets the base level of the whole process.
///
/// The level of the process is never below the base level. It is above the base level while a
/// [`LevelRequest`] for a higher level lives, for example the request of a session.
///
/// If recording starts late, earlier allocations are missing; the totals state [since when](Since)
/// they count. The current thread takes samples at once. Other threads start when they free a
/// sampled block, or after at most 32 KiB of allocations. When the level falls below `Sampled`,
/// samples of live blocks are discarded, because frees no longer remove them. Counts of operations
/// and of call sites are kept.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::{level, set_level, Level};
///
/// # fn main() {
/// set_level(Level::Sampled);
/// assert_eq!(level(), Level::Sampled);
/// set_level(Level::Off);
/// # }
/// ```
///
/// # Cost
/// The call takes microseconds. The first request for samples takes a few milliseconds: it walks a
/// stack once, which loads all that a walk needs. The call blocks while another thread switches the
/// level or the rate. So don't call it from a signal handler or from a function that the allocator
/// calls.
pub fn set_level(level: Level) {
    switch(level, || BASE.store(level as u8, Relaxed));
}

/// Requests at least this level for the whole process, until the returned guard is dropped.
///
/// The level is the highest of all requests and of [`set_level`]. So no code has to restore a
/// level, and a dropped request leaves the others as they are.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::{level, request_level, Level};
///
/// # fn main() {
/// let counted = request_level(Level::Counters);
/// let sampled = request_level(Level::Sampled);
/// assert_eq!(level(), Level::Sampled);
/// drop(sampled);
/// assert_eq!(level(), Level::Counters);
/// drop(counted);
/// assert_eq!(level(), Level::Off);
/// # }
/// ```
///
/// # Cost
/// Creating the guard costs as much as [`set_level`], and so does dropping it.
pub fn request_level(level: Level) -> LevelRequest {
    switch(level, || {
        REQUESTS[level as usize].fetch_add(1, Relaxed);
    });
    LevelRequest { level, rate: None }
}

/// A [requested](request_level) level. Dropping it ends the request.
#[derive(Debug)]
#[must_use = "the request ends when the guard is dropped: `let _request = …`"]
pub struct LevelRequest {
    level: Level,
    rate: Option<&'static RateWords>,
}

impl LevelRequest {
    /// Returns the requested level. The [level](level()) of the process may be higher.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Requests that blocks are sampled at least this often, as long as the guard lives.
    ///
    /// The finest of all requests and of [`set_rate`] is in effect: the rate with the smallest
    /// [mean](Rate::mean_bytes). If two rates have the same mean, the one that takes more samples in
    /// a second is in effect.
    ///
    /// ```
    /// # #[global_allocator]
    /// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
    /// use memprof::heap::{request_level, sites, Level, Rate};
    ///
    /// # fn main() -> Result<(), memprof::heap::NotRecorded> {
    /// let _request = request_level(Level::Sampled).with_rate(Rate::EACH_BLOCK);
    /// let kept = Box::new([0_u8; 100]);
    /// assert!(sites()?.live.value >= 100.0);
    /// # drop(kept);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cost
    /// The call costs as much as [`set_rate`].
    pub fn with_rate(mut self, rate: Rate) -> Self {
        {
            let _held = SWITCH.lock();
            let is_own = |place: &&RateWords| place.get() == NONE;
            self.rate = self.rate.or_else(|| RATE_REQUESTS.iter().find(is_own));
            if let Some(place) = self.rate {
                place.set(rate);
                start_from_finest();
            }
        }
        sample::begin_on_current_thread();
        self
    }
}

impl Drop for LevelRequest {
    fn drop(&mut self) {
        switch(Level::Off, || {
            REQUESTS[self.level as usize].fetch_sub(1, Relaxed);
        });
        if let Some(place) = self.rate {
            let _held = SWITCH.lock();
            place.set(NONE);
            start_from_finest();
        }
    }
}

/// The number of guards that request each level.
static REQUESTS: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

/// For code that needs counts in a program that set no level.
pub(crate) fn at_least_counters() {
    if level() == Level::Off {
        switch(Level::Counters, || {
            BASE.fetch_max(Level::Counters as u8, Relaxed);
        });
    }
}

/// Sets the level after `change`, which can lead at most to `highest`.
fn switch(highest: Level, change: impl FnOnce()) {
    call_allocator();
    fork::check();
    if highest > Level::Off {
        pin();
        fork::register(repair);
    }
    if highest == Level::Sampled && !fork::samples_are_lost() {
        // Walk without holding the switch lock, because the walk takes the lock of the system's
        // loader.
        sample::warm_up_stack_walk();
    }
    let switching = SWITCH.lock();
    change();
    let begun = apply(requested());
    drop(switching);
    if begun {
        sample::begin_on_current_thread();
    }
}

fn requested() -> Level {
    let requests = |level: Level| REQUESTS[level as usize].load(Relaxed) > 0;
    let base = BASE.load(Relaxed);
    let is_at_least = |level: Level| base >= level as u8 || requests(level);
    if is_at_least(Level::Sampled) && !fork::samples_are_lost() {
        Level::Sampled
    } else if is_at_least(Level::Counters) {
        Level::Counters
    } else {
        Level::Off
    }
}

/// Switches to this level. Returns true if sampling began. The caller holds the lock. This also
/// completes a switch of the parent process that a fork interrupted.
fn apply(level: Level) -> bool {
    let was = LevelWord::now().level();
    let (samples, shall_sample) = (WORDS.epoch() != NO_EPOCH, level == Level::Sampled);
    let is_decided = LevelWord::now() != LevelWord::UNDECIDED;
    if is_decided && was == level && samples == shall_sample {
        return false;
    }
    if was == Level::Off && level > Level::Off {
        // This must happen before a block is counted, and before a reader sees the level.
        process::begin_counting(nanoseconds());
        process::reset_peak();
    }
    let begins = shall_sample && !(samples && was == Level::Sampled);
    if begins {
        sample::prepare();
        SAMPLED_SINCE.store(nanoseconds(), Relaxed);
        sample::begin();
    } else if samples || was == Level::Sampled {
        sample::end(level.into());
    } else {
        LevelWord::from(level).set();
    }
    running::clear_limits();
    begins
}

/// The rate of a place without a request. It is coarser than any other rate, so it has no effect.
const NONE: Rate = Rate::every(u64::MAX);

/// The value of `BASE_RATE` until the program sets a rate.
const UNSET: Rate = Rate::adaptive(u64::MAX, 0);

/// The rate that `set_rate` set, or `UNSET`.
static BASE_RATE: RateWords = RateWords::new(UNSET);
/// The rate while neither the program nor a request sets one.
static DEFAULT_RATE: RateWords = RateWords::new(Rate::ADAPTIVE);
/// The rates of requests, or `NONE`. A further request has no effect. They are not a collection
/// behind a lock, because a fork could leave it half changed.
static RATE_REQUESTS: [RateWords; 256] = [const { RateWords::new(NONE) }; 256];

/// Sets how often blocks are sampled. If samples are already taken, the rate applies from now on.
///
/// While a [request](LevelRequest::with_rate) for a finer rate lives, that rate is in effect. Estimates stay unbiased,
/// because each sample keeps the weight that it had when it was taken.
///
/// # Cost
/// The call blocks while another thread switches the level or the rate. So don't call it from a
/// signal handler or from a function that the allocator calls.
pub fn set_rate(rate: Rate) {
    {
        let _held = SWITCH.lock();
        BASE_RATE.set(rate);
        // Do this even if the rate stays the same, because the mean restarts from the rate.
        sample::start_from(finest());
    }
    sample::begin_on_current_thread();
}

pub(crate) fn set_default_rate(rate: Rate) {
    {
        let _held = SWITCH.lock();
        DEFAULT_RATE.set(rate);
        start_from_finest();
    }
    sample::begin_on_current_thread();
}

/// If the finest rate is in effect already, the mean to which it has adapted stays.
fn start_from_finest() {
    let rate = finest();
    if rate != sample::start_rate() {
        sample::start_from(rate);
    }
}

fn finest() -> Rate {
    let requested = RATE_REQUESTS.iter().map(RateWords::get);
    let base = if BASE_RATE.get() == UNSET { &DEFAULT_RATE } else { &BASE_RATE };
    let all = requested.chain([base.get()]);
    all.min_by_key(|rate| rate.fineness()).unwrap_or_default()
}

static SAMPLED_SINCE: AtomicU64 = AtomicU64::new(AT_START);

pub(crate) fn sampled_since() -> Since {
    Since::of(SAMPLED_SINCE.load(Relaxed))
}

static BASE: AtomicU8 = AtomicU8::new(Level::Off as u8);

/// Sets the level with which the allocator starts, if no level is set. The hook must not wait, so
/// this function does nothing while another thread switches or prepares for forks. The next call of
/// the allocator then tries again.
pub(crate) fn start_at(level: Level) {
    IS_INSTALLED.store(true, Relaxed);
    if level > Level::Off && !fork::try_register(repair) {
        return;
    }
    let Some(_switching) = SWITCH.try_lock() else { return };
    if LevelWord::now() != LevelWord::UNDECIDED {
        return;
    }
    BASE.store(level as u8, Relaxed);
    if level == Level::Sampled {
        sample::prepare_with_program();
        sample::begin();
    } else {
        LevelWord::from(level).set();
    }
}

/// True once an allocator of this crate was called.
static IS_INSTALLED: AtomicBool = AtomicBool::new(false);

/// Returns true if [`Allocator`](crate::Allocator) is the global allocator, or is inside it.
///
/// An `Allocator` that only some collections of the program use counts as well, once it was called.
pub fn is_installed() -> bool {
    call_allocator();
    IS_INSTALLED.load(Relaxed)
}

/// If the global allocator is one of this crate, the call sets the level with which it starts.
fn call_allocator() {
    if LevelWord::now() == LevelWord::UNDECIDED {
        drop(black_box(Box::new(0_u8)));
    }
}

/// Repairs the words of threads that a fork left behind, and restarts sampling.
fn repair(child: Child) {
    threads::leave_behind(child);
    sample::begin_in_child();
}
