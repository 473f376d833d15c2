//! Recordings made by hand.

use crate::fixture::Fixture;
use memprof_profile::tree::{Device, LeafKind};
use memprof_profile::walk::{Position, Tensor, Walk};
use memprof_profile::{MemoryProfile, Profile};
use memprof_recording::Recording;
use serde_json::{Value, json};

/// Names that try to break their readers.
pub(crate) const HOSTILE: [&str; 10] = [
    "",
    "#",
    "[u8; 4]",
    "keys: String 42",
    "Vec<Tensor>",
    "two\nlines\r\ttab\0",
    "\u{1b}]0;title\u{7}\u{9b}2J\u{7f}",
    "\u{202e}backwards\u{2066}\u{2028}\u{ffff}",
    "<script>alert(1)</script>&amp;\"']]> -->",
    "名前 é 👩‍🚀 \u{feff}",
];

pub(crate) fn estimate(value: f64) -> Value {
    json!({"value": value, "standard_error": 1.5, "samples": 1})
}

pub(crate) fn place(function: &str, file: &str, line: u32) -> Value {
    json!({"function": function, "file": file, "line": line})
}

/// Returns a call site with this stack of functions, innermost first. `place_at` is the index of
/// its place.
pub(crate) fn site(functions: &[&str], place_at: usize, live: f64) -> Value {
    let stack: Vec<Value> =
        functions.iter().zip(1..).map(|(name, line)| place(name, "src/lib.rs", line)).collect();
    json!({
        "place": stack[place_at], "stack": stack, "live": estimate(live),
        "live_blocks": estimate(live / 100.0), "allocated": estimate(live * 3.0),
    })
}

/// Returns an operation with these own bytes, besides the bytes of the operations `within` it.
pub(crate) fn operation(path: &[&str], own: u64, within: u64, retained: Option<f64>) -> Value {
    json!({
        "path": path, "file": "src/main.rs", "line": 40, "calls": 2,
        "allocated_bytes": own + within, "allocated_blocks": (own + within) / 10,
        "freed_bytes": 0, "freed_blocks": 0, "own_allocated_bytes": own,
        "net_bytes": 0, "average_net_bytes": 0.0, "max_net_bytes": 0,
        "peak_bytes": 0, "before_bytes": 0, "after_bytes": 0, "wall_time": null,
        "retained": retained.map(estimate),
        "retained_blocks": retained.map(|bytes| estimate(bytes / 100.0)),
    })
}

/// Returns a snapshot with this level of the heap: `"sampled"`, `"counters"`, or not counted.
fn snapshot(number: u64, level: Option<&str>, roots: &Value) -> Value {
    let heap = level.map(|level| {
        json!({
            "level": level, "counted_ns": null, "live_bytes": 10_000, "profiler_bytes": 0,
            "profiler_peak_bytes": 0,
            "live_blocks": 7, "allocated_bytes": 90_000, "allocated_blocks": 70,
            "freed_bytes": 80_000, "freed_blocks": 63, "peak_bytes": 20_000, "peak_error_bytes": 0,
        })
    });
    json!({
        "number": number, "at_ns": 5_000_000_000_u64, "trigger": "checkpoint", "name": "loaded",
        "heap": heap, "process": {}, "profiler": {}, "tensor_count": 0, "devices": [],
        "roots": roots,
    })
}

/// Returns the recording of a session of `program`.
fn session(
    program: &str,
    pid: u32,
    tracked: bool,
    snapshots: Vec<Value>,
    summary: &Value,
) -> Fixture {
    let mut fixture = Fixture::empty();
    fixture.metadata["program"] = program.into();
    fixture.metadata["pid"] = pid.into();
    fixture.metadata["generated_ns"] = 125_000_000_000_u64.into();
    fixture.metadata["interval_ns"] = 5_000_000_000_u64.into();
    fixture.metadata["snapshots"] = snapshots.len().into();
    fixture.metadata["operations_tracked"] = tracked.into();
    Fixture { snapshots, summary: summary.clone(), ..fixture }
}

/// Returns a session of `program` with this summary and this level of the heap.
pub(crate) fn recording_of(
    program: &str,
    pid: u32,
    level: Option<&str>,
    summary: &Value,
) -> Recording {
    let snapshots = vec![snapshot(3, level, &json!([]))];
    session(program, pid, level.is_some(), snapshots, summary).recording()
}

/// A value whose fields have these names. Each field is larger than the one before it.
struct Fields<'n>(&'n [&'n str]);

impl MemoryProfile for Fields<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        for (name, thousands) in self.0.iter().zip(1..) {
            let field = walk.entry(at, name);
            walk.leaf(field, LeafKind::Data, thousands * 1000);
            walk.leaf(field, LeafKind::Spare, 24);
            walk.count_allocations(field, 1);
            let weights = walk.entry(field, "weights");
            walk.tensor(weights, &Tensor::new(Device::Cuda(0), "f32", &[16, 16], 1024));
        }
    }

    /// Adds no bytes for the value itself.
    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

/// Returns the recording of a session in which everything has a hostile name. `cargo xtask exports`
/// passes it to other tools.
pub(crate) fn hostile() -> String {
    let root = |names: &[&str]| {
        let profile = Profile::named(HOSTILE[8], &Fields(names));
        let json = profile.to_json().expect("it is not deep");
        let json: Value = serde_json::from_str(&json).expect("it is JSON");
        json!([{
            "name": HOSTILE[8], "state": "profiled", "held_ns": 0, "profile": json,
            "total_bytes": profile.total_bytes(), "heap_bytes": profile.total_bytes(),
        }])
    };
    let snapshots = vec![
        snapshot(0, Some("sampled"), &root(&HOSTILE[..6])),
        snapshot(1, Some("sampled"), &root(&HOSTILE[3..])),
    ];
    let sites: Vec<Value> = (0..)
        .zip(HOSTILE)
        .map(|(index, name)| {
            site(&["alloc::alloc", name, "app::main"], 1, 1000.3 * f64::from(index))
        })
        .collect();
    let operations: Vec<Value> = (1_u32..)
        .zip(HOSTILE)
        .map(|(index, name)| {
            operation(&[name], u64::from(index) * 1000, 0, Some(f64::from(index) * 10.3))
        })
        .collect();
    let summary = json!({
        "sites": sites, "other_sites": estimate(777.7), "operations": operations,
    });
    session("app <b>; é\u{1b}", 4711, true, snapshots, &summary).text()
}

pub(crate) fn recording(summary: &Value) -> Recording {
    recording_of("importer", 4711, Some("sampled"), summary)
}

/// Returns three call sites, one of which has a stack of its own, and more that are not listed.
pub(crate) fn sites() -> Value {
    json!({
        "sites": [
            site(&["alloc::alloc", "Vec<T>::push", "app::cache::insert", "app::main"], 2, 4096.4),
            site(&["alloc::alloc", "String::push_str", "app::parse", "app::main"], 2, 1000.4),
            site(&["app::parse", "app::main"], 0, 10.4),
        ],
        "other_sites": estimate(500.4),
    })
}

/// Returns nested operations.
pub(crate) fn operations(sampled: bool) -> Value {
    let retained = |bytes: f64| sampled.then_some(bytes);
    json!({"operations": [
        operation(&["load"], 1000, 3000, retained(0.0)),
        operation(&["load", "parse"], 2000, 1000, retained(700.4)),
        operation(&["load", "parse", "read"], 1000, 0, retained(50.4)),
        operation(&["serve"], 500, 0, retained(20.4)),
    ]})
}
