//! The profiled parts of a snapshot: registered roots, and sources such as a GPU.

use memprof_profile::Profile;
use memprof_profile::large::Interval;
use memprof_profile::source::Gauge;
use memprof_profile::views::JsonError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The reading of a registered root in a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RootReading {
    /// The name in snapshots.
    pub name: String,
    /// The result of profiling the root.
    pub state: RootState,
    /// The time for which the root and any lock within it were held, in nanoseconds.
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
        /// ended the program.
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

/// A figure of a source that is not bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GaugeReading {
    /// The name of the figure.
    pub name: String,
    /// The unit of the figure.
    pub unit: String,
    /// The figure; `None` if it is not known.
    pub value: Option<u64>,
    /// The reason why the figure is not known.
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
