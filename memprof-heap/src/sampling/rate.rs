//! How many bytes are between two marked ones, and when that has to change.

mod adaptive;

use super::gap::{self, Random};
use super::live;
use crate::base::clock::nanoseconds;
use crate::base::level_word::{self, NO_EPOCH, SWITCH};
use adaptive::Samples;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// How often a block is sampled.
///
/// An estimate's standard error is about `sqrt(mean × bytes)` for small blocks: with 512 KiB, 9 % of
/// 64 MiB that are live, and 2 % of 1 GiB. Each sample costs a walk of the stack, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    mean: u64,
    adapts: bool,
}

impl Rate {
    /// One byte in 512 KiB is marked, and half as many whenever more than 1,000 samples are taken
    /// in a second: some milliseconds of each second at most. When fewer than 250 are taken in a
    /// second, twice as many bytes are marked again, up to one in 512 KiB.
    pub const ADAPTIVE: Self = Self { mean: 512 * 1024, adapts: true };

    /// Each block is a sample, while there are no more than 4,096.
    pub const EACH_BLOCK: Self = Self { mean: 0, adapts: false };

    /// One byte in `bytes` is marked; 0 is each block.
    ///
    /// Past 4,096 samples that are live every other one is dropped and from there on half as many
    /// are taken; estimates stay unbiased.
    pub const fn every(bytes: u64) -> Self {
        Self { mean: bytes, adapts: false }
    }

    pub(crate) const fn new(mean: u64, adapts: bool) -> Self {
        Self { mean, adapts }
    }

    /// Bytes from one marked byte to the next, on average.
    pub const fn mean_bytes(self) -> u64 {
        self.mean
    }

    pub(crate) const fn adapts(self) -> bool {
        self.adapts
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

/// Samples that may be live before they are thinned.
const MOST_LIVE: u64 = 4096;

/// The sampling run, and how often the mean has changed in it; or `NO_EPOCH`.
#[inline]
pub(crate) fn epoch() -> u64 {
    level_word::epoch()
}

/// The sampling run of an epoch.
pub(crate) fn session_of(epoch: u64) -> u32 {
    (epoch >> 32) as u32
}

/// Counts the times that sampling was switched on, from 1.
static SESSION: AtomicU32 = AtomicU32::new(0);
static MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
/// The mean of the finest rate that is requested. `MEAN` starts from it.
static START_MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
static ADAPTS: AtomicBool = AtomicBool::new(Rate::ADAPTIVE.adapts);
/// Samples taken, and when, since the mean was last judged.
static TAKEN: AtomicU64 = AtomicU64::new(0);
static JUDGED: AtomicU64 = AtomicU64::new(0);

/// Counts the times that sampling was switched on.
pub(crate) fn session() -> u32 {
    SESSION.load(Relaxed)
}

/// Bytes from one marked byte to the next, now.
pub(crate) fn mean() -> u64 {
    MEAN.load(Relaxed)
}

/// Goes to a rate that is requested: when sampling next begins, or at once if it goes on. The caller
/// holds the switch lock.
pub(crate) fn start_from(rate: Rate) {
    START_MEAN.store(rate.mean, Relaxed);
    ADAPTS.store(rate.adapts, Relaxed);
    judge_from(nanoseconds());
    change_mean(rate.mean);
}

/// The rate from which the mean starts.
pub(crate) fn start_rate() -> Rate {
    Rate { mean: START_MEAN.load(Relaxed), adapts: ADAPTS.load(Relaxed) }
}

/// A new sampling run is about to begin. The caller holds the switch lock.
pub(super) fn prepare() {
    gap::process_seed();
    SESSION.store(session().wrapping_add(1).max(1), Relaxed);
    judge_from(nanoseconds());
    MEAN.store(START_MEAN.load(Relaxed), Relaxed);
}

/// The first epoch of the sampling run.
pub(super) fn first_epoch() -> u64 {
    u64::from(session()) << 32 | 1
}

/// The caller holds the switch lock.
fn change_mean(mean: u64) {
    MEAN.store(mean, Relaxed);
    let epoch = epoch();
    if epoch != NO_EPOCH {
        let changes = (epoch as u32).wrapping_add(1).max(1);
        level_word::set_epoch(u64::from(session_of(epoch)) << 32 | u64::from(changes));
    }
}

fn judge_from(now: u64) {
    TAKEN.store(0, Relaxed);
    JUDGED.store(now, Relaxed);
}

/// A sample was taken, and so many are live: makes them fewer where they are too many.
pub(super) fn taken(live: u64, random: &Random) {
    if live > MOST_LIVE {
        thin(random);
    }
    let taken = TAKEN.fetch_add(1, Relaxed).wrapping_add(1);
    if taken.is_multiple_of(adaptive::BURST) || MEAN.load(Relaxed) > START_MEAN.load(Relaxed) {
        adapt();
    }
}

/// Halves the samples, unless another thread does, or switches.
#[cold]
fn thin(random: &Random) {
    let Some(_held) = SWITCH.try_lock() else { return };
    if epoch() != NO_EPOCH && live::count() > MOST_LIVE {
        let mean = adaptive::coarser(mean());
        change_mean(mean);
        live::thin(mean, random);
    }
}

/// Changes the mean of a rate that adapts, if too many samples were taken for their cost, or so few
/// that finer ones cost little.
pub(super) fn adapt() {
    if !ADAPTS.load(Relaxed) {
        return;
    }
    let Some(_held) = SWITCH.try_lock() else { return };
    if epoch() == NO_EPOCH {
        return;
    }
    let now = nanoseconds();
    let since = Samples {
        taken: TAKEN.load(Relaxed),
        nanoseconds: now.saturating_sub(JUDGED.load(Relaxed)),
        live: live::count(),
    };
    if let Some(mean) = since.mean_after(mean(), START_MEAN.load(Relaxed)) {
        judge_from(now);
        if mean != MEAN.load(Relaxed) {
            change_mean(mean);
        }
    }
}

/// Milliseconds of the clock, which samples have for the moment at which they were taken.
pub(crate) fn milliseconds() -> u64 {
    nanoseconds() / 1_000_000
}
