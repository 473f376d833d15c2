//! The check that repeated work does not leave more and more memory behind, measured exactly.
//!
//! This file has the rounds of the work and the check that what they leave behind grows; the results,
//! whose messages fit on a screen of 24 lines and 100 columns; and the order of the steps.
//!
//! - `others`: the same rounds with the threads that the work uses;
//! - `sites`: the call sites of a leak, and the period in which every block is sampled to find them.

mod others;
mod sites;
#[cfg(test)]
mod tests;

use crate::read::counts::{NotInstalled, measure};
use crate::read::frame::{Frame, WIDTH, key_frames, place_line, write_called, write_callers};
use crate::read::leaks::Trend;
use crate::read::no_leak::others::Snapshot;
pub use crate::read::no_leak::sites::LeakSite;
use crate::read::no_leak::sites::{EachBlock, Net, Sampled, count_round, is_here, live_since};
use crate::record::live_table::Sample;
use crate::record::threads::LocalShard;
use crate::record::{sample, threads};
use core::fmt;
use memprof_profile::text::{Grouped, KeyFrames, Shown, columns, counted, current_folder, signed};
use memprof_profile::views::Units;

/// Panics if repeated work leaves more and more memory behind.
///
/// The closure runs 3 times to fill its caches, and then for 10 rounds, or as many as `rounds = …`
/// sets. Bytes allocated minus bytes freed in each round are counted exactly, on this thread and on
/// the threads that the work uses. Memory that is allocated once is not a leak. Growth is a leak if
/// it continues:
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::assert_no_leak;
/// use std::collections::HashMap;
///
/// # fn main() {
/// let mut cache = HashMap::new();
/// let mut request = 0;
/// assert_no_leak!(|| {
///     request += 1;
///     cache.insert(request % 8, vec![0_u8; 1000]); // eight entries at most
/// });
///
/// assert_no_leak!(rounds = 50, || "a".repeat(1000));
/// # }
/// ```
///
/// The result of the closure is dropped within the round. A failure names the call sites that
/// allocated the memory:
///
/// ```should_panic
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() {
/// let mut log = Vec::new();
/// memprof::assert_no_leak!(|| log.push("handled".to_owned()));
/// # }
/// ```
///
/// # Other threads
/// Tests that run at the same time don't change the verdict on work that stays on this thread. If
/// other threads allocate while the work runs, further rounds follow, with a pause after each. A
/// thread that allocates in rounds but not in pauses belongs to the work, and so does its growth:
///
/// ```should_panic
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use std::{mem, thread};
///
/// # fn main() {
/// memprof::assert_no_leak!(|| {
///     thread::scope(|scope| scope.spawn(|| mem::forget(vec![1_u8; 1000])).join().is_ok())
/// });
/// # }
/// ```
///
/// A thread that also allocates in pauses is ignored, unless memory passes between it and this
/// thread. In that case, the macro *cannot tell* whether the work leaks: the test fails, and the
/// message contains the command that runs it alone.
///
/// # Panics
/// Panics if the work leaks, if that can't be decided because of [other threads](#other-threads),
/// if there are fewer than 5 rounds, or if [`Allocator`](crate::Allocator) isn't the global
/// allocator. The message shows the growth, the call sites and a stack, and fits on a screen.
/// [`check_no_leak`] returns an error with this message. A panic of the work is propagated.
///
/// Growth past the memory limit fails at once, before the system runs out of memory. The limit is
/// 256 MiB above the live bytes before the first counted round. `limit = …` sets another one: a
/// number of bytes, or text as in [`assert_budget!`](memprof_profile::assert_budget).
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() {
/// memprof::assert_no_leak!(rounds = 20, limit = "1 GiB", || vec![1_u8; 1000]);
/// # }
/// ```
///
/// # Limits
/// - The live bytes are compared with the limit after each round, so a single round may exceed it.
/// - Output that `cargo test` captures is excluded: its buffer grows on this thread, but belongs to
///   the test harness. Excluding the output requires function names. Without names, the output
///   looks like a leak, and the message suggests running the test with `--nocapture`.
/// - A leak on a pool thread is missed if other work keeps that thread busy and no block passes
///   between it and this thread.
/// - A thread takes its first sample when it frees a block that the work handed to it, or after it
///   has allocated 32 KiB. If a leak on another thread is smaller, its call site is not listed.
/// - A cache that is still filling up after all rounds looks like a leak, even if its growth would
///   stop later. In that case, use more rounds.
/// - A buffer that doubles grows again whenever the number of rounds has doubled, and the check
///   finds that growth. The growth of a buffer that already has space for all rounds is not found.
/// - If the work leaks, or if other threads allocate while it runs, further rounds run with every
///   block sampled. During these rounds, the [level](crate::Level) and the [rate](crate::Rate) are
///   changed for the whole process. Afterwards they are restored.
/// - At most 4,096 sampled blocks are live. If two rounds leave more behind, or if the program takes
///   many samples itself, the bytes of call sites are estimates.
///
/// # Cost
/// Each round costs as much as [`measure`](crate::measure). If memory was left behind, more rounds
/// are run. If `rounds` is 10 or more, the work runs at most 8 × `rounds` times, warm-up included,
/// and at most 20 × `rounds` times if growth is found. The further rounds then confirm the leak and
/// find its call sites.
///
/// If other threads allocate, further rounds follow, as many as `rounds` for clean work and at most
/// 120 × `rounds`. Each of them has a pause of 2 ms to 100 ms.
#[macro_export]
macro_rules! assert_no_leak {
    (rounds = $rounds:expr, limit = $limit:expr, $work:expr $(,)?) => {
        $crate::__private::assert_no_leak(
            ::core::stringify!($work),
            $rounds,
            $crate::__private::limit($limit),
            $work,
        )
    };
    (limit = $limit:expr, $work:expr $(,)?) => {
        $crate::assert_no_leak!(rounds = $crate::__private::ROUNDS, limit = $limit, $work)
    };
    (rounds = $rounds:expr, $work:expr $(,)?) => {
        $crate::assert_no_leak!(rounds = $rounds, limit = $crate::__private::LIMIT, $work)
    };
    ($work:expr $(,)?) => {
        $crate::assert_no_leak!(rounds = $crate::__private::ROUNDS, $work)
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "expected `assert_no_leak!(|| work())`; `rounds = 50` and `limit = \"1 MiB\"` come before \
             the closure, in this order"
        )
    };
}

/// The number of measured rounds, unless the caller sets another number.
pub const ROUNDS: u32 = 10;

/// The limit in bytes above the live bytes before the first counted round, unless the caller sets
/// another limit.
pub const LIMIT: u64 = 256 << 20;

/// The result for work that does not leave more memory behind each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoLeak {
    /// The number of measured rounds, without the warm-up rounds.
    pub rounds: u32,
    /// The number, from 1, of the last round after which more bytes were live than ever before.
    /// `None` if no round left more behind.
    ///
    /// If there is such a round, the growth was not a leak because it did not continue. The closer
    /// its number is to `rounds`, the more useful a run with more rounds is.
    pub last_growth: Option<u32>,
    /// The sum of the bytes that the rounds left behind; negative if they freed more bytes of older
    /// blocks.
    pub net_bytes: i64,
}

impl fmt::Display for NoLeak {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no leak in {} rounds", self.rounds)?;
        let Some(round) = self.last_growth else { return Ok(()) };
        let bytes = signed(self.net_bytes.into(), Units::Bytes);
        write!(out, ", which left {bytes} behind; the last growth was in round {round}")
    }
}

/// The amount that leaking work leaves behind each time, and the call sites that allocated it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeakByRound {
    /// The number of measured rounds, without the warm-up rounds.
    pub rounds: u32,
    /// Bytes by which live memory grows in each round, on average.
    pub bytes_per_round: f64,
    /// Blocks by which live memory grows in each round, on average.
    pub blocks_per_round: f64,
    /// True if each round left the same amount behind.
    pub is_regular: bool,
    /// True if this thread alone does not leak. The figures are then those of this thread and of the
    /// threads that the work uses.
    pub on_other_threads: bool,
    /// The call sites that allocated the memory, the largest growth first. Together they have at
    /// most the bytes of the leak.
    pub sites: Vec<LeakSite>,
}

/// The result for work that left more memory behind than the limit allows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PastLimit {
    /// The number of rounds that had run, without the warm-up rounds.
    pub rounds: u32,
    /// Live bytes above the live bytes before the first of these rounds.
    pub net_bytes: u64,
    /// The limit in bytes.
    pub limit_bytes: u64,
    /// The call sites that allocated the memory after a quarter of the limit was reached. Empty if
    /// one round grew from below a quarter to past the limit.
    pub sites: Vec<LeakSite>,
}

/// The result for work that passes memory to or from threads that are busy without it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CannotTell {
    /// The number of rounds, each with a pause.
    pub rounds: u32,
    /// The number of these threads.
    pub busy_threads: u32,
    /// The maximum number of pauses in which one of them allocated.
    pub busy_pauses: u32,
    /// The name of the test, if the calling thread has one.
    pub test: Option<String>,
}

/// The reason why the work was not shown to be free of leaks. `assert_no_leak!` and `unwrap` print
/// it.
#[non_exhaustive]
pub enum LeakError {
    /// Allocations are not counted.
    NotInstalled(NotInstalled),
    /// This number of rounds can't distinguish growth from chance: at least 5 are needed.
    TooFewRounds(u32),
    /// Live memory keeps growing from round to round.
    Leaks(Box<LeakByRound>),
    /// More memory is live than the limit allows, so no further round was run.
    PastLimit(Box<PastLimit>),
    /// The work uses threads that also allocate while it is not running.
    CannotTell(Box<CannotTell>),
}

/// Runs work in rounds and checks whether it leaks: [`assert_no_leak!`] without the panic.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::leak::{check_no_leak, LeakError};
///
/// # fn main() {
/// let clean = check_no_leak(20, || vec![1; 1000]).expect("it is dropped");
/// assert_eq!((clean.rounds, clean.net_bytes), (20, 0));
///
/// let mut kept = Vec::with_capacity(1000);
/// let error = check_no_leak(20, || kept.push(Box::new(7_u64))).unwrap_err();
/// let LeakError::Leaks(leak) = error else { panic!("it leaks") };
/// assert_eq!((leak.bytes_per_round, leak.blocks_per_round), (8.0, 1.0));
/// # }
/// ```
///
/// # Errors
/// Returns an error where [`assert_no_leak!`] panics.
///
/// # Cost
/// The call costs as much as [`assert_no_leak!`].
pub fn check_no_leak<T>(rounds: u32, work: impl FnMut() -> T) -> Result<NoLeak, LeakError> {
    check_no_leak_within(rounds, LIMIT, work)
}

/// Checks like [`check_no_leak`], with a memory limit of `limit_bytes` above the live bytes before
/// the first counted round.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::leak::{check_no_leak_within, LeakError};
///
/// # fn main() {
/// let mut doubles = vec![0_u8; 1];
/// let error = check_no_leak_within(100, 1 << 20, || doubles.resize(2 * doubles.len(), 0));
/// let Err(LeakError::PastLimit(leak)) = error else { panic!("{error:?}") };
/// assert!((1 << 20..4 << 20).contains(&leak.net_bytes));
/// # }
/// ```
///
/// # Errors
/// Returns an error in the same cases as [`check_no_leak`].
///
/// # Cost
/// The call costs as much as [`check_no_leak`].
pub fn check_no_leak_within<T>(
    rounds: u32,
    limit_bytes: u64,
    mut work: impl FnMut() -> T,
) -> Result<NoLeak, LeakError> {
    if rounds < MIN_ROUNDS {
        return Err(LeakError::TooFewRounds(rounds));
    }
    ThisThread::new(limit_bytes, &mut work).run_more(WARM_UP)?;
    let others = Snapshot::now();
    let (hands_over, earlier) = {
        let mut alone = ThisThread::new(limit_bytes, &mut work);
        (alone.judge(rounds)?, alone.rounds)
    };
    let no_leak = earlier.no_leak();
    if hands_over || others.is_outdated() {
        others::judge(rounds, limit_bytes, &earlier, &others, &mut work)?;
    }
    Ok(if hands_over { NoLeak { last_growth: None, net_bytes: 0, ..no_leak } } else { no_leak })
}

const MIN_ROUNDS: u32 = 5;

/// Rounds that are not counted: they allocate values that are created on first or second use.
const WARM_UP: u32 = 3;

/// The maximum number of times that the rounds are extended, each time to 2.5 times their number.
const EXTENSIONS: u32 = 2;

/// Work that runs in rounds, on this thread or on several. It is judged in two steps: rounds in
/// which the growth is found, and rounds in which it must continue.
trait Judged {
    fn run(&mut self) -> Result<(), LeakError>;

    fn rounds(&mut self) -> &mut Rounds;

    /// Begins to sample every block, if that has not begun.
    fn sample_every_block(&mut self);

    /// Returns the samples of the live blocks of these threads, since every block is sampled.
    fn live(&self) -> Vec<Sample>;

    fn run_more(&mut self, rounds: u32) -> Result<(), LeakError> {
        (0..rounds).try_for_each(|_| self.run())
    }

    /// Runs rounds until it is known whether the live bytes keep growing.
    fn find_growth(&mut self, rounds: u32) -> Result<bool, LeakError> {
        let (mut before, mut was_steady) = (0, false);
        self.run_more(rounds)?;
        for _ in 0..EXTENSIONS {
            let all = self.rounds();
            let is_steady = all.is_steady_since(before);
            if !all.rose_since(before) || is_steady && was_steady {
                all.found_after = all.bytes.len();
                return Ok(is_steady && was_steady);
            }
            (before, was_steady) = (all.bytes.len(), is_steady);
            let more = all.extension();
            self.run_more(more)?;
        }
        let all = self.rounds();
        let rises_in_steps = all.rises_in_steps_since(before);
        Ok(rises_in_steps || all.rose_since(before) && all.is_steady_since(before))
    }

    /// Runs rounds in which growth in steps would show that are too far apart for `find_growth`.
    /// Returns true if the live bytes rose and never fell.
    fn find_steps(&mut self, rounds: u32) -> Result<bool, LeakError> {
        let before = self.rounds().bytes.len();
        self.run_more(rounds)?;
        Ok(self.rounds().rises_in_steps_since(before))
    }

    /// Runs the rounds in which growth that was found must continue. A cache that fills up by the
    /// end of these rounds is not a leak. Returns what they left behind, if it is one.
    fn confirm(&mut self) -> Result<Option<Sampled>, LeakError> {
        self.sample_every_block();
        let (sampled, captured) = Sampled::run(self)?;
        let all = self.rounds();
        all.subtract(&captured);
        Ok(all.is_confirmed().then_some(sampled))
    }
}

/// The work on the calling thread, by its exact counts.
struct ThisThread<'w, W> {
    rounds: Rounds,
    work: &'w mut W,
    limit: u64,
    period: Option<SampledPeriod>,
    /// The bytes of this thread's counts that other threads were found to have freed.
    freed_elsewhere: i64,
}

/// The period in which every block is sampled: from a quarter of the limit, or from growth on.
struct SampledPeriod {
    _every_block: EachBlock,
    /// The number of rounds before the period began.
    after: usize,
    /// The time of the clock at which it began, in milliseconds.
    began: u64,
}

impl<'w, T, W: FnMut() -> T> ThisThread<'w, W> {
    fn new(limit: u64, work: &'w mut W) -> Self {
        let (rounds, period, freed_elsewhere) = (Rounds::default(), None, 0);
        Self { rounds, work, limit, period, freed_elsewhere }
    }

    /// Returns true if the growth would be a leak, but other threads have freed blocks of it.
    fn judge(&mut self, rounds: u32) -> Result<bool, LeakError> {
        if !self.find_growth(rounds)? {
            return Ok(false);
        }
        let Some(sampled) = self.confirm()? else { return Ok(false) };
        // The figures and the call sites are of the same rounds.
        let counted = self.rounds.net_since_found(&sampled);
        match sampled.kept(counted) {
            Some(kept) if kept.bytes >= counted.bytes => Err(self.rounds.leak(sampled, false)),
            _ => Ok(true),
        }
    }

    /// Returns an error if more bytes are live than the limit allows. Each block is sampled once a
    /// quarter of the limit is live, so that the error names the call sites. A buffer that doubles
    /// grows from a quarter to the limit in two rounds.
    fn check_limit(&mut self) -> Result<(), LeakError> {
        let (counted, len) = (self.rounds.live(), self.rounds.bytes.len());
        let live = counted.saturating_sub(self.freed_elsewhere);
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        if live <= limit {
            if live > limit / 4 {
                self.sample_every_block();
            }
            return Ok(());
        }
        let (mut live, mut sites) = (live, Vec::new());
        let since = self.period.as_ref().map_or(len, |period| period.after);
        if since < len {
            let net = self.rounds.net(since.saturating_sub(1), len - 1);
            let sampled = Sampled::new(Vec::new(), self.live(), (len - since) as u32);
            let kept = sampled.kept(net).unwrap_or(Net { bytes: 0.0, blocks: 0.0 });
            // Other threads have freed the rest. Blocks from before the period count as live.
            self.freed_elsewhere = (net.bytes - kept.bytes) as i64;
            live = counted.saturating_sub(self.freed_elsewhere);
            if live <= limit {
                return Ok(());
            }
            sites = sampled.sites(kept);
        }
        Err(PastLimit::error(self.rounds.count(), live.unsigned_abs(), self.limit, sites))
    }
}

impl<T, W: FnMut() -> T> Judged for ThisThread<'_, W> {
    fn run(&mut self) -> Result<(), LeakError> {
        let before = kept_by_profilers();
        let ((), round) = measure(|| drop((self.work)())).map_err(LeakError::NotInstalled)?;
        count_round();
        let after = kept_by_profilers();
        // Memory that memprof caches, such as names, does not belong to the work.
        let (bytes, blocks) = (round.net_bytes(), round.net_blocks());
        let net = (bytes - (after.0 - before.0), blocks - (after.1 - before.1));
        // While every block is sampled, the memory of the lists must not count for the work.
        sample::unsampled(|| self.rounds.push(net));
        self.check_limit()
    }

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn sample_every_block(&mut self) {
        if self.period.is_none() {
            let (every_block, after) = (EachBlock::begin(), self.rounds.bytes.len());
            let began = sample::milliseconds();
            self.period = Some(SampledPeriod { _every_block: every_block, after, began });
        }
    }

    fn live(&self) -> Vec<Sample> {
        let began = self.period.as_ref().map_or(u64::MAX, |period| period.began);
        sample::unsampled(|| live_since(began, is_here))
    }
}

impl PastLimit {
    fn error(rounds: u32, net_bytes: u64, limit_bytes: u64, sites: Vec<LeakSite>) -> LeakError {
        LeakError::PastLimit(Box::new(Self { rounds, net_bytes, limit_bytes, sites }))
    }
}

/// The bytes and blocks live after each round, minus those before the first round.
#[derive(Default)]
struct Rounds {
    bytes: Vec<i64>,
    blocks: Vec<i64>,
    /// True if all extensions were run and the live bytes never fell. Growth in steps that are far
    /// apart is then a leak too.
    in_steps: bool,
    /// The number of rounds before the growth was found.
    found_after: usize,
}

impl Rounds {
    /// Returns what the rounds after one index left behind, up to another.
    fn net(&self, from: usize, to: usize) -> Net {
        let of = |all: &[i64]| (all[to] - all[from]) as f64;
        Net { bytes: of(&self.bytes), blocks: of(&self.blocks) }
    }

    fn push(&mut self, (bytes, blocks): (i64, i64)) {
        let so_far = |all: &[i64]| all.last().copied().unwrap_or_default();
        self.bytes.push(so_far(&self.bytes) + bytes);
        self.blocks.push(so_far(&self.blocks) + blocks);
    }

    fn set_sum(&mut self, own: &Self, others: impl Fn(usize) -> (i64, i64)) {
        let sum = |(round, (bytes, blocks)): (usize, (&i64, &i64))| {
            let others = others(round);
            (bytes + others.0, blocks + others.1)
        };
        let own = own.bytes.iter().zip(&own.blocks).enumerate();
        (self.bytes, self.blocks) = own.map(sum).unzip();
    }

    /// Returns the bytes that are live above those before the first round.
    fn live(&self) -> i64 {
        self.bytes.last().copied().unwrap_or_default()
    }

    /// Returns the number of further rounds after which all rounds, including the warm-up, are 2.5
    /// times the rounds so far.
    ///
    /// A buffer that doubles grows again after twice the number of rounds. A buffer that consists
    /// of chunks, each twice as large as the one before, may take up to 2.5 times the number if its
    /// first chunk was small.
    fn extension(&self) -> u32 {
        (self.count().saturating_add(WARM_UP)).saturating_mul(3) / 2
    }

    fn rounds_to_confirm(&self) -> u32 {
        if self.in_steps { self.extension() } else { self.count() }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Subtracts bytes that do not belong to the work. `bytes` has one number for each round since
    /// the growth was found.
    fn subtract(&mut self, bytes: &[i64]) {
        for (round, bytes) in self.bytes[self.found_after..].iter_mut().zip(bytes) {
            *round -= bytes;
        }
    }

    /// Returns true if the growth continues in the rounds since it was found.
    fn is_confirmed(&self) -> bool {
        self.rose_since(self.found_after)
            && (self.is_steady_since(self.found_after) || self.in_steps && self.bytes.is_sorted())
    }

    /// The live bytes reach a new maximum, above 0, after the first `rounds` rounds.
    fn rose_since(&self, rounds: usize) -> bool {
        let (before, since) = self.bytes.split_at(rounds);
        since.iter().max() > before.iter().max().max(Some(&0))
    }

    /// Returns true if the live bytes never fell, and rose after the first `rounds` rounds.
    fn rises_in_steps_since(&mut self, rounds: usize) -> bool {
        self.found_after = self.bytes.len();
        self.in_steps = self.bytes.is_sorted();
        self.in_steps && self.rose_since(rounds)
    }

    /// Returns true if the live bytes have a rising trend after the first `rounds` rounds, and
    /// still change in the last quarter of those later rounds.
    ///
    /// Earlier rounds are ignored: a large block that is allocated once would hide a leak.
    fn is_steady_since(&self, rounds: usize) -> bool {
        let since = &self.bytes[rounds..];
        let observation = |(round, bytes): (u32, &i64)| (f64::from(round), *bytes as f64);
        let series: Vec<_> = (1..).zip(since).map(observation).collect();
        let quarter = &since[since.len() - since.len().div_ceil(4) - 1..];
        let ended = quarter.iter().all(|bytes| *bytes == quarter[0]);
        !ended && Trend::of(&series).is_some_and(|trend| trend.grows())
    }

    fn no_leak(&self) -> NoLeak {
        let mut most = 0;
        let records = (1..).zip(&self.bytes).filter(|(_, bytes)| {
            let is_more = **bytes > most;
            most = most.max(**bytes);
            is_more
        });
        NoLeak {
            rounds: self.count(),
            last_growth: records.map(|(round, _)| round).last(),
            net_bytes: self.live(),
        }
    }

    fn net_since_found(&self, sampled: &Sampled) -> Net {
        self.net(self.found_after, self.found_after + sampled.rounds as usize)
    }

    fn leak(&self, sampled: Sampled, on_other_threads: bool) -> LeakError {
        let net = self.net_since_found(&sampled);
        let rounds = f64::from(sampled.rounds.max(1));
        let (from, to) = (self.found_after, self.found_after + sampled.rounds as usize);
        let steps = self.bytes[from..=to].windows(2).map(|pair| pair[1] - pair[0]);
        LeakError::Leaks(Box::new(LeakByRound {
            rounds: self.count(),
            bytes_per_round: net.bytes / rounds,
            blocks_per_round: net.blocks / rounds,
            is_regular: steps.clone().zip(steps.skip(1)).all(|(one, next)| one == next),
            on_other_threads,
            sites: sampled.sites(net),
        }))
    }
}

fn kept_by_profilers() -> (i64, i64) {
    threads::local().map_or((0, 0), LocalShard::kept_by_profilers)
}

const SITES: usize = 4;

impl fmt::Display for LeakError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(error) => error.fmt(out),
            Self::TooFewRounds(rounds) => write!(
                out,
                "{} can't distinguish growth from chance; at least {MIN_ROUNDS} are needed",
                counted((*rounds).into(), "round")
            ),
            Self::Leaks(leak) => leak.fmt(out),
            Self::PastLimit(leak) => leak.fmt(out),
            Self::CannotTell(reason) => reason.fmt(out),
        }
    }
}

error_shown_by_unwrap!(LeakError);

impl fmt::Display for LeakByRound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let average = if self.is_regular { "" } else { " on average" };
        let threads = if self.on_other_threads { ", on other threads" } else { "" };
        writeln!(
            out,
            "it leaks\n{} more after each round{average}{threads}, in {} rounds",
            amount(self.bytes_per_round, self.blocks_per_round),
            self.rounds
        )?;
        write_sites(out, &self.sites)?;
        if self.sites.is_empty() {
            out.write_str(
                "No call site is known: the other threads allocated too little for a sample.\n",
            )?;
        }
        out.write_str(
            "If the memory is kept on purpose, limit its size. If it stops growing when full, use \
             more\nrounds, such as `rounds = 100`.",
        )?;
        if self.sites.iter().any(|site| site.location.is_none()) {
            out.write_str(
                "\nWithout debug information, output that `cargo test` captures is counted too: \
                 run it with\n`-- --nocapture`.",
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for PastLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [net, limit] = [self.net_bytes, self.limit_bytes].map(|bytes| Units::Iec.show(bytes));
        let rounds = counted(self.rounds.into(), "round");
        writeln!(
            out,
            "it exceeds the memory limit\n{net} more are live after {rounds}; the limit is {limit}"
        )?;
        write_sites(out, &self.sites)?;
        out.write_str(
            "If this memory is kept on purpose, raise the limit, such as `limit = \"2 GiB\"`.",
        )
    }
}

impl fmt::Display for CannotTell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = counted(self.busy_threads.into(), "thread");
        let verb = if self.busy_threads == 1 { "allocates" } else { "allocate" };
        let pauses = counted(self.rounds.into(), "pause");
        writeln!(
            out,
            "cannot tell whether it leaks\nThe work passes memory to or from {threads} that also \
             {verb} while the work is not running,\nin {} of {pauses}.",
            self.busy_pauses
        )?;
        match &self.test {
            Some(test) => {
                write!(out, "Run the test alone: `cargo test {test} -- --exact --test-threads=1`.")
            }
            None => out.write_str("Run the work while no other work uses these threads."),
        }
    }
}

/// Call sites with the same line of the user's code, in the same operation.
struct Cause<'s> {
    site: &'s LeakSite,
    key: KeyFrames<&'s Frame>,
    bytes: f64,
    blocks: f64,
    allocating: Vec<&'s Frame>,
}

impl<'s> Cause<'s> {
    fn new(site: &'s LeakSite) -> Self {
        let key = key_frames(&site.stack);
        let (bytes, blocks) = (site.bytes_per_round, site.blocks_per_round);
        let mut cause = Self { site, key, bytes, blocks, allocating: Vec::new() };
        cause.allocating.extend(key.allocates.filter(|_| cause.yours().is_some()));
        cause
    }

    /// Returns the line of the user's code, unless this line allocates.
    fn yours(&self) -> Option<&'s Frame> {
        self.key.your_code.filter(|_| self.key.your_code != self.key.allocates)
    }

    /// Adds a call site, if it has the same line of the user's code. Returns whether it has.
    fn adds(&mut self, other: &Self) -> bool {
        let is_same =
            |one: &Frame, other: &Frame| (&one.file, one.line) == (&other.file, other.line);
        let yours = self.yours().zip(other.yours());
        if !yours.is_some_and(|(one, other)| one.line.is_some() && is_same(one, other))
            || self.site.operation != other.site.operation
        {
            return false;
        }
        self.bytes += other.bytes;
        self.blocks += other.blocks;
        for &frame in &other.allocating {
            if !self.allocating.iter().any(|known| is_same(known, frame)) {
                self.allocating.push(frame);
            }
        }
        true
    }
}

fn causes(sites: &[LeakSite]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    for site in sites {
        let cause = Cause::new(site);
        if !causes.iter_mut().any(|known| known.adds(&cause)) {
            causes.push(cause);
        }
    }
    causes.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
    causes
}

/// Writes the first causes, and the callers of the very first one.
///
/// The lines are those of `memprof leaks`: the user's code, the dependency that it calls, and the
/// functions that allocate.
fn write_sites(out: &mut fmt::Formatter<'_>, sites: &[LeakSite]) -> fmt::Result {
    let folder = current_folder();
    let folder = folder.as_deref();
    let causes = causes(sites);
    for (index, cause) in causes.iter().take(SITES).enumerate() {
        writeln!(out, "{}", line(cause, folder))?;
        if cause.yours().is_some() {
            write_called(out, &cause.key, &cause.allocating, folder)?;
        }
        if index == 0 {
            write_callers(out, &cause.site.stack, &cause.key, folder)?;
        }
    }
    match causes.len().checked_sub(SITES).filter(|more| *more > 0) {
        Some(more) => writeln!(out, "…{} more", Grouped(more as u64)),
        None => Ok(()),
    }
}

/// Returns `1,024 B in 1 block  app::put (src/cache.rs:41)`.
fn line(cause: &Cause<'_>, folder: Option<&str>) -> String {
    let mut start = amount(cause.bytes, cause.blocks);
    if !cause.site.operation.is_empty() {
        start = format!("{start}  {}", Shown(&cause.site.operation.join(";")));
    }
    let first = cause.yours().or(cause.key.allocates);
    let first = first.or(cause.site.location.as_ref());
    let width = WIDTH.saturating_sub(columns(&start) + 2);
    format!("{start}  {}", place_line(first, width, folder))
}

/// Returns `1,024 B in 1 block`, or only the bytes if the number of blocks does not change.
fn amount(bytes: f64, blocks: f64) -> String {
    let bytes = format!("{} B", grouped(bytes));
    if blocks.abs() < 0.05 {
        return bytes;
    }
    let number = grouped(blocks);
    let noun = if number == "1" { "block" } else { "blocks" };
    format!("{bytes} in {number} {noun}")
}

/// Formats an average with at most one digit after the point.
fn grouped(average: f64) -> String {
    let tenths = (average.abs() * 10.0).round() as u64;
    let sign = if average < 0.0 && tenths > 0 { "−" } else { "" };
    let whole = Grouped(tenths / 10);
    match tenths % 10 {
        0 => format!("{sign}{whole}"),
        tenth => format!("{sign}{whole}.{tenth}"),
    }
}
