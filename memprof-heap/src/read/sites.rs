//! The call sites that allocated the live memory, from samples.
//!
//! Call sites without a live sample have sums too, by place, but no stacks: there may be many.

use crate::read::frame::{Frame, Place, UNKNOWN_PLACE, key_line};
use crate::read::recorded::{NotRecorded, sampled};
use crate::read::symbols::{Locations, Symbols};
use crate::record::estimate::{Estimate, Lifetimes};
use crate::record::hooks::for_caller;
use crate::record::live_table::Sample;
use crate::record::stacks::{self, call_site_counts};
use crate::record::switch::sampled_since;
use crate::record::system::Since;
use crate::record::{live, rate, sample};
use core::fmt;
use core::time::Duration;
use memprof_profile::text::{counted, current_folder, lived};
use std::collections::HashMap;

/// The call sites that allocated the program's live memory, estimated from samples. `{}` prints a
/// table of the call sites that hold the most bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sites {
    /// The time since which samples are taken. Earlier allocations are unknown.
    pub since: Since,
    /// The current mean bytes from one marked byte to the next.
    pub mean_bytes: u64,
    /// Samples that found no place in the table. Estimates miss them.
    pub lost_samples: u64,
    /// The live bytes of all call sites that were allocated since sampling began.
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
    /// The first frame of the user's own packages, going outwards. A dependency that allocates for
    /// two lines of the user's code is two call sites. `None` if no stack has such a frame.
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
    /// How long the blocks lived that have been freed. It tells temporary blocks from blocks that
    /// the program keeps for long.
    pub lifetimes: Lifetimes,
    /// The call stacks of the place that hold live blocks. Stacks that hold the most bytes come
    /// first. Empty if no block is live: then only the sums are kept.
    pub stacks: Vec<SampledStack>,
}

/// One call stack of a place that allocates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledStack {
    /// The frames, the innermost first. Inlined functions have frames of their own.
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
    /// How long the blocks lived that have been freed.
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
/// for each new frame. Allocations of this call are not sampled. Memory of the call, except the
/// result, counts for [profilers](crate::Totals::profilers).
pub fn sites() -> Result<Sites, NotRecorded> {
    sampled()?;
    Ok(for_caller(find))
}

fn find() -> Sites {
    let mut symbols = Symbols::default();
    let samples = by_site(sample::live_samples());
    let freed = by_place(&samples, &mut symbols);
    let none = Estimate::of_none(rate::mean());
    Sites {
        since: sampled_since(),
        mean_bytes: rate::mean(),
        lost_samples: live::lost(),
        live: samples.iter().map(Sample::bytes).fold(none, |mut sum, next| {
            sum.add(next);
            sum
        }),
        places: by_location(stacks(&samples, rate::milliseconds(), &mut symbols), &freed),
    }
}

/// Returns the call sites of samples as of a moment. Call sites that hold the most bytes come
/// first.
pub(crate) fn places_of(samples: Vec<Sample>, now: u64, symbols: &mut Symbols) -> Vec<Site> {
    by_location(stacks(&by_site(samples), now, symbols), &HashMap::new())
}

/// Returns the call sites that hold the most bytes, like [`places_of`], and the bytes of all other
/// call sites; `None` if there are no others.
///
/// Only the stacks of the returned call sites are in memory. These may be few of many.
pub(crate) fn largest_places(
    max: usize,
    samples: Vec<Sample>,
    now: u64,
    symbols: &mut Symbols,
) -> (Vec<Site>, Option<Estimate>) {
    let samples = by_site(samples);
    let mut known = Locations::default();
    let mut by_place: HashMap<Place, Vec<Sample>> = HashMap::new();
    for of_site in samples.chunk_by(|one, other| one.site == other.site) {
        let place = symbols.place_of_site(of_site[0].site, &mut known);
        by_place.entry(place).or_default().extend(of_site);
    }
    let live = |samples: Vec<Sample>| (samples.iter().map(Sample::bytes).sum(), samples);
    let mut places: Vec<(Estimate, _)> = by_place.into_values().map(live).collect();
    places.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
    let others = places.split_off(max.min(places.len()));
    let listed = places.into_iter().flat_map(|(_, samples)| samples).collect();
    let rest = (!others.is_empty()).then(|| others.iter().map(|(live, _)| *live).sum());
    (places_of(listed, now, symbols), rest)
}

fn by_site(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_unstable_by_key(|sample| sample.site);
    samples
}

/// Returns one stack for each call site of the samples, which are sorted by call site.
fn stacks(samples: &[Sample], now: u64, symbols: &mut Symbols) -> Vec<SampledStack> {
    samples
        .chunk_by(|one, other| one.site == other.site)
        .map(|live| {
            let all = call_site_counts(live[0].site);
            let oldest = live.iter().map(|sample| now.saturating_sub(sample.allocated_at)).max();
            SampledStack {
                frames: symbols.of_site(live[0].site),
                live: live.iter().map(Sample::bytes).sum(),
                live_blocks: live.iter().map(Sample::blocks).sum(),
                allocated: all.bytes,
                allocated_blocks: all.blocks,
                oldest: oldest.map(Duration::from_millis),
                lifetimes: all.lifetimes,
            }
        })
        .collect()
}

fn by_location(stacks: Vec<SampledStack>, freed: &HashMap<Place, Freed>) -> Vec<Site> {
    let mut by_location: HashMap<_, Vec<SampledStack>> = HashMap::new();
    for stack in stacks {
        by_location.entry(Place::of(&stack.frames)).or_default().push(stack);
    }
    let held = |place: &Place| by_location.contains_key(place);
    let others = freed.iter().filter(|(place, _)| !held(place));
    let mut sites: Vec<Site> =
        others.map(|(place, freed)| site(place, Vec::new(), Some(freed))).collect();
    sites.extend(
        by_location.into_iter().map(|(place, stacks)| site(&place, stacks, freed.get(&place))),
    );
    sites.sort_by(|a, b| {
        let amounts = |site: &Site| (site.live.value, site.allocated.value);
        amounts(b).partial_cmp(&amounts(a)).unwrap_or(core::cmp::Ordering::Equal)
    });
    sites
}

fn site(place: &Place, mut stacks: Vec<SampledStack>, freed: Option<&Freed>) -> Site {
    stacks.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
    let sum = |of: fn(&SampledStack) -> Estimate| stacks.iter().map(of).sum();
    let with_freed = |of: fn(&SampledStack) -> Estimate, freed: Option<Estimate>| {
        stacks.iter().map(of).chain(freed).sum()
    };
    let lifetimes = stacks.iter().map(|stack| stack.lifetimes);
    let allocated = with_freed(|stack| stack.allocated, freed.map(|freed| freed.bytes));
    let allocated_blocks =
        with_freed(|stack| stack.allocated_blocks, freed.map(|freed| freed.blocks));
    // Without a live sample, some of the allocated memory may still be live.
    let live = |samples: Estimate, allocated: &Estimate| Estimate {
        unseen: samples.unseen.max(allocated.unseen),
        ..samples
    };
    Site {
        location: place.allocates().cloned(),
        your_code: place.your_code().cloned(),
        live: live(sum(|stack| stack.live), &allocated),
        live_blocks: live(sum(|stack| stack.live_blocks), &allocated_blocks),
        allocated,
        allocated_blocks,
        oldest: stacks.iter().filter_map(|stack| stack.oldest).max(),
        lifetimes: lifetimes.chain(freed.map(|freed| freed.lifetimes)).sum(),
        stacks,
    }
}

impl Site {
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
}

/// The maximum number of call sites that are printed.
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
                let place = place.unwrap_or_else(|| UNKNOWN_PLACE.to_owned());
                let blocks = counted(site.live_blocks.value.round() as u64, "block");
                (site.live.bytes().to_string(), blocks, place + &site.lived())
            })
            .collect();
        let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or_default();
        for (live, blocks, place) in rows {
            writeln!(out, "{live:>width$} in {blocks}  {place}")?;
        }
        if let Some(more) = holding().count().checked_sub(SHOWN).filter(|more| *more > 0) {
            writeln!(out, "…{more} more")?;
        }
        write!(out, "{} live, allocated ", self.live.bytes())?;
        match self.since {
            Since::Start => out.write_str("since the program started")?,
            Since::Ago(ago) => write!(out, "in the last {:.1} s", ago.as_secs_f64())?,
        }
        write!(out, " · {}", counted(self.live.samples, "sample"))?;
        if self.live.has_few_samples() {
            out.write_str(
                " · few samples: use `heap::set_rate(heap::Rate::every(4096))` for small programs",
            )?;
        }
        match self.lost_samples {
            0 => Ok(()),
            lost => write!(out, " · {lost} samples lost; the estimates miss them"),
        }
    }
}

/// The sums over those call sites of one place that have no live sample.
#[derive(Default)]
pub(crate) struct Freed {
    pub(crate) bytes: Estimate,
    pub(crate) blocks: Estimate,
    pub(crate) lifetimes: Lifetimes,
}

/// Returns the sums over all call sites that have none of these samples. The samples are sorted by
/// call site.
pub(crate) fn by_place(samples: &[Sample], symbols: &mut Symbols) -> HashMap<Place, Freed> {
    let mut known = Locations::default();
    let mut places: HashMap<_, Freed> = HashMap::new();
    for site in stacks::used() {
        if samples.binary_search_by_key(&site, |sample| sample.site).is_ok() {
            continue;
        }
        let place = symbols.place_of_site(site, &mut known);
        let all = call_site_counts(site);
        let freed = places.entry(place).or_default();
        freed.bytes.add(all.bytes);
        freed.blocks.add(all.blocks);
        freed.lifetimes.add(all.lifetimes);
    }
    places
}
