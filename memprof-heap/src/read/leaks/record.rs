//! The stored observations of what each call site held, in bounded memory.

#[cfg(test)]
mod tests;

use crate::read::operations::calls;
use crate::record::estimate::Estimate;
use crate::record::live_table::Sample;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of observations that are stored. With more, every other one is dropped.
const MAX_OBSERVATIONS: usize = 256;

/// The maximum number of rows in all observations. A row has 72 bytes, so they take 1.1 MiB. A
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

/// The amounts that the samples of one call site and operation represent, in few bytes: errors and
/// numbers of blocks have seven digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) site: u32,
    pub(crate) operation: u32,
    /// The number of calls of the operation that have ended.
    pub(crate) calls: u64,
    /// Bytes of the largest block.
    pub(crate) largest: u64,
    younger_bytes: f64,
    older_bytes: f64,
    younger_variance: f32,
    younger_unseen: f32,
    older_variance: f32,
    blocks: f32,
    blocks_variance: f32,
    blocks_unseen: f32,
    /// The number of samples of younger blocks.
    samples: u32,
    lasting: f32,
}

/// The sums of one call site and operation, of which a row is made.
#[derive(Default)]
struct Sums {
    largest: u64,
    younger: Estimate,
    younger_blocks: Estimate,
    lasting: f64,
    older: Estimate,
}

/// Returns the amounts that samples represent, by call site and operation. Ages are in
/// milliseconds.
pub(crate) fn rows(samples: &[Sample], now: u64, watched: u64) -> Vec<Row> {
    let mut all: HashMap<(u32, u32), Sums> = HashMap::new();
    for sample in samples {
        let sums = all.entry((sample.operation, sample.site)).or_default();
        sums.largest = sums.largest.max(sample.size);
        let age = now.saturating_sub(sample.allocated_at);
        if age >= watched {
            sums.older.add(sample.bytes());
            continue;
        }
        sums.younger.add(sample.bytes());
        sums.younger_blocks.add(sample.blocks());
        if age >= watched / 2 {
            sums.lasting += sample.bytes().value;
        }
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(key, _)| *key);
    let calls = calls();
    let row = |((operation, site), sums): &(_, _)| {
        let calls = calls.get(*operation as usize).copied().unwrap_or_default();
        Row::new(*site, *operation, calls, sums)
    };
    all.iter().map(row).collect()
}

impl Row {
    fn new(site: u32, operation: u32, calls: u64, sums: &Sums) -> Self {
        let Sums { largest, younger, younger_blocks, lasting, older } = sums;
        Self {
            site,
            operation,
            calls,
            largest: *largest,
            younger_bytes: younger.value,
            older_bytes: older.value,
            younger_variance: younger.variance as f32,
            younger_unseen: younger.unseen as f32,
            older_variance: older.variance as f32,
            blocks: younger_blocks.value as f32,
            blocks_variance: younger_blocks.variance as f32,
            blocks_unseen: younger_blocks.unseen as f32,
            samples: u32::try_from(younger.samples).unwrap_or(u32::MAX),
            lasting: *lasting as f32,
        }
    }

    /// Returns the live bytes that were allocated since the baseline.
    pub(crate) fn younger(&self) -> Estimate {
        let [variance, unseen] = [self.younger_variance, self.younger_unseen].map(f64::from);
        Estimate { value: self.younger_bytes, variance, samples: self.samples.into(), unseen }
    }

    /// Returns the live blocks that were allocated since the baseline.
    pub(crate) fn younger_blocks(&self) -> Estimate {
        let all = [self.blocks, self.blocks_variance, self.blocks_unseen];
        let [value, variance, unseen] = all.map(f64::from);
        Estimate { value, variance, samples: self.samples.into(), unseen }
    }

    /// Returns the bytes that were allocated in the first half of the time since the baseline, and
    /// are still live.
    pub(crate) fn lasting(&self) -> f64 {
        self.lasting.into()
    }

    /// Returns the live bytes that are older than the baseline, without the number of samples.
    pub(crate) fn older(&self) -> Estimate {
        Estimate { variance: self.older_variance.into(), ..Estimate::exact(self.older_bytes) }
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
