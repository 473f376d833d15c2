//! The places of a leak: call sites that grow from round to round while every block is sampled.
//!
//! At most 4,096 samples are live. When more blocks are, the rate becomes coarser: samples are
//! removed at random, and the others represent them. So the growth is that until the last round in
//! which every block was sampled. If there are not two such rounds, the growth of the other rounds
//! is an estimate, and call sites whose growth is within its errors are left out.
//!
//! The samples have the thread that allocated, and are removed by any thread that frees. So they
//! distinguish a leak from blocks that another thread frees; the counts of one thread do not.
//!
//! Blocks that are older than the first sample have none, so their frees are not seen. A cache that
//! replaces them seems to grow. The exact counts show how much was freed like that, and so which
//! call sites only replace older blocks.
//!
//! The whole process is sampled meanwhile, so only one thread at a time may do so.

use crate::read::frame::{Frame, Place};
use crate::read::leaks::Places;
use crate::read::no_leak::{Judged, LeakError};
use crate::read::operations;
use crate::record::level::Level;
use crate::record::live_table::Sample;
use crate::record::operation::{OperationGuard, OperationSite};
use crate::record::sample::{self, Rate};
use crate::record::switch::{LevelRequest, request_level};
use crate::record::threads;
use core::cell::Cell;
use core::mem;
use core::time::Duration;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Instant;

/// The standard errors by which an estimated growth must exceed 0.
const ERRORS: f64 = 3.0;

/// The maximum number of call sites among which those that replace blocks are searched.
const SEARCHED: usize = 12;

/// A call site that leaks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeakSite {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line.
    /// `None` if no frame is the program's own, or without debug information.
    pub location: Option<Frame>,
    /// The operations of the work, outermost first; empty outside of all operations.
    pub operation: Vec<&'static str>,
    /// Bytes by which live memory grows in each round, on average.
    pub bytes_per_round: f64,
    /// Blocks by which live memory grows in each round, on average.
    pub blocks_per_round: f64,
    /// A call stack, from the location outwards to the work.
    pub stack: Vec<Frame>,
}

/// What the rounds in which every block was sampled left behind.
pub(crate) struct Sampled {
    /// The live samples after the first of these rounds. That round may replace earlier blocks,
    /// which is not growth.
    first: Vec<Sample>,
    last: Vec<Sample>,
    /// The number of rounds between the two.
    pub rounds: u32,
    places: Places,
}

#[derive(Clone, Copy)]
pub(crate) struct Net {
    pub bytes: f64,
    pub blocks: f64,
}

impl Sampled {
    /// Also returns the growth of the test harness's buffer for captured output, in each round.
    pub(crate) fn run<J: Judged + ?Sized>(work: &mut J) -> Result<(Self, Vec<i64>), LeakError> {
        let (mut first, mut last, mut captured) = (Vec::new(), Vec::new(), Vec::new());
        let (mut rounds, mut is_exact, mut places) = (0, false, Places::default());
        for number in 0..work.rounds().rounds_to_confirm() {
            work.run()?;
            sample::unsampled(|| {
                let now = work.live();
                captured.push(captured_bytes(&now, &mut places));
                if number == 0 {
                    first = wait_for_frees(now.clone());
                }
                // If too many samples were live, some were removed, and the others represent them.
                let is_each_sampled = sample::mean() == 0;
                if is_each_sampled || !is_exact {
                    (last, rounds) = (now, number);
                }
                is_exact |= is_each_sampled && number > 0;
            });
        }
        Ok(sample::unsampled(|| (Self::new(first, last, rounds), growth_of_buffer(&captured))))
    }

    pub(crate) fn new(first: Vec<Sample>, last: Vec<Sample>, rounds: u32) -> Self {
        sample::unsampled(|| {
            let (last, places) = (wait_for_frees(last), Places::default());
            Self { first, last, rounds, places }.of_the_work()
        })
    }

    /// Leaves out the buffer of captured output, and blocks that were live all the time. Some of
    /// those may have been sampled before the rounds, at another rate, and would only add their
    /// error.
    ///
    /// A sample that was thinned in between also represents others that were removed, so it is not
    /// left out.
    fn of_the_work(mut self) -> Self {
        let weighted = |one: &Sample| (block(one), one.mean);
        let [first, last]: [HashSet<_>; 2] =
            [&self.first, &self.last].map(|samples| samples.iter().map(weighted).collect());
        let places = &mut self.places;
        let mut changed = |samples: &mut Vec<Sample>, stayed: &HashSet<(Block, u64)>| {
            let is_left_out = |one: &Sample| stayed.contains(&weighted(one));
            samples.retain(|one| !is_left_out(one) && !places.captures_output(one.site));
        };
        changed(&mut self.first, &last);
        changed(&mut self.last, &first);
        self
    }

    fn signed(&self) -> impl Iterator<Item = (f64, &Sample)> {
        let first = self.first.iter().map(|sample| (-1.0, sample));
        first.chain(self.last.iter().map(|sample| (1.0, sample)))
    }

    /// Returns what is still live of the blocks that this thread allocated, at most `counted`, which
    /// the thread counted. The two differ if other threads free the blocks. `None` if nothing is
    /// live that is certain.
    pub(crate) fn kept(&self, counted: Net) -> Option<Net> {
        let (live, error) = self.live();
        let is_less = live.bytes + error < counted.bytes;
        (live.bytes > error).then_some(if is_less { live } else { counted })
    }

    pub(crate) fn is_mostly_elsewhere(&self) -> bool {
        let sign = |sample: &Sample| if is_here(sample.thread) { -1.0 } else { 1.0 };
        self.signed().map(|(of, one)| of * sign(one) * one.bytes().value).sum::<f64>() >= 0.0
    }

    /// Returns the growth of live bytes and blocks, and the error of the bytes.
    fn live(&self) -> (Net, f64) {
        let (mut live, mut variance) = (Net { bytes: 0.0, blocks: 0.0 }, 0.0);
        for (sign, sample) in self.signed() {
            live.bytes += sign * sample.bytes().value;
            live.blocks += sign * sample.blocks().value;
            variance += sample.bytes().variance;
        }
        (live, ERRORS * variance.sqrt())
    }

    /// Returns the call sites that left `net` behind, the largest growth first.
    pub(crate) fn sites(mut self, net: Net) -> Vec<LeakSite> {
        sample::unsampled(|| {
            let rounds = f64::from(self.rounds.max(1));
            let mut places = mem::take(&mut self.places);
            let grown = without_replaced(self.grown(&mut places), net);
            let site = |(place, grown): (Place, Change)| LeakSite {
                location: place.allocates().cloned(),
                operation: grown.operation,
                bytes_per_round: grown.bytes / rounds,
                blocks_per_round: grown.blocks / rounds,
                stack: within_the_work(places.stack(grown.example)),
            };
            grown.into_iter().map(site).collect()
        })
    }

    fn grown(&self, places: &mut Places) -> Vec<(Place, Change)> {
        let mut grown: HashMap<(Place, u32), Change> = HashMap::new();
        for (sign, sample) in self.signed() {
            let entry = grown.entry((places.place(sample.site), sample.operation));
            let entry = entry.or_insert_with(|| Change {
                operation: operations_of(sample),
                ..Change::default()
            });
            let bytes = sample.bytes();
            entry.bytes += sign * bytes.value;
            entry.variance += bytes.variance;
            entry.blocks += sign * sample.blocks().value;
            entry.example = sample.site;
        }
        let grown = grown.into_iter().map(|((place, _), grown)| (place, grown));
        grown.filter(|(_, grown)| grown.bytes > ERRORS * grown.variance.sqrt()).collect()
    }
}

/// Waits for other threads that free these blocks, as long as they continue. Returns the samples of
/// those that stay. Blocks on their way to another thread are not what the work keeps. Once too
/// many are live, samples of live blocks are removed too, so it stops.
fn wait_for_frees(mut samples: Vec<Sample>) -> Vec<Sample> {
    /// The time after which no block is on its way, if none was freed.
    const QUIET: u32 = 5;
    let mut quiet = 0;
    while quiet < QUIET && !samples.is_empty() {
        thread::sleep(Duration::from_millis(2));
        let live: HashSet<Block> = sample::live_samples().iter().map(block).collect();
        if sample::mean() > 0 {
            break;
        }
        let before = samples.len();
        samples.retain(|sample| live.contains(&block(sample)));
        quiet = if samples.len() < before { 0 } else { quiet + 1 };
    }
    samples
}

/// The identity of a block: its address, the time at which it was sampled, and its call site.
type Block = (usize, u64, u32);

fn block(sample: &Sample) -> Block {
    (sample.address, sample.allocated_at, sample.site)
}

fn captured_bytes(samples: &[Sample], places: &mut Places) -> i64 {
    let captured = samples.iter().filter(|sample| places.captures_output(sample.site));
    captured.map(|sample| sample.size.cast_signed()).sum()
}

/// Returns for each size the bytes by which the buffer had grown; 0 until the buffer is first
/// found. A buffer doubles, so the first size found is twice the size before.
fn growth_of_buffer(sizes: &[i64]) -> Vec<i64> {
    let first = sizes.iter().copied().find(|size| *size > 0).unwrap_or_default();
    let mut largest = 0;
    let grown = sizes.iter().map(|size| {
        // The sample of the buffer may be removed when the rate becomes coarser.
        largest = largest.max(*size);
        (largest - first / 2).max(0)
    });
    grown.collect()
}

#[derive(Default)]
struct Change {
    operation: Vec<&'static str>,
    bytes: f64,
    blocks: f64,
    /// The square of the standard error of the bytes; 0 if every block was sampled.
    variance: f64,
    example: u32,
}

/// Leaves out call sites that only replace blocks without samples, so that the others add up to the
/// exact growth. If several choices are equally close, all of them are listed, with their shares.
fn without_replaced(mut sites: Vec<(Place, Change)>, net: Net) -> Vec<(Place, Change)> {
    let is_kept = |kept: u32, index: usize| index >= SEARCHED || kept >> index & 1 == 1;
    let sum = |sites: &[(Place, Change)], kept: u32| {
        let kept = sites.iter().enumerate().filter(|(index, _)| is_kept(kept, *index));
        kept.fold((0.0, 0.0), |sum, (_, (_, site))| (sum.0 + site.bytes, sum.1 + site.blocks))
    };
    sites.sort_by(|(_, a), (_, b)| b.bytes.total_cmp(&a.bytes));
    if sum(&sites, u32::MAX).0 > net.bytes + 0.5 {
        let distance = |kept: u32| {
            let (bytes, blocks) = sum(&sites, kept);
            (bytes - net.bytes).abs() / net.bytes.max(1.0)
                + (blocks - net.blocks).abs() / net.blocks.max(1.0)
        };
        let choices = 1..1_u32 << sites.len().min(SEARCHED);
        let least = choices.clone().map(distance).fold(f64::INFINITY, f64::min);
        let closest = choices.filter(|kept| distance(*kept) < least + 1e-9);
        let kept = closest.fold(0, |all, kept| all | kept);
        let mut index = 0..;
        sites.retain(|_| index.next().is_some_and(|index| is_kept(kept, index)));
    }
    let (bytes, blocks) = sum(&sites, u32::MAX);
    for (_, site) in &mut sites {
        site.bytes *= (net.bytes / bytes).min(1.0);
        site.blocks *= if blocks > net.blocks { net.blocks / blocks } else { 1.0 };
    }
    sites
}

/// Returns the stack without the functions that run the work, and without their callers.
fn within_the_work(mut stack: Vec<Frame>) -> Vec<Frame> {
    // The path of `no_leak`, which contains this module.
    let no_leak = module_path!().trim_end_matches("sites");
    let runs = |frame: &Frame| {
        let function = frame.function.as_deref().unwrap_or_default();
        function.trim_start_matches('<').starts_with(no_leak)
    };
    if let Some(end) = stack.iter().position(runs) {
        stack.truncate(end);
    }
    stack
}

/// The operation around the work while every block is sampled. Outer operations are not shown.
static MARK: OperationSite = OperationSite::new("assert_no_leak!", file!(), line!());

/// The whole process is sampled, so only one thread at a time should sample each block.
static ONE: Mutex<()> = Mutex::new(());

static ROUNDS: AtomicU64 = AtomicU64::new(0);

/// True if a thread has waited in vain for the holder of the lock.
static HOLDER_WAITS: AtomicBool = AtomicBool::new(false);

/// Counts a round. Threads that wait for the lock see that its holder goes on.
pub(crate) fn count_round() {
    ROUNDS.fetch_add(1, Relaxed);
}

/// Waits for the lock as long as rounds are run. The work of its holder may wait for a lock of this
/// thread, or for this thread. Returns `None` in that case: both threads sample each block then, and
/// share the samples.
fn lock_one() -> Option<MutexGuard<'static, ()>> {
    const PATIENCE: Duration = Duration::from_secs(2);
    let (mut since, mut rounds) = (Instant::now(), ROUNDS.load(Relaxed));
    loop {
        match ONE.try_lock() {
            Ok(one) => return Some(one),
            Err(TryLockError::Poisoned(one)) => return Some(one.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
        if rounds != ROUNDS.load(Relaxed) {
            (since, rounds) = (Instant::now(), ROUNDS.load(Relaxed));
        }
        if since.elapsed() > PATIENCE || HOLDER_WAITS.load(Relaxed) {
            HOLDER_WAITS.store(true, Relaxed);
            return None;
        }
    }
}

thread_local! {
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// A request that each block of the process is sampled, until this is dropped.
pub(crate) struct EachBlock {
    _mark: OperationGuard,
    /// `None` within another such period of this thread.
    outermost: Option<Outermost>,
}

struct Outermost {
    _request: LevelRequest,
    one: Option<MutexGuard<'static, ()>>,
}

impl EachBlock {
    pub(crate) fn begin() -> Self {
        let outermost = (!HERE.replace(true)).then(|| {
            let one = lock_one();
            let request = request_level(Level::Sampled).with_rate(Rate::EACH_BLOCK);
            Outermost { _request: request, one }
        });
        Self { _mark: MARK.enter(), outermost }
    }
}

/// Returns the samples that these threads have taken since a time, in milliseconds.
pub(crate) fn live_since(milliseconds: u64, judges: impl Fn(u32) -> bool) -> Vec<Sample> {
    let mut samples = sample::live_samples();
    samples.retain(|one| one.allocated_at >= milliseconds && judges(one.thread));
    samples
}

pub(crate) fn is_here(thread: u32) -> bool {
    threads::local().is_some_and(|local| local.shard().thread() == thread)
}

/// Returns the operations within the mark.
fn operations_of(sample: &Sample) -> Vec<&'static str> {
    let mut names = operations::names(sample.operation);
    let mark = names.iter().position(|name| *name == MARK.name());
    names.split_off(mark.map_or(0, |mark| mark + 1))
}

impl Drop for EachBlock {
    fn drop(&mut self) {
        if let Some(outermost) = &self.outermost {
            HERE.set(false);
            if outermost.one.is_some() {
                HOLDER_WAITS.store(false, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, Sample, Sampled};

    fn sample(number: usize, mean: u64) -> Sample {
        let address = 4096 + 128 * number;
        let (site, operation, sampling_run, thread) = (0, 0, 1, 1);
        Sample { address, size: 100, mean, site, operation, sampling_run, thread, allocated_at: 5 }
    }

    #[test]
    fn thinned_samples_of_blocks_that_stay_are_no_growth() {
        const MEAN: u64 = 1000;
        let taken = -(-100.0 / MEAN as f64).exp_m1();
        let first: Vec<_> = (0..1000).map(|number| sample(number, 0)).collect();
        let stayed = (1000.0 * taken).round() as usize;
        // As many blocks again were allocated since.
        let grown = (1000..1000 + stayed).map(|number| sample(number, MEAN));
        let last = (0..stayed).map(|number| sample(number, MEAN)).chain(grown).collect();
        let sampled = Sampled { first, last, rounds: 1, places: Places::default() }.of_the_work();
        let (live, error) = sampled.live();
        assert!((live.bytes - 100_000.0).abs() < 1000.0, "{} bytes", live.bytes);
        assert!((live.blocks - 1000.0).abs() < 10.0, "{} blocks", live.blocks);
        assert!(error < 100_000.0, "{error}");
    }

    #[test]
    fn blocks_that_stay_add_no_error() {
        let first: Vec<_> = (0..10).map(|number| sample(number, 1 << 20)).collect();
        let last = first.iter().copied().chain([sample(10, 0)]).collect();
        let sampled = Sampled { first, last, rounds: 1, places: Places::default() }.of_the_work();
        let (live, error) = sampled.live();
        assert_eq!((live.bytes, live.blocks, error), (100.0, 1.0, 0.0));
    }
}
