//! A moment of a session as Prometheus' text format 0.0.4, for scrapes and text-file collectors.
//!
//! Read by Prometheus, by the agents that scrape in its place, and by the node exporter's text-file
//! collector. It holds what a snapshot found of the heap, the process, each device's bytes of roots,
//! each root and each source, in bytes and seconds; and, of a recording's last snapshot, what the
//! outermost operations counted.
//!
//! It can't hold trees, sites or single calls: each label value is a series that a server keeps for
//! months. So labels are names that a program has few of, and of operations only the outermost, the
//! [`OPERATIONS`] that allocated most; the rest is `<other>`. What is not known has no line.

mod operations;
mod snapshot;
mod text;

use memprof_session::Recording;
use memprof_session::document::Snapshot;
use text::Text;

/// So many operations have series of their own.
pub const OPERATIONS: usize = 50;

/// What a server that is scraped says it answers with.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A snapshot as metrics, as a running session gives it.
///
/// # Example
/// ```no_run
/// use memprof_export::prometheus;
///
/// # let recording = memprof_session::Recording::read_file("session.json")?;
/// # let snapshot = || recording.snapshot("end");
/// // `memprof::SessionHandle::snapshot` takes one.
/// if let Some(snapshot) = snapshot() {
///     print!("{}", prometheus::of_snapshot(&snapshot));
/// }
/// # Ok::<(), memprof_session::RecordingError>(())
/// ```
pub fn of_snapshot(snapshot: &Snapshot) -> String {
    let mut text = Text::default();
    snapshot::write(&mut text, snapshot);
    text.end()
}

/// A snapshot of a recording as metrics, with what is known of the whole recording; if it is the
/// last snapshot, with what operations counted, as that is told of the end.
///
/// # Example
/// ```no_run
/// use memprof_export::prometheus;
///
/// let recording = memprof_session::Recording::read_file("session.jsonl")?;
/// if let Some(last) = recording.snapshot("end") {
///     print!("{}", prometheus::of_recording(&recording, last));
/// }
/// # Ok::<(), memprof_session::RecordingError>(())
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
