//! How much is recorded: nothing, counts, or samples as well.

use crate::hook::gate::Gate;
use crate::hook::process;
use crate::{sampling, totals};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How much the allocator records, each level what the one before does.
///
/// What each costs is in `docs/performance.md`, by instructions and by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing: calls are passed on after one look at a word.
    #[default]
    Off,
    /// Exact bytes and blocks, by thread and by operation, and peaks.
    Counters,
    /// Besides, samples of blocks with the call stack that allocated each: who holds what is live.
    Sampled,
}

impl Level {
    pub(crate) fn gate(self) -> Gate {
        match self {
            Self::Off => Gate::OFF,
            Self::Counters => Gate::COUNTERS,
            Self::Sampled => Gate::SAMPLED,
        }
    }

    fn of(gate: Gate) -> Self {
        match gate {
            Gate::SAMPLED => Self::Sampled,
            Gate::COUNTERS => Self::Counters,
            _ => Self::Off,
        }
    }
}

/// Since when something is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The first allocation of the program: nothing is missing.
    Start,
    /// So long ago. What was allocated before is unknown, and if it was freed since, it is among
    /// what was freed.
    Ago(Duration),
}

/// The level now.
///
/// ```
/// use memprof_heap::{Allocator, Level, level};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// assert_eq!(level(), Level::Counters);
/// # }
/// ```
pub fn level() -> Level {
    Level::of(Gate::now())
}

/// Sets the level of the whole process, from now on.
///
/// What is switched on late knows only what came later: the totals say [since when](Since). The
/// current thread takes samples at once, others after at most 64 KiB that they allocate. What is
/// switched off forgets its samples of live blocks, as nobody sees those blocks freed; counts of
/// operations and of sites stay.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// use memprof_heap::{Level, level, set_level};
///
/// # fn main() {
/// set_level(Level::Sampled);
/// assert_eq!(level(), Level::Sampled);
/// set_level(Level::Off);
/// # }
/// ```
///
/// # Cost
/// Microseconds, and some milliseconds the first time that samples are asked for, as a stack is
/// walked once so that whatever the walk needs is loaded.
pub fn set_level(level: Level) {
    let was = Gate::now();
    if was == level.gate() {
        return;
    }
    if level == Level::Sampled {
        sampling::begin();
    }
    level.gate().set();
    crate::operations::all_look_again();
    match (Level::of(was), level) {
        (Level::Off, Level::Off) => {}
        (Level::Off, _) => counting_begins(),
        (Level::Sampled, _) => sampling::end(),
        _ => {}
    }
    if level == Level::Sampled {
        SAMPLED_SINCE.store(moment(), Relaxed);
        sampling::begin_on_this_thread();
    }
}

/// Counts, if nothing did: for who asks for counts and set no level.
pub(crate) fn at_least_counters() {
    if Gate::COUNTERS.replace(Gate::OFF).is_ok() || Gate::COUNTERS.replace(Gate::PROBED).is_ok() {
        counting_begins();
    }
}

fn counting_begins() {
    totals::begin();
    process::reset_peak();
    COUNTED_SINCE.store(moment(), Relaxed);
}

/// Called once, from the first call of the hook.
pub(crate) fn started(level: Level) {
    if level >= Level::Counters {
        COUNTED_SINCE.store(AT_START, Relaxed);
    }
    if level == Level::Sampled {
        sampling::begin_with_program();
        SAMPLED_SINCE.store(AT_START, Relaxed);
    }
}

/// A moment before the clock of `moment` starts.
const AT_START: u64 = 0;
static COUNTED_SINCE: AtomicU64 = AtomicU64::new(AT_START);
static SAMPLED_SINCE: AtomicU64 = AtomicU64::new(AT_START);

/// Nanoseconds since a moment was first asked for, at least 1.
fn moment() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let nanoseconds = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(nanoseconds).unwrap_or(u64::MAX).max(1)
}

pub(crate) fn counted_since() -> Since {
    since(&COUNTED_SINCE)
}

pub(crate) fn sampled_since() -> Since {
    since(&SAMPLED_SINCE)
}

fn since(moment_of: &AtomicU64) -> Since {
    match moment_of.load(Relaxed) {
        AT_START => Since::Start,
        then => Since::Ago(Duration::from_nanos(moment().saturating_sub(then))),
    }
}
