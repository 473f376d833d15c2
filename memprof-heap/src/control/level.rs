//! The level: the highest of those that are set and requested.

use crate::base::clock::{AT_START, Since, nanoseconds};
use crate::base::fork;
use crate::base::level_word::{Level, LevelWord, SWITCH};
use crate::base::pin::pin;
use crate::hook::{self, start::BASE};
use crate::operations;
use crate::sampling;
use crate::thread::{counted, process};
use core::hint::black_box;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Returns the level now: the highest of what [`set_level`] set and [`request_level`] requests.
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
/// they count. The current thread takes samples at once, other threads after at most 32 KiB of
/// allocations. When the level falls below `Sampled`, samples of live blocks are discarded, because
/// frees no longer remove them. Counts of operations and of call sites stay.
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
/// The call takes microseconds. The first request for samples takes some milliseconds: it walks a
/// stack once, which loads all that a walk needs. The call waits while another thread switches. So
/// don't call it from a signal handler or from a function that the allocator calls.
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
    LevelRequest { level }
}

/// A [requested](request_level) level. Dropping it ends the request.
#[derive(Debug)]
#[must_use = "the request ends when the guard is dropped: `let _request = …`"]
pub struct LevelRequest {
    level: Level,
}

impl LevelRequest {
    /// Returns the requested level. The [level](level()) of the process may be higher.
    pub fn level(&self) -> Level {
        self.level
    }
}

impl Drop for LevelRequest {
    fn drop(&mut self) {
        switch(Level::Off, || {
            REQUESTS[self.level as usize].fetch_sub(1, Relaxed);
        });
    }
}

/// The number of guards that request each level.
static REQUESTS: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

/// Raises the base level to `Counters` if the level is `Off`. It is for code that needs counts in a
/// program that set no level.
pub(crate) fn at_least_counters() {
    if level() == Level::Off {
        switch(Level::Counters, || {
            BASE.fetch_max(Level::Counters as u8, Relaxed);
        });
    }
}

/// Calls `change`, which changes the base level or the requests, and then sets the level. `highest`
/// is the highest level that `change` can lead to.
fn switch(highest: Level, change: impl FnOnce()) {
    if LevelWord::now() == LevelWord::UNDECIDED {
        // If an allocator of this crate is installed, this call sets the level with which it
        // starts.
        drop(black_box(Box::new(0_u8)));
    }
    fork::check();
    if highest > Level::Off {
        pin();
        hook::fork::register();
    }
    if highest == Level::Sampled && !fork::samples_are_lost() {
        // Walk without holding the switch lock, because the walk takes the lock of the system's
        // loader.
        sampling::warm_up_stack_walk();
    }
    let switching = SWITCH.lock();
    change();
    let begun = apply(requested());
    drop(switching);
    if begun {
        sampling::begin_on_current_thread();
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
    let (samples, shall_sample) = (sampling::is_on(), level == Level::Sampled);
    let is_decided = LevelWord::now() != LevelWord::UNDECIDED;
    if is_decided && was == level && samples == shall_sample {
        return false;
    }
    if was == Level::Off && level > Level::Off {
        // This must happen before a block is counted, and before a reader sees the level.
        counted::begin(nanoseconds());
        process::reset_peak();
    }
    let begins = shall_sample && !(samples && was == Level::Sampled);
    if begins {
        sampling::prepare();
        SAMPLED_SINCE.store(nanoseconds(), Relaxed);
        sampling::begin();
    } else if samples || was == Level::Sampled {
        sampling::end(level.into());
    } else {
        LevelWord::from(level).set();
    }
    operations::clear_limits();
    begins
}

/// The time at which sampling last began.
static SAMPLED_SINCE: AtomicU64 = AtomicU64::new(AT_START);

pub(crate) fn sampled_since() -> Since {
    Since::of(SAMPLED_SINCE.load(Relaxed))
}
