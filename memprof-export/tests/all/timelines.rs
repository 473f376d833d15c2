//! Recordings that tests export.

use crate::made::Made;
use memprof_session::Recording;

/// Names of every kind, calls that overlap, a clock that was set back, unknowns of every kind.
pub(crate) fn hostile() -> Recording {
    read(include_str!("../data/hostile.json"))
}

/// A timeline of no more than these lines after its first.
pub(crate) fn timeline(lines: &[&str]) -> Recording {
    let mut made = Made::nothing();
    made.metadata["operations_tracked"] = false.into();
    read(&(made.first_line() + &lines.join("\n")))
}

/// A snapshot in which nothing is known.
pub(crate) const SNAPSHOT: &str = r#"{"snapshot":{"number":0,"at_ns":3,"trigger":"start","heap":null,"process":{},"profiler":{"snapshot_ns":1},"tensor_count":0,"devices":[],"roots":[]}}"#;

/// One whose source told something that is no profile.
pub(crate) const WRONG: &str = r#"{"snapshot":{"number":4,"at_ns":3,"trigger":"start","heap":null,"process":{},"profiler":{"snapshot_ns":1},"tensor_count":0,"devices":[],"roots":[],"sources":[{"name":"pool","profile":{"format":"memprof profile","version":1}}]}}"#;

fn read(text: &str) -> Recording {
    let recording = Recording::from_text(text).expect("it is a recording");
    assert_eq!(recording.unreadable_lines, 0, "{text}");
    recording
}
