//! The counts and samples of the global allocator, and the suspects.

use super::{Estimate, Lifetime};
use memprof_profile::text::CUT_FRAMES;
use memprof_profile::text::is_allocation_hook;
use serde::{Deserialize, Serialize};

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

/// The number of innermost frames that may belong to memprof's allocation hook, inlined functions
/// included.
pub(crate) const HOOK_DEPTH: usize = 32;

impl Place {
    /// Returns `true` if this stands for the frames that a deep stack lacks.
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
    /// How long its blocks lived that were freed; `None` if no sampled block was freed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<Lifetime>,
    /// The call stack with the most live bytes, innermost frame first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Place>,
    /// The number of the stack in the file, if `stack` is empty. The reader replaces it by the stack.
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
    /// The number of the stack in the file, if `stack` is empty. The reader replaces it by the stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_number: Option<u32>,
    /// The registered roots that own the memory. The roots that own the most come first. Empty if
    /// no root reached any of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_by: Vec<HeldBy>,
    /// `true` if the program freed more than half of the memory before the session ended. The other
    /// figures are then from the snapshot before the end.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub freed_at_end: bool,
    /// The reason why the call site is no suspect; `None` for a suspect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
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
    /// The reason why a call site that grew is no suspect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Doubt {
        /// It has too few samples: a pool of constant size may have grown as much by chance.
        FewSamples => "few_samples",
        /// It grew at one time, has stopped growing, or fell in between.
        Unsteady => "unsteady",
        /// Its blocks are freed as soon as before: the program may be busier.
        ShortLived => "short_lived",
        /// The process grew less. The new blocks replace old ones that were never sampled, because
        /// sampling began later.
        Replaced => "replaced",
    }
}

memprof_profile::keywords! {
    /// What the watch for leaks has found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum LeakVerdict {
        /// Too few observations were made.
        Unknown => "unknown",
        /// There are suspects.
        Leaks => "leaks",
        /// The live bytes of the process grow, but no call site is certain to.
        NoCertainSite => "no_certain_site",
        /// Nothing grows, as far as could have been found.
        NothingGrows => "nothing_grows",
    }
}

/// The evidence of the watch for leaks.
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
    /// The bytes per second from which the steady growth of one call site is found in at least 95 of
    /// 100 cases; `None` without observations.
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
    /// The number of the stack in the file, if `stack` is empty. The reader replaces it by the stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_number: Option<u32>,
}
