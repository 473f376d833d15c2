//! Live samples, the roots that reached their blocks, and the sums by stack, operation and root.

use super::{LISTED, NAMES, SITES_LISTED, rows};
use crate::process_memory::{KeptPages, kept_by};
use memprof_heap::site::{LiveSample, LiveSamples, live_samples};
use memprof_recording::document::{
    ClaimedTwice, Estimate, HeldBy, PinnedRow, Site, StackRow, UnexplainedOperation,
};
use std::collections::{BTreeMap, BTreeSet};

/// Live samples, each with the roots that own its block.
#[derive(Debug)]
pub(crate) struct Claims {
    samples: LiveSamples,
    /// The first two roots that reached each sample.
    by: Vec<[u32; 2]>,
    /// What each sampled block keeps of its pages; empty if that was not read.
    kept: Vec<KeptPages>,
    /// The number of samples for which each one stands that was read.
    samples_of_one: f64,
}

/// The stack, the operation and the root of a sample.
type Owner = (u32, Option<u32>, Option<u32>);

const UNCLAIMED: u32 = u32::MAX;

/// Returns the smaller estimate. The samples and the suspect are not of the same moment, so a root
/// could own more than the whole suspect has.
fn at_most(held: Estimate, whole: &Estimate) -> Estimate {
    if held.value > whole.value { *whole } else { held }
}

impl Claims {
    pub(super) fn take() -> Option<Self> {
        let samples = live_samples().ok()?.with_names(NAMES);
        let by = vec![[UNCLAIMED; 2]; samples.len()];
        Some(Self { samples, by, kept: Vec::new(), samples_of_one: 1.0 })
    }

    /// Reads which free memory the sampled blocks pin. The blocks must be those of glibc. Blocks that
    /// were freed meanwhile pin nothing. Returns `true` if there is any.
    ///
    /// A sample takes 2 to 5 µs. Of many samples, some from all parts of the memory are read, and stand
    /// for all.
    #[expect(clippy::cast_precision_loss, reason = "there are a few thousand samples")]
    pub(crate) fn read_pinned(&mut self) -> bool {
        const MOST: usize = 1024;
        // A prime number, so that the multiples of it are different samples.
        const STEP: usize = 65_537;
        let count = self.samples.len();
        let read = count.min(MOST);
        self.kept = vec![KeptPages::default(); count];
        for index in (0..read).map(|number| number * STEP % count) {
            let Some(LiveSample { address, size, .. }) = self.samples.get(index) else { continue };
            self.kept[index] = kept_by(address, size).unwrap_or_default();
        }
        self.samples_of_one = count as f64 / read.max(1) as f64;
        self.kept.iter().any(|kept| kept.free > 0.0)
    }

    /// Returns the free memory that live blocks pin, by stack, operation and root.
    pub(crate) fn pinned(&self) -> Vec<PinnedRow> {
        let mut sums: BTreeMap<Owner, [memprof_heap::site::Estimate; 3]> = BTreeMap::new();
        for (index, (sample, kept)) in self.samples.iter().zip(&self.kept).enumerate() {
            if kept.shared <= 0.0 {
                continue;
            }
            let sum = sums.entry(self.owner(index, &sample)).or_default();
            for (sum, bytes) in sum.iter_mut().zip([kept.free, kept.alone, kept.shared]) {
                let bytes = sample.blocks.times(bytes * self.samples_of_one);
                *sum = [*sum, bytes].into_iter().sum();
            }
        }
        let row = |((stack, path, root), sums): (Owner, [_; 3])| {
            let [free, alone, shared] = sums.map(|sum| rounded(rows::estimate(sum), 1.0));
            PinnedRow { stack, path, root, free, alone, shared }
        };
        let mut rows: Vec<PinnedRow> = sums.into_iter().map(row).collect();
        rows.retain(|row| row.free.value > 0.0);
        rows.sort_by(|a, b| b.free.value.total_cmp(&a.free.value));
        rows
    }

    fn owner(&self, index: usize, sample: &LiveSample) -> Owner {
        let path = sample.operation.map(memprof_heap::operation::PathId::number);
        let root = self.by[index][0];
        (sample.stack.number(), path, (root != UNCLAIMED).then_some(root))
    }

    pub(crate) fn owners(&self) -> BTreeSet<usize> {
        let claimed = self.by.iter().flatten().filter(|root| **root != UNCLAIMED);
        claimed.map(|&root| root as usize).collect()
    }

    /// Returns the names, and replaces the index of each owner by the position of its name.
    ///
    /// Of 100,000 roots, only those that are listed or own a sampled block are named in the file.
    pub(crate) fn renumber(&mut self, names: BTreeMap<usize, String>) -> Vec<String> {
        if names.keys().copied().ne(0..names.len()) {
            let positions: BTreeMap<u32, u32> =
                names.keys().zip(0..).map(|(&index, position)| (index as u32, position)).collect();
            for root in self.by.iter_mut().flatten() {
                *root = positions.get(root).copied().unwrap_or(UNCLAIMED);
            }
        }
        names.into_values().collect()
    }

    pub(crate) fn claim(&mut self, root: usize, address: usize) {
        let Some(index) = self.samples.find(address) else { return };
        let root = root as u32;
        let by = &mut self.by[index];
        if by[0] == UNCLAIMED {
            by[0] = root;
        } else if by[0] != root && by[1] == UNCLAIMED {
            by[1] = root;
        }
    }

    pub(crate) fn explained(&self) -> Estimate {
        rows::estimate(self.samples.total_bytes(|index| self.by[index][0] != UNCLAIMED))
    }

    pub(crate) fn unexplained(&self) -> Estimate {
        rows::estimate(self.samples.total_bytes(|index| self.is_unexplained(index)))
    }

    pub(crate) fn claimed_twice(&self) -> Estimate {
        rows::estimate(self.samples.total_bytes(|index| self.by[index][1] != UNCLAIMED))
    }

    pub(crate) fn pairs(&self, names: &[String]) -> Vec<ClaimedTwice> {
        let pairs = self.by.iter().enumerate().filter(|(_, by)| by[1] != UNCLAIMED);
        let pairs = pairs.map(|(index, by)| (index, [by[0].min(by[1]), by[0].max(by[1])]));
        let name = |root: u32| names.get(root as usize).cloned().unwrap_or_default();
        let pair = |(pair, live): ([u32; 2], _)| ClaimedTwice { roots: pair.map(name), live };
        self.sums(pairs).map(pair).take(LISTED).collect()
    }

    /// Returns the bytes of the samples of each key, the most first.
    fn sums<K: Ord>(
        &self,
        keys: impl Iterator<Item = (usize, K)>,
    ) -> impl Iterator<Item = (K, Estimate)> {
        let mut sums: BTreeMap<K, memprof_heap::site::Estimate> = BTreeMap::new();
        for (index, key) in keys {
            let Some(sample) = self.samples.get(index) else { continue };
            let sum = sums.entry(key).or_default();
            *sum = [*sum, sample.bytes].into_iter().sum();
        }
        let mut sums: Vec<_> =
            sums.into_iter().map(|(key, sum)| (key, rows::estimate(sum))).collect();
        sums.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        sums.into_iter()
    }

    /// Returns the roots that own memory of a suspect. The roots that own the most come first.
    pub(crate) fn holders(
        &self,
        suspect: &memprof_heap::leak::Leak,
        names: &[String],
    ) -> Vec<HeldBy> {
        // Skip most samples early: they belong to no root, or to no suspect.
        let of_suspect = |(index, by): &(usize, &[u32; 2])| {
            by[0] != UNCLAIMED && self.samples.is_of(*index, suspect)
        };
        let owned = self.by.iter().enumerate().filter(of_suspect);
        let owned = owned.flat_map(|(index, by)| by.map(|root| (index, root)));
        let suspect_live = rows::estimate(suspect.live);
        let held = |(root, live): (u32, Estimate)| HeldBy {
            root: names.get(root as usize).cloned().unwrap_or_default(),
            live: at_most(live, &suspect_live),
        };
        self.sums(owned.filter(|(_, root)| *root != UNCLAIMED)).map(held).collect()
    }

    pub(crate) fn unexplained_sites(&self) -> Vec<Site> {
        self.listed(|index| self.is_unexplained(index)).0
    }

    pub(crate) fn unexplained_operations(&self) -> Vec<UnexplainedOperation> {
        let all = self.samples.by_operation(|index| self.is_unexplained(index));
        all.iter().take(LISTED).map(rows::unexplained).collect()
    }

    /// Returns the call sites of all live memory, and the memory of call sites that are not listed.
    pub(crate) fn sites(&self) -> (Vec<Site>, Option<Estimate>) {
        self.listed(|_| true)
    }

    /// Returns the call sites that hold the most memory, and the memory that all other call sites
    /// hold.
    fn listed(&self, which: impl Fn(usize) -> bool) -> (Vec<Site>, Option<Estimate>) {
        let (sites, others) = self.samples.largest_sites(SITES_LISTED, which);
        (sites.iter().map(rows::site).collect(), others.map(rows::estimate))
    }

    /// Each live sample is in exactly one row; the largest rows come first.
    pub(crate) fn rows(&self) -> Vec<StackRow> {
        let mut sums: BTreeMap<_, (memprof_heap::site::Estimate, memprof_heap::site::Estimate)> =
            BTreeMap::new();
        for (index, sample) in self.samples.iter().enumerate() {
            let sum = sums.entry(self.owner(index, &sample)).or_default();
            sum.0 = [sum.0, sample.bytes].into_iter().sum();
            sum.1 = [sum.1, sample.blocks].into_iter().sum();
        }
        let row = |((stack, path, root), (live, blocks))| StackRow {
            stack,
            path,
            root,
            live: rounded(rows::estimate(live), 1.0),
            live_blocks: rounded(rows::estimate(blocks), 100.0),
        };
        let mut rows: Vec<StackRow> = sums.into_iter().map(row).collect();
        rows.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        rows
    }

    /// Returns `None` if the block was not sampled. The path is empty outside of operations.
    pub(crate) fn operation_at(&self, address: usize) -> Option<Vec<String>> {
        let sample = self.samples.get(self.samples.find(address)?)?;
        let path = sample.operation.and_then(memprof_heap::operation::operation_path);
        Some(path.map_or_else(Vec::new, |path| rows::owned(&path.names)))
    }

    fn is_unexplained(&self, index: usize) -> bool {
        self.by[index][0] == UNCLAIMED
    }
}

/// Rounds to whole bytes or hundredths of a block: each digit is in the file once for each row.
fn rounded(estimate: Estimate, parts: f64) -> Estimate {
    let round = |amount: f64| (amount * parts).round() / parts;
    Estimate::new(round(estimate.value), round(estimate.standard_error), estimate.samples)
}

#[cfg(test)]
mod tests {
    use super::at_most;
    use memprof_recording::document::Estimate;

    #[test]
    fn a_root_owns_at_most_the_bytes_of_the_suspect() {
        let [less, whole, more] = [5.0, 8.0, 9.0].map(|bytes| Estimate::new(bytes, 1.0, 2));
        assert_eq!([at_most(less, &whole), at_most(more, &whole)], [less, whole]);
    }
}
