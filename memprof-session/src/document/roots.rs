//! The profiled parts of a snapshot: registered roots, and sources such as a GPU.

use memprof_profile::Profile;
use memprof_profile::source::Gauge;
use memprof_profile::views::JsonError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A registered root, as a snapshot found it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RootReading {
    /// Its name.
    pub name: String,
    /// The result of profiling it.
    pub state: RootState,
    /// The time for which the root and any lock within it were held, in nanoseconds.
    pub held_ns: u64,
    /// All visited bytes; `None` if none were visited.
    pub total_bytes: Option<u64>,
    /// The part of these bytes in heap blocks, as requested from the allocator.
    pub heap_bytes: Option<u64>,
    /// Its profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Box<RawValue>>,
}

memprof_profile::keywords! {
    /// The state of a root in a snapshot.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum RootState {
        /// It was profiled completely.
        Profiled => "profiled",
        /// It was profiled until its time limit. The rest is marked.
        Partial => "partial",
        /// Another thread held its lock.
        Locked => "locked",
        /// It was skipped, because an earlier snapshot held its lock for long.
        Spared => "spared",
        /// Its value was dropped.
        Dropped => "dropped",
        /// Its impl panicked.
        Panicked => "panicked",
        /// Its closure had not returned at its time limit. It is called again after it returns.
        Stuck => "stuck",
        /// The snapshot ended before it was profiled completely, for example because a signal ended
        /// the program.
        NotReached => "not_reached",
    }
}

impl RootReading {
    /// Its profile, if it could be profiled.
    ///
    /// # Errors
    /// If the stored profile is invalid.
    pub fn profile(&self) -> Option<Result<Profile, JsonError>> {
        self.profile.as_ref().map(|json| Profile::from_json(json.get()))
    }
}

/// A source of another crate, as a snapshot found it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SourceReading {
    /// Its name.
    pub name: String,
    /// Why it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The bytes that it reported, as a profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Box<RawValue>>,
    /// The gauges that it reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gauges: Vec<GaugeReading>,
}

/// A figure of a source that is not bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GaugeReading {
    /// The name of the figure.
    pub name: String,
    /// The unit of the figure.
    pub unit: String,
    /// The figure; `None` if it is not known.
    pub value: Option<u64>,
    /// Why it is not known.
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
    /// It has an error instead of the profile if the profile is nested too deep for JSON.
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
    /// If the stored profile is invalid.
    pub fn profile(&self) -> Option<Result<Profile, JsonError>> {
        self.profile.as_ref().map(|json| Profile::from_json(json.get()))
    }
}

/// Returns a profile as one line of JSON, or why it has none.
pub(crate) fn json_line(profile: &Profile) -> Result<Box<RawValue>, String> {
    // JSON escapes newlines within strings, so the remaining ones are only layout.
    let line = profile.to_json().map_err(|error| error.to_string())?.replace('\n', "");
    RawValue::from_string(line).map_err(|error| error.to_string())
}
