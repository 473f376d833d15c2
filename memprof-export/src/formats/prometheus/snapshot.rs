//! Metrics of one snapshot.

use super::text::Kind::{Counter, Gauge};
use super::text::{Decimal, Text, seconds};
use super::{OTHER, ROOTS};
use crate::known::{device_bytes, is_complete, root_bytes};
use core::cmp::Reverse;
use core::iter;
use memprof_recording::Recording;
use memprof_recording::document::{GaugeReading, HeapTotals, RootReading, Snapshot, SourceReading};

pub(super) fn about(text: &mut Text, recording: &Recording, snapshot: &Snapshot) {
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

/// A figure of the heap: its metric, its description and the function that reads it.
type HeapFigure = (&'static str, &'static str, fn(&HeapTotals) -> i128);

const HEAP_LEVELS: [HeapFigure; 3] = [
    ("memprof_heap_live_bytes", "Live bytes on the heap, without the profiler's own.", |heap| {
        heap.live_bytes.into()
    }),
    ("memprof_heap_live_blocks", "Live blocks on the heap.", |heap| heap.live_blocks.into()),
    ("memprof_heap_peak_bytes", "Most bytes that were live at once.", |heap| {
        heap.peak_bytes.into()
    }),
];

const HEAP_COUNTS: [HeapFigure; 4] = [
    ("memprof_heap_allocated_bytes_total", "Bytes allocated, as requested.", |heap| {
        heap.allocated_bytes.into()
    }),
    ("memprof_heap_allocated_blocks_total", "Blocks allocated.", |heap| {
        heap.allocated_blocks.into()
    }),
    ("memprof_heap_freed_bytes_total", "Bytes freed.", |heap| heap.freed_bytes.into()),
    ("memprof_heap_freed_blocks_total", "Blocks freed.", |heap| heap.freed_blocks.into()),
];

pub(super) fn write(text: &mut Text, snapshot: &Snapshot) {
    for (figures, kind) in [(&HEAP_LEVELS[..], Gauge), (&HEAP_COUNTS[..], Counter)] {
        for (name, help, read) in figures {
            text.one((name, kind), help, snapshot.heap.as_ref().map(read));
        }
    }
    let process = snapshot.process;
    for (name, help, bytes) in [
        ("resident", "Resident bytes of the process.", process.rss_bytes),
        ("resident_anonymous", "Resident bytes of anonymous memory.", process.rss_anonymous_bytes),
        ("resident_file", "Resident bytes of files.", process.rss_file_bytes),
        ("resident_shared", "Resident bytes of shared memory.", process.rss_shared_bytes),
        ("resident_peak", "Most bytes that were resident at once.", process.rss_peak_bytes),
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
    let help = "Resident bytes of the process by what they are for.";
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
    (None, 0, "memprof_source_figure", "Gauges of sources in the unit of the label `unit`."),
];

/// Writes the part of the heap that the roots explain.
fn explained(text: &mut Text, snapshot: &Snapshot) {
    let Some(parts) = &snapshot.reconciliation else { return };
    let name = "memprof_roots_heap_bytes";
    text.one((name, Gauge), "Heap bytes that all roots own.", Some(parts.roots_bytes));
    let rounded = |estimate: memprof_recording::document::Estimate| estimate.value.round();
    let name = "memprof_heap_explained_bytes";
    let help = "Live bytes in blocks that a root reaches, estimated from samples.";
    text.one((name, Gauge), help, parts.explained.map(rounded));
    let name = "memprof_heap_unexplained_bytes";
    let help = "Live bytes in blocks that no root reaches, estimated from samples.";
    text.one((name, Gauge), help, parts.unexplained.map(rounded));
}
