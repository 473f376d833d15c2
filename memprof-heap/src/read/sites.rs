//! The live memory by call site, by address and by block, from samples.
//!
//! Samples are grouped by place first. Stacks are looked up only for the places that are returned,
//! because the frames of all stacks may take megabytes. Call sites without a live sample have sums
//! too, by place, but no stacks: there may be many.
//!
//! Any address within a block finds its sample. A bit for each page that blocks cover answers most
//! of these lookups: an address on any other page is in no block.

use crate::read::counts::{NotRecorded, require_samples};
use crate::read::frame::{Frame, Names, Place, StackId, Symbols, key_line, location};
use crate::read::leaks::Leak;
use crate::read::operations::{names, retained_by};
use crate::record::estimate::{Estimate, Lifetimes};
use crate::record::hooks::{for_caller, recorded};
use crate::record::live_table::Sample;
use crate::record::paths::PathId;
use crate::record::sample;
use crate::record::stacks::{self, SiteCounts, call_site_counts};
use crate::record::switch::sampled_since;
use crate::record::system::Since;
use core::fmt;
use core::iter::once;
use core::time::Duration;
use memprof_profile::text::{NamedFrame, allocated_type, counted, current_folder, lived};
use memprof_profile::views::{Grouped, Units};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The call sites that allocated the program's live memory, estimated from samples. `{}` prints a
/// table of the call sites that hold the most bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sites {
    /// When sampling began. Earlier allocations are unknown.
    pub since: Since,
    /// The current mean bytes from one marked byte to the next.
    pub mean_bytes: u64,
    /// Samples for which the table had no room. Estimates miss them.
    pub lost_samples: u64,
    /// The live bytes, over all call sites, that were allocated since sampling began.
    pub live: Estimate,
    places: Vec<Site>,
}

/// A call site that allocates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Site {
    /// The innermost function that is [the program's own](Frame::is_yours), with its file and line.
    /// `None` if no frame is the program's own, or without debug information.
    pub location: Option<Frame>,
    /// The innermost frame from the user's own packages. A dependency that allocates for two lines
    /// of the user's code is two call sites. `None` if no stack has such a frame.
    pub your_code: Option<Frame>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
    /// Bytes allocated since sampling began.
    pub allocated: Estimate,
    /// Blocks allocated since sampling began.
    pub allocated_blocks: Estimate,
    /// The age of the oldest live block that was sampled.
    pub oldest: Option<Duration>,
    /// How long the freed blocks lived. It separates temporary blocks from blocks that the program
    /// keeps for long.
    pub lifetimes: Lifetimes,
    /// The call stacks of the place that hold live blocks. Stacks that hold the most bytes come
    /// first. Empty if no block is live: then only the sums are kept.
    pub stacks: Vec<SampledStack>,
}

/// One call stack of a place that allocates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledStack {
    /// The frames, innermost first. Inlined functions have frames of their own.
    pub frames: Vec<Frame>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
    /// Bytes allocated since sampling began.
    pub allocated: Estimate,
    /// Blocks allocated since sampling began.
    pub allocated_blocks: Estimate,
    /// The age of the oldest live block that was sampled.
    pub oldest: Option<Duration>,
    /// How long the freed blocks lived.
    pub lifetimes: Lifetimes,
}

/// Returns the call sites that allocated the live memory.
///
/// ```
/// use memprof::heap::{set_level, set_rate, sites, Level, Rate};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_rate(Rate::EACH_BLOCK);
/// set_level(Level::Sampled);
/// let kept = vec![0_u8; 1_000_000];
/// let sites = sites()?;
/// let largest = sites.iter().next().expect("one is live");
/// assert_eq!(largest.live.value, 1_000_000.0);
/// println!("{sites}");
/// # drop(kept);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// Names are looked up in the program's debug information: about 0.1 s the first time, then 0.1 ms
/// for each new frame. Allocations of this call are not sampled. Memory that the call allocates,
/// except for the result, is attributed to [profilers](crate::Totals::profilers).
pub fn sites() -> Result<Sites, NotRecorded> {
    require_samples()?;
    Ok(for_caller(find))
}

fn find() -> Sites {
    let mut symbols = Symbols::default();
    let (since, mean_bytes, lost_samples) = (sampled_since(), sample::mean(), sample::lost());
    let mut samples = sample::live_samples();
    samples.sort_unstable_by_key(|sample| sample.site);
    let live = sum_of(sample::mean(), samples.iter());
    let freed = freed(&samples, &mut symbols);
    let mut by_place = by_place(&samples, &mut symbols);
    for place in freed.keys() {
        by_place.entry(place.clone()).or_default();
    }
    let now = sample::milliseconds();
    let site = |(place, samples): (Place, Vec<_>)| {
        Site::new(&place, &samples, freed.get(&place), now, &mut symbols)
    };
    let mut places: Vec<Site> = by_place.into_iter().map(site).collect();
    places.sort_by(|a, b| {
        let amounts = |site: &Site| (site.live.value, site.allocated.value);
        amounts(b).partial_cmp(&amounts(a)).unwrap_or(core::cmp::Ordering::Equal)
    });
    Sites { since, mean_bytes, lost_samples, live, places }
}

/// Adds up the call sites that have none of these samples, which are sorted by call site.
fn freed(samples: &[Sample], symbols: &mut Symbols) -> HashMap<Place, SiteCounts> {
    let mut places: HashMap<_, SiteCounts> = HashMap::new();
    for site in stacks::used() {
        if samples.binary_search_by_key(&site, |sample| sample.site).is_err() {
            let place = Place::of(&symbols.of_site(site));
            places.entry(place).or_default().add(&call_site_counts(site));
        }
    }
    places
}

/// Groups samples by place. Those of one call site follow each other, if they did before.
fn by_place(samples: &[Sample], symbols: &mut Symbols) -> HashMap<Place, Vec<Sample>> {
    let mut by_place: HashMap<Place, Vec<Sample>> = HashMap::new();
    for of_site in samples.chunk_by(|one, other| one.site == other.site) {
        let place = Place::of(&symbols.of_site(of_site[0].site));
        by_place.entry(place).or_default().extend(of_site);
    }
    by_place
}

fn sum_of<'a>(mean: u64, samples: impl Iterator<Item = &'a Sample>) -> Estimate {
    once(Estimate::of_none(mean)).chain(samples.map(Sample::bytes)).sum()
}

impl SampledStack {
    /// Returns the type of what is allocated, such as `Vec<app::Order>`; `None` if the function
    /// names do not contain it.
    pub fn allocated_type(&self) -> Option<String> {
        allocated_type(self.frames.iter().map(|frame| NamedFrame {
            function: frame.function.as_deref(),
            file: frame.file.as_deref(),
            address: Some(frame.address as u64),
        }))
    }

    fn new(live: &[Sample], now: u64, symbols: &mut Symbols) -> Self {
        let all = call_site_counts(live[0].site);
        let oldest = live.iter().map(|sample| now.saturating_sub(sample.allocated_at)).max();
        Self {
            frames: symbols.of_site(live[0].site),
            live: live.iter().map(Sample::bytes).sum(),
            live_blocks: live.iter().map(Sample::blocks).sum(),
            allocated: all.bytes,
            allocated_blocks: all.blocks,
            oldest: oldest.map(Duration::from_millis),
            lifetimes: all.lifetimes,
        }
    }
}

impl Site {
    /// Creates a place from its live samples, grouped by call site, and the counts of its call sites
    /// that have none.
    fn new(
        place: &Place,
        samples: &[Sample],
        freed: Option<&SiteCounts>,
        now: u64,
        symbols: &mut Symbols,
    ) -> Self {
        let by_site = samples.chunk_by(|one, other| one.site == other.site);
        let mut stacks: Vec<_> =
            by_site.map(|samples| SampledStack::new(samples, now, symbols)).collect();
        stacks.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        let mut all = freed.copied().unwrap_or_default();
        let (mut live, mut live_blocks) = (Estimate::default(), Estimate::default());
        for stack in &stacks {
            live.add(stack.live);
            live_blocks.add(stack.live_blocks);
            all.bytes.add(stack.allocated);
            all.blocks.add(stack.allocated_blocks);
            all.lifetimes.add(stack.lifetimes);
        }
        // Without a live sample, some of the allocated memory may still be live.
        live.unseen = live.unseen.max(all.bytes.unseen);
        live_blocks.unseen = live_blocks.unseen.max(all.blocks.unseen);
        Self {
            location: place.allocates().cloned(),
            your_code: place.your_code().cloned(),
            live,
            live_blocks,
            allocated: all.bytes,
            allocated_blocks: all.blocks,
            oldest: stacks.iter().filter_map(|stack| stack.oldest).max(),
            lifetimes: all.lifetimes,
            stacks,
        }
    }

    /// Returns the type of what is allocated, such as `Vec<app::Order>`: the one of the call stack with
    /// the most live bytes.
    ///
    /// Returns `None` if the function names do not contain it, or if no block is live.
    pub fn allocated_type(&self) -> Option<String> {
        self.stacks.first()?.allocated_type()
    }

    /// Returns how long freed blocks lived, if the program freed at least three quarters of what the
    /// call site allocated. Otherwise most freed blocks may be vectors that were about to grow.
    fn lived(&self) -> String {
        let frees_most = self.allocated.value > 4.0 * self.live.value;
        let mean = self.lifetimes.mean().filter(|_| frees_most);
        mean.filter(|_| self.lifetimes.interval().is_some()).map(lived).unwrap_or_default()
    }
}

impl Sites {
    /// Returns the call sites. Call sites that hold the most bytes come first.
    pub fn iter(&self) -> impl Iterator<Item = &Site> {
        self.places.iter()
    }

    /// Returns the live bytes by the type of their values, such as `Vec<app::Order>`, largest
    /// first.
    ///
    /// `None` is memory whose type is not in the function names. The names contain it in optimised
    /// builds with `debug = "line-tables-only"`, and in all builds with debug information and
    /// `-C symbol-mangling-version=v0`.
    pub fn by_type(&self) -> Vec<(Option<String>, Estimate)> {
        let mut sums: HashMap<Option<String>, Estimate> = HashMap::new();
        for stack in self.places.iter().flat_map(|site| &site.stacks) {
            sums.entry(stack.allocated_type()).or_default().add(stack.live);
        }
        let mut types: Vec<_> = sums.into_iter().collect();
        types.sort_by(|a, b| b.1.value.total_cmp(&a.1.value).then_with(|| a.0.cmp(&b.0)));
        types
    }
}

const SHOWN: usize = 20;

impl fmt::Display for Sites {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = current_folder();
        let holding = || self.places.iter().filter(|site| site.live.value > 0.0);
        let rows: Vec<_> = holding()
            .take(SHOWN)
            .map(|site| {
                let stack = site.stacks.first().map_or(&[][..], |stack| &stack.frames);
                let place = key_line(stack, folder.as_deref());
                let blocks = counted(site.live_blocks.value.round() as u64, "block");
                (site.live.bytes().to_string(), blocks, place + &site.lived())
            })
            .collect();
        let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or_default();
        for (live, blocks, place) in rows {
            writeln!(out, "{live:>width$} in {blocks}  {place}")?;
        }
        if let Some(more) = holding().count().checked_sub(SHOWN).filter(|more| *more > 0) {
            writeln!(out, "…{} more", Grouped(more as u64))?;
        }
        write!(out, "{} live, allocated {}", self.live.bytes(), self.since)?;
        write!(out, " · {}", counted(self.live.samples, "sample"))?;
        if self.live.has_few_samples() {
            out.write_str(
                " · few samples: use `heap::set_rate(heap::Rate::every(4096))` for small programs",
            )?;
        }
        match self.lost_samples {
            0 => Ok(()),
            lost => write!(out, " · {lost} samples lost; the estimates do not include them"),
        }
    }
}

/// Samples of the live blocks at one moment, by address.
///
/// Use it to see which code allocated the memory of a value. Each sampled block of the value is
/// [found](Self::find) by its address. The caller can then sum the found blocks, or the other
/// blocks, by call site, by operation or in total. Each sample represents other blocks like it, so
/// the sums are estimates for all blocks.
#[derive(Debug)]
pub struct LiveSamples {
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
    /// The names of the path, outermost first; empty if no operation ran.
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
/// Allocations of this call are not sampled. Memory that the call allocates, except for the result,
/// is attributed to [profilers](crate::Totals::profilers).
pub fn live_samples() -> Result<LiveSamples, NotRecorded> {
    require_samples()?;
    let (samples, pages) = for_caller(|| {
        let mut samples = sample::live_samples();
        samples.sort_unstable_by_key(|sample| sample.address);
        let blocks: Vec<_> = samples.iter().map(|of| (of.address, of.size as usize)).collect();
        (samples, Pages::of(&blocks))
    });
    Ok(LiveSamples {
        samples,
        pages,
        now: sample::milliseconds(),
        mean: sample::mean(),
        symbols: Mutex::default(),
    })
}

impl LiveSamples {
    /// Sets whether frames are named in this process; the default is [`Names::Lines`].
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
            stack: StackId::from_number(sample.site),
        })
    }

    /// Returns all samples, by address.
    pub fn iter(&self) -> impl Iterator<Item = LiveSample> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Estimates the bytes that the selected samples represent. `which` selects samples by index.
    pub fn total_bytes(&self, which: impl Fn(usize) -> bool) -> Estimate {
        sum_of(self.mean, self.those(which))
    }

    /// Returns the call sites that allocated the selected samples, largest first. `which` selects
    /// samples by index.
    ///
    /// Live amounts include only these samples; allocated amounts include all samples from the same
    /// stacks.
    ///
    /// # Cost
    /// The call looks up names as [`sites`](crate::sites()) does, and caches them for the next
    /// call. Allocations of this call are not sampled. Memory that the call allocates, except for
    /// the result, is attributed to [profilers](crate::Totals::profilers).
    pub fn by_site(&self, which: impl Fn(usize) -> bool) -> Vec<Site> {
        self.largest_sites(usize::MAX, which).0
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
            let mut those: Vec<Sample> =
                self.those(|index| recorded(|| which(index))).copied().collect();
            those.sort_unstable_by_key(|sample| sample.site);
            let mut symbols = self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
            let live = |(place, samples): (_, Vec<Sample>)| {
                (samples.iter().map(Sample::bytes).sum(), place, samples)
            };
            let mut places: Vec<(Estimate, _, _)> =
                by_place(&those, &mut symbols).into_iter().map(live).collect();
            places.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
            let others = places.split_off(max.min(places.len()));
            let site = |(_, place, samples): (_, _, Vec<_>)| {
                Site::new(&place, &samples, None, self.now, &mut symbols)
            };
            let rest = (!others.is_empty()).then(|| others.iter().map(|(live, ..)| *live).sum());
            (places.into_iter().map(site).collect(), rest)
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

/// Small blocks have pages of 4 KiB and large ones pages of 1 MiB, so that both have few pages.
#[derive(Clone, Debug)]
struct Pages {
    small: Bits,
    large: Bits,
}

const LARGE: usize = 1 << 20;
const SMALL_SHIFT: u32 = 12;
const LARGE_SHIFT: u32 = 20;

impl Pages {
    fn of(blocks: &[(usize, usize)]) -> Self {
        let (small, large): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.1 < LARGE);
        Self { small: Bits::of(&small, SMALL_SHIFT), large: Bits::of(&large, LARGE_SHIFT) }
    }

    /// Rarely true for pages that no block covers. If false, no block covers the address.
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

/// The largest live blocks among the samples. `{}` prints them as a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LargestBlocks {
    /// The blocks, largest first.
    pub blocks: Vec<LiveBlock>,
    /// Live blocks of at least this size are sampled in 99 of 100 cases, so no larger block is
    /// likely to be missing.
    pub complete_from_bytes: u64,
}

/// A live block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LiveBlock {
    /// Bytes, as requested.
    pub bytes: u64,
    /// The time since the block was allocated, or last reallocated.
    pub age: Duration,
    /// The operations that ran when the block was allocated, outermost first.
    pub operation: Vec<&'static str>,
    /// The call stack that allocated the block, innermost frame first.
    pub frames: Vec<Frame>,
}

impl LiveBlock {
    /// Returns the innermost frame that is [the program's own](Frame::is_yours).
    pub fn location(&self) -> Option<&Frame> {
        location(&self.frames)
    }
}

/// Returns the largest live blocks that were sampled, at most `count`.
///
/// ```
/// use memprof::heap::{largest, set_level, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_level(Level::Sampled);
/// let kept = vec![0_u8; 64 << 20];
/// let largest = largest(3)?;
/// assert!(largest.complete_from_bytes < 4 << 20);
/// assert_eq!(largest.blocks[0].bytes, 64 << 20);
/// # drop(kept);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// The call costs as much as [`sites`](crate::sites()). Memory that the call allocates, except for
/// the result, is attributed to [profilers](crate::Totals::profilers).
pub fn largest(count: usize) -> Result<LargestBlocks, NotRecorded> {
    largest_with(count, Names::Lines)
}

/// Returns the largest live blocks that were sampled, with frames named as [`Names`] selects.
///
/// ```
/// use memprof::heap::site::{Names, largest_with};
/// use memprof::heap::{Level, set_level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_level(Level::Sampled);
/// let kept = vec![0_u8; 64 << 20];
/// let largest = largest_with(1, Names::Off)?;
/// let frame = &largest.blocks[0].frames[0];
/// assert!(frame.function.is_none() && frame.address != 0);
/// # drop(kept);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// With [`Names::Off`], nothing is looked up. Otherwise the call costs as much as
/// [`sites`](crate::sites()).
pub fn largest_with(count: usize, names: Names) -> Result<LargestBlocks, NotRecorded> {
    require_samples()?;
    Ok(for_caller(|| find_largest(count, names)))
}

fn find_largest(count: usize, which: Names) -> LargestBlocks {
    /// The size from which a block is sampled in 99 of 100 cases, as a multiple of the mean
    /// distance between marked bytes.
    const COMPLETE: f64 = 4.6;
    let mut samples = sample::live_samples();
    samples.sort_by_key(|sample| core::cmp::Reverse(sample.size));
    let mut symbols = Symbols::new(which);
    let now = sample::milliseconds();
    let blocks = samples.iter().take(count).map(|sample| LiveBlock {
        bytes: sample.size,
        age: Duration::from_millis(now.saturating_sub(sample.allocated_at)),
        operation: names(sample.operation),
        frames: symbols.of_site(sample.site),
    });
    let complete = (sample::mean() as f64 * COMPLETE).ceil() as u64;
    LargestBlocks { blocks: blocks.collect(), complete_from_bytes: complete.max(1) }
}

impl fmt::Display for LargestBlocks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = current_folder();
        for block in &self.blocks {
            let bytes = Units::Iec.show(block.bytes).to_string();
            write!(out, "{bytes:>10}  {:>8.1} s  ", block.age.as_secs_f64())?;
            out.write_str(&key_line(&block.frames, folder.as_deref()))?;
            if !block.operation.is_empty() {
                write!(out, " in {}", block.operation.join(";"))?;
            }
            writeln!(out)?;
        }
        write!(out, "complete for blocks of at least {}", Units::Iec.show(self.complete_from_bytes))
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
