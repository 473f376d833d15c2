//! Samples of blocks: which blocks are taken, and what is stored of them.
//!
//! Bytes are marked at random, as a Poisson process: the distances are exponentially distributed. A
//! block with a marked byte is a sample. So a block of `s` bytes is sampled with the probability
//! `p = 1 - exp(-s / mean)`. It represents `1 / p` blocks like it, so sums over samples are
//! unbiased. Exponential distances have no memory: a marked byte may be drawn again at any time.
//!
//! The samples of live blocks are found by address, without a lock and in memory of fixed size:
//! [`live_table`](super::live_table) has the protocol. The filter of the table is 16 KiB. With 32 KiB, the cache lines that frees read would evict too much
//! of the program's data from the cache.
//!
//! A sample that finds no place is counted as lost, and estimates miss it. There is a place for all
//! 4,096 samples that may be live, whatever their addresses, but for one in billions. Smaller tables
//! lost one in a thousand, and corrected estimates for it by windows of 1,024 insertions.

#[cfg(test)]
mod tests;

use crate::record::estimate::{Estimate, probability};
use crate::record::fork::TakingSample;
use crate::record::level::LevelWord;
use crate::record::live_table::{self, EMPTY, Filter, LANES, Sample, Slot, Table};
use crate::record::rate::Random;
use crate::record::switching::NO_EPOCH;
use crate::record::sync::Ordering::Relaxed;
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};
use crate::record::threads::{LocalShard, Shard};
use crate::record::{fork, level, rate, stacks, threads};
use core::cell::Cell;

/// The words with which a thread takes samples. All zero bytes mean that no marked byte was drawn.
///
/// The order of the fields is fixed, so that they fit into the slot with every compiler.
#[repr(C)]
struct Sampler {
    /// The next marked byte, as a count of the thread's allocated bytes.
    next: Cell<i64>,
    /// The epoch in which `next` was drawn.
    epoch: Cell<u64>,
    /// The mean with which `next` was drawn; it determines the weight of the sample.
    mean: Cell<u64>,
    random: Random,
    /// The generation of the process in which `random` was seeded. A forked child has another one,
    /// so it does not repeat its parent's numbers.
    generation: Cell<u32>,
    /// True while a sample is taken, so that allocations for it are not sampled.
    busy: Cell<bool>,
}

impl Sampler {
    /// Returns the sampler of the current thread.
    fn of(local: LocalShard) -> &'static Self {
        #[expect(unsafe_code, reason = "the slot is untyped")]
        // SAFETY: no other code reads this slot as another type. Zero bytes are valid for each
        // field; for a `bool` they are false.
        unsafe {
            local.sampling().as_ref()
        }
    }

    /// Draws the next marked byte after `allocated`.
    fn draw(&self, allocated: i64) {
        self.next.set(allocated.wrapping_add(self.random.gap(self.mean.get())));
    }

    /// Discards the marked byte, so that a new one is drawn when the thread next stops. The caller
    /// makes the thread stop at its next allocation.
    fn forget(&self) {
        self.epoch.set(NO_EPOCH);
    }

    fn renew(&self, allocated: i64, epoch: u64) {
        self.epoch.set(epoch);
        self.mean.set(rate::mean());
        if self.generation.replace(fork::generation()) != fork::generation() {
            let own = core::ptr::from_ref(self).addr() as u64;
            self.random.seed(own ^ rate::process_seed());
        }
        self.draw(allocated);
    }
}

/// Takes a sample of a block that was just counted, if it has a marked byte. Returns the number of
/// bytes that the thread may allocate until the next marked byte. `operation` returns the path of
/// the running operation.
pub(crate) fn allocated(
    local: LocalShard,
    memory: *mut u8,
    bytes: usize,
    operation: fn(LocalShard) -> u32,
) -> i64 {
    let epoch = rate::epoch();
    if epoch == NO_EPOCH {
        return i64::MAX;
    }
    let sampler = Sampler::of(local);
    let allocated = local.allocated();
    // A new mean applies from the next block on. The thread may have stopped at this block because
    // of a byte that was marked with the old mean. In that case, the block also represents earlier
    // blocks without a marked byte, so it needs the weight of the old mean.
    let drawn = sampler.epoch.get();
    let is_of_parent = sampler.generation.get() != fork::generation();
    let late = drawn != epoch && rate::sampling_run_of(drawn) == rate::sampling_run_of(epoch);
    if drawn != epoch && !late || is_of_parent {
        // A new run has begun, or the thread was forked. Draw from the start of this block, so that
        // it is sampled like any other.
        sampler.renew(allocated.wrapping_sub(bytes as i64), epoch);
    }
    if allocated.wrapping_sub(sampler.next.get()) > 0 {
        if !sampler.busy.replace(true) {
            take_sample(sampler, memory, bytes, operation(local), local.shard().thread());
            sampler.busy.set(false);
        }
        sampler.draw(allocated);
    }
    if late && !is_of_parent {
        // The byte that was drawn before doesn't matter, because exponential distances have no
        // memory.
        sampler.renew(allocated, epoch);
    }
    sampler.next.get().wrapping_sub(allocated).max(0)
}

fn take_sample(sampler: &Sampler, memory: *mut u8, bytes: usize, operation: u32, thread: u32) {
    let Some(_sample) = TakingSample::begin() else { return count_lost() };
    let mean = sampler.mean.get();
    let site = stacks::site_of(&stacks::walk());
    stacks::count(site, bytes as u64, mean);
    let sample = Sample {
        address: memory.addr(),
        size: bytes as u64,
        mean,
        site,
        operation,
        // Don't use the current run: a new run may have begun since. The thread that frees the
        // block may not read the new run's level yet. It would then not remove the sample, which
        // would stay in the table as a sample of the new run.
        sampling_run: rate::sampling_run_of(sampler.epoch.get()),
        thread,
        allocated_at: rate::milliseconds(),
    };
    insert(sample);
    rate::taken(live_count(), &sampler.random);
}

/// Takes out the sample of a block that is about to be freed, if it has one, and adds its age to
/// those of its call site.
pub(crate) fn freed(memory: *mut u8) {
    if let Some(sample) = take(memory.addr()) {
        count_freed(&sample);
    }
}

/// Adds the age of a block that was freed or moved to those of its call site, and notes the current
/// thread if another one allocated the block.
pub(crate) fn count_freed(sample: &Sample) {
    let age = rate::milliseconds().saturating_sub(sample.allocated_at);
    stacks::count_freed(sample.site, age);
    let Some(local) = threads::listed() else { return };
    // A thread that frees samples begins to take samples too. Otherwise it may first allocate up to
    // 32 KiB.
    if Sampler::of(local).epoch.get() != rate::epoch() {
        local.stop_at_next_allocation();
    }
    note_handover(sample, local.shard());
}

/// The number of the thread of the [`HandoverWatch`]; 0 without a watch.
static WATCHED: AtomicU32 = AtomicU32::new(0);

/// A period in which sampled blocks are noted that pass between the current thread and others: one
/// thread allocates the block, and the other frees or moves it.
pub(crate) struct HandoverWatch {
    outer: u32,
}

impl HandoverWatch {
    /// Returns `None` while another thread watches.
    pub(crate) fn begin() -> Option<Self> {
        let thread = threads::local().map_or(0, |local| local.shard().thread());
        let (Ok(outer) | Err(outer)) = WATCHED.compare_exchange(0, thread, Relaxed, Relaxed);
        if outer != 0 && outer != thread {
            return None;
        }
        threads::all().for_each(|shard| shard.hands_over.store(false, Relaxed));
        Some(Self { outer })
    }
}

impl Drop for HandoverWatch {
    fn drop(&mut self) {
        WATCHED.store(self.outer, Relaxed);
    }
}

/// Notes the other thread, if the block of a sample passes from or to the watched thread.
fn note_handover(sample: &Sample, freeing: &Shard) {
    let (watched, thread) = (WATCHED.load(Relaxed), freeing.thread());
    if watched == 0 || sample.thread == thread {
        return;
    }
    if sample.thread == watched {
        freeing.hands_over.store(true, Relaxed);
    } else if thread == watched {
        let allocated = |shard: &&Shard| shard.thread() == sample.thread;
        if let Some(shard) = threads::all().find(allocated) {
            shard.hands_over.store(true, Relaxed);
        }
    }
}

/// Runs memprof's own work, which is not sampled.
pub(crate) fn unsampled<T>(work: impl FnOnce() -> T) -> T {
    with_busy(true, work)
}

/// Resumes sampling for work within work that is not sampled.
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

    let Some(local) = threads::local() else { return work() };
    let busy = &Sampler::of(local).busy;
    let _until = Until(busy, busy.replace(now));
    work()
}

/// Returns all samples of live blocks.
pub(crate) fn live_samples() -> Vec<Sample> {
    // If no further samples are taken, only this call adapts the rate.
    rate::adapt();
    let mut samples = Vec::with_capacity(SLOTS);
    TABLE.for_each(|sample| {
        if sample.sampling_run == rate::sampling_run() && samples.len() < samples.capacity() {
            samples.push(sample);
        }
    });
    samples
}

/// Walks a stack once, so that the hook need not load what the first walk loads.
pub(crate) fn warm_up_stack_walk() {
    // Don't wait while a thread forks: it may be this one, in a function that runs around forks.
    let _sample = TakingSample::begin();
    core::hint::black_box(stacks::walk());
}

/// Empties the tables for a sampling run that is about to [begin](begin). Only the thread that
/// holds the switch lock may call this function, `begin` and `end`.
pub(crate) fn prepare() {
    clear_live();
    stacks::clear();
    rate::prepare();
}

/// Prepares a run that starts in the hook, with the program's first allocation. At that time the
/// tables are empty, so they are not cleared.
pub(crate) fn prepare_with_program() {
    rate::prepare();
}

/// Begins sampling.
pub(crate) fn begin() {
    level::begin_sampling(rate::first_epoch());
}

/// Ends sampling. From then on, frees don't remove samples, so none can be trusted to be live.
pub(crate) fn end(level: LevelWord) {
    level::end_sampling(level);
    clear_live();
}

/// Begins sampling in a forked child.
pub(crate) fn begin_in_child() {
    rate::forget_process_seed();
    if fork::samples_are_lost() && LevelWord::now().is_sampled() {
        // Don't clear the table, because a sample may be half written.
        level::end_sampling(LevelWord::COUNTERS);
    }
}

/// Makes the current thread take samples at once. Otherwise it may first allocate up to 32 KiB.
pub(crate) fn begin_on_current_thread() {
    if let Some(local) = threads::listed() {
        Sampler::of(local).forget();
        local.stop_at_next_allocation();
    }
}

/// Seeds the sampling of this thread from now on.
pub(crate) fn seed(seed: u64) {
    if let Some(local) = threads::local() {
        Sampler::of(local).random.seed(seed);
        Sampler::of(local).generation.set(fork::generation());
        Sampler::of(local).forget();
        local.stop_at_next_allocation();
    }
}

/// The number of slots: twice the maximum number of live samples.
const SLOTS: usize = GROUPS * LANES;
const GROUPS: usize = 512;
/// The number of words of the filter. Each has 16 counters, so there are eight counters for each
/// live sample that may exist.
const WORDS: usize = 2048;

static TABLE: Table<GROUPS, WORDS> = Table::new();
/// Samples lost since the table was cleared.
static LOST: AtomicU64 = AtomicU64::new(0);

impl<const GROUPS: usize, const WORDS: usize> Table<GROUPS, WORDS> {
    const fn new() -> Self {
        Self {
            filter: Filter { words: [const { AtomicU64::new(0) }; WORDS] },
            slots: [const {
                [const {
                    Slot {
                        address: AtomicUsize::new(EMPTY),
                        words: [const { AtomicU64::new(0) }; live_table::WORDS],
                        generation: AtomicU64::new(0),
                    }
                }; LANES]
            }; GROUPS],
            count: AtomicU64::new(0),
        }
    }
}

impl Sample {
    /// Estimates the bytes that the sample represents.
    pub(crate) fn bytes(&self) -> Estimate {
        Estimate::of_bytes(self.size, self.mean)
    }

    /// Estimates the blocks that the sample represents.
    pub(crate) fn blocks(&self) -> Estimate {
        Estimate::of_blocks(self.size, self.mean)
    }
}

/// Stores a sample, or counts it as lost if there is no place for it.
pub(crate) fn insert(sample: Sample) {
    if !TABLE.insert(sample) {
        count_lost();
    }
}

/// Counts a sample that could not be taken or stored.
fn count_lost() {
    LOST.fetch_add(1, Relaxed);
}

/// Returns the number of samples lost since the table was cleared.
pub(crate) fn lost() -> u64 {
    LOST.load(Relaxed)
}

/// Returns true if a block has a sample. If the block has none, this returns true in at most one of
/// eight cases.
#[inline(always)]
pub(crate) fn may_have(address: usize) -> bool {
    TABLE.may_have(address)
}

/// Takes out the sample of a block that is about to be freed or moved, if it has one.
#[inline(always)]
pub(crate) fn take(address: usize) -> Option<Sample> {
    if TABLE.may_have(address) { TABLE.take(address) } else { None }
}

/// Returns the number of live samples.
pub(crate) fn live_count() -> u64 {
    TABLE.count.load(Relaxed)
}

fn clear_live() {
    LOST.store(0, Relaxed);
    TABLE.retain(|_| None);
}

/// Drops samples at random, as if all had been taken with this mean. Samples with a larger mean
/// keep that mean. `random` draws a number above 0 and at most 1.
pub(crate) fn thin(mean: u64, random: impl Fn() -> f64) {
    TABLE.retain(|sample| {
        let (was, wanted) = (probability(sample.size, sample.mean), probability(sample.size, mean));
        if wanted >= was { Some(sample.mean) } else { (random() <= wanted / was).then_some(mean) }
    });
}
