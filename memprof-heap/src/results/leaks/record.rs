//! The stored observations of what each call site held, in bounded memory.

use crate::results::operations::calls;
use crate::sampling::Estimate;
use crate::sampling::Sample;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of observations that are stored. With more, every other one is dropped.
const MOST_OBSERVATIONS: usize = 256;

/// The maximum number of rows, of 144 bytes each, in all observations together: 4.5 MiB. A program
/// that allocates at hundreds of call sites has several hundred rows in each observation.
const MOST_ROWS: usize = 32 * 1024;

/// The number of observations that are kept even if they exceed `MOST_ROWS`, because a trend needs
/// them. At most 4,096 samples are live, so such observations have at most 64 Ki rows.
const LEAST_OBSERVATIONS: usize = 16;

/// The live memory at one moment.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    /// Seconds since the baseline.
    pub(super) seconds: f64,
    /// The number of the observation, from 1.
    pub(super) number: u64,
    /// Exact change of the process's live bytes since the baseline.
    pub(super) net: i64,
    /// Shared by the record and by reports.
    pub(super) rows: Arc<[Row]>,
}

/// The amounts that the samples of one call site and operation represent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) site: u32,
    pub(super) operation: u32,
    /// Calls of the operation that have ended.
    pub(super) calls: u64,
    /// Live bytes and blocks that were allocated since the baseline.
    pub(super) younger: Estimate,
    pub(super) younger_blocks: Estimate,
    /// The part of `younger` whose age is at least half of the time since the baseline.
    pub(super) lasting: f64,
    /// Live bytes that are older than the baseline.
    pub(super) older: Estimate,
    /// Bytes of the largest block.
    pub(super) largest: u64,
}

/// Returns the amounts that samples represent, by call site and operation. Ages are in
/// milliseconds.
pub(super) fn rows(samples: &[Sample], now: u64, watched: u64) -> Vec<Row> {
    let mut rows: HashMap<(u32, u32), Row> = HashMap::new();
    for sample in samples {
        let Sample { site, operation, .. } = *sample;
        let row = rows.entry((site, operation)).or_insert_with(|| Row::new(site, operation));
        row.largest = row.largest.max(sample.size);
        let age = now.saturating_sub(sample.allocated_at);
        if age >= watched {
            row.older.add(sample.bytes());
            continue;
        }
        row.younger.add(sample.bytes());
        row.younger_blocks.add(sample.blocks());
        if age >= watched / 2 {
            row.lasting += sample.bytes().value;
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| (row.operation, row.site));
    for of_operation in rows.chunk_by_mut(|one, other| one.operation == other.operation) {
        let calls = calls(of_operation[0].operation);
        for row in of_operation {
            row.calls = calls;
        }
    }
    rows
}

impl Row {
    fn new(site: u32, operation: u32) -> Self {
        let none = Estimate::default();
        let (younger, younger_blocks, older) = (none, none, none);
        Self { site, operation, calls: 0, younger, younger_blocks, lasting: 0.0, older, largest: 0 }
    }
}

/// The stored observations, evenly spread over all that were made.
#[derive(Debug, Default)]
pub(super) struct Record {
    kept: Vec<Observed>,
    /// The number of times that every other observation was dropped. With `n` halvings, one in 2ⁿ
    /// observations is stored.
    halvings: u32,
    /// The last observation, even if it is not in `kept`.
    latest: Option<Observed>,
}

impl Record {
    pub(super) fn push(&mut self, observed: Observed) {
        if observed.number.trailing_zeros() >= self.halvings {
            self.kept.push(observed.clone());
            self.thin();
        }
        self.latest = Some(observed);
    }

    fn thin(&mut self) {
        let rows = |kept: &[Observed]| kept.iter().map(|one| one.rows.len()).sum::<usize>();
        while self.kept.len() > MOST_OBSERVATIONS
            || self.kept.len() > LEAST_OBSERVATIONS && rows(&self.kept) > MOST_ROWS
        {
            self.halvings += 1;
            self.kept.retain(|one| one.number.trailing_zeros() >= self.halvings);
        }
    }

    /// Returns the stored observations, and the last one.
    pub(super) fn observations(&self) -> Vec<Observed> {
        let mut all = self.kept.clone();
        let last = all.last().map_or(0, |one| one.number);
        all.extend(self.latest.clone().filter(|latest| latest.number > last));
        all
    }
}

#[cfg(test)]
mod tests;
