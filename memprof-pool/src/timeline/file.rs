//! The curve as a file of a session's form, which memprof's command line reads.

use super::{Event, Timeline};
use memprof_profile::text::rfc3339;
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Serialize)]
struct Head<'t> {
    format: &'static str,
    version: u64,
    metadata: Metadata<'t>,
}

/// `docs/format.md` says what these are, and those below.
#[derive(Serialize)]
struct Metadata<'t> {
    program: String,
    pid: u32,
    memprof: &'t str,
    platform: String,
    started_unix_ns: u64,
    generated_at: String,
    generated_ns: u64,
    interval_ns: u64,
    snapshots: u64,
    operations_tracked: bool,
    ended: &'t str,
}

#[derive(Serialize)]
struct Line<'t> {
    snapshot: Snapshot<'t>,
}

#[derive(Serialize)]
struct Snapshot<'t> {
    number: u64,
    at_ns: u64,
    trigger: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    heap: Option<()>,
    process: Nothing,
    profiler: Nothing,
    tensor_count: u64,
    devices: [(); 0],
    roots: [(); 0],
    sources: [Source<'t>; 1],
}

/// An object without a key: of this nothing is known.
#[derive(Serialize)]
struct Nothing {}

#[derive(Serialize)]
struct Source<'t> {
    name: &'t str,
    profile: Box<RawValue>,
}

impl Timeline {
    /// Writes the curve to a file, as [`write_session`](Self::write_session) does.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write_session_file(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.write_session(io::BufWriter::new(std::fs::File::create(path)?))
    }

    /// Writes the curve as the timeline of a session, which `memprof timeline` and `memprof info` read.
    ///
    /// Each point is a snapshot with one source, called as the resource, whose profile has the bytes
    /// `allocated` and `cached` at that time. Moments without memory are checkpoints called
    /// `out of memory`, with the bytes that were asked for.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_session(&self, mut out: impl Write) -> io::Result<()> {
        let (points, number) = {
            // Both at the same time.
            let record = self.record();
            let mut points = record.curve.points();
            points.extend(&record.refusals);
            points.sort_by_key(|event| event.number);
            points.dedup_by_key(|event| event.number);
            (points, record.number)
        };
        serde_json::to_writer(&mut out, &self.head(number))?;
        writeln!(out)?;
        for event in &points {
            serde_json::to_writer(&mut out, &self.line(event)?)?;
            writeln!(out)?;
        }
        out.flush()
    }

    fn head(&self, snapshots: u64) -> Head<'_> {
        let program = std::env::args_os().next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
        let since = |moment: SystemTime| moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        let passed = self.0.began.elapsed();
        let metadata = Metadata {
            program: program.into_owned(),
            pid: std::process::id(),
            memprof: env!("CARGO_PKG_VERSION"),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            started_unix_ns: nanos(since(self.began_at())),
            generated_at: rfc3339(since(self.began_at() + passed).as_secs()),
            generated_ns: nanos(passed),
            // Nobody samples: each event is a snapshot, and most are thinned out.
            interval_ns: 0,
            snapshots,
            operations_tracked: false,
            ended: "finished",
        };
        Head { format: "memprof timeline", version: 1, metadata }
    }

    fn line(&self, event: &Event) -> io::Result<Line<'_>> {
        let is_refusal = event.action == super::Action::OutOfMemory;
        let name = is_refusal.then(|| format!("out of memory: {} bytes", event.bytes));
        let json = event.held.profile(self.name(), self.memory()).to_json();
        // Line ends stand between tokens only: within texts they are escaped.
        let json = json.map_err(io::Error::other)?.replace('\n', "");
        let source = Source { name: self.name(), profile: RawValue::from_string(json)? };
        Ok(Line {
            snapshot: Snapshot {
                number: event.number,
                at_ns: event.at_ns,
                trigger: if is_refusal { "checkpoint" } else { "interval" },
                name,
                heap: None,
                process: Nothing {},
                profiler: Nothing {},
                tensor_count: 0,
                devices: [],
                roots: [],
                sources: [source],
            },
        })
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
