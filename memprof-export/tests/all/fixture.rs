//! Recordings for pages, as the text that a session would write.

use memprof_profile::tree::{Device, LeafKind};
use memprof_profile::walk::{Position, Tensor, Walk};
use memprof_profile::{MemoryProfile, Profile};
use memprof_recording::Recording;
use serde_json::{Value, json};

/// The parts of a recording.
pub(crate) struct Fixture {
    pub(crate) metadata: Value,
    pub(crate) snapshots: Vec<Value>,
    pub(crate) paths: Vec<Value>,
    pub(crate) calls: Vec<Value>,
    pub(crate) out_of_memory: Vec<Value>,
    pub(crate) summary: Value,
}

impl Fixture {
    /// Returns a session without events.
    pub(crate) fn empty() -> Self {
        let metadata = json!({
            "program": "importer", "pid": 4711, "memprof": "0.1.0", "platform": "linux x86_64",
            "started_unix_ns": 1_795_249_800_000_000_000_u64, "generated_at": "2026-11-21T08:32:05Z",
            "generated_ns": 0, "interval_ns": 5, "snapshots": 0, "operations_tracked": true,
            "ended": "finished",
        });
        let [snapshots, paths, calls, out_of_memory] = [const { Vec::new() }; 4];
        Self { metadata, snapshots, paths, calls, out_of_memory, summary: json!({}) }
    }

    /// Returns a session with some snapshots with roots and a GPU, nested calls, and a checkpoint.
    pub(crate) fn importer() -> Self {
        let mut fixture = Self::empty();
        fixture.snapshots = (0..6)
            .map(|number| snapshot(number, number * 1_000_000, (number == 2).then_some("loaded")))
            .collect();
        fixture.paths = vec![
            json!({"path": 1, "names": ["load"], "parent": null, "file": "src/main.rs", "line": 20}),
            json!({
                "path": 4, "names": ["load", "parse"], "parent": 1, "file": "src/parse.rs", "line": 9,
            }),
        ];
        fixture.calls = vec![
            json!([4, 1, 1000, 900_000, 4096, 1_000_000, 1_004_096, null]),
            json!([4, 2, 2000, 300_000, -128, 1_000_100, 999_972, 64]),
            json!([1, 1, 500, 2_900_000, 8192, 900_000, 1_004_096, -64]),
        ];
        fixture
    }

    pub(crate) fn recording(&self) -> Recording {
        Recording::from_text(&self.text()).expect("it is a recording")
    }

    /// Returns the first line of its timeline.
    pub(crate) fn first_line(&self) -> String {
        let head = r#""format":"memprof timeline","version":1"#;
        format!("{{{head},\"metadata\":{}}}\n", self.metadata)
    }

    /// Returns the text of the finished recording.
    pub(crate) fn text(&self) -> String {
        let list = |rows: &[Value]| {
            let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
            if rows.is_empty() { "[]".into() } else { format!("[\n{}\n]", rows.join(",\n")) }
        };
        format!(
            "{{\"format\": \"memprof session\", \"version\": 1,\n\"metadata\": {},\n\"snapshots\": \
             {},\n\"operation_paths\": {},\n\"operation_events\": {{\"rows\": {}}},\n\
             \"out_of_memory\": {},\n\"summary\": {}}}\n",
            self.metadata,
            list(&self.snapshots),
            list(&self.paths),
            list(&self.calls),
            list(&self.out_of_memory),
            self.summary,
        )
    }
}

/// A value that owns the first field's bytes by name, and the second field's bytes on a GPU.
pub(crate) struct Holds<'h>(pub(crate) &'h [(&'h str, u64)], pub(crate) u64);

impl MemoryProfile for Holds<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        for &(name, bytes) in self.0 {
            let at = walk.entry(at, name);
            walk.leaf(at, LeafKind::Data, bytes as usize);
            walk.leaf(at, LeafKind::Spare, 8);
            walk.count_allocations(at, 2);
        }
        if self.1 > 0 {
            let at = walk.entry(at, "weights");
            let bytes = self.1 as usize;
            walk.tensor(at, &Tensor::new(Device::Cuda(0), "f32", &[bytes / 4], bytes));
        }
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

/// Returns a root with this name, in the form of a snapshot.
pub(crate) fn root(name: &str, holds: &Holds<'_>) -> Value {
    let profile = Profile::named(name, holds);
    let heap = profile.total_bytes() - holds.1;
    json!({
        "name": name, "state": "profiled", "held_ns": 10, "total_bytes": profile.total_bytes(),
        "heap_bytes": heap, "profile": value(&profile),
    })
}

/// Returns the figures of a GPU with 64 MiB.
fn gpu(attributed: u64) -> Value {
    let leaf = |path: &[&str], bytes| {
        let path: Vec<String> = path.iter().map(|&frame| frame.to_owned()).collect();
        (path, Device::Cuda(0), bytes)
    };
    let mib = 1 << 20;
    let profile = Profile::of_counters(
        "gpu",
        [
            leaf(&["cuda:0", "free"], 40 * mib),
            leaf(&["cuda:0", "used", "process", "attributed"], attributed),
            leaf(&["cuda:0", "used", "process", "unattributed"], 20 * mib - attributed),
            leaf(&["cuda:0", "used", "other_processes"], 4 * mib),
        ],
    );
    json!({
        "name": "gpu", "profile": value(&profile),
        "gauges": [
            {"name": "cuda:0 temperature", "unit": "celsius", "value": 41},
            {"name": "cuda:0 power", "unit": "milliwatts", "value": null, "reason": "not reported"},
        ],
    })
}

fn value(profile: &Profile) -> Value {
    serde_json::from_str(&profile.to_json().expect("it is not deep")).expect("it is JSON")
}

/// Returns a snapshot. Its live bytes grow with its number.
pub(crate) fn snapshot(number: u64, at: u64, name: Option<&str>) -> Value {
    let cached = 10_000 * (number + 1);
    let cache = Holds(&[("entries", cached), ("index", 500)], 0);
    let net = Holds(&[("names", 300)], 4096);
    let claimed = cached + 500 + 300 + 24;
    let live = claimed + 7000;
    let mut snapshot = json!({
        "number": number, "at_ns": at, "trigger": if name.is_some() { "checkpoint" } else { "interval" },
        "heap": {
            "level": "counters", "counted_ns": null, "live_bytes": live, "profiler_bytes": 900,
            "profiler_peak_bytes": 0,
            "live_blocks": 100, "allocated_bytes": 2 * live, "allocated_blocks": 200,
            "freed_bytes": live, "freed_blocks": 100, "peak_bytes": live, "peak_error_bytes": 0,
        },
        "process": {"rss_bytes": 3 * live, "cgroup_limit_bytes": 1 << 30},
        "profiler": {}, "tensor_count": 1,
        "devices": [
            {"device": "cpu", "bytes": claimed, "tensors": []},
            {"device": "cuda:0", "bytes": 4096, "tensors": []},
        ],
        "roots": [root("cache", &cache), root("net", &net)],
        "sources": [gpu(4096)],
        "reconciliation": {
            "live_bytes": live + 900, "profiler_bytes": 900, "roots_bytes": claimed,
            "roots_exact": true, "explained": null, "unexplained": null, "claimed_twice": null,
        },
    });
    if let Some(name) = name {
        snapshot["name"] = name.into();
    }
    snapshot
}
