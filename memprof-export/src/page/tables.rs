//! What the session knew at its end: operations, places, leaks, what nobody explains.

use super::snapshots::EstimateJson;
use super::texts;
use memprof_session::document::{Block, FrameworkRow, Leak, OperationRow, Place, Site, Summary};
use serde::Serialize;

/// The tables of a page, as `report.d.ts` has them.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tables {
    operations: Vec<OperationJson>,
    frameworks: Vec<FrameworkJson>,
    sites: Vec<SiteJson>,
    leaks: Vec<LeakJson>,
    unexplained: Vec<SiteJson>,
    unexplained_operations: Vec<UnexplainedJson>,
    claimed_twice: Vec<TwiceJson>,
    largest_blocks: Vec<BlockJson>,
    other_sites: Option<EstimateJson>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OperationJson {
    path: String,
    #[serde(rename = "where")]
    place: String,
    calls: u64,
    allocated: u64,
    allocated_blocks: u64,
    freed: u64,
    total: i64,
    average: Option<f64>,
    max: Option<i64>,
    peak: u64,
    before: Option<i64>,
    after: Option<i64>,
    time_ns: Option<u64>,
    retained: Option<EstimateJson>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FrameworkJson {
    name: String,
    calls: u64,
    cpu_ns: Option<i64>,
    device_ns: Option<i64>,
    cpu_bytes: Option<i64>,
    device_bytes: Option<i64>,
    shapes: Option<String>,
}

#[derive(Debug, Serialize)]
struct SiteJson {
    place: String,
    live: EstimateJson,
    blocks: EstimateJson,
    allocated: Option<EstimateJson>,
    stack: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LeakJson {
    place: String,
    live: EstimateJson,
    blocks: EstimateJson,
    allocated: Option<EstimateJson>,
    stack: Vec<String>,
    operation: Vec<String>,
    bytes_per_second: f64,
    bytes_per_call: Option<f64>,
    confidence: f64,
}

#[derive(Debug, Serialize)]
struct UnexplainedJson {
    operation: Vec<String>,
    live: EstimateJson,
    blocks: EstimateJson,
}

#[derive(Debug, Serialize)]
struct TwiceJson {
    roots: [String; 2],
    live: EstimateJson,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockJson {
    bytes: u64,
    age_ns: u64,
    operation: Vec<String>,
    place: String,
}

impl Tables {
    pub(super) fn new(summary: &Summary) -> Self {
        Self {
            operations: summary.operations.iter().map(operation).collect(),
            frameworks: summary.framework_operations.iter().map(framework).collect(),
            sites: summary.sites.iter().map(site).collect(),
            leaks: summary.leaks.iter().map(leak).collect(),
            unexplained: summary.unexplained_sites.iter().map(site).collect(),
            unexplained_operations: summary
                .unexplained_operations
                .iter()
                .map(|one| UnexplainedJson {
                    operation: names(&one.operation),
                    live: one.live.into(),
                    blocks: one.live_blocks.into(),
                })
                .collect(),
            claimed_twice: summary
                .claimed_twice
                .iter()
                .map(|one| TwiceJson {
                    roots: one.roots.each_ref().map(|name| texts::name(name)),
                    live: one.live.into(),
                })
                .collect(),
            largest_blocks: summary.largest_blocks.iter().map(block).collect(),
            other_sites: summary.other_sites.map(Into::into),
        }
    }
}

fn operation(row: &OperationRow) -> OperationJson {
    OperationJson {
        path: texts::operation(&row.path),
        place: texts::location(&row.file, Some(row.line)),
        calls: row.calls,
        allocated: row.allocated_bytes,
        allocated_blocks: row.allocated_blocks,
        freed: row.freed_bytes,
        total: row.total_delta_bytes,
        average: row.average_delta_bytes,
        max: row.max_delta_bytes,
        peak: row.peak_bytes,
        before: row.before_bytes,
        after: row.after_bytes,
        time_ns: row.wall_time.map(|time| time.total_ns),
        retained: row.retained.map(Into::into),
    }
}

fn framework(row: &FrameworkRow) -> FrameworkJson {
    FrameworkJson {
        name: texts::name(&row.name),
        calls: row.calls,
        cpu_ns: row.cpu_ns.map(|known| known.total),
        device_ns: row.device_ns.map(|known| known.total),
        cpu_bytes: row.cpu_bytes.map(|known| known.total),
        device_bytes: row.device_bytes.map(|known| known.total),
        shapes: row.shapes.as_ref().map(|shapes| texts::name(&format!("{shapes:?}"))),
    }
}

fn site(site: &Site) -> SiteJson {
    SiteJson {
        place: place(&site.place),
        live: site.live.into(),
        blocks: site.live_blocks.into(),
        allocated: site.allocated.map(Into::into),
        stack: stack(&site.stack),
    }
}

fn leak(leak: &Leak) -> LeakJson {
    LeakJson {
        place: place(&leak.place),
        live: leak.live.into(),
        blocks: leak.live_blocks.into(),
        allocated: None,
        stack: stack(&leak.stack),
        operation: names(&leak.operation),
        bytes_per_second: leak.bytes_per_second,
        bytes_per_call: leak.bytes_per_call,
        confidence: leak.confidence,
    }
}

fn block(block: &Block) -> BlockJson {
    BlockJson {
        bytes: block.bytes,
        age_ns: block.age_ns,
        operation: names(&block.operation),
        place: place(&block.place),
    }
}

fn names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| texts::name(name)).collect()
}

fn stack(frames: &[Place]) -> Vec<String> {
    frames.iter().map(place).collect()
}

fn place(place: &Place) -> String {
    place.shown_as(texts::name, texts::file)
}
