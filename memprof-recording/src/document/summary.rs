//! The state of the whole run, at the end of the session or when a file is written: call sites,
//! suspects and blocks, as estimated from samples.

use super::{
    ClaimedTwice, DroppedEvents, FrameworkRow, Module, OperationRow, StackTable,
    UnexplainedOperation,
};
use core::fmt;
use core::time::Duration;
use memprof_profile::text::{CUT_FRAMES, is_allocation_hook};
use memprof_profile::views::Units;
use serde::{Deserialize, Serialize};

const STACK_BYTES: usize = 64 << 20;

/// The state of the whole run, at the end of the session or when the file was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The time of the summary, in nanoseconds since the session began.
    ///
    /// `None` if the program was killed before the first summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// The counts of each path of operations.
    pub operations: Vec<OperationRow>,
    /// The operations that frameworks reported, most CPU time first.
    pub framework_operations: Vec<FrameworkRow>,
    /// The call sites that hold the most live memory, largest first.
    pub sites: Vec<Site>,
    /// The live memory of the call sites that are not listed.
    pub other_sites: Option<Estimate>,
    /// The largest live blocks.
    pub largest_blocks: Vec<Block>,
    /// The suspects, worst first.
    pub leaks: Vec<Leak>,
    /// The groups of call stacks around the suspects. A suspect without names may be only a part of a
    /// line, and one of these groups then has all stacks of the line. If it has a doubt, the line is
    /// no suspect. Empty once the suspects have names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wider_leaks: Vec<Leak>,
    /// The call sites that grew but are not suspects, each with the reason; fastest growth first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful_leaks: Vec<Leak>,
    /// The evidence of the leak watch; `None` if no samples were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leak_watch: Option<LeakWatch>,
    /// The modules of the addresses in sites, blocks and leaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<Module>,
    /// The live memory that no root explains, by call site.
    pub unexplained_sites: Vec<Site>,
    /// The live memory that no root explains, by operation.
    pub unexplained_operations: Vec<UnexplainedOperation>,
    /// The live memory that two roots both claim.
    pub claimed_twice: Vec<ClaimedTwice>,
    /// Calls that are not among the events.
    pub dropped_events: DroppedEvents,
    /// The counts of what was recorded but could not be written to a file.
    #[serde(skip_serializing_if = "NotWritten::is_empty")]
    pub not_written: NotWritten,
    /// Problems of the recording. No problem is listed twice.
    pub warnings: Vec<String>,
}

impl Summary {
    /// Returns `true` if the place of a site or a suspect has an address, but neither a function
    /// nor a file.
    pub fn lacks_names(&self) -> bool {
        let sites = self.sites.iter().map(|site| &site.place);
        let mut places = sites.chain(self.all_leaks().map(|leak| &leak.place));
        places.any(|place| place.address.is_some() && !place.is_named())
    }

    fn all_leaks(&self) -> impl Iterator<Item = &Leak> {
        self.leaks.iter().chain(&self.doubtful_leaks).chain(&self.wider_leaks)
    }

    fn all_leaks_mut(&mut self) -> impl Iterator<Item = &mut Leak> {
        self.leaks.iter_mut().chain(&mut self.doubtful_leaks).chain(&mut self.wider_leaks)
    }

    /// Returns the place and the stack of all sites, blocks and leaks. Sites and blocks come first:
    /// the stack of a leak begins at its place, which may be within the frames of an address.
    fn parts(&self) -> impl Iterator<Item = (&Place, &Vec<Place>)> {
        let sites = self.sites.iter().chain(&self.unexplained_sites);
        let blocks = self.largest_blocks.iter().map(|block| (&block.place, &block.stack));
        let leaks = self.all_leaks().map(|leak| (&leak.place, &leak.stack));
        sites.map(|site| (&site.place, &site.stack)).chain(blocks).chain(leaks)
    }

    /// Returns the place, the stack, and the number of the stack in the file, of all sites, blocks
    /// and leaks.
    pub fn parts_mut(
        &mut self,
    ) -> impl Iterator<Item = (&mut Place, &mut Vec<Place>, &mut Option<u32>)> {
        let sites = self.sites.iter_mut().chain(&mut self.unexplained_sites);
        let sites = sites.map(|site| (&mut site.place, &mut site.stack, &mut site.stack_number));
        let blocks = self.largest_blocks.iter_mut();
        let blocks = blocks.map(|one| (&mut one.place, &mut one.stack, &mut one.stack_number));
        let leaks = self.leaks.iter_mut().chain(&mut self.doubtful_leaks);
        let leaks = leaks.chain(&mut self.wider_leaks);
        let leaks = leaks.map(|leak| (&mut leak.place, &mut leak.stack, &mut leak.stack_number));
        sites.chain(blocks).chain(leaks)
    }

    /// Returns the stacks of all sites, blocks and leaks.
    pub fn stacks(&self) -> impl Iterator<Item = &Vec<Place>> {
        self.parts().map(|(_, stack)| stack)
    }

    /// Replaces the numbers of stacks with the stacks.
    ///
    /// Several entries may have the same stack, so a hostile file could fill the memory. All stacks
    /// together take at most `STACK_BYTES`; further entries have no stack.
    pub fn fill_stacks(&mut self, table: &StackTable) {
        let named = table.named();
        let mut bytes = 0;
        for (_, stack, number) in self.parts_mut() {
            let Some(number) = number.take() else { continue };
            let frames = table.frames_of(number, &named);
            bytes += frames.iter().map(Place::bytes).sum::<usize>();
            if bytes > STACK_BYTES {
                break;
            }
            *stack = frames;
            stack.drain(..Place::hook_frames(stack.iter()));
        }
        self.begin_leaks_at_places();
    }

    /// Removes the frames below the place of each leak from its stack. They contain its type.
    pub(crate) fn begin_leaks_at_places(&mut self) {
        for leak in self.all_leaks_mut() {
            let of_stack = || Place::allocated_type(&leak.stack);
            leak.allocated_type = leak.allocated_type.take().or_else(of_stack);
            let place = leak.stack.iter().position(|frame| *frame == leak.place);
            leak.stack.drain(..place.unwrap_or_default());
        }
    }

    /// Returns the places and the frames of all sites, blocks and leaks.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.parts().flat_map(|(place, stack)| stack.iter().chain([place]))
    }
}

/// The counts of what was recorded but could not be written: the disk was full, or the folder did
/// not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NotWritten {
    /// The number of snapshots.
    pub snapshots: u64,
    /// The number of individual calls of operations.
    pub events: u64,
    /// The number of paths of operations. The calls of these paths have no name.
    pub operation_paths: u64,
}

impl NotWritten {
    /// Returns `true` if everything was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A time at which the inner allocator ran out of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutOfMemory {
    /// The time, in nanoseconds since the session began.
    pub at_ns: u64,
    /// Bytes that were requested.
    pub requested_bytes: u64,
    /// The allocator's counts at that moment.
    pub heap: Option<HeapTotals>,
}

memprof_profile::keywords! {
    /// The level at which the allocator recorded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum HeapLevel {
        /// Exact counts.
        Counters => "counters",
        /// Exact counts, and samples of blocks with their call stacks.
        Sampled => "sampled",
    }
}

/// Exact counts of what the process allocated and freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapTotals {
    /// The level at which the allocator recorded.
    pub level: HeapLevel,
    /// The time from the start of counting to the start of the session.
    ///
    /// `None` if counting began with the program, so that nothing is missing.
    pub counted_ns: Option<u64>,
    /// Live bytes without the profiler's own; negative if more was freed than allocated since
    /// counting began.
    pub live_bytes: i64,
    /// Live bytes that the profiler holds for its own work. The figures of the program do not
    /// include them.
    pub profiler_bytes: i64,
    /// The maximum of live bytes that the profiler held.
    pub profiler_peak_bytes: u64,
    /// Live blocks without the profiler's own.
    pub live_blocks: i64,
    /// Bytes that the program allocated, as requested.
    pub allocated_bytes: u64,
    /// The number of blocks that the program allocated, including reallocations.
    pub allocated_blocks: u64,
    /// Bytes that the program freed.
    pub freed_bytes: u64,
    /// The number of blocks that the program freed, including reallocations.
    pub freed_blocks: u64,
    /// The peak of live bytes, without the profiler's own.
    pub peak_bytes: u64,
    /// The maximum number of bytes by which the true peak may be higher.
    pub peak_error_bytes: u64,
}

/// A place in the source: the innermost function that belongs to the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The function; `None` if debug information lacks it.
    pub function: Option<String>,
    /// The file of the function.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The return address in the process; the inlined functions at one address share it. `None` if
    /// unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<u64>,
}

/// Counted from the innermost frame, inlined functions included.
pub(crate) const HOOK_DEPTH: usize = 32;

/// A line of a function. The function may have several copies, at different addresses.
pub(crate) type CodeLine = (Option<String>, Option<String>, Option<u32>);

impl Place {
    pub(crate) fn code_line(&self) -> CodeLine {
        (self.function.clone(), self.file.clone(), self.line)
    }

    pub(crate) fn is_same_line(&self, other: &Self) -> bool {
        (&self.function, &self.file, self.line) == (&other.function, &other.file, other.line)
    }

    pub(crate) fn is_named(&self) -> bool {
        self.function.is_some() || self.file.is_some()
    }

    /// Returns `true` if this stands for the frames that were cut from a deep stack.
    pub fn is_cut(&self) -> bool {
        self.address.is_none() && self.function.as_deref() == Some(CUT_FRAMES)
    }

    /// Returns the bytes of the names of the frame.
    pub fn name_bytes(&self) -> usize {
        [&self.function, &self.file].into_iter().flatten().map(String::len).sum()
    }

    /// Returns the bytes that the frame takes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.name_bytes()
    }

    /// Returns the number of a stack's innermost frames that belong to memprof's hook.
    pub fn hook_frames<'p>(stack: impl Iterator<Item = &'p Self>) -> usize {
        let is_hook =
            |frame: &Self| is_allocation_hook(frame.function.as_deref(), frame.file.as_deref());
        let hooks = stack.take(HOOK_DEPTH).enumerate().filter(|(_, frame)| is_hook(frame));
        hooks.last().map_or(0, |(last, _)| last + 1)
    }
}

/// The memory of one call site, estimated from samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// The place.
    pub place: Place,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
    /// All bytes that the call site allocated; `None` if the query was for live memory only.
    pub allocated: Option<Estimate>,
    /// How long its freed blocks lived; `None` if no sampled block was freed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<Lifetime>,
    /// The call stack with the most live bytes, innermost frame first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// The number of the stack in the file, if `stack` is empty. The reader replaces it with the
    /// stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_number: Option<u32>,
}

/// A suspect: a call site whose memory grows, counted for one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leak {
    /// The place.
    pub place: Place,
    /// The operations that ran at the allocations, outermost first; empty outside of operations.
    pub operation: Vec<String>,
    /// Growth in bytes per second.
    pub bytes_per_second: f64,
    /// Growth in bytes per call of the operation; `None` outside of operations.
    pub bytes_per_call: Option<f64>,
    /// The ends of the interval that contains the true growth in 95 of 100 cases.
    pub bytes_per_second_interval: [f64; 2],
    /// Live bytes that were allocated since the session began.
    pub live: Estimate,
    /// Live blocks that were allocated since the session began.
    pub live_blocks: Estimate,
    /// The call stack with the most live bytes, innermost frame first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// The number of the stack in the file, if `stack` is empty. The reader replaces it with the
    /// stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_number: Option<u32>,
    /// The number of outermost addresses of `stack` in which the stacks of the suspect differ;
    /// `None` if it has only this stack, or names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub different_callers: Option<usize>,
    /// The numbers of the stacks, and the live bytes of each, if there are
    /// [different callers](Self::different_callers): at most 512, the largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<(u32, f64)>,
    /// The registered roots that own the memory. The roots that own the most come first. Empty if
    /// no root reached any of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_by: Vec<HeldBy>,
    /// `true` if the program freed more than half of the memory before the session ended. The other
    /// figures are then from the snapshot before the end.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub freed_at_end: bool,
    /// The reason why the call site is not a suspect; `None` for a suspect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// The type of what is allocated, such as `Vec<app::Order>`; `None` if the names in the stack
    /// do not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated_type: Option<String>,
}

/// Adds the growth of another call site, with its interval. The distances from both values to the
/// ends of their intervals combine as errors do.
pub fn add_growth(sum: (&mut f64, &mut [f64; 2]), (value, [low, high]): (f64, [f64; 2])) {
    let (sum, [lowest, highest]) = sum;
    let (below, above) =
        ((*sum - *lowest).hypot(value - low), (*highest - *sum).hypot(high - value));
    *sum += value;
    (*lowest, *highest) = (*sum - below, *sum + above);
}

memprof_profile::keywords! {
    /// The reason why a call site that grew is not a suspect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Doubt {
        /// It has too few samples: a pool of constant size may have grown as much by chance.
        FewSamples => "few_samples",
        /// It grew only once, has stopped growing, or shrank in between.
        Unsteady => "unsteady",
        /// Its blocks are freed as soon as before: the program may be busier.
        ShortLived => "short_lived",
        /// The process grew less. The new blocks replace old ones of other lines, or ones that were
        /// never sampled, because sampling began later.
        Replaced => "replaced",
        /// It certainly keeps growing, but it is a function of the standard library that many lines
        /// call, and none of them certainly does.
        ManyCallers => "many_callers",
    }
}

memprof_profile::keywords! {
    /// What the leak watch has found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum LeakVerdict {
        /// There were too few observations.
        Unknown => "unknown",
        /// There are suspects.
        Leaks => "leaks",
        /// The live bytes of the process grow, but no call site certainly does.
        NoCertainSite => "no_certain_site",
        /// Nothing grows, as far as could have been found.
        NothingGrows => "nothing_grows",
    }
}

/// The evidence of the leak watch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeakWatch {
    /// What was found.
    pub verdict: LeakVerdict,
    /// The number of observations.
    pub observations: u64,
    /// The time that was watched, in nanoseconds.
    pub watched_ns: u64,
    /// The exact change of the live bytes of the process during that time.
    pub process_bytes: i64,
    /// The growth of the live bytes of the process in bytes per second; `None` if they do not grow.
    pub process_bytes_per_second: Option<f64>,
    /// The slowest steady growth of one call site, in bytes per second, that is found in at least
    /// 95 of 100 cases; `None` without observations.
    pub smallest_found_bytes_per_second: Option<f64>,
}

/// The part of a suspect's memory that a root owns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldBy {
    /// The name of the root.
    pub root: String,
    /// The live bytes of the root's part, estimated from the sampled blocks that the root reached.
    pub live: Estimate,
}

impl HeldBy {
    /// Adds the roots in `other` to `sum`, and adds up the bytes of roots that are in both.
    pub fn join(sum: &mut Vec<Self>, other: &[Self]) {
        for one in other {
            match sum.iter_mut().find(|known| known.root == one.root) {
                Some(known) => known.live = known.live.plus(&one.live),
                None => sum.push(one.clone()),
            }
        }
        sum.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
    }
}

/// A live block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The bytes of the block, as requested.
    pub bytes: u64,
    /// The time since the block was allocated.
    pub age_ns: u64,
    /// The operations that ran at the allocation, outermost first.
    pub operation: Vec<String>,
    /// The place that allocated the block.
    pub place: Place,
    /// The call stack that allocated the block, innermost frame first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// The number of the stack in the file, if `stack` is empty. The reader replaces it with the
    /// stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_number: Option<u32>,
}

/// An unbiased estimate from samples, with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The standard error. In 95 of 100 cases the true amount is within 1.96 standard errors.
    ///
    /// With fewer than 20 samples, this field is the distance from `value` to the upper end of the
    /// 95 % interval, divided by 1.96. The error also covers allocations of which no sample was
    /// taken.
    pub standard_error: f64,
    /// The number of samples.
    pub samples: u64,
}

impl Estimate {
    /// Returns an estimate with its standard error.
    pub const fn new(value: f64, standard_error: f64, samples: u64) -> Self {
        Self { value, standard_error, samples }
    }

    /// Returns the sum of two independent estimates.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            value: self.value + other.value,
            standard_error: self.standard_error.hypot(other.standard_error),
            samples: self.samples.saturating_add(other.samples),
        }
    }

    /// Formats the estimate as bytes, followed by 1.96 standard errors: `1.2 MiB ± 102.4 KiB`.
    ///
    /// If the interval reaches below 0, only its upper end is shown: `at most 1.3 MiB`.
    pub fn bytes(&self, units: Units) -> impl fmt::Display + use<> {
        Bytes(*self, units)
    }
}

struct Bytes(Estimate, Units);

/// Formats an estimate with 1.96 standard errors, or only its upper end if the interval reaches below
/// 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "amounts are not negative, and below 2^64"
)]
pub fn with_side(
    estimate: &Estimate,
    value: impl Fn(u64) -> String,
    side: impl Fn(u64) -> String,
) -> String {
    let amount = estimate.value.max(0.0).round() as u64;
    match (1.96 * estimate.standard_error).round() as u64 {
        0 => value(amount),
        error if error > amount => format!("at most {}", value(amount.saturating_add(error))),
        error => format!("{} ± {}", value(amount), side(error)),
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(estimate, units) = self;
        let show = |amount| units.show(amount).to_string();
        out.pad(&with_side(estimate, show, show))
    }
}

/// How long the blocks of a call site lived, from sampled blocks that were freed. Live blocks are
/// not included. A reallocation counts as a free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lifetime {
    /// The mean in milliseconds, weighted by bytes: a large block counts for more than a small one.
    pub mean_ms: f64,
    /// The standard error of the mean in milliseconds. `None` with one sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error_ms: Option<f64>,
    /// The number of sampled blocks that were freed.
    pub samples: u64,
}

/// With fewer samples, a mean is too uncertain for an interval.
const FEW: u64 = 20;

impl Lifetime {
    /// Creates the lifetime of freed blocks.
    pub const fn new(mean_ms: f64, standard_error_ms: Option<f64>, samples: u64) -> Self {
        Self { mean_ms, standard_error_ms, samples }
    }

    /// Returns the mean lifetime.
    pub fn mean(&self) -> Duration {
        Duration::try_from_secs_f64(self.mean_ms / 1000.0).unwrap_or_default()
    }

    /// Returns the ends, in milliseconds, of the interval that contains the true mean in about 95 of
    /// 100 cases. `None` with fewer than 20 samples.
    pub fn interval_ms(&self) -> Option<[f64; 2]> {
        let margin = 1.96 * self.standard_error_ms.filter(|_| self.samples >= FEW)?;
        Some([(self.mean_ms - margin).max(0.0), self.mean_ms + margin])
    }

    /// Returns the lifetime of the blocks of both call sites.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let parts = [self, other].map(Moments::of);
        let sum = |of: fn(&Moments) -> f64| parts.iter().map(of).sum::<f64>();
        let (count, mean) = (sum(|part| part.count), sum(|part| part.sum) / sum(|part| part.count));
        let variance = (sum(|part| part.squares) / count - mean * mean).max(0.0);
        let samples = self.samples.saturating_add(other.samples);
        Self::new(mean, Some((variance / (count - 1.0)).sqrt()), samples)
    }
}

struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    #[expect(clippy::cast_precision_loss, reason = "a number of samples is far below 2^53")]
    fn of(lifetime: &Lifetime) -> Self {
        // A file may have a number of samples that no session writes.
        let count = lifetime.samples.max(1) as f64;
        let mean = lifetime.mean_ms;
        let error = lifetime.standard_error_ms.unwrap_or(0.0);
        let variance = error * error * (count - 1.0);
        Self { count, sum: count * mean, squares: count * mean.mul_add(mean, variance) }
    }
}

#[cfg(test)]
mod estimate_tests {
    use super::Estimate;
    use memprof_profile::views::Units;

    #[test]
    fn an_interval_that_reaches_below_zero_is_shown_by_its_upper_end() {
        let shown =
            |value, side: f64| Estimate::new(value, side / 1.96, 2).bytes(Units::Iec).to_string();
        assert_eq!(shown(2048.0, 0.0), "2.0 KiB");
        assert_eq!(shown(2048.0, 2048.0), "2.0 KiB ± 2.0 KiB");
        assert_eq!(shown(2048.0, 3072.0), "at most 5.0 KiB");
        assert_eq!(shown(0.0, 3072.0), "at most 3.0 KiB");
    }
}

#[cfg(test)]
mod lifetime_tests {
    use super::Lifetime;

    #[expect(clippy::cast_precision_loss, reason = "they are few")]
    fn of(ages: &[f64]) -> Lifetime {
        let count = ages.len() as f64;
        let mean = ages.iter().sum::<f64>() / count;
        let variance = ages.iter().map(|age| (age - mean).powi(2)).sum::<f64>() / count;
        let error = (count > 1.0).then(|| (variance / (count - 1.0)).sqrt());
        Lifetime::new(mean, error, ages.len() as u64)
    }

    #[test]
    fn joined_lifetimes_are_those_of_all_blocks_together() {
        let ages: Vec<f64> = (0..40).map(|at| f64::from(at * at % 17)).collect();
        for split in [1, 7, 39] {
            let (one, other) = ages.split_at(split);
            let joined = of(one).plus(&of(other));
            let whole = of(&ages);
            assert_eq!(joined.samples, whole.samples);
            assert!((joined.mean_ms - whole.mean_ms).abs() < 1e-9, "{joined:?}, not {whole:?}");
            let errors = joined.standard_error_ms.zip(whole.standard_error_ms).expect("both have");
            assert!((errors.0 - errors.1).abs() < 1e-9, "{joined:?}, not {whole:?}");
        }
    }

    #[test]
    fn an_interval_needs_twenty_samples_and_is_never_below_zero() {
        let of = |samples| Lifetime::new(10.0, Some(10.0), samples).interval_ms();
        assert_eq!((of(19), of(20)), (None, Some([0.0, 29.6])));
    }
}
