//! Samples of blocks: which are taken, where they are kept, what they stand for.
//!
//! A byte in so many is marked, at random (a Poisson process: the distances are exponential), and
//! a block with a marked byte is a sample. So a block of `s` bytes is one with the probability
//! `p = 1 - exp(-s / mean)`, and stands for `1 / p` blocks like it: sums of that are unbiased.

mod call_sites;
mod estimate;
mod gap;
mod live;
mod rate;
mod stack;

pub(crate) use call_sites::{OTHER, call_site_counts, frames_of, used as used_sites};
pub use estimate::Estimate;
pub(crate) use live::Sample;
pub use rate::Rate;
pub(crate) use rate::{mean, milliseconds, session, start_from, start_rate};

use crate::base::level_word::{self, LevelWord, NO_EPOCH};
use crate::thread::shard::Mine;
use crate::thread::threads;
use core::cell::Cell;
use gap::Random;

/// The words with which a thread takes samples. All bytes may be zero: nothing was drawn.
struct Sampler {
    /// The next marked byte, counted as the thread's allocated bytes are.
    next: Cell<i64>,
    /// The epoch in which `next` was drawn.
    epoch: Cell<u64>,
    /// The mean it was drawn with, which the sample is worth.
    mean: Cell<u64>,
    random: Random,
    /// While a sample is taken, so that what that allocates isn't one.
    busy: Cell<bool>,
}

impl Sampler {
    /// The sampler of the current thread.
    fn of(mine: Mine) -> &'static Self {
        #[expect(unsafe_code, reason = "the slot has no type of its own")]
        // SAFETY: nothing else reads this slot. Zero is a value of each field, and of a `bool` false.
        unsafe {
            mine.sampling().as_ref()
        }
    }

    /// Draws the next marked byte, from `allocated` on.
    fn draw(&self, allocated: i64) {
        self.next.set(allocated.wrapping_add(self.random.gap(self.mean.get())));
    }

    /// The next byte is marked anew, from the next block on, at which the thread is about to stop
    /// whether it has a marked byte or not.
    fn forget(&self) {
        self.epoch.set(NO_EPOCH);
    }

    fn renew(&self, allocated: i64, epoch: u64) {
        self.epoch.set(epoch);
        self.mean.set(mean());
        self.random.seed_if_new(core::ptr::from_ref(self).addr() as u64);
        self.draw(allocated);
    }
}

/// Takes a sample of a block, just counted, if it has a marked byte. Returns how many bytes the
/// thread may allocate until the next. `operation` is the one that runs, by its number.
pub(crate) fn allocated(
    mine: Mine,
    memory: *mut u8,
    bytes: usize,
    operation: fn(Mine) -> u32,
) -> i64 {
    let epoch = rate::epoch();
    if epoch == NO_EPOCH {
        return i64::MAX;
    }
    let sampler = Sampler::of(mine);
    let allocated = mine.allocated_bytes();
    // A new mean counts from the next block on. This one may be where the thread stops because it
    // has the byte marked with the old mean: judged again, with the new one, it would stand for
    // itself, and nothing for those before it that had no such byte.
    let drawn = sampler.epoch.get();
    let late = drawn != epoch && rate::session_of(drawn) == rate::session_of(epoch);
    if drawn != epoch && !late {
        // From before this block, which can be a sample as any other.
        sampler.renew(allocated.wrapping_sub(bytes as i64), epoch);
    }
    if allocated.wrapping_sub(sampler.next.get()) > 0 {
        if !sampler.busy.replace(true) {
            take_sample(sampler, memory, bytes, operation(mine));
            sampler.busy.set(false);
        }
        sampler.draw(allocated);
    }
    if late {
        // What was drawn before doesn't matter, as exponential distances have no memory.
        sampler.renew(allocated, epoch);
    }
    sampler.next.get().wrapping_sub(allocated).max(0)
}

fn take_sample(sampler: &Sampler, memory: *mut u8, bytes: usize, operation: u32) {
    let mean = sampler.mean.get();
    let site = call_sites::site_of(&stack::walk());
    call_sites::count(site, bytes as u64, mean);
    let sample = Sample {
        address: memory.addr(),
        size: bytes as u64,
        mean,
        site,
        operation,
        // Not the one that may have begun since: its level may not be seen where the block is freed.
        session: rate::session_of(sampler.epoch.get()),
        // Set when it is stored.
        share: 0,
        born: milliseconds(),
    };
    live::insert(sample);
    rate::taken(live::count(), &sampler.random);
}

/// False if a block is no sample; at most in one of eight cases true although it is none.
#[inline(always)]
pub(crate) fn may_have(memory: *mut u8) -> bool {
    live::may_have(memory.addr())
}

/// Takes the sample of a block out, if it has one: the block is about to be freed or moved.
#[inline(always)]
pub(crate) fn take(memory: *mut u8) -> Option<Sample> {
    live::take(memory.addr())
}

/// Puts a sample back whose block was not moved after all.
pub(crate) fn put_back(sample: Sample) {
    live::put_back(sample);
}

/// Runs work of memprof's own, which is not sampled.
pub(crate) fn unsampled<T>(work: impl FnOnce() -> T) -> T {
    with_busy(true, work)
}

/// Takes samples again within work that is not sampled.
pub(crate) fn sampled_again<T>(work: impl FnOnce() -> T) -> T {
    with_busy(false, work)
}

fn with_busy<T>(now: bool, work: impl FnOnce() -> T) -> T {
    struct Until<'a>(&'a Cell<bool>, bool);

    impl Drop for Until<'_> {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }

    let Some(mine) = threads::mine() else { return work() };
    let busy = &Sampler::of(mine).busy;
    let _until = Until(busy, busy.replace(now));
    work()
}

/// All samples of blocks that are live.
pub(crate) fn live_samples() -> Vec<Sample> {
    // Where no samples are taken any more, nothing else judges the rate.
    rate::adapt();
    let mut samples = Vec::with_capacity(live::SLOTS);
    live::for_each(|sample| {
        if sample.session == session() && samples.len() < samples.capacity() {
            samples.push(sample);
        }
    });
    samples
}

pub(crate) fn lost() -> u64 {
    live::lost()
}

/// Loads now what the first walk of a stack loads, and not in the hook.
pub(crate) fn load_what_walks_need() {
    core::hint::black_box(stack::walk());
}

/// Returns true while samples are taken.
pub(crate) fn is_on() -> bool {
    rate::epoch() != NO_EPOCH
}

/// Empties the tables for a sampling run that is about to [begin](begin). As all below, for the
/// thread that holds the switch lock.
pub(crate) fn prepare() {
    live::clear();
    call_sites::clear();
    rate::prepare();
}

/// The same with the first allocation of the program, in the hook: the tables are empty.
pub(crate) fn prepare_with_program() {
    rate::prepare();
}

/// Sampling begins.
pub(crate) fn begin() {
    level_word::begin_sampling(rate::first_epoch());
}

/// Sampling ends: frees are not looked at any more, so no sample can be trusted to be live.
pub(crate) fn end(level: LevelWord) {
    level_word::end_sampling(level);
    live::clear();
}

/// The current thread takes samples from here on, not only after its next 64 KiB.
pub(crate) fn begin_on_this_thread() {
    if let Some(mine) = threads::listed() {
        Sampler::of(mine).forget();
        mine.stop_at_next_allocation();
    }
}

/// Makes the samples of this thread, from here on, those of a seed.
pub(crate) fn seed(seed: u64) {
    if let Some(mine) = threads::mine() {
        Sampler::of(mine).random.seed(seed);
        Sampler::of(mine).forget();
        mine.stop_at_next_allocation();
    }
}
