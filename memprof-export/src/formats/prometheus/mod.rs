//! A moment of a session in Prometheus' text format 0.0.4, for scrapes and text-file collectors.
//!
//! Prometheus, compatible agents and the node exporter's text-file collector read this format. The
//! metrics are those of one snapshot, in bytes and seconds: the heap, the process, the bytes of
//! roots on each device, each root and each source. The last snapshot of a recording also has the
//! counts of the outermost operations.
//!
//! The metrics include no trees, call sites or individual calls, because a server keeps a series
//! for each label value for months. For the same reason, only the [`OPERATIONS`] outermost
//! operations that allocated most and the [`ROOTS`] largest roots have their own series. The rest is
//! one series, `<other>`. Unknown values have no line.

mod operations;
mod snapshot;
mod text;

use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use text::Text;

/// The number of operations that have their own series.
pub const OPERATIONS: usize = 50;

/// The number of roots that have their own series.
pub const ROOTS: usize = 50;

/// The label of the operations or roots without a series of their own. Sessions use it for
/// operations beyond their limit, too.
const OTHER: &str = "<other>";

/// The content type of the answer to a scrape.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Converts a snapshot of a running session to metrics.
///
/// # Example
/// ```no_run
/// use memprof::export::prometheus;
///
/// # let recording = memprof::session::Recording::read_file("session.json")?;
/// # let snapshot = || recording.snapshot("end");
/// // `memprof::session::SessionHandle::snapshot` takes one.
/// if let Some(snapshot) = snapshot() {
///     print!("{}", prometheus::of_snapshot(&snapshot));
/// }
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
pub fn of_snapshot(snapshot: &Snapshot) -> String {
    let mut text = Text::default();
    snapshot::write(&mut text, snapshot);
    text.end()
}

/// Converts a snapshot of a recording to metrics, including metrics of the whole recording. The
/// last snapshot also has the counts of operations, because these are known for the end only.
///
/// # Example
/// ```no_run
/// use memprof::export::prometheus;
///
/// let recording = memprof::session::Recording::read_file("session.jsonl")?;
/// if let Some(last) = recording.snapshot("end") {
///     print!("{}", prometheus::of_recording(&recording, last));
/// }
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
pub fn of_recording(recording: &Recording, snapshot: &Snapshot) -> String {
    let mut text = Text::default();
    snapshot::about(&mut text, recording, snapshot);
    snapshot::write(&mut text, snapshot);
    if recording.snapshots.last().is_some_and(|last| last.number == snapshot.number) {
        operations::write(&mut text, recording);
    }
    text.end()
}
