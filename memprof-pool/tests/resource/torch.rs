//! Tests that replay the allocations of a `PyTorch` program and compare the pool with
//! `memory_stats` after each step.
//!
//! `cargo xtask gpu` records such a trace into `tests/data` on a machine with a GPU and `PyTorch`.
//! The tests replay the traces in that folder.

use crate::{MIB, free};
use memprof_pool::{Address, AddressSpace, CachingPool, MemoryResource, Request, SizeClasses};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A line of the trace: an action, and the statistics after it.
#[derive(Deserialize)]
struct Line {
    action: String,
    id: Option<u64>,
    bytes: Option<u64>,
    allocated: u64,
    reserved: u64,
    requested: u64,
    inactive_split: u64,
    segments: u64,
}

const FORMAT: &str = "torch allocator trace";

/// Replays a trace. Returns the number of steps that agreed, or a text about the first step that
/// did not.
fn compare(trace: &str) -> Result<usize, String> {
    let pool = CachingPool::builder(AddressSpace::new()).size_classes(SizeClasses::Fixed);
    let pool = pool.build().expect("it needs nothing");
    let mut blocks: HashMap<u64, (Address, Request)> = HashMap::new();
    for (number, line) in trace.lines().enumerate().skip(1) {
        let at_line = |problem: &dyn std::fmt::Display| format!("line {}: {problem}", number + 1);
        let line: Line = serde_json::from_str(line).map_err(|error| at_line(&error))?;
        match (line.action.as_str(), line.id, line.bytes) {
            ("alloc", Some(id), Some(bytes)) => {
                let request = Request::new(bytes);
                let address = pool.allocate(request).map_err(|error| at_line(&error))?;
                blocks.insert(id, (address, request));
            }
            ("free", Some(id), _) => {
                let freed = blocks.remove(&id).ok_or_else(|| at_line(&"it is not allocated"))?;
                free(&pool, freed.0, freed.1).map_err(|error| at_line(&error))?;
            }
            ("empty_cache", ..) => drop(pool.empty_cache()),
            (other, ..) => return Err(at_line(&format!("there is no action {other:?}"))),
        }
        let found = pool.statistics();
        for (name, pool_bytes, torch_bytes) in [
            ("allocated", found.allocated, line.allocated),
            ("reserved", found.reserved, line.reserved),
            ("requested", found.requested, line.requested),
            ("inactive_split", found.cached - found.releasable, line.inactive_split),
            ("segments", found.segments, line.segments),
        ] {
            if pool_bytes != torch_bytes {
                return Err(at_line(&format!("{name} is {pool_bytes}, PyTorch's {torch_bytes}")));
            }
        }
    }
    Ok(trace.lines().count().saturating_sub(1))
}

/// Returns a trace with the statistics that follow from `PyTorch`'s documented rules.
///
/// Blocks are multiples of 512 bytes. Segments are 2 MiB, 20 MiB or a multiple of 2 MiB large. A
/// large block is split if the rest exceeds 1 MiB.
fn documented_trace() -> String {
    let steps: [(&str, u64, u64, [u64; 5]); 9] = [
        ("alloc", 1, 1000, [1024, 2 * MIB, 1000, 2 * MIB - 1024, 1]),
        ("alloc", 2, MIB, [MIB + 1024, 2 * MIB, MIB + 1000, MIB - 1024, 1]),
        // The size is just above that of a small block, so the block gets a middle segment.
        ("alloc", 3, MIB + 1, [2 * MIB + 1536, 22 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 2]),
        // The block has its own segment, which is not split because the rest is below 1 MiB.
        (
            "alloc",
            4,
            21 * MIB + 1,
            [24 * MIB + 1536, 44 * MIB, 23 * MIB + 1002, 20 * MIB - 1536, 3],
        ),
        ("free", 4, 0, [2 * MIB + 1536, 44 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 3]),
        // The best fit is the rest of the middle segment, because it is smaller than the free
        // segment.
        ("alloc", 5, 12 * MIB, [14 * MIB + 1536, 44 * MIB, 14 * MIB + 1001, 8 * MIB - 1536, 3]),
        ("free", 5, 0, [2 * MIB + 1536, 44 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 3]),
        ("empty_cache", 0, 0, [2 * MIB + 1536, 22 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 2]),
        ("free", 3, 0, [MIB + 1024, 22 * MIB, MIB + 1000, MIB - 1024, 2]),
    ];
    let lines = steps.map(|(action, id, bytes, stats)| {
        let [allocated, reserved, requested, inactive_split, segments] = stats;
        format!(
            "{{\"action\":\"{action}\",\"id\":{id},\"bytes\":{bytes},\"allocated\":{allocated},\
             \"reserved\":{reserved},\"requested\":{requested},\
             \"inactive_split\":{inactive_split},\"segments\":{segments}}}"
        )
    });
    format!("{{\"format\":\"{FORMAT}\"}}\n{}", lines.join("\n"))
}

#[test]
fn a_trace_by_the_documented_rules_agrees_and_one_that_differs_does_not() {
    let trace = documented_trace();
    assert_eq!(compare(&trace), Ok(9));
    let other = trace.replacen("\"allocated\":1024", "\"allocated\":1000", 1);
    assert_eq!(compare(&other), Err("line 2: allocated is 1024, PyTorch's 1000".to_owned()));
}

#[test]
fn recorded_traces_agree_after_each_step() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let files = fs::read_dir(&data).into_iter().flatten().flatten();
    let traces = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    let mut replayed = 0;
    for trace in traces.filter(|text| text.lines().next().is_some_and(|head| head.contains(FORMAT)))
    {
        let steps = compare(&trace).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(steps > 0, "a trace has steps");
        replayed += 1;
    }
    if replayed == 0 {
        // Writes directly to stderr, because cargo hides what a passed test prints by `println!`.
        let skipped = "\nskipped: PyTorch's memory_stats beside the pool's: no trace in \
                       memprof-pool/tests/data; `cargo xtask gpu` records it on a GPU\n";
        io::stderr().write_all(skipped.as_bytes()).expect("stderr can be written");
    }
}
