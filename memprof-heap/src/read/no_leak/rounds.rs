//! The memory that rounds of work left behind, counted exactly, and the check that it grows.

#[cfg(test)]
mod tests;

use crate::read::leaks::Trend;
use crate::read::measure::measure;
use crate::read::no_leak::sites::{EachBlock, Net, Sampled, count_round, is_here, live_here_since};
use crate::read::no_leak::{LeakByRound, LeakError, NoLeak, PastLimit};
use crate::record::live_table::Sample;
use crate::record::shard::LocalShard;
use crate::record::{rate, sample, threads};

/// The minimum number of rounds for a trend.
pub(crate) const MIN: u32 = 5;

/// The number of rounds before the first counted round. These rounds allocate values that are
/// created on first or second use.
const WARM_UP: u32 = 3;

/// The maximum number of times that the rounds are extended, each time to 2.5 times their number.
const EXTENSIONS: u32 = 2;

/// The bytes and blocks live after each round, less the bytes and blocks live before the first
/// round.
pub(crate) struct Rounds {
    bytes: Vec<i64>,
    blocks: Vec<i64>,
    /// True if all extensions were run and the live bytes never fell. Growth in steps that are far
    /// apart is then a leak too.
    in_steps: bool,
    /// The number of rounds before the growth was found.
    found_after: usize,
    limit: u64,
    near_limit: Option<NearLimit>,
    /// The bytes of this thread's counts that other threads were found to have freed.
    freed_elsewhere: i64,
}

/// The period since a quarter of the limit was reached, in which every block is sampled.
struct NearLimit {
    _time: EachBlock,
    /// The number of rounds before the period began.
    after: usize,
    /// The time of the clock at which it began, in milliseconds.
    began: u64,
    /// The samples that were live when the period began.
    first: Vec<Sample>,
}

impl Rounds {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            bytes: Vec::new(),
            blocks: Vec::new(),
            in_steps: false,
            found_after: 0,
            limit,
            near_limit: None,
            freed_elsewhere: 0,
        }
    }

    /// Runs the warm-up rounds. They are checked against the limit; their counts are discarded.
    pub(crate) fn warm_up<T>(limit: u64, work: &mut impl FnMut() -> T) -> Result<Self, LeakError> {
        Self::new(limit).run(WARM_UP, work)?;
        Ok(Self::new(limit))
    }

    /// Runs `rounds` more rounds.
    pub(crate) fn run<T>(
        &mut self,
        rounds: u32,
        work: &mut impl FnMut() -> T,
    ) -> Result<(), LeakError> {
        for _ in 0..rounds {
            let before = kept_by_profilers();
            let ((), round) = measure(|| drop(work())).map_err(LeakError::NotInstalled)?;
            count_round();
            let after = kept_by_profilers();
            // Memory that memprof caches, such as names, does not belong to the work.
            let net = (
                round.net_bytes() - (after.0 - before.0),
                round.net_blocks() - (after.1 - before.1),
            );
            // While every block is sampled, the memory of the lists in `self` must not count for
            // the work.
            sample::unsampled(|| self.push(net));
            self.check_limit()?;
        }
        Ok(())
    }

    /// Returns an error if more bytes are live than the limit allows. Each block is sampled once a
    /// quarter of the limit is live, so that the error names the call sites. A buffer that doubles
    /// grows from a quarter to the limit in two rounds.
    fn check_limit(&mut self) -> Result<(), LeakError> {
        let counted = self.live();
        let live = counted.saturating_sub(self.freed_elsewhere).max(0).unsigned_abs();
        if live > self.limit {
            let mut sites = Vec::new();
            if let Some(near) = self.near_limit.take() {
                let net = self.net(near.after.saturating_sub(1), self.bytes.len() - 1);
                let rounds = (self.bytes.len() - near.after) as u32;
                let sampled = Sampled::since(near.first, near.began, rounds, is_here);
                let Some(kept) = sampled.kept(net) else {
                    self.freed_elsewhere = counted;
                    return Ok(());
                };
                sites = sampled.sites(kept);
            }
            return Err(LeakError::PastLimit(Box::new(PastLimit {
                rounds: self.count(),
                net_bytes: live,
                limit_bytes: self.limit,
                sites,
            })));
        }
        if live > self.limit / 4 && self.near_limit.is_none() {
            let (time, began) = (EachBlock::begin(), rate::milliseconds());
            let (after, first) = (self.bytes.len(), sample::unsampled(|| live_here_since(began)));
            self.near_limit = Some(NearLimit { _time: time, after, began, first });
        }
        Ok(())
    }

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

    /// Sets the rounds to the sum of the calling thread's rounds and the bytes and blocks of others.
    pub(crate) fn set_sum(&mut self, own: &Self, others: impl Fn(usize) -> (i64, i64)) {
        let sum = |(round, (bytes, blocks)): (usize, (&i64, &i64))| {
            let others = others(round);
            (bytes + others.0, blocks + others.1)
        };
        let own = own.bytes.iter().zip(&own.blocks).enumerate();
        (self.bytes, self.blocks) = own.map(sum).unzip();
    }

    /// Returns the bytes that are live above those before the first round.
    pub(crate) fn live(&self) -> i64 {
        self.bytes.last().copied().unwrap_or_default()
    }

    /// Calls `more` to run rounds, until it is known whether the live bytes keep growing.
    pub(crate) fn find_growth(
        &mut self,
        rounds: u32,
        mut more: impl FnMut(&mut Self, u32) -> Result<(), LeakError>,
    ) -> Result<bool, LeakError> {
        let (mut before, mut was_steady) = (0, false);
        more(self, rounds)?;
        for _ in 0..EXTENSIONS {
            let is_steady = self.is_steady_since(before);
            if !self.rose_since(before) || is_steady && was_steady {
                self.found_after = self.bytes.len();
                return Ok(is_steady && was_steady);
            }
            (before, was_steady) = (self.bytes.len(), is_steady);
            more(self, self.extension())?;
        }
        self.found_after = self.bytes.len();
        self.in_steps = self.never_fell();
        Ok(self.rose_since(before) && (self.is_steady_since(before) || self.in_steps))
    }

    /// Calls `more` to run rounds, in which growth in steps would show that are too far apart for
    /// `find_growth`. Returns true if the live bytes rose and never fell.
    pub(crate) fn find_steps(
        &mut self,
        rounds: u32,
        more: impl FnOnce(&mut Self, u32) -> Result<(), LeakError>,
    ) -> Result<bool, LeakError> {
        let before = self.bytes.len();
        more(self, rounds)?;
        self.found_after = self.bytes.len();
        self.in_steps = self.never_fell();
        Ok(self.in_steps && self.rose_since(before))
    }

    /// Returns the number of further rounds after which all rounds, including the warm-up, are 2.5
    /// times the rounds so far.
    ///
    /// A buffer that doubles grows again after twice the number of rounds. A buffer that consists
    /// of chunks, each twice as large as the one before, may take up to 2.5 times the number if its
    /// first chunk was small.
    pub(crate) fn extension(&self) -> u32 {
        (self.count().saturating_add(WARM_UP)).saturating_mul(3) / 2
    }

    /// Returns the number of further rounds in which growth that was found must go on.
    pub(crate) fn rounds_to_confirm(&self) -> u32 {
        if self.in_steps { self.extension() } else { self.count() }
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Subtracts bytes that do not belong to the work. `bytes` has one number for each round since
    /// the growth was found.
    pub(crate) fn subtract(&mut self, bytes: &[i64]) {
        for (round, bytes) in self.bytes[self.found_after..].iter_mut().zip(bytes) {
            *round -= bytes;
        }
    }

    /// Returns true if the growth goes on in the rounds since it was found.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.rose_since(self.found_after)
            && (self.is_steady_since(self.found_after) || self.in_steps && self.never_fell())
    }

    /// Returns true if the live bytes reach a new maximum, above 0, after the first `rounds`
    /// rounds.
    fn rose_since(&self, rounds: usize) -> bool {
        let (before, since) = self.bytes.split_at(rounds);
        since.iter().max() > before.iter().max().max(Some(&0))
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

    fn never_fell(&self) -> bool {
        self.bytes.is_sorted()
    }

    pub(crate) fn no_leak(&self) -> NoLeak {
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

    /// Returns the error for growth of these rounds that goes on, or `None` if other threads have
    /// freed blocks of it. The figures and the call sites are of the same rounds.
    pub(crate) fn leak(&self, sampled: Sampled) -> Option<LeakError> {
        let counted = self.net_since_found(&sampled);
        sampled.keeps(counted).then(|| self.error(sampled, false))
    }

    /// Returns the error for growth of these rounds, in which other threads take part. Their samples
    /// may be too few, because a thread begins to take samples late. So the counts decide.
    pub(crate) fn leak_with_others(&self, sampled: Sampled) -> LeakError {
        let on_other_threads = sampled.is_mostly_elsewhere();
        self.error(sampled, on_other_threads)
    }

    fn net_since_found(&self, sampled: &Sampled) -> Net {
        self.net(self.found_after, self.found_after + sampled.rounds as usize)
    }

    fn error(&self, sampled: Sampled, on_other_threads: bool) -> LeakError {
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

/// Returns the bytes and blocks that memprof has kept for itself on this thread.
fn kept_by_profilers() -> (i64, i64) {
    threads::local().map_or((0, 0), LocalShard::kept_by_profilers)
}
