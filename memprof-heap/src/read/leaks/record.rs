//! The stored observations of what each call site held, in bounded memory.

#[cfg(test)]
mod tests;

use crate::read::leaks::growth::Held;
use crate::read::operations::calls;
use crate::record::estimate::Estimate;
use crate::record::live_table::Sample;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of observations that are stored. With more, every other one is dropped.
const MAX_OBSERVATIONS: usize = 256;

/// The maximum number of rows in all observations. A row has 104 bytes, so they take 1.6 MiB. A
/// program that allocates at hundreds of call sites has several hundred rows in each observation.
const MAX_ROWS: usize = 16 * 1024;

/// The number of observations that are kept even if they exceed `MAX_ROWS`, because a trend needs
/// them. At most 4,096 samples are live, so such observations have at most 64 Ki rows.
const MIN_OBSERVATIONS: usize = 16;

/// The live memory at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    /// Seconds since the baseline.
    pub(crate) seconds: f64,
    /// The number of the observation, from 1.
    pub(crate) number: u64,
    /// Exact change of the process's live bytes since the baseline.
    pub(crate) net: i64,
    /// Shared by the record and by reports.
    pub(crate) rows: Arc<[Row]>,
}

/// The amounts that the samples of one call site and operation represent, in few bytes: errors,
/// ages and numbers of blocks have seven digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) site: u32,
    pub(crate) operation: u32,
    /// The number of calls of the operation that have ended.
    pub(crate) calls: u64,
    largest: u64,
    younger: Amount,
    older: Amount,
    younger_squares: f32,
    older_squares: f32,
    ages: f32,
    age_squares: f32,
    blocks: f32,
    blocks_variance: f32,
    blocks_unseen: f32,
}

/// An estimate in few bytes.
#[derive(Clone, Copy, Debug)]
struct Amount {
    value: f64,
    variance: f32,
    unseen: f32,
    samples: u32,
}

/// Returns the amounts that samples represent, by call site and operation. `watched` is the time
/// since the baseline. Times are in milliseconds.
pub(crate) fn rows(samples: &[Sample], now: u64, watched: u64) -> Vec<Row> {
    let mut all: HashMap<(u32, u32), (Held, Estimate)> = HashMap::new();
    for sample in samples {
        let (held, blocks) = all.entry((sample.operation, sample.site)).or_default();
        let bytes = sample.bytes();
        let age = now.saturating_sub(sample.allocated_at);
        held.largest = held.largest.max(sample.size);
        if age >= watched {
            held.older.add(bytes);
            held.older_squares += bytes.value.powi(2);
            continue;
        }
        let seconds = age as f64 / 1000.0;
        held.younger.add(bytes);
        held.younger_squares += bytes.value.powi(2);
        held.ages += bytes.value * seconds;
        held.age_squares += bytes.value * seconds.powi(2);
        blocks.add(sample.blocks());
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(key, _)| *key);
    let calls = calls();
    let row = |((operation, site), (held, blocks)): &(_, _)| {
        let calls = calls.get(*operation as usize).copied().unwrap_or_default();
        Row::new(*site, *operation, calls, held, blocks)
    };
    all.iter().map(row).collect()
}

impl Row {
    fn new(site: u32, operation: u32, calls: u64, held: &Held, blocks: &Estimate) -> Self {
        Self {
            site,
            operation,
            calls,
            largest: held.largest,
            younger: Amount::of(&held.younger),
            older: Amount::of(&held.older),
            younger_squares: held.younger_squares as f32,
            older_squares: held.older_squares as f32,
            ages: held.ages as f32,
            age_squares: held.age_squares as f32,
            blocks: blocks.value as f32,
            blocks_variance: blocks.variance as f32,
            blocks_unseen: blocks.unseen as f32,
        }
    }

    /// Returns the live bytes.
    pub(crate) fn held(&self) -> Held {
        Held {
            younger: self.younger.estimate(),
            older: self.older.estimate(),
            younger_squares: self.younger_squares.into(),
            older_squares: self.older_squares.into(),
            ages: self.ages.into(),
            age_squares: self.age_squares.into(),
            largest: self.largest,
        }
    }

    /// Returns the live blocks that were allocated since the baseline.
    pub(crate) fn younger_blocks(&self) -> Estimate {
        let all = [self.blocks, self.blocks_variance, self.blocks_unseen];
        let [value, variance, unseen] = all.map(f64::from);
        Estimate { value, variance, samples: self.younger.samples.into(), unseen }
    }
}

impl Amount {
    fn of(estimate: &Estimate) -> Self {
        let Estimate { value, variance, samples, unseen } = *estimate;
        let samples = u32::try_from(samples).unwrap_or(u32::MAX);
        Self { value, variance: variance as f32, unseen: unseen as f32, samples }
    }

    fn estimate(self) -> Estimate {
        let (variance, unseen) = (self.variance.into(), self.unseen.into());
        Estimate { value: self.value, variance, samples: self.samples.into(), unseen }
    }
}

/// The stored observations, evenly spread over all that were made.
#[derive(Debug, Default)]
pub(crate) struct Record {
    kept: Vec<Observed>,
    /// The number of times that every other observation was dropped. With `n` halvings, one in 2ⁿ
    /// observations is stored.
    halvings: u32,
    /// The last observation, even if it is not in `kept`.
    latest: Option<Observed>,
    /// The observation before the last one, even if it is not in `kept`.
    before_latest: Option<Observed>,
}

impl Record {
    pub(crate) fn push(&mut self, observed: Observed) {
        if observed.number.trailing_zeros() >= self.halvings {
            self.kept.push(observed.clone());
            self.thin();
        }
        self.before_latest = self.latest.replace(observed);
    }

    fn thin(&mut self) {
        let rows = |kept: &[Observed]| kept.iter().map(|one| one.rows.len()).sum::<usize>();
        while self.kept.len() > MAX_OBSERVATIONS
            || self.kept.len() > MIN_OBSERVATIONS && rows(&self.kept) > MAX_ROWS
        {
            self.halvings += 1;
            self.kept.retain(|one| one.number.trailing_zeros() >= self.halvings);
        }
    }

    /// Returns the stored observations, and the last one.
    pub(crate) fn observations(&self) -> Vec<Observed> {
        self.until(self.latest.as_ref())
    }

    /// Returns the stored observations before the last one.
    pub(crate) fn observations_before_last(&self) -> Vec<Observed> {
        self.until(self.before_latest.as_ref())
    }

    /// Returns the stored observations up to this one.
    fn until(&self, end: Option<&Observed>) -> Vec<Observed> {
        let Some(end) = end else { return Vec::new() };
        let earlier = self.kept.iter().filter(|one| one.number < end.number);
        earlier.chain([end]).cloned().collect()
    }

    /// Returns the last observation.
    pub(crate) fn latest(&self) -> Option<&Observed> {
        self.latest.as_ref()
    }
}
