//! A moment of a session in Prometheus' text format 0.0.4, for scrapes and text-file collectors.
//!
//! Prometheus, compatible agents and the node exporter's text-file collector read this format. The
//! metrics are those of one snapshot, in bytes and seconds: the heap, the process, the bytes of
//! roots on each device, each root and each source. The last snapshot of a recording also has the
//! counts of the outermost operations.
//!
//! The metrics include no trees, call sites or individual calls, because a server keeps a series
//! for each label value for months. For the same reason, only the [`OPERATIONS`] outermost
//! operations that allocated the most and the [`ROOTS`] largest roots have their own series. The
//! rest is one series, `<other>`. Unknown values have no line.

use crate::known::{device_bytes, is_complete, root_bytes};
use Kind::{Counter, Gauge};
use core::cmp::Reverse;
use core::fmt::{self, Display, Write as _};
use core::iter;
use memprof_profile::text::Shown;
use memprof_recording::Recording;
use memprof_recording::document::{
    Estimate, GaugeReading, OperationRow, RootReading, Snapshot, SourceReading,
};
use std::collections::{HashMap, HashSet};

/// The number of operations that have their own series.
pub const OPERATIONS: usize = 50;

/// The number of roots that have their own series.
pub const ROOTS: usize = 50;

/// The label of the operations or roots without a series of their own. Sessions use it for
/// operations beyond their limit, too.
const OTHER: &str = "<other>";

/// The content type of the response to a scrape.
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
    write_snapshot(&mut text, snapshot);
    text.text
}

/// Converts a snapshot of a recording to metrics, including metrics of the whole recording. The
/// last snapshot also includes the counts of operations, because these are known only for the end.
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
    write_about(&mut text, recording, snapshot);
    write_snapshot(&mut text, snapshot);
    if recording.snapshots.last().is_some_and(|last| last.number == snapshot.number) {
        write_operations(&mut text, recording);
    }
    text.text
}

fn write_about(text: &mut Text, recording: &Recording, snapshot: &Snapshot) {
    let metadata = &recording.metadata;
    let labels = vec![
        ("program", &*metadata.program),
        ("platform", &*metadata.platform),
        ("memprof", &*metadata.memprof),
    ];
    let info = [(labels, Some(1))];
    text.each(("memprof_session_info", Gauge), "Program, platform and memprof version.", info);
    let started = metadata.started_unix_ns;
    let at = started.saturating_add(snapshot.at_ns);
    let name = "memprof_session_start_time_seconds";
    text.one((name, Gauge), "Start of the session, in Unix time.", Some(seconds(started)));
    let name = "memprof_snapshot_time_seconds";
    text.one((name, Gauge), "Time of the snapshot, in Unix time.", Some(seconds(at)));
    let name = "memprof_out_of_memory_total";
    let help = "Number of times that the allocator ran out of memory.";
    text.one((name, Counter), help, Some(recording.out_of_memory.len()));
}

fn write_snapshot(text: &mut Text, snapshot: &Snapshot) {
    if let Some(heap) = &snapshot.heap {
        let live = "Live bytes on the heap, without the profiler's own.";
        for (name, help, kind, value) in [
            ("live_bytes", live, Gauge, i128::from(heap.live_bytes)),
            ("live_blocks", "Live blocks on the heap.", Gauge, heap.live_blocks.into()),
            ("peak_bytes", "Peak of live bytes.", Gauge, heap.peak_bytes.into()),
            (
                "allocated_bytes_total",
                "Bytes allocated, as requested.",
                Counter,
                heap.allocated_bytes.into(),
            ),
            ("allocated_blocks_total", "Blocks allocated.", Counter, heap.allocated_blocks.into()),
            ("freed_bytes_total", "Bytes freed.", Counter, heap.freed_bytes.into()),
            ("freed_blocks_total", "Blocks freed.", Counter, heap.freed_blocks.into()),
        ] {
            text.one((&format!("memprof_heap_{name}"), kind), help, Some(value));
        }
    }
    let process = snapshot.process;
    for (name, help, bytes) in [
        ("resident", "Resident bytes of the process.", process.rss_bytes),
        ("resident_anonymous", "Resident bytes of anonymous memory.", process.rss_anonymous_bytes),
        ("resident_file", "Resident bytes of file-backed memory.", process.rss_file_bytes),
        ("resident_shared", "Resident bytes of shared memory.", process.rss_shared_bytes),
        ("resident_peak", "Peak of resident bytes.", process.rss_peak_bytes),
        ("swap", "Bytes swapped out.", process.swap_bytes),
        ("cgroup", "Bytes that the control group uses.", process.cgroup_usage_bytes),
        ("cgroup_limit", "Memory limit of the control group.", process.cgroup_limit_bytes),
    ] {
        text.one((&format!("memprof_process_{name}_bytes"), Gauge), help, bytes);
    }
    resident(text, snapshot);
    text.each(
        ("memprof_device_roots_bytes", Gauge),
        "Bytes of the roots on each device.",
        device_bytes(snapshot).map(|(device, bytes)| (vec![("device", device)], bytes)),
    );
    roots(text, snapshot);
    sources(text, snapshot);
    explained(text, snapshot);
    let cost = snapshot.profiler;
    let name = "memprof_snapshot_duration_seconds";
    text.one((name, Gauge), "Duration of the snapshot.", Some(seconds(cost.snapshot_ns)));
    let name = "memprof_profiler_cpu_seconds_total";
    text.one((name, Counter), "CPU time of the profiler.", cost.cpu_ns.map(seconds));
    let name = "memprof_profiler_heap_bytes";
    text.one((name, Gauge), "Live bytes of the profiler's own data.", cost.heap_bytes);
}

/// Writes the parts of the resident memory, if the snapshot has a full reading.
fn resident(text: &mut Text, snapshot: &Snapshot) {
    let Some(resident) = &snapshot.resident else { return };
    let parts = resident.parts.iter().map(|part| {
        let file = part.file.as_deref().map(|file| ("file", file));
        (iter::once(("part", part.kind.as_str())).chain(file).collect(), part.bytes)
    });
    let help = "Resident bytes of the process, by purpose.";
    text.each(("memprof_process_resident_part_bytes", Gauge), help, parts);
    let name = "memprof_process_threads";
    text.one((name, Gauge), "Threads of the process.", Some(resident.threads));
}

/// A program may have a root for each of its connections, so only the largest get a series.
fn roots(text: &mut Text, snapshot: &Snapshot) {
    let mut roots: Vec<&RootReading> = snapshot.roots.iter().collect();
    if roots.len() > ROOTS {
        roots.sort_by_key(|root| (Reverse(root.total_bytes), &root.name));
    }
    let (largest, others) = roots.split_at(roots.len().min(ROOTS));
    let heap_bytes = |root: &RootReading| root.heap_bytes.filter(|_| is_complete(root));
    let mut write = |name: &str, help: &str, bytes: fn(&RootReading) -> Option<u64>| {
        let own = largest.iter().map(|root| (vec![("root", &*root.name)], bytes(root)));
        // The sum is unknown if the bytes of one root are.
        let sum = others
            .iter()
            .map(|root| bytes(root))
            .reduce(|one, other| Some(one?.saturating_add(other?)));
        let others = sum.map(|sum| (vec![("root", OTHER)], sum));
        text.each((name, Gauge), help, own.chain(others));
    };
    write("memprof_root_bytes", "Bytes of each registered root.", root_bytes);
    let help = "Bytes of each registered root in heap blocks.";
    write("memprof_root_heap_bytes", help, heap_bytes);
    if !others.is_empty() {
        let name = "memprof_other_roots";
        let help = "Number of roots in the series `<other>`.";
        text.one((name, Gauge), help, Some(others.len()));
    }
}

fn sources(text: &mut Text, snapshot: &Snapshot) {
    let sources = || snapshot.sources.iter();
    // If the data are not a valid profile, the bytes are unknown.
    let total = |source: &SourceReading| Some(source.profile()?.ok()?.total_bytes());
    text.each(
        ("memprof_source_bytes", Gauge),
        "Bytes that each source reports.",
        sources().map(|source| (vec![("source", &*source.name)], total(source))),
    );
    for (unit, digits, metric, help) in FIGURES {
        let is_of = |gauge: &&GaugeReading| match unit {
            Some(unit) => gauge.unit == unit,
            None => FIGURES.iter().all(|known| known.0 != Some(&gauge.unit)),
        };
        let samples = sources().flat_map(|source| {
            source.gauges.iter().filter(is_of).map(|gauge| {
                let mut labels = vec![("source", &*source.name), ("figure", &*gauge.name)];
                if unit.is_none() {
                    labels.push(("unit", &gauge.unit));
                }
                (labels, gauge.value.map(|parts| Decimal { parts, digits }))
            })
        });
        text.each((metric, Gauge), help, samples);
    }
}

/// Gauges by unit: the unit, the number of decimal places in Prometheus' unit, the metric and its
/// description. The entry without a unit is for all other units.
const FIGURES: [(Option<&str>, u32, &str, &str); 5] = [
    (Some("bytes"), 0, "memprof_source_figure_bytes", "Gauges of sources in bytes."),
    (Some("ns"), 9, "memprof_source_figure_seconds", "Gauges of sources in seconds."),
    (Some("celsius"), 0, "memprof_source_figure_celsius", "Gauges of sources in degrees Celsius."),
    (Some("milliwatts"), 3, "memprof_source_figure_watts", "Gauges of sources in watts."),
    (None, 0, "memprof_source_figure", "Gauges of sources, in the unit given by the label `unit`."),
];

fn explained(text: &mut Text, snapshot: &Snapshot) {
    let Some(parts) = &snapshot.reconciliation else { return };
    let name = "memprof_roots_heap_bytes";
    text.one((name, Gauge), "Heap bytes that all roots own.", Some(parts.roots_bytes));
    let rounded = |estimate: Estimate| estimate.value.round();
    let name = "memprof_heap_explained_bytes";
    let help = "Live bytes in blocks that a root reaches, estimated from samples.";
    text.one((name, Gauge), help, parts.explained.map(rounded));
    let name = "memprof_heap_unexplained_bytes";
    let help = "Live bytes in blocks that no root reaches, estimated from samples.";
    text.one((name, Gauge), help, parts.unexplained.map(rounded));
}

const COUNTS: [(&str, &str); 5] = [
    ("calls_total", "Number of calls that ended."),
    ("allocated_bytes_total", "Bytes that calls allocated."),
    ("allocated_blocks_total", "Blocks that calls allocated."),
    ("freed_bytes_total", "Bytes that calls freed."),
    ("freed_blocks_total", "Blocks that calls freed."),
];
const ALLOCATED_BYTES: usize = 1;

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    /// In the order of [`COUNTS`].
    counts: [u64; COUNTS.len()],
    peak_bytes: u64,
    wall_ns: Option<u64>,
}

fn write_operations(text: &mut Text, recording: &Recording) {
    let operations = outermost(&recording.summary.operations);
    let label = |name| vec![("operation", name)];
    for (index, (name, help)) in COUNTS.into_iter().enumerate() {
        let counts = operations.iter().map(|(name, one)| (label(*name), Some(one.counts[index])));
        text.each((&format!("memprof_operation_{name}"), Counter), help, counts);
    }
    let times = operations.iter().map(|(name, one)| (label(*name), one.wall_ns.map(seconds)));
    let name = "memprof_operation_seconds_total";
    text.each((name, Counter), "Total duration of timed calls.", times);
    let peaks = operations.iter().map(|(name, one)| (label(*name), Some(one.peak_bytes)));
    let name = "memprof_operation_peak_bytes";
    let help = "Peak of live bytes during a call, beyond those live at its start.";
    text.each((name, Gauge), help, peaks);
    if recording.operations_unknown_reason().is_none() {
        let dropped = recording.summary.dropped_events;
        let name = "memprof_calls_not_kept_total";
        let help = "Number of calls that are counted but not recorded individually.";
        let all = dropped.not_recorded.saturating_add(dropped.over_cap);
        text.one((name, Counter), help, Some(all));
    }
}

/// Returns the outermost operations that allocated the most, and then one entry for all others.
fn outermost(rows: &[OperationRow]) -> Vec<(&str, Counted)> {
    let mut named: HashMap<&str, Counted> = HashMap::new();
    for row in rows {
        // The counts of an outermost operation include the counts of operations inside it.
        let [name] = &row.path[..] else { continue };
        let OperationRow { calls, allocated_bytes, allocated_blocks, .. } = *row;
        named.entry(name).or_default().add(Counted {
            counts: [calls, allocated_bytes, allocated_blocks, row.freed_bytes, row.freed_blocks],
            peak_bytes: row.peak_bytes,
            wall_ns: row.wall_time.map(|wall| wall.total_ns),
        });
    }
    let mut other = named.remove(OTHER);
    let mut named: Vec<_> = named.into_iter().collect();
    named.sort_by_key(|&(name, one)| (Reverse(one.counts[ALLOCATED_BYTES]), name));
    for (_, rest) in named.drain(OPERATIONS.min(named.len())..) {
        other.get_or_insert_default().add(rest);
    }
    named.extend(other.map(|other| (OTHER, other)));
    named
}

impl Counted {
    fn add(&mut self, other: Self) {
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum = sum.saturating_add(count);
        }
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
        let times = self.wall_ns.zip(other.wall_ns);
        let sum = times.map(|(one, other)| one.saturating_add(other));
        self.wall_ns = sum.or(self.wall_ns).or(other.wall_ns);
    }
}

#[derive(Debug, Default)]
struct Text {
    text: String,
}

/// The type of a metric: a gauge goes up and down, a counter only goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gauge,
    Counter,
}

/// The labels of a sample: names that memprof chose, and values from the program.
type Labels<'n> = Vec<(&'static str, &'n str)>;

impl Text {
    fn one(&mut self, (name, kind): (&str, Kind), help: &str, value: Option<impl Display>) {
        self.each((name, kind), help, [(Labels::new(), value)]);
    }

    /// Leaves out samples of unknown value, and a metric without known samples. Of several samples
    /// with equal labels, only the first is written.
    fn each<'n>(
        &mut self,
        (name, kind): (&str, Kind),
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'n>, Option<impl Display>)>,
    ) {
        let mut written_labels = HashSet::new();
        for (labels, value) in samples {
            let Some(value) = value else { continue };
            let labels = written(&labels);
            if written_labels.is_empty() {
                let kind = if kind == Gauge { "gauge" } else { "counter" };
                let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            }
            let line = format!("{name}{labels} {value}\n");
            if written_labels.insert(labels) {
                self.text.push_str(&line);
            }
        }
    }
}

/// Formats labels: `{root="index",device="cpu"}`. Values are escaped for terminals.
fn written(labels: &Labels<'_>) -> String {
    let label = |(name, value): &(&str, &str)| {
        let value = Shown(value).to_string().replace('\\', "\\\\").replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    };
    match labels.iter().map(label).collect::<Vec<_>>().join(",") {
        none if none.is_empty() => none,
        some => format!("{{{some}}}"),
    }
}

/// An exact decimal number: 1,500,000,000 ns is `1.5` seconds.
#[derive(Clone, Copy, Debug)]
struct Decimal {
    parts: u64,
    digits: u32,
}

const fn seconds(ns: u64) -> Decimal {
    Decimal { parts: ns, digits: 9 }
}

impl Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_u64.pow(self.digits);
        let (whole, rest) = (self.parts / unit, self.parts % unit);
        if rest == 0 {
            return write!(out, "{whole}");
        }
        let rest = format!("{rest:0width$}", width = self.digits as usize);
        write!(out, "{whole}.{}", rest.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, Kind, Labels, Text, seconds};

    #[test]
    fn times_are_exact() {
        for (ns, expected) in [
            (0, "0"),
            (1, "0.000000001"),
            (1_500_000_000, "1.5"),
            (100_000_000_000, "100"),
            (u64::MAX, "18446744073.709551615"),
        ] {
            assert_eq!(seconds(ns).to_string(), expected);
        }
        assert_eq!(Decimal { parts: 41_250, digits: 3 }.to_string(), "41.25");
    }

    #[test]
    fn labels_are_escaped_and_closed() {
        let mut text = Text::default();
        let names = ["a\"b", "c\\d", "e\nf", "g\u{0}", "\u{202e}h", "", "a\"b"];
        let sample = |name| (vec![("root", name)], Some(1));
        text.each(("bytes", Kind::Gauge), "Of roots.", names.map(sample));
        expect_test::expect![[r#"
            # HELP bytes Of roots.
            # TYPE bytes gauge
            bytes{root="a\"b"} 1
            bytes{root="c\\d"} 1
            bytes{root="e\\nf"} 1
            bytes{root="g\\u{0}"} 1
            bytes{root="\\u{202e}h"} 1
            bytes{root="\"\""} 1
        "#]]
        .assert_eq(&text.text);
    }

    #[test]
    fn an_unknown_value_has_no_line() {
        let mut text = Text::default();
        text.one(("swap_bytes", Kind::Gauge), "Unknown.", None::<u64>);
        text.each(("x", Kind::Counter), "None.", Vec::<(Labels<'_>, Option<u64>)>::new());
        assert_eq!(text.text, "");
    }
}
