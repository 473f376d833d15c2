//! Recordings that tests export.

use crate::fixture::Fixture;
use memprof_recording::Recording;

/// Returns a recording with all kinds of names and unknowns, overlapping calls, and a clock that
/// was set back.
pub(crate) fn hostile() -> Recording {
    read(include_str!("../data/hostile.json"))
}

/// Returns a timeline with only these lines after its first.
pub(crate) fn timeline(lines: &[&str]) -> Recording {
    let mut fixture = Fixture::empty();
    fixture.metadata["operations_tracked"] = false.into();
    read(&(fixture.first_line() + &lines.join("\n")))
}

/// A snapshot without known values.
pub(crate) const SNAPSHOT: &str = r#"{"snapshot":{"number":0,"at_ns":3,"trigger":"start","heap":null,"process":{},"profiler":{"snapshot_ns":1},"tensor_count":0,"devices":[],"roots":[]}}"#;

/// A snapshot with a source whose data are not a profile.
pub(crate) const WRONG: &str = r#"{"snapshot":{"number":4,"at_ns":3,"trigger":"start","heap":null,"process":{},"profiler":{"snapshot_ns":1},"tensor_count":0,"devices":[],"roots":[],"sources":[{"name":"pool","profile":{"format":"memprof profile","version":1}}]}}"#;

fn read(text: &str) -> Recording {
    let recording = Recording::from_text(text).expect("it is a recording");
    assert_eq!(recording.unreadable_lines, 0, "{text}");
    recording
}
