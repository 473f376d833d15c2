//! The live blocks that were sampled, found by any address within them.

mod pages;

use crate::control::not_recorded::NotRecorded;
use crate::control::not_recorded::sampled;
use crate::control::unrecorded::for_caller;
use crate::control::unrecorded::recorded;
use crate::operations::paths::PathId;
use crate::results::operations::{names, retained_by};
use crate::results::sites::Site;
use crate::results::sites::places_of;
use crate::results::symbols::Symbols;
use crate::sampling::Estimate;
use crate::sampling::{self, Sample};
use core::time::Duration;
use pages::Pages;
use std::sync::{Mutex, PoisonError};

/// Live blocks that were sampled, as of one moment, by address.
///
/// It tells of what a value owns who allocated it: each block of the value that was sampled is
/// [found](Self::find) by its address, and those found, or those not, are summed up by place, by
/// operation, or in all. As samples stand for all blocks like them, the sums are estimates of all.
#[derive(Debug)]
pub struct LiveSamples {
    /// By address.
    samples: Vec<Sample>,
    pages: Pages,
    /// When they were looked at, in the clock of `Sample::born`.
    now: u64,
    /// Bytes from one marked byte to the next, on average.
    mean: u64,
    symbols: Mutex<Symbols>,
}

/// A live block that was sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiveSample {
    /// Where it begins.
    pub address: usize,
    /// Its bytes, as requested.
    pub size: usize,
    /// Bytes that it stands for.
    pub bytes: Estimate,
    /// Blocks that it stands for.
    pub blocks: Estimate,
    /// The operation in which it was allocated.
    pub operation: Option<PathId>,
    /// How long ago it was allocated, or last reallocated.
    pub age: Duration,
}

/// What live blocks that an operation allocated amount to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OperationLive {
    /// The operation, innermost where the blocks were allocated; `None` where none ran.
    pub path: Option<PathId>,
    /// Its names, the outermost first; none where no operation ran.
    pub names: Vec<&'static str>,
    /// Bytes that are live.
    pub bytes: Estimate,
    /// Blocks that are live.
    pub blocks: Estimate,
}

/// The live blocks that were sampled.
///
/// ```
/// use memprof_heap::{Allocator, Level, Rate, live_samples, set_level, set_rate};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
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
/// If the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// A look at each place for a sample, and a bit for each page that a sampled block covers. What
/// this allocates is not sampled; all but what it returns is counted as
/// [profilers'](crate::Totals::profilers).
pub fn live_samples() -> Result<LiveSamples, NotRecorded> {
    sampled()?;
    let (samples, pages) = for_caller(|| {
        let mut samples = sampling::live_samples();
        samples.sort_unstable_by_key(|sample| sample.address);
        let blocks: Vec<_> = samples.iter().map(|of| (of.address, of.size as usize)).collect();
        (samples, Pages::of(&blocks))
    });
    Ok(LiveSamples {
        samples,
        pages,
        now: sampling::milliseconds(),
        mean: sampling::mean(),
        symbols: Mutex::default(),
    })
}

impl LiveSamples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The sample whose block has this address in it, from its first byte to its last, by its
    /// index: 0 to [`len`](Self::len), by address.
    ///
    /// Blocks that were freed and allocated anew while the samples were looked at may overlap;
    /// then it is the one that begins last.
    ///
    /// # Cost
    /// Where the address is on no page of a sampled block, a look at two bits; else a search among
    /// at most some thousand.
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

    /// The sample of an index.
    pub fn get(&self, index: usize) -> Option<LiveSample> {
        let sample = self.samples.get(index)?;
        let age = self.now.saturating_sub(sample.born);
        Some(LiveSample {
            address: sample.address,
            size: sample.size as usize,
            bytes: sample.bytes(),
            blocks: sample.blocks(),
            operation: PathId::of(sample.operation),
            age: Duration::from_millis(age),
        })
    }

    /// All of them, by address.
    pub fn iter(&self) -> impl Iterator<Item = LiveSample> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Bytes that those stand for whose index is one of `which`.
    pub fn total_bytes(&self, which: impl Fn(usize) -> bool) -> Estimate {
        self.those(which).map(Sample::bytes).fold(Estimate::of_none(self.mean), |mut sum, next| {
            sum.add(next);
            sum
        })
    }

    /// Blocks that those stand for whose index is one of `which`.
    pub fn total_blocks(&self, which: impl Fn(usize) -> bool) -> Estimate {
        self.those(which).map(Sample::blocks).sum()
    }

    /// Where those were allocated whose index is one of `which`: places that hold most first.
    ///
    /// What is live there is of those alone; what was allocated, of all from the same stacks.
    ///
    /// # Cost
    /// Names are looked up as by [`sites`](crate::sites()), and remembered for the next call. What
    /// this allocates is not sampled; all but what it returns is counted as
    /// [profilers'](crate::Totals::profilers).
    pub fn by_site(&self, which: impl Fn(usize) -> bool) -> Vec<Site> {
        for_caller(|| {
            let those = self.those(|index| recorded(|| which(index))).copied().collect();
            let mut symbols = self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
            places_of(those, self.now, &mut symbols)
        })
    }

    /// In which operations those were allocated whose index is one of `which`: those that hold
    /// most first.
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
