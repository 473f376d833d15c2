//! What rounds of work left behind, counted exactly, and whether that is growth.

use super::{LeakByRound, LeakError, LeakSite, NoLeak};
use crate::hook::shard::Mine;
use crate::hook::threads;
use crate::leaks::{Observation, Trend};
use crate::{measure, sampling};

/// Rounds that a trend takes.
pub(super) const LEAST: u32 = 5;

/// Rounds before the first that counts: for what is made on first use, and on the second.
const WARM_UP: u32 = 3;

/// How often the rounds are doubled where something was left behind and it is not sure what it is.
const DOUBLINGS: u32 = 2;

/// Bytes and blocks that are live after each round, above those before the first.
#[derive(Default)]
pub(super) struct Rounds {
    bytes: Vec<i64>,
    blocks: Vec<i64>,
    /// Whether growth was found in steps far apart, each with as many rounds again.
    in_steps: bool,
}

impl Rounds {
    /// Runs the work without counting.
    pub(super) fn warm_up<T>(work: &mut impl FnMut() -> T) -> Result<Self, LeakError> {
        let mut warming = Self::default();
        warming.run(WARM_UP, work)?;
        Ok(Self::default())
    }

    /// Runs so many rounds more.
    pub(super) fn run<T>(
        &mut self,
        rounds: u32,
        work: &mut impl FnMut() -> T,
    ) -> Result<(), LeakError> {
        for _ in 0..rounds {
            let before = kept_by_profilers();
            let ((), round) = measure(|| drop(work())).map_err(LeakError::NotInstalled)?;
            let after = kept_by_profilers();
            // What memprof remembers, such as names, is not the work's.
            let net = (
                round.net_bytes() - (after.0 - before.0),
                round.net_blocks() - (after.1 - before.1),
            );
            // Where each block is sampled, those of the lists are none of the work's.
            sampling::unsampled(|| self.push(net));
        }
        Ok(())
    }

    fn push(&mut self, (bytes, blocks): (i64, i64)) {
        let so_far = |all: &[i64]| all.last().copied().unwrap_or_default();
        self.bytes.push(so_far(&self.bytes) + bytes);
        self.blocks.push(so_far(&self.blocks) + blocks);
    }

    /// Takes rounds, by `more`, until it is known whether they leave more and more behind.
    pub(super) fn find_growth(
        &mut self,
        rounds: u32,
        mut more: impl FnMut(&mut Self, u32) -> Result<(), LeakError>,
    ) -> Result<bool, LeakError> {
        let (mut before, mut was_steady) = (0, false);
        more(self, rounds)?;
        for _ in 0..DOUBLINGS {
            let is_steady = self.is_steady_since(before);
            if !self.rose_since(before) || is_steady && was_steady {
                return Ok(is_steady && was_steady);
            }
            (before, was_steady) = (self.bytes.len(), is_steady);
            // Those to warm up counted: a buffer that doubles does so once in as many again.
            more(self, self.count() + WARM_UP)?;
        }
        self.in_steps = self.never_fell();
        Ok(self.rose_since(before) && (self.is_steady_since(before) || self.in_steps))
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    /// Whether the growth that was found is still there, after as many rounds again.
    pub(super) fn goes_on(&self) -> bool {
        let half = self.bytes.len() / 2;
        self.rose_since(half) && (self.is_steady_since(half) || self.in_steps && self.never_fell())
    }

    /// Whether there is more than ever in the rounds before.
    fn rose_since(&self, rounds: usize) -> bool {
        let (before, since) = self.bytes.split_at(rounds);
        since.iter().max() > before.iter().max().max(Some(&0))
    }

    /// Whether these rounds grow by their trend, and did in their last quarter.
    ///
    /// Of those before nothing is asked: something large that is made once would hide a leak.
    fn is_steady_since(&self, rounds: usize) -> bool {
        let observation = |(round, bytes): (u32, &i64)| Observation {
            x: round.into(),
            y: *bytes as f64,
            standard_error: 0.0,
        };
        let since = &self.bytes[rounds..];
        let series: Vec<_> = (1..).zip(since).map(observation).collect();
        let quarter = &since[since.len() - since.len().div_ceil(4) - 1..];
        let ended = quarter.iter().all(|bytes| *bytes == quarter[0]);
        !ended && Trend::of(&series).is_some_and(|trend| trend.grows())
    }

    fn never_fell(&self) -> bool {
        self.bytes.is_sorted()
    }

    pub(super) fn no_leak(&self) -> NoLeak {
        NoLeak { rounds: self.count(), net_bytes: self.bytes.last().copied().unwrap_or_default() }
    }

    /// Growth as it was in the later half: something large that was made before is no part of it.
    pub(super) fn leak(&self, sites: Vec<LeakSite>) -> LeakError {
        let half = self.bytes.len() / 2;
        let each = |all: &[i64]| match (all.get(half), all.last()) {
            (Some(first), Some(last)) => {
                (last - first) as f64 / (all.len() - half - 1).max(1) as f64
            }
            _ => 0.0,
        };
        let later = self.bytes[half..].windows(2).map(|pair| pair[1] - pair[0]);
        LeakError::Leaks(Box::new(LeakByRound {
            rounds: self.count(),
            bytes_per_round: each(&self.bytes),
            blocks_per_round: each(&self.blocks),
            is_regular: later.clone().zip(later.skip(1)).all(|(one, next)| one == next),
            sites,
        }))
    }
}

/// Bytes and blocks that memprof has kept for itself on this thread.
fn kept_by_profilers() -> (i64, i64) {
    threads::mine().map_or((0, 0), Mine::kept_by_profilers)
}

#[cfg(test)]
mod tests;
