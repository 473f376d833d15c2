//! The state of the process at a given moment: the registered roots, sources such as a GPU, the
//! memory as the operating system counts it, and the part of the live heap that the roots explain.

use super::{Estimate, HeapTotals, MemoryPressure, ResidentMemory};
use memprof_profile::Profile;
use memprof_profile::large::Interval;
use memprof_profile::source::Gauge;
use memprof_profile::views::JsonError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The state of the process at one point in time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The number of the snapshot, counted from 0. A gap in the numbers means that snapshots were
    /// dropped to limit the size of the file.
    pub number: u64,
    /// The time, in nanoseconds since the session began.
    pub at_ns: u64,
    /// The reason why the snapshot was taken.
    pub trigger: Trigger,
    /// The name of the checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The allocator's counts; `None` if it does not count.
    pub heap: Option<HeapTotals>,
    /// The memory of the process as the operating system counts it.
    pub process: ProcessMemory,
    /// The resident memory by part; `None` without a full reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<Box<ResidentMemory>>,
    /// The limit that the process is close to, if that is why the snapshot was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Box<MemoryPressure>>,
    /// The cost of the profiler.
    pub profiler: SelfCost,
    /// The number of tensors in all roots.
    pub tensor_count: u64,
    /// The bytes of the roots in each memory.
    pub devices: Vec<DeviceReading>,
    /// The registered roots: all of them, or the 1,000 largest.
    pub roots: Vec<RootReading>,
    /// The sum of the other roots; `None` if all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roots_not_listed: Option<UnlistedRoots>,
    /// The readings of other sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceReading>,
    /// The part of the live heap that the roots explain; `None` if the allocator does not count, if
    /// there is no root, or if a root could not be profiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconciliation: Option<Reconciliation>,
}

impl Snapshot {
    /// Returns a snapshot with only its number, time and trigger.
    pub fn new(number: u64, at_ns: u64, trigger: Trigger) -> Self {
        Self {
            number,
            at_ns,
            trigger,
            name: None,
            heap: None,
            process: ProcessMemory::default(),
            resident: None,
            pressure: None,
            profiler: SelfCost::default(),
            tensor_count: 0,
            devices: Vec::new(),
            roots: Vec::new(),
            roots_not_listed: None,
            sources: Vec::new(),
            reconciliation: None,
        }
    }
}

impl Snapshot {
    /// Returns `true` if values of the roots that were not visited may own more bytes.
    pub fn roots_lack_values(&self) -> bool {
        self.roots.iter().any(RootReading::lacks_values)
            || self.roots_not_listed.is_some_and(|others| others.is_lower_bound)
    }
}

memprof_profile::keywords! {
    /// The reason why a snapshot was taken.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Trigger {
        /// The session began.
        Start => "start",
        /// The interval had elapsed.
        Interval => "interval",
        /// The program requested a checkpoint.
        Checkpoint => "checkpoint",
        /// The program requested a snapshot.
        Request => "request",
        /// The heap had grown past the highest recorded moment by 5 %, and by at least 1 MiB.
        Peak => "peak",
        /// The process came close to a limit of its memory: 80, 90 or 95 % of it.
        Limit => "limit",
        /// A signal requested a snapshot, or terminated the program.
        Signal => "signal",
        /// The session ended.
        End => "end",
    }
}

/// The bytes of roots in one memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceReading {
    /// The name of the memory: `cpu`, `cuda:0`, `metal:0`.
    pub device: String,
    /// The bytes of the roots in this memory.
    pub bytes: u64,
    /// The tensors in this memory that are among the ten largest of the snapshot, largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensors: Vec<TensorReading>,
}

/// A tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorReading {
    /// The path from the root to the tensor.
    pub path: String,
    /// The type of the tensor's elements.
    pub dtype: String,
    /// The number of elements in each dimension.
    pub shape: Vec<u64>,
    /// The bytes of the tensor.
    pub bytes: u64,
    /// `true` if gradients are kept for the tensor; `None` if the tensor does not report that.
    pub requires_grad: Option<bool>,
    /// The operations in which the tensor was allocated, outermost first; `None` if unknown.
    pub operation: Option<Vec<String>>,
}

/// The reading of a registered root in a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RootReading {
    /// The name in snapshots.
    pub name: String,
    /// The result of profiling the root.
    pub state: RootState,
    /// How long the root and any lock within it were held, in nanoseconds.
    pub held_ns: u64,
    /// The bytes of the root; `None` if no value was visited. An estimate if `low_bytes` is `Some`.
    pub total_bytes: Option<u64>,
    /// The lower end of the 95 % interval of the total, if not all values were visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low_bytes: Option<u64>,
    /// The upper end of this interval; `None` if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high_bytes: Option<u64>,
    /// The part of `total_bytes` that is in heap blocks, as requested from the allocator.
    pub heap_bytes: Option<u64>,
    /// The profile of the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Box<RawValue>>,
}

/// The roots that a snapshot does not list, because other roots are larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UnlistedRoots {
    /// The number of these roots.
    pub count: u64,
    /// The sum of their bytes that were visited.
    pub total_bytes: u64,
    /// The part of `total_bytes` that is in heap blocks.
    pub heap_bytes: u64,
    /// `true` if some of the roots were not walked completely, so that they may have more bytes.
    pub is_lower_bound: bool,
}

impl UnlistedRoots {
    /// Adds a root that is not listed.
    pub fn add(&mut self, total_bytes: u64, heap_bytes: u64, is_lower_bound: bool) {
        self.count += 1;
        self.total_bytes = self.total_bytes.saturating_add(total_bytes);
        self.heap_bytes = self.heap_bytes.saturating_add(heap_bytes);
        self.is_lower_bound |= is_lower_bound;
    }
}

memprof_profile::keywords! {
    /// The state of a root in a snapshot.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum RootState {
        /// The root was profiled completely.
        Profiled => "profiled",
        /// The root was profiled until its time limit. Values that were not visited are marked, and
        /// the bytes of large slices are estimated.
        Partial => "partial",
        /// Another thread held the lock of the root.
        Locked => "locked",
        /// The root was skipped, because an earlier snapshot held its lock for a long time.
        Spared => "spared",
        /// The value of the root was dropped.
        Dropped => "dropped",
        /// The impl of the root's type panicked.
        Panicked => "panicked",
        /// The closure of the root had not returned at its time limit. Once it has returned, the
        /// next snapshot calls it again.
        Stuck => "stuck",
        /// The snapshot ended before the root was profiled completely, for example because a signal
        /// terminated the program.
        NotReached => "not_reached",
    }
}

impl RootReading {
    /// Returns the 95 % interval of the total, if not all values were visited.
    pub fn interval(&self) -> Option<Interval> {
        self.low_bytes.map(|low| Interval { low, high: self.high_bytes })
    }

    /// Returns the range in which the total is, or `None` if no value was visited.
    pub fn range(&self) -> Option<Interval> {
        let total = self.total_bytes?;
        Some(match self.interval() {
            Some(interval) => interval,
            None if self.state == RootState::Profiled => Interval::exact(total),
            // Values of a locked root were not visited.
            None => Interval { low: total, high: None },
        })
    }

    /// Returns whether values of the root that were not visited may own more bytes.
    pub fn lacks_values(&self) -> bool {
        match self.range() {
            Some(range) => range.high.is_none(),
            None => self.state != RootState::Dropped,
        }
    }

    /// Returns the profile, if the root could be profiled.
    ///
    /// # Errors
    /// Returns an error if the stored profile is invalid.
    pub fn profile(&self) -> Option<Result<Profile, JsonError>> {
        self.profile.as_ref().map(|json| Profile::from_json(json.get()))
    }
}

/// The reading of a source in a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceReading {
    /// The name in snapshots.
    pub name: String,
    /// The reason why the source could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The bytes that the source reported, as a profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Box<RawValue>>,
    /// The gauges that the source reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gauges: Vec<GaugeReading>,
}

/// A value that a source reports besides its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GaugeReading {
    /// The name of the gauge.
    pub name: String,
    /// The unit of the value.
    pub unit: String,
    /// The value; `None` if it is unknown.
    pub value: Option<u64>,
    /// The reason why the value is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<Gauge> for GaugeReading {
    fn from(gauge: Gauge) -> Self {
        let Gauge { name, unit, value, .. } = gauge;
        let (value, reason) = value.map_or_else(|why| (None, Some(why)), |is| (Some(is), None));
        Self { name, unit: unit.to_owned(), value, reason }
    }
}

impl SourceReading {
    /// Returns a reading with this profile and no gauge.
    ///
    /// The reading has an error instead of the profile if the profile is nested too deep for JSON.
    pub fn new(name: impl Into<String>, profile: &Profile) -> Self {
        let (profile, error) = match json_line(profile) {
            Ok(profile) => (Some(profile), None),
            Err(error) => (None, Some(error)),
        };
        Self { name: name.into(), error, profile, gauges: Vec::new() }
    }

    /// Returns the profile, if the source reported one.
    ///
    /// # Errors
    /// Returns an error if the stored profile is invalid.
    pub fn profile(&self) -> Option<Result<Profile, JsonError>> {
        self.profile.as_ref().map(|json| Profile::from_json(json.get()))
    }
}

/// Returns a profile as one line of JSON.
///
/// # Errors
/// Returns the reason why the profile has no JSON.
pub fn json_line(profile: &Profile) -> Result<Box<RawValue>, String> {
    // JSON escapes newlines within strings, so the remaining ones are only layout.
    let line = profile.to_json().map_err(|error| error.to_string())?.replace('\n', "");
    RawValue::from_string(line).map_err(|error| error.to_string())
}

/// The memory of the process as the operating system counts it.
///
/// A figure is `None` if the system does not report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessMemory {
    /// Resident memory, including shared pages.
    pub rss_bytes: Option<u64>,
    /// Resident memory that is not backed by a file: heap, stacks, tables.
    pub rss_anonymous_bytes: Option<u64>,
    /// Resident memory that is backed by files: the program's code, libraries, mappings.
    pub rss_file_bytes: Option<u64>,
    /// Resident memory that is shared with other processes and not backed by a file.
    pub rss_shared_bytes: Option<u64>,
    /// The peak of resident memory.
    pub rss_peak_bytes: Option<u64>,
    /// Memory that is swapped out.
    pub swap_bytes: Option<u64>,
    /// Memory that the control group (the container) uses. The group is that of the process, or the
    /// ancestor of it that is closest to its limit.
    pub cgroup_usage_bytes: Option<u64>,
    /// The limit of the same group: above `memory.max` the kernel kills a process, and above
    /// `memory.high` it throttles all of them. Also `None` if there is no limit.
    pub cgroup_limit_bytes: Option<u64>,
}

/// The cost of the profiler itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SelfCost {
    /// The time from the start of this snapshot until it was ready to be written. Excludes the time
    /// spent waiting for stuck roots and sources.
    pub snapshot_ns: u64,
    /// CPU time of the profiler's threads since the session began. Excludes jobs that are still
    /// running on other threads.
    pub cpu_ns: Option<u64>,
    /// Live bytes that the profiler holds; the heap's live bytes do not include them.
    pub heap_bytes: Option<i64>,
    /// Bytes of the allocator's own tables, including pages that were never touched.
    ///
    /// The heap's live bytes do not include them. `None` if the allocator does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<u64>,
}

/// The part of the live heap that the roots explain, measured in two independent ways.
///
/// `roots_bytes` is the exact sum of the bytes that the roots' values report as owned. `explained`
/// is an estimate from the allocator's live samples whose blocks a root reached. If the two differ
/// by more than chance explains, a value reports wrong amounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reconciliation {
    /// Live bytes, counted exactly, including the profiler's own.
    pub live_bytes: i64,
    /// The profiler's own part of the live bytes; `None` if it is unknown.
    pub profiler_bytes: Option<i64>,
    /// The sum of the heap bytes that the roots report as owned. Bytes that two roots share count
    /// twice.
    pub roots_bytes: u64,
    /// `true` if every root was profiled completely and exactly.
    pub roots_exact: bool,
    /// Live bytes in blocks that a root reached, from samples; `None` without samples.
    pub explained: Option<Estimate>,
    /// Live bytes in blocks that no root reached.
    pub unexplained: Option<Estimate>,
    /// Live bytes in blocks that several roots reached.
    pub claimed_twice: Option<Estimate>,
}

impl Reconciliation {
    /// Returns the share of the live heap that the roots report as owned. The profiler's own bytes
    /// are not part of the live heap here.
    ///
    /// The share may exceed 1 if roots share blocks. Returns `None` if nothing is live.
    #[expect(clippy::cast_precision_loss, reason = "a share is rounded")]
    pub fn explained_share(&self) -> Option<f64> {
        let live = self.live_bytes.saturating_sub(self.profiler_bytes.unwrap_or(0));
        (live > 0).then(|| self.roots_bytes as f64 / live as f64)
    }

    /// Returns the share of the sampled live heap that the roots reached. Returns `None` if no
    /// samples were taken, or if nothing is live.
    pub fn sampled_share(&self) -> Option<f64> {
        let (explained, unexplained) = (self.explained?.value, self.unexplained?.value);
        let all = explained + unexplained;
        (all > 0.0).then_some(explained / all)
    }
}

/// The memory that two roots both reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimedTwice {
    /// The names of the two roots.
    pub roots: [String; 2],
    /// Live bytes in blocks that both reached.
    pub live: Estimate,
}

/// The memory of one operation that no root explains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnexplainedOperation {
    /// The names of the operations, outermost first; empty outside of operations.
    pub operation: Vec<String>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
}
