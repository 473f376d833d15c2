//! Handwritten recordings of sessions. One program has a cache that leaks.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "amounts of these samples are small"
)]

use crate::samples::json;
use memprof_profile::tree::{Device, LeafKind};
use memprof_profile::walk::{Position, Tensor, Walk};
use memprof_profile::{MemoryProfile, Profile};
use serde_json::{Value, json};
use std::fmt::Write;

/// The parts of a recording, which the report and the timeline contain.
#[derive(Clone)]
pub(crate) struct Recorded {
    pub(crate) metadata: Value,
    pub(crate) snapshots: Vec<Value>,
    pub(crate) paths: Value,
    pub(crate) events: Vec<Value>,
    pub(crate) out_of_memory: Vec<Value>,
    pub(crate) summary: Value,
}

const MIB: u64 = 1 << 20;
const SECOND: u64 = 1_000_000_000;

impl Recorded {
    /// Returns the report: the one document that a session writes at its end.
    pub(crate) fn report(&self) -> String {
        let rows = |values: &[Value]| {
            let rows: Vec<String> = values.iter().map(Value::to_string).collect();
            if rows.is_empty() { String::new() } else { format!("\n{}\n", rows.join(",\n")) }
        };
        let columns = json!([
            "path",
            "thread",
            "start_ns",
            "end_ns",
            "net_bytes",
            "before_bytes",
            "after_bytes",
            "tensor_net_bytes"
        ]);
        format!(
            "{{\"format\": \"memprof session\", \"version\": 1,\n\"metadata\": {},\n\"snapshots\": \
             [{}],\n\"operation_paths\": {},\n\"operation_events\": {{\"columns\": {columns}, \
             \"rows\": [{}]}},\n\"out_of_memory\": [{}],\n\"summary\": {}}}\n",
            self.metadata,
            rows(&self.snapshots),
            self.paths,
            rows(&self.events),
            rows(&self.out_of_memory),
            self.summary
        )
    }

    /// Returns the timeline: the lines that a session writes while the program runs.
    pub(crate) fn timeline(&self) -> String {
        let head = format!(
            "{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{}}}\n",
            self.metadata
        );
        let mut text = head;
        let mut line = |key: &str, value: &Value| {
            let _ = writeln!(text, "{{\"{key}\":{value}}}");
        };
        line("operation_paths", &self.paths);
        for snapshot in &self.snapshots {
            line("snapshot", snapshot);
        }
        // This earlier summary is replaced by the last one.
        let mut earlier = self.summary.clone();
        earlier["warnings"] = json!([]);
        line("summary", &earlier);
        for events in self.events.chunks(1000) {
            line("operation_events", &events.into());
        }
        for moment in &self.out_of_memory {
            line("out_of_memory", moment);
        }
        line("summary", &self.summary);
        text
    }
}

/// A value that owns the given number of bytes under each name.
struct Holds<'h>(&'h [(&'h str, u64)]);

impl MemoryProfile for Holds<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        for &(name, bytes) in self.0 {
            let at = walk.entry(at, name);
            walk.leaf(at, LeafKind::Data, bytes as usize);
            walk.count_allocations(at, 1 + bytes as usize / 4096);
        }
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

/// Weights on a device.
struct Weights;

impl MemoryProfile for Weights {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        for (name, device, shape) in [
            ("embedding", Device::Cuda(0), [4096, 1024]),
            ("output", Device::Cuda(0), [1024, 512]),
            ("bias", Device::Cpu, [1, 512]),
        ] {
            let at = walk.entry(at, name);
            walk.tensor(at, &Tensor::new(device, "f32", &shape, shape[0] * shape[1] * 4));
        }
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

/// A value that owns bytes at paths of two names.
struct Paths<'h>(&'h [(&'h str, u64)]);

impl MemoryProfile for Paths<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        for &(path, bytes) in self.0 {
            let at = path.split(';').fold(at, |at, name| walk.entry(at, name));
            walk.leaf(at, LeafKind::Data, bytes as usize);
        }
    }
}

/// Returns a root with bytes at these paths.
pub(crate) fn cache(paths: &[(&str, u64)]) -> Value {
    root("cache", &Profile::named("cache", &Paths(paths)))
}

fn root(name: &str, profile: &Profile) -> Value {
    json!({
        "name": name, "state": "profiled", "held_ns": 120_000,
        "total_bytes": profile.total_bytes(), "heap_bytes": profile.total_bytes(),
        "profile": value(profile),
    })
}

fn value(profile: &Profile) -> Value {
    serde_json::from_str(&json(profile)).expect("it is JSON")
}

fn estimate(value: u64, standard_error: u64) -> Value {
    json!({"value": value as f64, "standard_error": standard_error as f64, "samples": 1 + value / 524_288})
}

fn place(function: &str, file: &str, line: u32) -> Value {
    json!({"function": function, "file": file, "line": line})
}

/// Returns the snapshot with this number. There is one every five seconds, and the cache grows by
/// 300 KiB per second.
fn snapshot(number: u64, trigger: &str, name: Option<&str>) -> Value {
    let seconds = number * 5;
    let cached = 2 * MIB + seconds * 300 * 1024;
    let cache = Profile::named("cache", &Holds(&[("entries", cached), ("index", cached / 10)]));
    let rows = [("bounds", 3 * MIB), ("matrix", 9 * MIB), ("names", 512 * 1024)];
    let model = Profile::named("model", &Holds(&rows));
    let net = Profile::named("net", &Weights);
    let roots = cache.total_bytes() + model.total_bytes() + 2048;
    let live = roots + 5 * MIB;
    let queue = if number < 25 {
        root("queue", &Profile::named("queue", &Holds(&[("jobs", 40_000)])))
    } else {
        json!({"name": "queue", "state": "locked", "held_ns": 0, "total_bytes": null, "heap_bytes": null})
    };
    let roots_read = [root("cache", &cache), root("model", &model), root("net", &net), queue];
    let weights: Vec<Value> = [("embedding", [4096, 1024]), ("output", [1024, 512])]
        .iter()
        .map(|(name, shape)| {
            json!({
                "path": format!("net;{name}"), "dtype": "f32", "shape": shape,
                "bytes": shape[0] * shape[1] * 4, "requires_grad": *name == "output",
                "operation": ["load", "net"],
            })
        })
        .collect();
    let mut snapshot = json!({
        "number": number, "at_ns": seconds * SECOND + 120_000, "trigger": trigger,
        "heap": {
            "level": "sampled", "counted_ns": null,
            "live_bytes": live - 180_000, "profiler_bytes": 180_000, "profiler_peak_bytes": 180_000,
            "live_blocks": 12_000 + seconds * 75,
            "allocated_bytes": live + seconds * 40 * MIB, "allocated_blocks": 20_000 + seconds * 9000,
            "freed_bytes": seconds * 40 * MIB, "freed_blocks": 8000 + seconds * 8925,
            "peak_bytes": live + 12 * MIB, "peak_error_bytes": 65_536,
        },
        "process": {
            "rss_bytes": live + 19 * MIB, "rss_anonymous_bytes": live + 7 * MIB,
            "rss_file_bytes": 12 * MIB, "rss_shared_bytes": 0,
            "rss_peak_bytes": live + 34 * MIB, "swap_bytes": 0,
            "cgroup_usage_bytes": live + 30 * MIB, "cgroup_limit_bytes": 512 * MIB,
        },
        "profiler": {"snapshot_ns": 2_100_000, "cpu_ns": number * 2_400_000 + 900_000, "heap_bytes": 180_000},
        "tensor_count": 3,
        "devices": [
            {"device": "cpu", "bytes": roots, "tensors": []},
            {"device": "cuda:0", "bytes": 18 * MIB, "tensors": weights},
        ],
        "roots": roots_read,
        "sources": [{"name": "textures", "error": "the driver did not answer"}],
        "reconciliation": {
            "live_bytes": live, "profiler_bytes": 180_000, "roots_bytes": roots, "roots_exact": true,
            "explained": estimate(roots - 60_000, 700_000), "unexplained": estimate(5 * MIB, 400_000),
            "claimed_twice": estimate(MIB, 90_000),
        },
    });
    if number == 0 {
        // A program can register roots only after the session has started.
        snapshot["heap"]["live_bytes"] = MIB.into();
        snapshot["tensor_count"] = 0.into();
        snapshot["devices"] = json!([]);
        snapshot["roots"] = json!([]);
        snapshot["reconciliation"] = Value::Null;
    }
    if let Some(name) = name {
        snapshot["name"] = name.into();
    }
    if !["interval", "peak"].contains(&trigger) {
        let live = snapshot["heap"]["live_bytes"].as_u64().expect("it was counted");
        snapshot["resident"] = resident(1 + number / 8, live, 3 * MIB);
    }
    snapshot
}

/// Returns a full reading of the resident memory, of which libraries in C have `in_c` bytes.
fn resident(number: u64, live: u64, in_c: u64) -> Value {
    let part = |kind: &str, bytes: u64| json!({"kind": kind, "bytes": bytes});
    let file = |path: &str, bytes: u64| json!({"kind": "file", "file": path, "bytes": bytes});
    json!({
        "number": number, "took_ns": 900_000, "resident_bytes": live + 180_000 + 16 * MIB + in_c, "threads": 4,
        "parts": [
            part("live_heap", live), part("profiler", 180_000),
            {"kind": "c_libraries", "bytes": in_c, "range": [in_c - 900_000, in_c + 90_000]},
            part("block_overhead", MIB / 2), part("allocator_free", 2 * MIB), part("stacks", MIB / 2),
            part("anonymous", MIB), file("/srv/importer/bin/importer", 8 * MIB),
            file("/usr/lib/x86_64-linux-gnu/libc.so.6", 2 * MIB), part("other_files", 2 * MIB),
        ],
    })
}

fn operation(path: &[&str], calls: u64, allocated: u64, total: i64, max: i64, peak: u64) -> Value {
    json!({
        "path": path, "file": "src/main.rs", "line": 40, "calls": calls,
        "allocated_bytes": allocated, "allocated_blocks": allocated / 100,
        "freed_bytes": allocated as i64 - total, "freed_blocks": allocated / 120,
        "own_allocated_bytes": allocated / 2, "net_bytes": total,
        "average_net_bytes": total as f64 / calls as f64, "max_net_bytes": max,
        "peak_bytes": peak, "before_bytes": 1_000_000, "after_bytes": 1_000_000 + max,
        "wall_time": {"calls": calls, "total_ns": calls * 1_234_567, "longest_ns": 9_876_543},
        "retained": null, "retained_blocks": null,
    })
}

/// Sets `retained` of each operation to its own part: its total minus the totals of the operations
/// within.
fn own_retained(mut operations: Vec<Value>) -> Vec<Value> {
    let figures = |operation: &Value| {
        let path: Vec<String> = serde_json::from_value(operation["path"].clone()).unwrap();
        (path, operation["net_bytes"].as_i64().unwrap())
    };
    let all: Vec<_> = operations.iter().map(figures).collect();
    for (operation, (path, total)) in operations.iter_mut().zip(&all) {
        let is_within =
            |one: &&(Vec<String>, i64)| one.0.len() == path.len() + 1 && one.0.starts_with(path);
        let within: i64 = all.iter().filter(is_within).map(|one| one.1).sum();
        let own = (total - within).max(0).unsigned_abs();
        operation["retained"] = estimate(own, own / 12);
        operation["retained_blocks"] = estimate(own / 4096, 3);
    }
    operations
}

fn site(function: &str, line: u32, bytes: u64) -> Value {
    json!({
        "place": place(function, "src/parse.rs", line), "live": estimate(bytes, bytes / 10),
        "live_blocks": estimate(bytes / 200, 20), "allocated": estimate(bytes * 9, bytes / 2),
        "stack": [place(function, "src/parse.rs", line), place("importer::main", "src/main.rs", 12)],
    })
}

fn summary() -> Value {
    let leak = |function: &str, line: u32, per_second: f64, live: u64| {
        json!({
            "place": place(function, "src/cache.rs", line), "operation": ["serve", "handle"],
            "bytes_per_second": per_second, "bytes_per_call": per_second / 50.0, "bytes_per_second_interval": [0.9 * per_second, 1.1 * per_second],
            "live": estimate(live, live / 20), "live_blocks": estimate(live / 4096, 40),
            "stack": [
                place("alloc::vec::Vec<T>::reserve", "/rustc/lib/alloc/src/vec/mod.rs", 1307),
                place(function, "src/cache.rs", line),
                place("importer::serve::handle", "src/serve.rs", 88),
                place("importer::main", "src/main.rs", 31),
            ],
        })
    };
    json!({
        "operations": own_retained(vec![
            operation(&["load"], 1, 40 * MIB, 13 * MIB as i64, 13 * MIB as i64, 25 * MIB),
            operation(&["load", "parse"], 12, 30 * MIB, 9 * MIB as i64, 4 * MIB as i64, 6 * MIB),
            operation(&["load", "net"], 1, 2 * MIB, 1 << 19, 1 << 19, MIB),
            operation(&["serve"], 1250, 4800 * MIB, 38 * MIB as i64, 61_440, 2 * MIB),
            operation(&["serve", "handle"], 6250, 4600 * MIB, 38 * MIB as i64, 61_440, 2 * MIB),
            operation(&["serve", "handle", "render"], 6250, 900 * MIB, 0, 0, 196_608),
            operation(&["serve", "expire"], 25, MIB, -(2 * MIB as i64), -1024, 4096),
        ]),
        "framework_operations": [
            {
                "name": "matmul", "calls": 6250, "shapes": [[64, 1024], [1024, 512]],
                "cpu_ns": {"calls": 6250, "total": 812_000_000_u64, "max": 900_000},
                "device_ns": {"calls": 6250, "total": 4_100_000_000_u64, "max": 1_200_000},
                "cpu_bytes": null, "device_bytes": {"calls": 6250, "total": 819_200_000, "max": 131_072},
            },
            {
                "name": "softmax", "calls": 6250, "shapes": null,
                "cpu_ns": {"calls": 6250, "total": 92_000_000, "max": 30_000},
                "device_ns": null, "cpu_bytes": null, "device_bytes": null,
            },
        ],
        "sites": [site("importer::cache::Cache::insert", 41, 37 * MIB), site("importer::parse::row", 17, 9 * MIB)],
        "other_sites": estimate(MIB, 100_000),
        "largest_blocks": [{
            "bytes": 9 * MIB, "age_ns": 120 * SECOND, "operation": ["load", "parse"],
            "place": place("importer::parse::row", "src/parse.rs", 17),
        }],
        "leaks": [
            leak("importer::cache::Cache::insert", 41, 307_200.0, 37 * MIB),
            leak("importer::cache::Cache::index", 58, 30_720.0, 4 * MIB),
        ],
        "leak_watch": {
            "verdict": "leaks", "observations": 26, "watched_ns": 125 * SECOND,
            "process_bytes": 41 * MIB, "process_bytes_per_second": 344_000.0,
            "smallest_found_bytes_per_second": 12_000.0,
        },
        "unexplained_sites": [
            site("importer::parse::Arena::grow", 203, 3 * MIB),
            site("regex_automata::meta::Regex::new", 9, MIB),
        ],
        "unexplained_operations": [
            {"operation": ["load", "parse"], "live": estimate(3 * MIB, 300_000), "live_blocks": estimate(24, 3)},
            {"operation": [], "live": estimate(2 * MIB, 250_000), "live_blocks": estimate(900, 60)},
        ],
        "claimed_twice": [{"roots": ["cache", "model"], "live": estimate(MIB, 90_000)}],
        "dropped_events": {"not_recorded": 0, "over_cap": 3017, "kept_from_ns": 1_000_000, "kept_from_bytes": 4096},
        "warnings": ["signal SIGUSR1 is handled by the program itself: no snapshot is taken when it comes"],
    })
}

/// Returns a recording of two minutes of a program that imports and serves, and whose cache leaks.
pub(crate) fn importer() -> Recorded {
    let snapshots = vec![
        snapshot(0, "start", None),
        snapshot(1, "checkpoint", Some("after_load")),
        snapshot(8, "interval", None),
        snapshot(16, "interval", None),
        snapshot(24, "checkpoint", Some("warm")),
        snapshot(25, "end", None),
    ];
    Recorded {
        metadata: json!({
            "program": "importer", "pid": 4711, "memprof": "0.1.0", "platform": "linux x86_64",
            "started_unix_ns": 1_795_249_800_u64 * SECOND, "generated_at": "2026-11-21T08:32:05Z",
            "generated_ns": 125 * SECOND, "interval_ns": 5 * SECOND, "snapshots": 26,
            "operations_tracked": true, "ended": {"signal": "SIGTERM"},
        }),
        snapshots,
        paths: json!([
            {"path": 1, "names": ["load"], "parent": null, "file": "src/main.rs", "line": 20},
            {"path": 2, "names": ["load", "parse"], "parent": 1, "file": "src/parse.rs", "line": 9},
        ]),
        events: vec![
            json!([2, 1, 1000, 90_000_000, 4_194_304, 1_000_000, 5_194_304, null]),
            json!([1, 1, 500, 900_000_000, 13_631_488, 900_000, 14_531_488, 0]),
        ],
        out_of_memory: vec![],
        summary: summary(),
    }
}

/// Returns a recording of two minutes of a program in which libraries in C grow. The process comes close to
/// its limit.
pub(crate) fn growing_in_c() -> Recorded {
    let snapshot = |number: u64, trigger: &str| {
        let (live, in_c) = (20 * MIB, (3 + 16 * number) * MIB);
        let all = live + 180_000 + 16 * MIB + in_c;
        let mut snapshot = json!({
            "number": number, "at_ns": number * 5 * SECOND + 120_000, "trigger": trigger,
            "heap": {
                "level": "sampled", "counted_ns": null, "live_bytes": live, "profiler_bytes": 180_000,
                "profiler_peak_bytes": 180_000, "live_blocks": 12_000, "allocated_bytes": 400 * MIB,
                "allocated_blocks": 90_000, "freed_bytes": 380 * MIB, "freed_blocks": 78_000,
                "peak_bytes": 21 * MIB, "peak_error_bytes": 0,
            },
            "process": {
                "rss_bytes": all, "rss_peak_bytes": all, "swap_bytes": 0,
                "cgroup_usage_bytes": all - 6 * MIB, "cgroup_limit_bytes": 512 * MIB,
            },
            "profiler": {"snapshot_ns": 2_100_000, "heap_bytes": 180_000},
            "tensor_count": 0, "devices": [], "roots": [],
        });
        snapshot["resident"] = resident(1 + number / 12 + number % 12, live, in_c);
        if trigger == "limit" {
            snapshot["name"] = "80 %".into();
            snapshot["pressure"] = json!({
                "limit": "cgroup", "used_bytes": all - 6 * MIB, "limit_bytes": 512 * MIB,
            });
        }
        snapshot
    };
    let mut metadata = importer().metadata;
    metadata["program"] = "thumbnails".into();
    metadata["operations_tracked"] = false.into();
    let times = [(0, "start"), (12, "interval"), (24, "limit"), (25, "end")];
    Recorded {
        metadata,
        snapshots: times.map(|(number, trigger)| snapshot(number, trigger)).into(),
        paths: json!([]),
        events: vec![],
        out_of_memory: vec![],
        summary: json!({"leak_watch": {
            "verdict": "nothing_grows", "observations": 26, "watched_ns": 125 * SECOND,
            "process_bytes": 0, "process_bytes_per_second": null,
            "smallest_found_bytes_per_second": 12_000.0,
        }}),
    }
}

/// Returns the report of a program whose free memory is pinned by blocks of a cache and of an index.
pub(crate) fn fragmented() -> String {
    let report = growing_in_c().report();
    let mut report: Value = serde_json::from_str(&report).expect("it is complete");
    let snapshot = &mut report["snapshots"][3];
    let freed = 466 * MIB;
    let resident = snapshot["resident"]["resident_bytes"].as_u64().expect("it is known") + freed;
    snapshot["resident"]["resident_bytes"] = resident.into();
    snapshot["process"]["rss_bytes"] = resident.into();
    let parts = snapshot["resident"]["parts"].as_array_mut().expect("there are parts");
    let free = parts.iter_mut().find(|part| part["kind"] == "allocator_free").expect("one of them");
    free["bytes"] = (free["bytes"].as_u64().expect("it is known") + freed).into();
    let frame = |address: u64, function: &str, file: &str, line: u32| json!({"address": address, "function": function, "file": file, "line": line});
    report["stacks"] = json!([{
        "addresses": [[1, 71], [2, 82]],
        "frames": [
            frame(71, "thumbnails::cache::Cache::insert", "src/cache.rs", 44),
            frame(82, "thumbnails::index::Index::add", "src/index.rs", 17),
        ],
    }]);
    let mib = |mib: f64| mib * MIB as f64;
    report["live_stacks"] = json!([{
        "at_ns": snapshot_time(&report, 3), "trigger": "end", "snapshot": 25, "live_bytes": 20 * MIB,
        "root_names": ["cache"],
        "rows": [[1, null, 0, mib(14.0), mib(0.4), 90_000, 3000, 1100], [2, null, null, mib(6.0), mib(0.3), 50_000, 2000, 500]],
        "pinned": [
            {"stack": 1, "root": 0, "free": estimate(301 * MIB, 5 * MIB), "alone": estimate(306 * MIB, 5 * MIB), "shared": estimate(315 * MIB, 5 * MIB)},
            {"stack": 2, "free": estimate(123 * MIB, 4 * MIB), "alone": estimate(2 * MIB, MIB / 2), "shared": estimate(129 * MIB, 4 * MIB)},
        ],
    }]);
    report.to_string()
}

fn snapshot_time(report: &Value, index: usize) -> u64 {
    report["snapshots"][index]["at_ns"].as_u64().expect("it is known")
}

/// Returns a recording of a program that has just started, with an allocator that does not count.
/// Most of its figures are unknown.
pub(crate) fn bare() -> Recorded {
    Recorded {
        metadata: json!({
            "program": "app", "pid": 7, "memprof": "0.1.0", "platform": "macos aarch64",
            "started_unix_ns": 1_795_249_800_u64 * SECOND, "generated_at": "2026-11-21T08:30:00Z",
            "generated_ns": 0, "interval_ns": 5 * SECOND, "first_interval_ns": SECOND, "snapshots": 1,
            "operations_tracked": false, "ended": "running",
        }),
        snapshots: vec![json!({
            "number": 0, "at_ns": 120_000, "trigger": "start", "heap": null, "process": {},
            "profiler": {"snapshot_ns": 0}, "tensor_count": 0, "devices": [], "roots": [],
        })],
        paths: json!([]),
        events: vec![],
        out_of_memory: vec![],
        summary: json!({}),
    }
}
