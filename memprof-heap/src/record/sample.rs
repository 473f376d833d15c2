//! Samples of blocks: which blocks are taken, what is stored of them, and how their rate adapts.
//!
//! Bytes are marked at random, as a Poisson process: the distances are exponentially distributed. A
//! block with a marked byte is a sample. So a block of `s` bytes is sampled with the probability
//! `p = 1 - exp(-s / mean)`. It represents `1 / p` blocks like it, so sums over samples are
//! unbiased. Exponential distances have no memory: a marked byte may be drawn again at any time.
//!
//! The finest rate of all requests is in effect. From there, the mean of an adaptive rate doubles
//! while samples cost too much, and halves while more of them would cost little. With any rate, more
//! than 4,096 live samples double the mean, and live samples are dropped at random to match it.
//!
//! The samples of live blocks are found by address, without a lock and in memory of fixed size:
//! [`live_table`](super::live_table) has the protocol. The filter of the table is 16 KiB. With 32 KiB,
//! the cache lines that frees read would evict too much of the program's data from the cache.
//!
//! A sample that finds no place is counted as lost, and estimates miss it. There is a place for all
//! 4,096 samples that may be live, whatever their addresses, but for one in billions. Smaller tables
//! lost one in a thousand, and corrected estimates for it by windows of 1,024 insertions.

#[cfg(test)]
mod tests;

use crate::record::estimate::{Estimate, probability};
use crate::record::fork::TakingSample;
use crate::record::level::{LevelWord, SWITCH, WORDS};
use crate::record::live_table::{self, EMPTY, Filter, LANES, Sample, Slot, Table};
use crate::record::switching::NO_EPOCH;
use crate::record::system::nanoseconds;
use crate::record::threads::{LocalShard, Shard};
use crate::record::{fork, level, stacks, threads};
use core::cell::Cell;
use core::cmp::Reverse;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, AtomicUsize};

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
    fn of(local: LocalShard) -> &'static Self {
        #[expect(unsafe_code, reason = "the slot is untyped")]
        // SAFETY: no other code reads this slot as another type. Zero bytes are valid for each
        // field; for a `bool` they are false.
        unsafe {
            local.sampling().as_ref()
        }
    }

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
        self.mean.set(mean());
        if self.generation.replace(fork::generation()) != fork::generation() {
            let own = core::ptr::from_ref(self).addr() as u64;
            self.random.seed(own ^ process_seed());
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
    let epoch = WORDS.epoch();
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
    let late = drawn != epoch && sampling_run_of(drawn) == sampling_run_of(epoch);
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
        sampling_run: sampling_run_of(sampler.epoch.get()),
        thread,
        allocated_at: milliseconds(),
    };
    insert(sample);
    taken(live_count(), &sampler.random);
}

/// If the block has a sample, adds its age to those of its call site.
pub(crate) fn freed(memory: *mut u8) {
    if let Some(sample) = take(memory.addr()) {
        count_freed(&sample);
    }
}

/// Also notes the current thread if another one allocated the block.
pub(crate) fn count_freed(sample: &Sample) {
    let age = milliseconds().saturating_sub(sample.allocated_at);
    stacks::count_freed(sample.site, age);
    let Some(local) = threads::listed() else { return };
    // A thread that frees samples begins to take samples too. Otherwise it may first allocate up to
    // 32 KiB.
    if Sampler::of(local).epoch.get() != WORDS.epoch() {
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

pub(crate) fn live_samples() -> Vec<Sample> {
    // If no further samples are taken, only this call adapts the rate.
    adapt();
    let mut samples = Vec::with_capacity(SLOTS);
    TABLE.for_each(|sample| {
        if sample.sampling_run == sampling_run() && samples.len() < samples.capacity() {
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
    prepare_with_program();
}

/// The run starts with the program's first allocation, so the tables are empty.
pub(crate) fn prepare_with_program() {
    process_seed();
    stacks::prepare();
    SAMPLING_RUN.store(sampling_run().wrapping_add(1).max(1), Relaxed);
    judge_from(nanoseconds());
    MEAN.store(START.get().mean, Relaxed);
}

pub(crate) fn begin() {
    level::begin_sampling(first_epoch());
}

/// Ends sampling. From then on, frees don't remove samples, so none can be trusted to be live.
pub(crate) fn end(level: LevelWord) {
    level::end_sampling(level);
    clear_live();
}

pub(crate) fn begin_in_child() {
    // A forked child has a seed of its own.
    SEED.store(0, Relaxed);
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
/// Each word has 16 counters, so there are eight counters per possible live sample.
const FILTER_WORDS: usize = 2048;

static TABLE: Table<GROUPS, FILTER_WORDS> = Table::new();
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
    pub(crate) fn bytes(&self) -> Estimate {
        Estimate::of_bytes(self.size, self.mean)
    }

    pub(crate) fn blocks(&self) -> Estimate {
        Estimate::of_blocks(self.size, self.mean)
    }
}

pub(crate) fn insert(sample: Sample) {
    if !TABLE.insert(sample) {
        count_lost();
    }
}

fn count_lost() {
    LOST.fetch_add(1, Relaxed);
}

pub(crate) fn lost() -> u64 {
    LOST.load(Relaxed)
}

/// If the block has no sample, this returns true in at most one of eight cases.
#[inline(always)]
pub(crate) fn may_have(address: usize) -> bool {
    TABLE.may_have(address)
}

/// Takes out the sample of a block that is about to be freed or moved, if it has one.
#[inline(always)]
pub(crate) fn take(address: usize) -> Option<Sample> {
    if TABLE.may_have(address) { TABLE.take(address) } else { None }
}

fn live_count() -> u64 {
    TABLE.count.load(Relaxed)
}

fn clear_live() {
    LOST.store(0, Relaxed);
    TABLE.retain(|_| None);
}

/// Drops samples at random, as if all had been taken with this mean. Samples with a larger mean
/// keep that mean. `random` draws a number above 0 and at most 1.
fn thin(mean: u64, random: impl Fn() -> f64) {
    TABLE.retain(|sample| {
        let (was, wanted) = (probability(sample.size, sample.mean), probability(sample.size, mean));
        if wanted >= was { Some(sample.mean) } else { (random() <= wanted / was).then_some(mean) }
    });
}

/// The rate at which blocks are sampled.
///
/// For small blocks, the standard error of an estimate is about `sqrt(mean × bytes)`. With a mean
/// of 512 KiB that is 9 % of 64 MiB of live memory, and 2 % of 1 GiB. For each sample, the thread
/// walks its stack, which takes microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    mean: u64,
    /// The mean rises above this many samples per second; `u64::MAX` if it does not adapt.
    max_per_second: u64,
}

impl Rate {
    /// One byte in 512 KiB is marked. If more than 1,024 samples are taken within a second, the
    /// rate halves. So sampling costs at most a few milliseconds of each second. If fewer than 256
    /// samples are taken in a second, the rate doubles, up to one byte in 512 KiB.
    pub const ADAPTIVE: Self = Self::adaptive(512 * 1024, 1024);

    /// Each block is a sample, up to 4,096 live samples.
    pub const EACH_BLOCK: Self = Self { mean: 0, max_per_second: u64::MAX };

    /// Creates a rate that marks one byte in `bytes`; 0 samples each block.
    ///
    /// Above 4,096 live samples, the rate halves, and live samples are dropped at random to match
    /// it. Estimates stay unbiased.
    pub const fn every(bytes: u64) -> Self {
        Self { mean: bytes, max_per_second: u64::MAX }
    }

    /// Creates a rate that marks one byte in `bytes` while at most `per_second` samples are taken
    /// in a second. It adapts like [`ADAPTIVE`](Self::ADAPTIVE).
    ///
    /// A sample takes about five microseconds, so 1,000 of them take about 0.5 % of a second.
    pub const fn adaptive(bytes: u64, per_second: u32) -> Self {
        Self { mean: bytes, max_per_second: per_second as u64 }
    }

    /// Returns the mean bytes from one marked byte to the next.
    pub const fn mean_bytes(self) -> u64 {
        self.mean
    }

    /// Returns a key by which finer rates come first. Of two rates with the same mean, the one that
    /// takes more samples in a second is finer.
    pub(crate) fn fineness(self) -> (u64, Reverse<u64>) {
        (self.mean, Reverse(self.max_per_second))
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

/// A rate in atomic words that are written under the switch lock.
#[derive(Debug)]
pub(crate) struct RateWords {
    mean: AtomicU64,
    max_per_second: AtomicU64,
}

impl RateWords {
    pub(crate) const fn new(rate: Rate) -> Self {
        let Rate { mean, max_per_second } = rate;
        Self { mean: AtomicU64::new(mean), max_per_second: AtomicU64::new(max_per_second) }
    }

    pub(crate) fn set(&self, rate: Rate) {
        self.mean.store(rate.mean, Relaxed);
        self.max_per_second.store(rate.max_per_second, Relaxed);
    }

    pub(crate) fn get(&self) -> Rate {
        let (mean, max_per_second) = (&self.mean, &self.max_per_second);
        Rate { mean: mean.load(Relaxed), max_per_second: max_per_second.load(Relaxed) }
    }
}

/// The number of live samples above which the samples are thinned.
const MAX_LIVE: u64 = 4096;

fn sampling_run_of(epoch: u64) -> u32 {
    (epoch >> 32) as u32
}

/// The number of the sampling run, from 1.
static SAMPLING_RUN: AtomicU32 = AtomicU32::new(0);
static MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
/// The finest requested rate. `MEAN` starts from its mean.
static START: RateWords = RateWords::new(Rate::ADAPTIVE);
/// The number of samples taken since the mean was last judged.
static TAKEN: AtomicU64 = AtomicU64::new(0);
/// The time at which the mean was last judged. In tests, this may be before the clock began.
static JUDGED: AtomicI64 = AtomicI64::new(0);

pub(crate) fn sampling_run() -> u32 {
    SAMPLING_RUN.load(Relaxed)
}

pub(crate) fn mean() -> u64 {
    MEAN.load(Relaxed)
}

/// Takes effect at once, or when sampling next begins. The caller holds the switch lock.
pub(crate) fn start_from(rate: Rate) {
    START.set(rate);
    judge_from(nanoseconds());
    change_mean(rate.mean);
}

pub(crate) fn start_rate() -> Rate {
    START.get()
}

fn first_epoch() -> u64 {
    u64::from(sampling_run()) << 32 | 1
}

/// Changes the mean and the epoch. The caller holds the switch lock.
fn change_mean(mean: u64) {
    MEAN.store(mean, Relaxed);
    let epoch = WORDS.epoch();
    if epoch != NO_EPOCH {
        let changes = (epoch as u32).wrapping_add(1).max(1);
        WORDS.set_epoch(u64::from(sampling_run_of(epoch)) << 32 | u64::from(changes));
    }
}

fn judge_from(now: u64) {
    TAKEN.store(0, Relaxed);
    JUDGED.store(now.cast_signed(), Relaxed);
}

/// Moves the time at which the mean was last judged into the past, so that tests need not wait.
pub(crate) fn judge_earlier(nanoseconds: i64) {
    JUDGED.fetch_sub(nanoseconds, Relaxed);
}

/// Counts a sample that was taken. Thins the samples if too many are `live`.
fn taken(live: u64, random: &Random) {
    if live > MAX_LIVE {
        double_mean(random);
    }
    let taken = TAKEN.fetch_add(1, Relaxed).wrapping_add(1);
    if taken.is_multiple_of(BURST) || mean() > START.mean.load(Relaxed) {
        adapt();
    }
}

/// Also thins the samples. Does nothing while another thread holds the switch lock.
#[cold]
fn double_mean(random: &Random) {
    let Some(_held) = SWITCH.try_lock() else { return };
    if WORDS.epoch() != NO_EPOCH && live_count() > MAX_LIVE {
        let mean = coarser(mean());
        change_mean(mean);
        thin(mean, || random.unit());
    }
}

/// The mean rises if samples cost too much, and falls if more samples would cost little.
fn adapt() {
    let start = START.get();
    if start.max_per_second == u64::MAX {
        return;
    }
    let Some(_held) = SWITCH.try_lock() else { return };
    if WORDS.epoch() == NO_EPOCH {
        return;
    }
    let now = nanoseconds();
    let since = Samples {
        taken: TAKEN.load(Relaxed),
        nanoseconds: (now.cast_signed() - JUDGED.load(Relaxed)).max(0).cast_unsigned(),
        live: live_count(),
    };
    if let Some(mean) = since.mean_after(mean(), start.mean, start.max_per_second) {
        judge_from(now);
        if mean != MEAN.load(Relaxed) {
            change_mean(mean);
        }
    }
}

/// Returns milliseconds of the clock, the unit of the time at which samples are taken.
pub(crate) fn milliseconds() -> u64 {
    nanoseconds() / 1_000_000
}

/// The number of samples after which the mean is judged.
const BURST: u64 = 1024;
/// The mean becomes finer below this fraction of the maximum number of samples per second (`max`),
/// where more samples cost little. Between this fraction and the maximum, the mean stays the same,
/// so that it does not oscillate.
const FEW: f64 = 0.25;
/// The number of seconds after which the mean is judged with fewer samples.
const QUIET_SECONDS: f64 = 4.0;
/// The maximum number of live samples with which the mean becomes finer. Thinning starts above
/// 4,096 samples and leaves about half of them, so the mean does not become finer directly after a
/// thinning.
const MANY_LIVE: u64 = 1536;

#[derive(Clone, Copy)]
struct Samples {
    taken: u64,
    nanoseconds: u64,
    live: u64,
}

impl Samples {
    /// Returns the mean from now on, or `None` if it is too early to judge the mean. `start` is the
    /// finest mean, and more than `max` samples per second cost too much.
    fn mean_after(self, mean: u64, start: u64, max: u64) -> Option<u64> {
        let seconds = self.nanoseconds as f64 / 1e9;
        let (burst, max) = (BURST as f64, max as f64);
        if self.taken >= BURST && seconds * max < burst {
            return Some(coarser(mean));
        }
        if self.taken < BURST && seconds < QUIET_SECONDS {
            return None;
        }
        let mut mean = mean;
        let mut per_second = self.taken as f64 / seconds;
        while mean > start && per_second < FEW * max && self.live <= MANY_LIVE {
            mean = (mean / 2).max(start);
            // Half the distance gives about twice the samples.
            per_second *= 2.0;
        }
        Some(mean)
    }
}

fn coarser(mean: u64) -> u64 {
    /// The mean after `EACH_BLOCK`: most blocks are smaller than this.
    const MIN: u64 = 256;
    mean.saturating_mul(2).max(MIN)
}

/// The random generator of one thread: xorshift with a final multiplication.
pub(crate) struct Random {
    state: Cell<u64>,
}

/// The longest distance, as a multiple of the mean. One in 485 million distances would be longer.
const LONGEST: f64 = 20.0;

impl Random {
    #[cfg(test)]
    pub(crate) const fn new() -> Self {
        Self { state: Cell::new(0) }
    }

    pub(crate) fn seed(&self, seed: u64) {
        // A step of splitmix, so that adjacent seeds give unrelated states.
        let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.state.set((mixed ^ (mixed >> 31)) | 1);
    }

    fn next(&self) -> u64 {
        let mut state = self.state.get();
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.state.set(state);
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number above 0 and at most 1.
    pub(crate) fn unit(&self) -> f64 {
        const STEPS: f64 = (1_u64 << 53) as f64;
        ((self.next() >> 11) as f64 + 1.0) / STEPS
    }

    /// Returns whole bytes, exponentially distributed with this mean.
    fn gap(&self, mean: u64) -> i64 {
        let means = (-self.unit().ln()).min(LONGEST);
        (means * mean as f64) as i64
    }
}

static SEED: AtomicU64 = AtomicU64::new(0);

fn process_seed() -> u64 {
    if SEED.load(Relaxed) == 0 {
        let place = 0_u8;
        let time = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
        let seed = time ^ (core::ptr::from_ref(&place).addr() as u64).rotate_left(32);
        let _ = SEED.compare_exchange(0, seed | 1, Relaxed, Relaxed);
    }
    SEED.load(Relaxed)
}
