//! The samples of live blocks. Any address within a block finds its sample.
//!
//! A bit for each page that blocks cover answers most look-ups: an address on any other page is in no
//! block.

use crate::read::frame::{Names, StackId};
use crate::read::leaks::Leak;
use crate::read::operations::{names, retained_by};
use crate::read::recorded::{NotRecorded, sampled};
use crate::read::sites::{Site, largest_places, places_of};
use crate::read::symbols::Symbols;
use crate::record::estimate::Estimate;
use crate::record::hooks::{for_caller, recorded};
use crate::record::live_table::Sample;
use crate::record::paths::PathId;
use crate::record::{rate, sample};
use core::time::Duration;
use std::sync::{Mutex, PoisonError};

/// Samples of the live blocks at one moment, by address.
///
/// Use it to see which code allocated the memory of a value. Each sampled block of the value is
/// [found](Self::find) by its address. The caller can then sum the found blocks, or the other
/// blocks, by call site, by operation or in total. Each sample represents other blocks like it, so
/// the sums are estimates for all blocks.
#[derive(Debug)]
pub struct LiveSamples {
    /// The samples, sorted by address.
    samples: Vec<Sample>,
    pages: Pages,
    /// The time at which the samples were read, in the clock of `Sample::allocated_at`.
    now: u64,
    /// The mean bytes from one marked byte to the next.
    mean: u64,
    symbols: Mutex<Symbols>,
}

/// A sample of a live block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiveSample {
    /// The block's address.
    pub address: usize,
    /// The block's bytes, as requested.
    pub size: usize,
    /// The bytes that the sample represents.
    pub bytes: Estimate,
    /// The blocks that the sample represents.
    pub blocks: Estimate,
    /// The operation in which the block was allocated.
    pub operation: Option<PathId>,
    /// The time since the block was allocated, or last reallocated.
    pub age: Duration,
    /// The call stack that allocated the block.
    pub stack: StackId,
}

/// The live blocks that one operation allocated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OperationLive {
    /// The innermost operation that allocated the blocks; `None` if none ran.
    pub path: Option<PathId>,
    /// The names of the path, the outermost first; empty if no operation ran.
    pub names: Vec<&'static str>,
    /// Live bytes.
    pub bytes: Estimate,
    /// Live blocks.
    pub blocks: Estimate,
}

/// Returns the samples of live blocks.
///
/// ```
/// use memprof::heap::site::live_samples;
/// use memprof::heap::{set_level, set_rate, Level, Rate};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_rate(Rate::EACH_BLOCK);
/// set_level(Level::Sampled);
/// let value = vec![0_u8; 1_000_000];
/// let samples = live_samples()?;
/// let index = samples.find(value.as_ptr().addr() + 500).expect("each block is a sample");
/// assert_eq!(samples.get(index).expect("it was found").size, 1_000_000);
///
/// let places = samples.by_site(|other| other == index);
/// assert_eq!(places[0].live.value, 1_000_000.0);
/// println!("allocated by {}", places[0].location.as_ref().expect("there are names"));
/// # drop(value);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// Each slot for a sample is read, and a bit is set for each page that a sampled block covers.
/// Allocations of this call are not sampled. Memory of the call, except the result, counts for
/// [profilers](crate::Totals::profilers).
pub fn live_samples() -> Result<LiveSamples, NotRecorded> {
    sampled()?;
    let (samples, pages) = for_caller(|| {
        let mut samples = sample::live_samples();
        samples.sort_unstable_by_key(|sample| sample.address);
        let blocks: Vec<_> = samples.iter().map(|of| (of.address, of.size as usize)).collect();
        (samples, Pages::of(&blocks))
    });
    Ok(LiveSamples {
        samples,
        pages,
        now: rate::milliseconds(),
        mean: rate::mean(),
        symbols: Mutex::default(),
    })
}

impl LiveSamples {
    /// Sets how far frames are named in this process; the default is [`Names::Lines`].
    #[must_use]
    pub fn with_names(self, names: Names) -> Self {
        Self { symbols: Mutex::new(Symbols::new(names)), ..self }
    }

    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns true if there are no samples.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Returns the index of the sample whose block contains this address. Indices are below
    /// [`len`](Self::len), in the order of the addresses.
    ///
    /// Blocks may overlap if they were freed and allocated again while the samples were read. Then
    /// the call considers only one block: the last one that starts at this address or before it.
    ///
    /// # Cost
    /// If the address is on no page of a sampled block, two bits are read. Otherwise, a binary
    /// search over at most a few thousand samples follows.
    #[inline]
    pub fn find(&self, address: usize) -> Option<usize> {
        if !self.pages.may_cover(address) {
            return None;
        }
        self.search(address)
    }

    fn search(&self, address: usize) -> Option<usize> {
        let after = self.samples.partition_point(|sample| sample.address <= address);
        let index = after.checked_sub(1)?;
        let sample = &self.samples[index];
        (((address - sample.address) as u64) < sample.size).then_some(index)
    }

    /// Returns the sample with this index.
    pub fn get(&self, index: usize) -> Option<LiveSample> {
        let sample = self.samples.get(index)?;
        let age = self.now.saturating_sub(sample.allocated_at);
        Some(LiveSample {
            address: sample.address,
            size: sample.size as usize,
            bytes: sample.bytes(),
            blocks: sample.blocks(),
            operation: PathId::of(sample.operation),
            age: Duration::from_millis(age),
            stack: StackId::new(sample.site),
        })
    }

    /// Returns all samples, by address.
    pub fn iter(&self) -> impl Iterator<Item = LiveSample> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Estimates the bytes that the selected samples represent. `which` selects samples by index.
    pub fn total_bytes(&self, which: impl Fn(usize) -> bool) -> Estimate {
        self.those(which).map(Sample::bytes).fold(Estimate::of_none(self.mean), |mut sum, next| {
            sum.add(next);
            sum
        })
    }

    /// Returns the call sites that allocated the selected samples, largest first. `which` selects
    /// samples by index.
    ///
    /// Live amounts include only these samples; allocated amounts include all samples from the same
    /// stacks.
    ///
    /// # Cost
    /// The call looks up names as [`sites`](crate::sites()) does, and caches them for the next
    /// call. Allocations of this call are not sampled. Memory of the call, except the result,
    /// counts for [profilers](crate::Totals::profilers).
    pub fn by_site(&self, which: impl Fn(usize) -> bool) -> Vec<Site> {
        for_caller(|| {
            let those = self.those(|index| recorded(|| which(index))).copied().collect();
            let mut symbols = self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
            places_of(those, self.now, &mut symbols)
        })
    }

    /// Returns the `max` call sites that hold the most bytes of the selected samples, like
    /// [`by_site`](Self::by_site), and the bytes of all other places. The latter is `None` if there
    /// are no others. `which` selects samples by index.
    ///
    /// # Cost
    /// The call takes less memory than `by_site`, because only the stacks of the returned places
    /// are in memory. A program with a thousand call stacks has about 2 MB of them.
    pub fn largest_sites(
        &self,
        max: usize,
        which: impl Fn(usize) -> bool,
    ) -> (Vec<Site>, Option<Estimate>) {
        for_caller(|| {
            let those = self.those(|index| recorded(|| which(index))).copied().collect();
            let mut symbols = self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
            largest_places(max, those, self.now, &mut symbols)
        })
    }

    /// Returns true if the block of the sample with this index belongs to the suspect: it was
    /// allocated since the watch started, at a call site and in an operation of the suspect.
    /// Returns false if there is no such sample.
    ///
    /// Use it to see which part of a suspect's memory a value owns.
    pub fn is_of(&self, index: usize, suspect: &Leak) -> bool {
        let sample = self.samples.get(index);
        sample.is_some_and(|sample| {
            sample.allocated_at > suspect.since
                && suspect.sites.contains(&(sample.site, sample.operation))
        })
    }

    /// Returns the operations that allocated the selected samples, largest first. `which` selects
    /// samples by index.
    pub fn by_operation(&self, which: impl Fn(usize) -> bool) -> Vec<OperationLive> {
        for_caller(|| {
            let by_path = retained_by(self.those(|index| recorded(|| which(index))));
            let mut all: Vec<_> = by_path
                .into_iter()
                .map(|(path, (bytes, blocks))| OperationLive {
                    path: PathId::of(path),
                    names: names(path),
                    bytes,
                    blocks,
                })
                .collect();
            all.sort_by(|a, b| {
                b.bytes.value.total_cmp(&a.bytes.value).then_with(|| a.path.cmp(&b.path))
            });
            all
        })
    }

    fn those(&self, which: impl Fn(usize) -> bool) -> impl Iterator<Item = &Sample> {
        self.samples.iter().enumerate().filter(move |(index, _)| which(*index)).map(|of| of.1)
    }
}

/// The pages of small and of large blocks. Small blocks have pages of 4 KiB and large blocks pages
/// of 1 MiB, so that both have few pages.
#[derive(Clone, Debug)]
struct Pages {
    small: Bits,
    large: Bits,
}

/// The minimum size of a large block, in bytes.
const LARGE: usize = 1 << 20;
const SMALL_SHIFT: u32 = 12;
const LARGE_SHIFT: u32 = 20;

impl Pages {
    /// Creates the pages of blocks, given by address and size.
    pub(crate) fn of(blocks: &[(usize, usize)]) -> Self {
        let (small, large): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.1 < LARGE);
        Self { small: Bits::of(&small, SMALL_SHIFT), large: Bits::of(&large, LARGE_SHIFT) }
    }

    /// Returns true if a block covers the page of the address, and rarely for other pages. If it
    /// returns false, no block covers the address.
    #[inline]
    fn may_cover(&self, address: usize) -> bool {
        self.small.has(address) || self.large.has(address)
    }
}

/// A bit for each hash of a page. There are at least 16 times as many bits as pages.
#[derive(Clone, Debug)]
struct Bits {
    /// The number of address bits within a page.
    page: u32,
    /// The number of hash bits that are not used.
    hash: u32,
    words: Vec<u64>,
}

/// The maximum number of pages that are distinguished: 16 TiB of large blocks.
const MAX_PAGES: usize = 1 << 24;
const BITS_OF_A_PAGE: usize = 16;

impl Bits {
    fn of(blocks: &[(usize, usize)], page: u32) -> Self {
        let pages = |&(address, size): &(usize, usize)| {
            (address >> page)..=(address.saturating_add(size.saturating_sub(1)) >> page)
        };
        let count = blocks.iter().map(|block| pages(block).end() - pages(block).start() + 1);
        let count = count.fold(0, usize::saturating_add);
        if count > MAX_PAGES {
            // Any address may be covered.
            return Self { page, hash: 58, words: vec![u64::MAX] };
        }
        let bits = (count * BITS_OF_A_PAGE).next_power_of_two().max(64);
        let mut all = Self { page, hash: 64 - bits.ilog2(), words: vec![0; bits / 64] };
        for number in blocks.iter().flat_map(pages) {
            let bit = all.bit(number);
            all.words[bit / 64] |= 1 << (bit % 64);
        }
        all
    }

    #[inline]
    fn bit(&self, page: usize) -> usize {
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        ((page as u64).wrapping_mul(MULTIPLIER) >> self.hash) as usize
    }

    #[inline]
    fn has(&self, address: usize) -> bool {
        let bit = self.bit(address >> self.page);
        self.words[bit / 64] & (1 << (bit % 64)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::LARGE;
    use super::Pages;

    #[test]
    fn each_byte_of_a_block_may_be_covered_and_most_others_are_not() {
        let blocks = [(0x10_0FF8, 16), (0x7000_0000, LARGE * 3), (0x20_0000, 1)];
        let pages = Pages::of(&blocks);
        for (address, size) in blocks {
            for at in [address, address + size / 2, address + size - 1] {
                assert!(pages.may_cover(at), "{at:#x}");
            }
        }
        let covered = (0..1000).filter(|page| pages.may_cover(0x5000_0000 + page * 4096)).count();
        assert!(covered < 300, "{covered} of 1000");
    }

    #[test]
    fn of_no_blocks_and_of_too_many_pages() {
        assert!(!Pages::of(&[]).may_cover(0));
        assert!(Pages::of(&[(0, usize::MAX)]).may_cover(12345));
    }
}
