//! Live samples, the roots that reached their blocks, and the sums by stack, operation and root.

use super::{LISTED, NAMES, SITES_LISTED, rows};
use crate::process_memory::{ARENA, KeptPages, RESIDENCY_PAGES, kept_by};
use memprof_heap::site::{LiveSample, LiveSamples, live_samples};
use memprof_recording::document::{
    ClaimedTwice, Estimate, HeldBy, PinnedRow, Site, StackRow, UnexplainedOperation,
};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};

/// Live samples, each with the roots that own its block.
#[derive(Debug)]
pub(crate) struct Claims {
    samples: LiveSamples,
    /// The first two roots that reached each sample.
    by: Vec<[u32; 2]>,
    /// `None` if pages were not read, and empty if no block was read or none pins free memory.
    kept: Vec<Option<Kept>>,
}

/// What a sampled block keeps of its pages.
#[derive(Clone, Copy, Debug)]
struct Kept {
    pages: KeptPages,
    /// The number of samples for which this one stands.
    stands_for: f64,
}

/// The stack, the operation and the root of a sample.
type Owner = (u32, Option<u32>, Option<u32>);

const UNCLAIMED: u32 = u32::MAX;

/// A root could own more than the suspect has, because their samples are of different moments.
fn at_most(held: Estimate, whole: &Estimate) -> Estimate {
    if held.value > whole.value { *whole } else { held }
}

impl Claims {
    pub(super) fn take() -> Option<Self> {
        let samples = live_samples().ok()?.with_names(NAMES);
        let by = vec![[UNCLAIMED; 2]; samples.len()];
        Some(Self { samples, by, kept: Vec::new() })
    }

    /// Reads which free memory the sampled blocks pin. The blocks must come from glibc. Blocks that
    /// were freed meanwhile are not read. Returns `true` if any free memory is pinned.
    ///
    /// A sample takes 2 to 5 µs. Of many samples, some from all parts of the memory are read, and stand
    /// for all. Large blocks are chosen by themselves: there are few of them, and most of the bytes may
    /// be theirs.
    #[expect(clippy::cast_precision_loss, reason = "there are a few thousand samples")]
    pub(crate) fn read_pinned(&mut self) -> bool {
        /// The first size for which glibc maps pages.
        const LARGE: usize = 128 << 10;
        let count = self.samples.len();
        let (large, small): (Vec<_>, Vec<_>) = self
            .samples
            .iter()
            .enumerate()
            .map(|(index, LiveSample { address, size, .. })| (index, address, size))
            .partition(|&(.., size)| size >= LARGE);
        let places =
            self.samples.iter().map(|sample| (sample.address / ARENA, sample.stack.number()));
        let are_below_others = below_others(&places.collect::<Vec<_>>());
        let mut pages_left = RESIDENCY_PAGES;
        self.kept = vec![None; count];
        for samples in [large, small] {
            let read: Vec<(usize, KeptPages)> = spread(samples.len())
                .filter_map(|chosen| {
                    let (index, address, size) = samples[chosen];
                    Some((index, kept_by(address, size, &mut pages_left)?))
                })
                .collect();
            let stands_for = samples.len() as f64 / read.len() as f64;
            for (index, mut pages) in read {
                if pages.may_join_top && !are_below_others[index] {
                    pages.alone = 0.0;
                }
                self.kept[index] = Some(Kept { pages, stands_for });
            }
        }
        let is_any_free = self.kept.iter().flatten().any(|kept| kept.pages.free > 0.0);
        if !is_any_free {
            self.kept.clear();
        }
        is_any_free
    }

    /// Also has rows that pin no free memory: they may be of a call site that does so elsewhere.
    pub(crate) fn pinned(&self) -> Vec<PinnedRow> {
        let mut sums: BTreeMap<Owner, [memprof_heap::site::Estimate; 3]> = BTreeMap::new();
        for (index, (sample, kept)) in self.samples.iter().zip(&self.kept).enumerate() {
            let Some(Kept { pages, stands_for }) = kept else { continue };
            if pages.shared <= 0.0 {
                continue;
            }
            let sum = sums.entry(self.owner(index, &sample)).or_default();
            for (sum, bytes) in sum.iter_mut().zip([pages.free, pages.alone, pages.shared]) {
                let bytes = for_all(sample.blocks.times(bytes), *stands_for);
                *sum = [*sum, bytes].into_iter().sum();
            }
        }
        let row = |((stack, path, root), sums): (Owner, [_; 3])| {
            let [free, alone, shared] = sums.map(|sum| rounded(rows::estimate(sum), 1.0));
            PinnedRow { stack, path, root, free, alone, shared }
        };
        let mut rows: Vec<PinnedRow> = sums.into_iter().map(row).collect();
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

    /// Returns the bytes of the samples of each key, largest first.
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

    /// The roots that own the most come first.
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

    pub(crate) fn sites(&self) -> (Vec<Site>, Option<Estimate>) {
        self.listed(|_| true)
    }

    /// Also returns the memory of the call sites that are not listed.
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

/// Returns the indices of the samples that are read: at most 1,024, at equal distances from a random
/// start, so that each of them is as likely as the others.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    const MOST: usize = 1024;
    let read = count.min(MOST);
    let start = RandomState::new().hash_one(count) as usize % count.max(1);
    (0..read).map(move |number| (number * count + start) / read)
}

/// Returns whether each sample is below one of another stack in the same heap of an arena, from the heap
/// and the stack of each sample by address.
fn below_others(samples: &[(usize, u32)]) -> Vec<bool> {
    // The heap, the stack of the last sample in it, and whether the samples above have other stacks, too.
    let mut above: Option<(usize, u32, bool)> = None;
    let mut found: Vec<bool> = samples
        .iter()
        .rev()
        .map(|&(heap, stack)| {
            let of_heap = above.filter(|above| above.0 == heap);
            let (_, last, is_mixed) = of_heap.unwrap_or((heap, stack, false));
            let is_below = is_mixed || last != stack;
            above = Some((heap, last, is_below));
            is_below
        })
        .collect();
    found.reverse();
    found
}

/// Returns the estimate for `samples` samples from one of them.
///
/// As only a share `q` of them is read, an amount `x` with the variance `v` becomes `x / q` with the
/// variance `v / q + x² (1 - q) / q²`.
fn for_all(one: memprof_heap::site::Estimate, samples: f64) -> memprof_heap::site::Estimate {
    let mut all = one.times(samples);
    all.variance = one.variance * samples + one.value * one.value * samples * (samples - 1.0);
    all
}

/// Rounds to whole bytes or hundredths of a block: each digit is in the file once for each row.
fn rounded(estimate: Estimate, parts: f64) -> Estimate {
    let round = |amount: f64| (amount * parts).round() / parts;
    Estimate::new(round(estimate.value), round(estimate.standard_error), estimate.samples)
}

#[cfg(test)]
mod tests {
    use super::{at_most, below_others, for_all, spread};
    use memprof_recording::document::Estimate;
    use std::collections::BTreeSet;

    #[test]
    fn a_root_owns_at_most_the_bytes_of_the_suspect() {
        let [less, whole, more] = [5.0, 8.0, 9.0].map(|bytes| Estimate::new(bytes, 1.0, 2));
        assert_eq!([at_most(less, &whole), at_most(more, &whole)], [less, whole]);
    }

    #[test]
    fn samples_are_read_in_all_parts_of_the_memory() {
        for count in [1, 1000, 1024, 1025, 1500, 2048, 7919, 65_537, 131_074] {
            let read: BTreeSet<usize> = spread(count).collect();
            assert_eq!(read.len(), count.min(1024), "{count}");
            for part in 0..count.min(8) {
                let part = part * count / 8..(part + 1) * count / 8;
                let found = read.range(part.clone()).count();
                let expected = part.len() * read.len() / count;
                assert!(found.abs_diff(expected) <= 1, "{found} in {part:?} of {count}");
            }
        }
        assert_eq!(spread(0).count(), 0);
    }

    #[test]
    fn each_sample_is_read_sooner_or_later() {
        let mut read = BTreeSet::new();
        for _ in 0..200 {
            read.extend(spread(4096));
        }
        assert_eq!(read.len(), 4096);
    }

    #[test]
    fn blocks_below_another_owner_stay_apart_from_the_top() {
        let samples = [(1, 7), (1, 8), (1, 7), (1, 7), (2, 7), (2, 7), (3, 8), (3, 7)];
        let expected = [true, true, false, false, false, false, true, false];
        assert_eq!(below_others(&samples), expected);
        assert!(below_others(&[]).is_empty());
    }

    #[test]
    fn the_error_includes_the_choice_of_samples() {
        let block = memprof_heap::site::Estimate::exact(10.0);
        assert_eq!((for_all(block, 1.0).value, for_all(block, 1.0).variance), (10.0, 0.0));
        // One of 4 is read: 40 with a probability of 1/4, and otherwise 0.
        let all = for_all(block, 4.0);
        assert_eq!((all.value, all.variance), (40.0, 1200.0));
    }
}
